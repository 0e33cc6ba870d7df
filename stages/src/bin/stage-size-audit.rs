//! The stage `size-audit`; see `stages::size_audit`.

use artifacts::Stage;
use std::process::ExitCode;

fn main() -> ExitCode {
    contract::serve(Stage::SizeAudit, stages::size_audit::run)
}
