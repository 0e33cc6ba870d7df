//! The `campaign` command.

use clap::Parser;
use pipeline::cli::Cli;
use std::process::ExitCode;

fn main() -> ExitCode {
    match pipeline::commands::dispatch(Cli::parse()) {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            eprintln!("campaign: {error}");
            ExitCode::from(error.exit_code())
        }
    }
}
