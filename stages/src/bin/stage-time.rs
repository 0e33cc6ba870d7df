//! The stage `time`; see `stages::time`.

use artifacts::Stage;
use std::process::ExitCode;

fn main() -> ExitCode {
    contract::serve(Stage::Time, stages::time::run)
}
