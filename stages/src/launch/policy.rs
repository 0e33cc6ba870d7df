//! What a command may do.

use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A limit that does not bind.
pub const UNLIMITED: u64 = u64::MAX;

/// Where programs, libraries and what they need lie on the systems we know.
const SYSTEM_PATHS: [&str; 10] = [
    "/usr",
    "/bin",
    "/lib",
    "/lib32",
    "/lib64",
    "/etc/alternatives",
    "/etc/ld.so.cache",
    "/nix/store",
    "/gnu/store",
    "/run/current-system/sw",
];

/// Limits of the command and all it starts. A hard limit of the caller that is lower stays, and is
/// recorded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// CPU time of each process in seconds: SIGXCPU when it is used up, SIGKILL a second later.
    pub cpu_s: u64,
    /// Address space of each process in bytes.
    pub address_space_bytes: u64,
    /// Size of each file written, in bytes.
    pub file_size_bytes: u64,
    /// Processes and threads at a time, the command's own included; at least 1.
    pub processes: u64,
    /// Open descriptors of each process.
    pub open_files: u64,
    /// Stack of each process's main thread in bytes.
    pub stack_bytes: u64,
}

impl Default for Limits {
    /// Ten minutes, 8 GiB, files of 1 GiB, 64 processes, 256 descriptors, 8 MiB of stack.
    fn default() -> Self {
        Limits {
            cpu_s: 600,
            address_space_bytes: 8 << 30,
            file_size_bytes: 1 << 30,
            processes: 64,
            open_files: 256,
            stack_bytes: 8 << 20,
        }
    }
}

/// A command and what it may do. Everything not named is refused.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Policy {
    /// The program (an absolute path) and its arguments. Empty: restrict and report, run nothing.
    pub command: Vec<OsString>,
    /// The working directory; it must lie in `read` or `write`, or be `/`.
    pub cwd: PathBuf,
    /// The whole environment.
    pub environment: Vec<(OsString, OsString)>,
    /// Files and folders that may be read and executed; all must exist, and `/` is none of them.
    pub read: Vec<PathBuf>,
    /// Folders that may be read and written, and hold nothing that may be executed; all must exist.
    /// Where one path lies in another, the inner one decides.
    pub write: Vec<PathBuf>,
    /// Whether `/proc` may be read. It shows the command's own processes only.
    pub proc: bool,
    /// The core to run on; absent: the caller's cores.
    pub cpu: Option<usize>,
    /// Limits.
    pub limits: Limits,
    /// Wall time, after which all is killed.
    pub wall: Duration,
}

impl Policy {
    /// A policy for `program`, an absolute path, that may read nothing but that program, write
    /// nothing, and run for ten minutes.
    pub fn new(program: impl Into<PathBuf>) -> Self {
        let program = program.into();
        Policy {
            command: vec![program.clone().into_os_string()],
            cwd: PathBuf::from("/"),
            environment: Vec::new(),
            read: vec![program],
            write: Vec::new(),
            proc: false,
            cpu: None,
            limits: Limits::default(),
            wall: Duration::from_mins(10),
        }
    }

    /// Adds one argument.
    pub fn arg(mut self, arg: impl Into<OsString>) -> Self {
        self.command.push(arg.into());
        self
    }

    /// Adds arguments.
    pub fn args<A: Into<OsString>>(mut self, args: impl IntoIterator<Item = A>) -> Self {
        self.command.extend(args.into_iter().map(Into::into));
        self
    }

    /// Sets the working directory.
    pub fn cwd(mut self, cwd: impl Into<PathBuf>) -> Self {
        self.cwd = cwd.into();
        self
    }

    /// Adds a variable to the environment, which starts empty.
    pub fn env(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.environment.push((name.into(), value.into()));
        self
    }

    /// Lets a file or folder be read and executed.
    pub fn read(mut self, path: impl Into<PathBuf>) -> Self {
        self.read.push(path.into());
        self
    }

    /// Lets those of the system's folders of programs and libraries be read that exist.
    pub fn read_system(mut self) -> Self {
        let existing = SYSTEM_PATHS
            .iter()
            .map(PathBuf::from)
            .filter(|p| Path::exists(p));
        self.read.extend(existing);
        self
    }

    /// Lets a folder be read and written.
    pub fn write(mut self, folder: impl Into<PathBuf>) -> Self {
        self.write.push(folder.into());
        self
    }

    /// Lets `/proc` be read.
    pub fn proc(mut self) -> Self {
        self.proc = true;
        self
    }

    /// Pins the command to a core.
    pub fn cpu(mut self, cpu: usize) -> Self {
        self.cpu = Some(cpu);
        self
    }

    /// Sets the limits.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets the wall time.
    pub fn wall(mut self, wall: Duration) -> Self {
        self.wall = wall;
        self
    }
}
