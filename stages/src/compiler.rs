//! The compiler, run through the launcher: its input is foreign.
//!
//! It sees the system's programs and headers, its own folder, and the scratch folder, in which it
//! runs; its environment is `PATH`, `LC_ALL`, `TMPDIR` and a fixed `SOURCE_DATE_EPOCH`, so that
//! `__DATE__` is the same every day.

use crate::launch::{Containment, End, Finished, LaunchError, Limits, Policy, run};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// CPU seconds, and twice that in wall time, for one compile or link.
const COMPILE_S: u64 = 600;
/// Memory for one compile or link, in bytes.
const COMPILE_BYTES: u64 = 4 << 30;
/// Characters of a compiler's message that are kept as the reason of a failed build.
const REASON_CHARS: usize = 300;

/// Why the compiler could not be run.
#[derive(Debug, thiserror::Error)]
pub enum CompilerError {
    /// Not installed.
    #[error("no compiler `{0}` in PATH: install it, or name another one with --cc")]
    NotFound(String),
    /// The launcher failed.
    #[error(transparent)]
    Launch(#[from] LaunchError),
    /// A tool could not be run.
    #[error("could not run `{tool}`: {source}")]
    Tool {
        /// Its command line.
        tool: String,
        /// Why.
        source: std::io::Error,
    },
    /// A tool failed on a file of ours.
    #[error("`{tool}` failed: {said}")]
    ToolFailed {
        /// Its command line.
        tool: String,
        /// What it said.
        said: String,
    },
    /// The machine ran out of something; the candidate is not to blame.
    #[error(
        "the compiler could not do its work on this machine: {0}; free some space and run again"
    )]
    Machine(String),
}

/// A compiler and the folder it works in.
#[derive(Debug)]
pub struct Compiler {
    c: PathBuf,
    cxx: Option<PathBuf>,
    scratch: PathBuf,
    containment: RefCell<Vec<Containment>>,
    compiling_ns: Cell<u64>,
}

/// What a compile came to.
#[derive(Debug)]
pub struct Compiled {
    /// What the compiler said, capped.
    pub stderr: String,
    /// Why there is no output.
    pub failed: Option<String>,
}

/// Finds a command in `PATH`; a path is taken as it is.
fn find(command: &str) -> Option<PathBuf> {
    if command.contains('/') {
        return std::path::absolute(command)
            .ok()
            .filter(|path| path.is_file());
    }
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .map(|folder| folder.join(command))
        .find(|path| path.is_file())
}

/// The C++ compiler that goes with a C compiler.
fn cxx_name(c: &str) -> Option<String> {
    let (folder, name) = match c.rsplit_once('/') {
        Some((folder, name)) => (format!("{folder}/"), name),
        None => (String::new(), c),
    };
    [("gcc", "g++"), ("clang", "clang++"), ("cc", "c++")]
        .into_iter()
        .find(|(c, _)| name.contains(c))
        .map(|(c, cxx)| format!("{folder}{}", name.replacen(c, cxx, 1)))
}

impl Compiler {
    /// The compiler of this name, to work in `scratch`.
    ///
    /// # Errors
    /// When it is not installed.
    pub fn find(command: &str, scratch: &Path) -> Result<Self, CompilerError> {
        let c = find(command).ok_or_else(|| CompilerError::NotFound(command.to_owned()))?;
        let cxx = cxx_name(command).and_then(|name| find(&name));
        Ok(Compiler {
            c,
            cxx,
            scratch: scratch.to_owned(),
            containment: RefCell::new(Vec::new()),
            compiling_ns: Cell::new(0),
        })
    }

    /// Compiles or links with these arguments, in the scratch folder.
    ///
    /// # Errors
    /// When the machine failed; what the candidate's sources did wrong is in the answer.
    pub fn run(&self, cxx: bool, arguments: &[String]) -> Result<Compiled, CompilerError> {
        let program = match (cxx, &self.cxx) {
            (false, _) => &self.c,
            (true, Some(cxx)) => cxx,
            (true, None) => {
                return Err(CompilerError::NotFound(format!(
                    "g++ (the C++ compiler beside {})",
                    self.c.file_name().unwrap_or_default().to_string_lossy()
                )));
            }
        };
        let tmp = self.scratch.join("tmp");
        fs_err::create_dir_all(&tmp).map_err(|source| CompilerError::Tool {
            tool: "mkdir tmp".to_owned(),
            source,
        })?;
        let mut policy = Policy::new(program)
            .args(arguments)
            .cwd(&self.scratch)
            .read_system()
            .write(&self.scratch)
            .env("LC_ALL", "C")
            .env("SOURCE_DATE_EPOCH", "0")
            .env("TMPDIR", &tmp)
            .limits(Limits {
                cpu_s: COMPILE_S,
                address_space_bytes: COMPILE_BYTES,
                file_size_bytes: 1 << 30,
                processes: 32,
                open_files: 256,
                stack_bytes: 64 << 20,
            })
            .wall(Duration::from_secs(2 * COMPILE_S));
        if let Some(folder) = program.parent() {
            policy = policy.read(folder);
        }
        if let Some(path) = std::env::var_os("PATH") {
            policy = policy.env("PATH", path);
        }
        let finished = run(&policy, None)?;
        let stderr = finished.stderr.text();
        let failed = reason(&finished, &stderr);
        if failed.is_some() && stderr.contains("No space left on device") {
            return Err(CompilerError::Machine("no space left on device".to_owned()));
        }
        *self.containment.borrow_mut() = finished.containment;
        self.compiling_ns
            .set(self.compiling_ns.get() + finished.usage.wall_ns);
        Ok(Compiled { stderr, failed })
    }

    /// Nanoseconds in compiles and links so far.
    pub fn compiling_ns(&self) -> u64 {
        self.compiling_ns.get()
    }

    /// What was in force at the last run.
    pub fn containment(&self) -> Vec<Containment> {
        self.containment.borrow().clone()
    }

    /// Runs a tool on our own input, uncontained.
    fn tool(&self, program: &Path, arguments: &[&str]) -> Result<String, CompilerError> {
        let tool = format!("{} {}", program.display(), arguments.join(" "));
        let output = duct::cmd(program, arguments)
            .dir(&self.scratch)
            .env("LC_ALL", "C")
            .stdin_null()
            // The order counts: what is redirected first is captured.
            .stderr_to_stdout()
            .stdout_capture()
            .unchecked()
            .run()
            .map_err(|source| CompilerError::Tool {
                tool: tool.clone(),
                source,
            })?;
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        if output.status.success() {
            Ok(said)
        } else {
            Err(CompilerError::ToolFailed {
                tool,
                said: said.trim().to_owned(),
            })
        }
    }

    /// A program of the tool chain that goes with this compiler.
    fn binutils(&self, name: &str) -> Result<PathBuf, CompilerError> {
        let said = self.tool(&self.c, &[&format!("-print-prog-name={name}")])?;
        let named = PathBuf::from(said.trim());
        match named.is_absolute() {
            true => Ok(named),
            false => find(said.trim()).ok_or_else(|| CompilerError::NotFound(name.to_owned())),
        }
    }

    /// Takes away the section in which a compiler names itself.
    ///
    /// # Errors
    /// When the tool chain's objcopy fails.
    pub fn remove_comment(&self, file: &Path) -> Result<(), CompilerError> {
        let objcopy = self.binutils("objcopy")?;
        let file = file.to_string_lossy();
        self.tool(&objcopy, &["--remove-section=.comment", &file])
            .map(drop)
    }

    /// The first lines in which the compiler and its linker name themselves.
    ///
    /// # Errors
    /// When they cannot be run.
    pub fn versions(&self) -> Result<BTreeMap<String, String>, CompilerError> {
        let first = |said: String| said.lines().next().unwrap_or_default().to_owned();
        let compiler = first(self.tool(&self.c, &["--version"])?);
        let ld = self.binutils("ld")?;
        let linker = first(self.tool(&ld, &["--version"])?);
        Ok(BTreeMap::from([
            ("compiler".to_owned(), compiler),
            ("linker".to_owned(), linker),
        ]))
    }

    /// What the compiler driver makes of these options: the arguments of the compiler proper,
    /// without file names and folders.
    ///
    /// # Errors
    /// When the driver cannot be run.
    pub fn effective_options(&self, options: &[String]) -> Result<Vec<String>, CompilerError> {
        let mut arguments: Vec<&str> = options.iter().map(String::as_str).collect();
        arguments.extend(["-###", "-c", "-x", "c", "/dev/null", "-o", "effective.o"]);
        let said = self.tool(&self.c, &arguments)?;
        let proper = said
            .lines()
            .find(|line| line.contains("cc1") || line.contains("-cc1"))
            .unwrap_or_default();
        let words: Vec<&str> = proper
            .split_whitespace()
            .map(|w| w.trim_matches('"'))
            .collect();
        let mut effective = Vec::new();
        let mut words = words.into_iter().skip(1);
        while let Some(word) = words.next() {
            match word {
                "-D" | "-U" => effective.extend(words.next().map(|name| format!("{word}{name}"))),
                "-imultiarch"
                | "-dumpbase"
                | "-dumpdir"
                | "-auxbase"
                | "-o"
                | "-resource-dir"
                | "-main-file-name"
                | "-internal-isystem"
                | "-internal-externc-isystem"
                | "-object"
                | "-x" => drop(words.next()),
                "-quiet" => {}
                word if word.starts_with('-') && !word.contains('/') => {
                    effective.push(word.to_owned());
                }
                _ => {}
            }
        }
        Ok(effective)
    }
}

/// Why a compile failed, from how it ended and the first error it named.
fn reason(finished: &Finished, stderr: &str) -> Option<String> {
    let named = || {
        stderr
            .lines()
            .find(|line| {
                // The assembler writes it with a capital letter.
                ["error", "Error", "undefined reference"]
                    .iter()
                    .any(|word| line.contains(word))
            })
            .or_else(|| stderr.lines().find(|line| !line.trim().is_empty()))
            .unwrap_or("it said nothing")
            .chars()
            .take(REASON_CHARS)
            .collect::<String>()
    };
    match &finished.end {
        End::Exited(0) => None,
        End::Exited(_) => Some(named()),
        End::Signalled { name, .. } => Some(format!(
            "the compiler was ended by {name} (limits: {COMPILE_S} s of CPU time, {} GiB)",
            COMPILE_BYTES >> 30
        )),
        End::TimedOut => Some(format!("the compiler took longer than {} s", 2 * COMPILE_S)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cxx_compiler_goes_with_the_c_compiler() {
        for (c, cxx) in [
            ("gcc", "g++"),
            ("gcc-11", "g++-11"),
            ("clang-14", "clang++-14"),
            ("aarch64-linux-gnu-gcc", "aarch64-linux-gnu-g++"),
            ("/gcc/bin/gcc-12", "/gcc/bin/g++-12"),
        ] {
            assert_eq!(cxx_name(c).as_deref(), Some(cxx));
        }
    }
}
