//! The stage `render`; see `stages::render`.

use artifacts::Stage;
use std::process::ExitCode;

fn main() -> ExitCode {
    contract::serve(Stage::Render, stages::render::run)
}
