//! What the launcher says on the control channel: one JSON object a line.
//!
//! Order: any number of `containment`, `started`, then one of `ended` and `refused`, which may also
//! come without a start. Neither: the launcher was killed.

use super::Containment;
use serde::{Deserialize, Serialize};
use std::io::{self, Write};

/// A line of the control channel.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "say", rename_all = "kebab-case")]
pub enum Message {
    /// A piece of containment.
    Containment(Containment),
    /// The command is about to be started: from now on the death of `launcher init` counts as its
    /// end, because it can bring that about (see `supervisor`).
    Started,
    /// The command ended.
    Ended {
        /// Exit code, or the signal that ended it.
        end: Ending,
        /// Whether the wall time was over.
        timed_out: bool,
        /// What it used.
        usage: Usage,
    },
    /// The command was not started.
    Refused {
        /// What failed.
        what: String,
        /// Why.
        why: String,
    },
}

impl Message {
    /// Writes one line, of less than 4 KiB. It allocates nothing: by the time a command has ended
    /// it may have taken all memory from the launcher.
    ///
    /// # Errors
    /// When the stage is gone, or the line is too long.
    pub fn send(&self, mut channel: impl Write) -> io::Result<()> {
        let mut line = io::Cursor::new([0; 4096]);
        serde_json::to_writer(&mut line, self)?;
        line.write_all(b"\n")?;
        let length = usize::try_from(line.position()).unwrap_or_default();
        channel.write_all(&line.get_ref()[..length])
    }
}

/// How the command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// It exited with this code.
    Exited(i32),
    /// This signal ended it.
    Signalled(i32),
}

/// What the command used, with the processes it started and that ended before it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Wall time from before the start to the end, in nanoseconds.
    pub wall_ns: u64,
    /// CPU time in user mode, in nanoseconds (the kernel counts microseconds).
    pub user_ns: u64,
    /// CPU time in the kernel, in nanoseconds (the kernel counts microseconds).
    pub system_ns: u64,
    /// Largest resident set of one process, in bytes (the kernel counts KiB). A lower bound of it
    /// is the launcher's own, which the kernel counts until the program is executed.
    pub max_rss_bytes: u64,
}
