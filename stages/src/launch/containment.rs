//! Which pieces of containment were in force.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A piece of containment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Piece {
    /// Not root, in a user namespace of its own; `partly` where only one of the two holds.
    User,
    /// A process namespace of its own: it sees and signals its own processes only, and they die
    /// together.
    Processes,
    /// A network namespace of its own, with nothing in it.
    Network,
    /// System V and POSIX inter-process communication of its own.
    Ipc,
    /// A host name of its own.
    HostName,
    /// A file tree of its own, made of what the policy names. Without it Landlock alone stands
    /// between the command and this user's files, and Landlock knows neither changes of mode, owner
    /// and times, nor that a file exists.
    FileTree,
    /// `/proc` shows its own processes only.
    Proc,
    /// Further user namespaces, and the capabilities that come with them, are refused.
    NoNamespaces,
    /// No capabilities, not even to be gained.
    Capabilities,
    /// No new privileges by executing a file.
    NoNewPrivileges,
    /// Landlock: reading, executing and writing by allow-list.
    LandlockFiles,
    /// Landlock: no TCP connections, no TCP service.
    LandlockTcp,
    /// Landlock: no signals and no abstract sockets beyond itself.
    LandlockScope,
    /// The core.
    Core,
    /// CPU time.
    LimitCpu,
    /// Address space.
    LimitAddressSpace,
    /// File size.
    LimitFileSize,
    /// Number of processes and threads.
    LimitProcesses,
    /// Number of open descriptors.
    LimitOpenFiles,
    /// Stack.
    LimitStack,
    /// No memory dumps, neither to a file nor to a crash handler.
    NoDumps,
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

/// How far a piece is enforced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Enforced {
    /// As described.
    Yes,
    /// In part.
    Partly,
    /// Not at all.
    No,
}

/// A piece of containment, whether it was in force, and why not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Containment {
    /// Which.
    pub piece: Piece,
    /// How far.
    pub enforced: Enforced,
    /// Why not in full; empty when in full.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub why: String,
}

impl Containment {
    /// In force.
    pub fn yes(piece: Piece) -> Self {
        Containment {
            piece,
            enforced: Enforced::Yes,
            why: String::new(),
        }
    }

    /// In force in part.
    pub fn partly(piece: Piece, why: impl Into<String>) -> Self {
        Containment {
            piece,
            enforced: Enforced::Partly,
            why: why.into(),
        }
    }

    /// Not in force.
    pub fn no(piece: Piece, why: impl Into<String>) -> Self {
        Containment {
            piece,
            enforced: Enforced::No,
            why: why.into(),
        }
    }

    /// In force if `result` is success, otherwise not, because of its error.
    pub fn of<T, E: fmt::Display>(piece: Piece, result: Result<T, E>) -> Self {
        match result {
            Ok(_) => Containment::yes(piece),
            Err(error) => Containment::no(piece, error.to_string()),
        }
    }
}
