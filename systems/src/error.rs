//! What can go wrong in this crate.

use std::path::PathBuf;

/// Why a fact, a facet or a registered system could not be had.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file that every Linux machine has cannot be read; the message of the source names it.
    #[error("cannot read a fact of this machine; assay needs Linux with /proc and /sys mounted")]
    Fact(#[source] std::io::Error),
    /// A file of `/proc` or `/sys` is not what the kernel documents.
    #[error("{}: `{found}` is not {expected}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// What it should hold.
        expected: &'static str,
        /// What it holds.
        found: String,
    },
    /// The core asked for does not exist or is offline.
    #[error("CPU {cpu} is not online (online: {online}); choose one of these with --cpu")]
    NoSuchCpu {
        /// The core asked for.
        cpu: u32,
        /// The kernel's list of online cores.
        online: String,
    },
    /// The compiler command names no executable.
    #[error("compiler `{command}` not found; install it, or name another in the system's TOML")]
    CompilerNotFound {
        /// The command.
        command: String,
        /// Why the look-up failed.
        #[source]
        source: which::Error,
    },
    /// The compiler did not start.
    #[error("cannot start `{command} {arguments}`")]
    CompilerStart {
        /// The command.
        command: String,
        /// Its arguments, separated by blanks.
        arguments: String,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// The compiler does not answer as GCC does.
    #[error(
        "`{command} {arguments}` {problem}; assay needs a compiler with GCC's command line{}",
        if stderr.is_empty() { String::new() } else { format!(" (it said: {stderr})") }
    )]
    CompilerAnswer {
        /// The command.
        command: String,
        /// Its arguments, separated by blanks.
        arguments: String,
        /// What is wrong with the answer.
        problem: &'static str,
        /// The last line it wrote to standard error.
        stderr: String,
    },
    /// A file that belongs to the toolchain or the runtime cannot be hashed.
    #[error("cannot hash a file of the toolchain or the runtime; is it readable for this user?")]
    Hash(#[source] std::io::Error),
    /// A folder of headers cannot be walked.
    #[error("cannot walk a folder of headers; is it readable for this user?")]
    Headers(#[source] walkdir::Error),
    /// The file hash cache cannot be written.
    #[error("cannot write the file hash cache {}; choose a writable place", path.display())]
    Cache {
        /// Where it should be.
        path: PathBuf,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// No system of this name is registered.
    #[error(
        "no system `{id}` is registered; there are: {known}, and `local` for any other machine"
    )]
    UnknownSystem {
        /// The name asked for.
        id: String,
        /// Those there are.
        known: String,
    },
    /// A system's file cannot be read.
    #[error("cannot read a system's file")]
    SystemFile(#[source] std::io::Error),
    /// A system's file is not TOML of the documented form.
    #[error("{file}: not a description of a system")]
    SystemSyntax {
        /// The file.
        file: String,
        /// Where and what; it shows the line.
        #[source]
        source: toml::de::Error,
    },
    /// A system's file is of another kind or version.
    #[error(
        "{file}: this is `{kind}` version {major}.{minor}, and this assay reads `{expected}` version {known}.x; \
         use a newer assay"
    )]
    SystemVersion {
        /// The file.
        file: String,
        /// The kind it states.
        kind: String,
        /// The major version it states.
        major: u32,
        /// The minor version it states.
        minor: u32,
        /// The kind that is read.
        expected: &'static str,
        /// The major version that is read.
        known: u32,
    },
    /// A value in a system's file is out of its range.
    #[error("{file}: `{key}` {problem}")]
    SystemValue {
        /// The file.
        file: String,
        /// The key.
        key: &'static str,
        /// What is wrong.
        problem: &'static str,
    },
    /// A clock measurement without a usable window.
    #[error("the clock probe gave no window with a time and cycles; run `campaign check` again")]
    NoClockSamples,
}
