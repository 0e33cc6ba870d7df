//! Why a command could not be run. All of these are failures of the machine or the installation, not
//! results of a candidate.

use std::io;
use std::path::PathBuf;

/// Why a command could not be run.
#[derive(Debug, thiserror::Error)]
pub enum LaunchError {
    /// The launcher is not where it should be.
    #[error(
        "the launcher is not beside {beside}: install it there, or build it with \
         `cargo build -p stages --bin launcher`"
    )]
    NoLauncher {
        /// The running program.
        beside: PathBuf,
    },
    /// A call of the stage's side failed.
    #[error("could not {what} to run {command}: {source}")]
    Io {
        /// What was tried.
        what: &'static str,
        /// The program.
        command: String,
        /// Why.
        source: io::Error,
    },
    /// The policy holds a path that is not UTF-8.
    #[error("the policy for {command} can't be written as JSON (is a path not UTF-8?): {source}")]
    Policy {
        /// The program.
        command: String,
        /// Why.
        source: serde_json::Error,
    },
    /// The launcher did not start the command.
    #[error("the launcher did not start {command}: {what}: {why}")]
    Refused {
        /// The program.
        command: String,
        /// What failed.
        what: String,
        /// Why.
        why: String,
    },
    /// The launcher ended without a word.
    #[error(
        "the launcher of {command} was killed (out of memory? see `dmesg`) or is of another version \
         than this stage; standard error: {stderr:?}"
    )]
    Lost {
        /// The program.
        command: String,
        /// What stood on standard error.
        stderr: String,
    },
    /// The launcher outlived being killed.
    #[error(
        "the launcher of {command} can't be killed (process {pid}; see its state in /proc/{pid}/status)"
    )]
    Stuck {
        /// The program.
        command: String,
        /// The launcher.
        pid: u32,
    },
}
