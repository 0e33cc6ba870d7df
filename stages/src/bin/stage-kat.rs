//! The stage `kat`; see `stages::kat`.

use artifacts::Stage;
use std::process::ExitCode;

fn main() -> ExitCode {
    contract::serve(Stage::Kat, stages::kat::run)
}
