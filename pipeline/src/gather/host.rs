//! The measuring host: its facts, its clock and counter by the probe, and what is not fixed.

use artifacts::ArtifactId;
use artifacts::store::{Store, StoreError};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use systems::{ClockSamples, CounterProbe, Environment, Machine, Root, System};

/// Why the host cannot be looked at.
#[derive(Debug, thiserror::Error)]
pub enum HostError {
    /// Facts.
    #[error(transparent)]
    Systems(#[from] systems::Error),
    /// Store.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The probe could not be run.
    #[error("could not run the probe on this host: {0}")]
    Probe(#[from] std::io::Error),
}

/// A host as a measuring core finds it.
#[derive(Debug, Clone)]
pub struct Host {
    /// Its facts, with the measured clock where there is a counter.
    pub machine: Machine,
    /// What keeps it from being fixed, each with the command that mends it.
    pub problems: Vec<systems::Problem>,
    /// What is not as registered.
    pub mismatches: Vec<systems::Mismatch>,
}

impl Host {
    /// Looks at core `cpu`; with the probe, also at its counter and clock.
    ///
    /// # Errors
    /// When the core does not exist or the probe cannot be run.
    pub fn look(
        system: &System,
        cpu: u32,
        probe: Option<(&Store, ArtifactId)>,
    ) -> Result<Self, HostError> {
        let mut machine = Machine::read(&Root::host(), cpu)?;
        let counter = match probe {
            None => CounterProbe::NotTried,
            Some((store, probe)) => {
                let (counter, windows) = clock(store, probe, cpu)?;
                if let Ok(samples) = ClockSamples::from_windows(windows) {
                    machine = machine.with_clock(samples.summary());
                }
                counter
            }
        };
        let problems = systems::readiness(&machine, &counter);
        let mismatches = system.mismatches(&machine);
        Ok(Host {
            machine,
            problems,
            mismatches,
        })
    }

    /// Everything that is not as it should be, one sentence each, as records and pages carry it.
    pub fn sentences(&self) -> Vec<String> {
        let mismatches = self.mismatches.iter().map(sentence);
        self.problems
            .iter()
            .map(ToString::to_string)
            .chain(mismatches)
            .collect()
    }

    /// The published form.
    pub fn environment(&self, compiler: &str) -> Environment {
        Environment::of(&self.machine, Some(compiler))
    }
}

/// A mismatch as records and pages say it.
pub fn sentence(mismatch: &systems::Mismatch) -> String {
    let found = mismatch.found.as_deref().unwrap_or("not told");
    format!(
        "{} is {found}, registered is {}",
        mismatch.fact, mismatch.expected
    )
}

/// Whether the probe can count cycles on this core, and its windows of (nanoseconds, cycles).
fn clock(
    store: &Store,
    probe: ArtifactId,
    cpu: u32,
) -> Result<(CounterProbe, Vec<(u64, u64)>), HostError> {
    let folder = tempfile::tempdir()?;
    let program = folder.path().join("probe");
    store.copy_to(probe, &program)?;
    fs_err::set_permissions(&program, std::fs::Permissions::from_mode(0o755))?;
    let report = on_core(&program, cpu)?;
    let mut refused = None;
    let mut windows = Vec::new();
    for line in report.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        match words.as_slice() {
            ["event_error", why @ ..] => refused = Some(why.join(" ")),
            ["window", ns, count, ..] => {
                if let (Ok(ns), Ok(count)) = (ns.parse(), count.parse()) {
                    windows.push((ns, count));
                }
            }
            _ => {}
        }
    }
    let counter = match refused {
        Some(why) => CounterProbe::Refused(why),
        None if windows.is_empty() => CounterProbe::Refused("the probe reported no window".into()),
        None => CounterProbe::Opened,
    };
    Ok((counter, windows))
}

/// Runs `probe clock cycles` on a core. The probe is ours and gets no foreign code to run, so it
/// needs no containment; the shell gives it its report descriptor.
fn on_core(program: &Path, cpu: u32) -> Result<String, std::io::Error> {
    let pinned = r#"exec taskset -c "$1" "$0" clock cycles 3>&1 >/dev/null"#;
    duct::cmd!("/bin/sh", "-c", pinned, program, cpu.to_string())
        .stdin_null()
        .read()
}
