//! The stage `build`; see `stages::build`.

use artifacts::Stage;
use std::process::ExitCode;

fn main() -> ExitCode {
    contract::serve(Stage::Build, stages::build::run)
}
