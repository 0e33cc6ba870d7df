//! Running the probe on a library, through the launcher.

use crate::launch::{
    Containment, End as ChildEnd, LaunchError, Limits, Policy, UNLIMITED, Usage, run,
};
use crate::report::{End, Report, ReportError};
use crate::scratch::{Scratch, ScratchError};
use artifacts::ArtifactId;
use artifacts::store::{Store, StoreError};
use contract::Request;
use contract::request::RequestError;
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Address space of a measured process, in bytes.
const ADDRESS_SPACE: u64 = 16 << 30;
/// KAT text at most, in bytes.
const TEXT_BYTES: u64 = 4 << 30;
/// What a candidate printed is kept up to this many bytes a run.
const PRINTED: usize = 64 << 10;

/// Why the probe could not be run.
#[derive(Debug, thiserror::Error)]
pub enum ProbeError {
    /// The launcher failed.
    #[error(transparent)]
    Launch(#[from] LaunchError),
    /// Scratch folder.
    #[error(transparent)]
    Scratch(#[from] ScratchError),
    /// The request is incomplete.
    #[error(transparent)]
    Request(#[from] RequestError),
    /// Store.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The probe says that the machine let it down.
    #[error("the probe could not work on this machine: {0}; mend that and run again")]
    Host(String),
    /// Files of ours.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

/// A library and the probe, laid out to be run.
#[derive(Debug)]
pub struct Job {
    scratch: Scratch,
}

/// What came of one run.
#[derive(Debug)]
pub struct ProbeRun {
    /// What the probe reported.
    pub report: Report,
    /// Whether it was stopped because its time was over.
    pub timed_out: bool,
    /// How the process ended, for people.
    pub ending: String,
    /// Its exit code; absent when a signal ended it.
    pub exit_code: Option<i32>,
    /// The file that holds the KAT text.
    pub text: PathBuf,
    /// What the process used.
    pub usage: Usage,
    /// The command line, without folders.
    pub command: Vec<String>,
    /// What the candidate printed on standard output.
    pub stdout: String,
    /// What the candidate printed on standard error.
    pub stderr: String,
    containment: Vec<Containment>,
}

impl Job {
    /// Lays out the request's probe and this library.
    ///
    /// # Errors
    /// When the store does not hold them or they cannot be written.
    pub fn new(request: &Request, store: &Store, library: ArtifactId) -> Result<Self, ProbeError> {
        let scratch = Scratch::new()?;
        let folder = scratch.folder("run")?;
        for (id, name, mode) in [
            (request.input("probe")?, "probe", 0o755),
            (library, "library.so", 0o644),
        ] {
            let path = folder.join(name);
            store.copy_to(id, &path)?;
            fs_err::set_permissions(&path, Permissions::from_mode(mode))?;
        }
        Ok(Job { scratch })
    }

    fn folder(&self) -> PathBuf {
        self.scratch.path().join("run")
    }

    /// Runs the probe with these arguments after the library's.
    ///
    /// # Errors
    /// When the machine failed; how the candidate ended is in the answer.
    pub fn run(
        &self,
        arguments: &[String],
        timeout: Duration,
        cpu: Option<usize>,
    ) -> Result<ProbeRun, ProbeError> {
        let text = self.scratch.path().join("text");
        let file = fs_err::File::create(&text)?.into_parts().0;
        let folder = self.folder();
        let library = folder.join("library.so");
        let mut policy = Policy::new(folder.join("probe"))
            .arg(&library)
            .args(arguments)
            .cwd(&folder)
            .read(&folder)
            .read_system()
            .proc()
            .limits(Limits {
                cpu_s: UNLIMITED,
                address_space_bytes: ADDRESS_SPACE,
                file_size_bytes: TEXT_BYTES,
                processes: 64,
                open_files: 64,
                stack_bytes: 8 << 20,
            })
            .wall(timeout);
        if let Some(cpu) = cpu {
            policy = policy.cpu(cpu);
        }
        let finished = run(&policy, Some(file.into()))?;
        let timed_out = finished.end == ChildEnd::TimedOut;
        let (mut ending, exit_code) = match &finished.end {
            ChildEnd::Exited(code) => (
                format!("exited with status {code} without a result"),
                Some(*code),
            ),
            ChildEnd::Signalled { name, .. } => (format!("ended by {name}"), None),
            ChildEnd::TimedOut => (format!("stopped after {} s", timeout.as_secs()), None),
        };
        let report = match Report::parse(&finished.report) {
            Ok(report) => report,
            Err(error) => {
                ending = format!("wrote to the probe's pipe: {error}");
                empty_report(&error)
            }
        };
        if let End::HostFail(why) = report.end {
            return Err(ProbeError::Host(why));
        }
        let mut command = vec!["launcher".to_owned()];
        if let Some(cpu) = cpu {
            command.extend(["--cpu".to_owned(), cpu.to_string()]);
        }
        command.extend(["probe".to_owned(), "library.so".to_owned()]);
        command.extend(arguments.iter().cloned());
        Ok(ProbeRun {
            report,
            timed_out,
            ending,
            exit_code,
            text,
            usage: finished.usage,
            command,
            stdout: cap(&finished.stdout.text(), &folder),
            stderr: cap(&finished.stderr.text(), &folder),
            containment: finished.containment,
        })
    }
}

fn empty_report(error: &ReportError) -> Report {
    let mut report = Report::default();
    report.complaints.push(error.to_string());
    report.end = End::Missing;
    report
}

/// Keeps the first part, and no folder of this machine.
fn cap(text: &str, folder: &Path) -> String {
    let text = text.replace(&*folder.to_string_lossy(), ".");
    match text.char_indices().find(|(at, _)| *at >= PRINTED) {
        None => text,
        Some((at, _)) => format!("{}\n(cut: {} bytes in all)\n", &text[..at], text.len()),
    }
}

impl ProbeRun {
    /// What the candidate printed, for its log.
    pub fn printed(&self) -> String {
        let mut printed = String::new();
        for (name, text) in [
            ("standard output", &self.stdout),
            ("standard error", &self.stderr),
        ] {
            if !text.is_empty() {
                printed.push_str(&format!("--- {}: {name}\n{text}\n", self.command.join(" ")));
            }
        }
        printed
    }

    /// What was in force, for the receipt's observations.
    pub fn containment(&self) -> serde_json::Value {
        serde_json::to_value(&self.containment).unwrap_or_default()
    }
}
