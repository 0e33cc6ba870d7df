//! The stage `profile`; see `stages::profile`.

use artifacts::Stage;
use std::process::ExitCode;

fn main() -> ExitCode {
    contract::serve(Stage::Profile, stages::profile::run)
}
