//! The launcher's side: what happens in the binary `launcher`.
//!
//! * `launcher supervise N`, started by the stage with N passed descriptors from 3 on: leaves the
//!   stage's session, enters new namespaces, starts `launcher init`, ends when it ends, and kills
//!   what outlived it.
//! * `launcher init`: the first process of the new process namespace. Reads the policy, builds the
//!   file tree, gives up all rights, starts the command, and ends when the command ends or the
//!   stage is gone; the kernel then kills the rest of the namespace.
//! * `launcher check`: prints as JSON what this machine would enforce.

mod identity;
mod init;
mod landlocked;
mod limits;
mod namespaces;
mod supervisor;
mod tree;

use super::containment_available;
use super::message::Message;
use std::fmt;
use std::io::{self, Write};
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::process::ExitCode;

/// The program.
pub fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match args[..] {
        ["supervise", passed] => on_control(|control| supervisor::supervise(passed, control)),
        ["init"] => on_control(init::init),
        ["check"] => check(),
        _ => {
            let usage = "launcher contains foreign commands for the stages and is started by them.\n\
                         `launcher check` prints as JSON what this machine would enforce.\n";
            let _ = io::stderr().write_all(usage.as_bytes());
            ExitCode::from(2)
        }
    }
}

fn check() -> ExitCode {
    let available = match containment_available() {
        Ok(available) => available,
        Err(error) => {
            let _ = writeln!(io::stderr(), "error: {error}");
            return ExitCode::FAILURE;
        }
    };
    match serde_json::to_writer_pretty(io::stdout(), &available) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

/// Why the command is not started.
#[derive(Debug)]
struct Refusal {
    what: String,
    why: String,
}

/// A refusal to `what` because of an error. Nothing is allocated where there is none.
fn refused<W: Into<String>, E: fmt::Display>(what: W) -> impl FnOnce(E) -> Refusal {
    move |why| Refusal {
        what: what.into(),
        why: why.to_string(),
    }
}

/// Runs `work` with the control channel, and says on it why it was refused.
fn on_control(work: impl FnOnce(&UnixStream) -> Result<(), Refusal>) -> ExitCode {
    // a duplicate that the command does not inherit
    let Ok(control) = io::stdin().as_fd().try_clone_to_owned() else {
        return ExitCode::FAILURE;
    };
    let control = UnixStream::from(control);
    match work(&control) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Refusal { what, why }) => {
            // the stage that would read it may be gone
            let _ = Message::Refused { what, why }.send(&control);
            ExitCode::FAILURE
        }
    }
}
