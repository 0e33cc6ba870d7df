//! The measuring host as `run` and `request` look at it: the conditions that go with a measuring
//! step, and the refusal of a host whose figures would not be those of the system.

use super::CommandError;
use crate::gather::Gathered;
use crate::gather::host::{Host, sentence};
use artifacts::ArtifactId;
use artifacts::store::Store;
use contract::Conditions;

/// What of the command line decides the conditions of measuring steps.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'a> {
    /// Whether a host that is not fixed is measured all the same.
    pub allow_unfixed_host: bool,
    /// Whether trials are short.
    pub quick: bool,
    /// Part K of N.
    pub shard: Option<&'a str>,
}

/// Looks at the host, and refuses it where figures would not be those of the system.
///
/// # Errors
/// When the host cannot be looked at, or must not be measured on.
pub fn look(
    gathered: &Gathered,
    asked: Asked<'_>,
    store: &Store,
    probe: Option<ArtifactId>,
) -> Result<Host, CommandError> {
    let host = Host::look(
        &gathered.system,
        gathered.cpu,
        probe.map(|probe| (store, probe)),
    )?;
    let problems = problems(gathered, &host);
    let unfixed = !problems.is_empty();
    if unfixed && gathered.system.is_registered() && !asked.allow_unfixed_host {
        return Err(CommandError::NotFixed(format!(
            "system {} must not be measured on this host:\n  - {}\n`campaign check --system {} --cpu \
             {}` says how to mend each; --allow-unfixed-host measures all the same and marks every \
             record and page",
            gathered.system.id,
            problems.join("\n  - "),
            gathered.system.id,
            gathered.cpu,
        )));
    }
    Ok(host)
}

/// All that makes figures of this host others than those of the system, one sentence each.
pub fn problems(gathered: &Gathered, host: &Host) -> Vec<String> {
    let mut problems = host.sentences();
    problems.extend(gathered.compiler_mismatch.iter().map(sentence));
    problems
}

/// The conditions of measuring steps on this host.
///
/// # Errors
/// Only on an error of this program.
pub fn conditions(
    gathered: &Gathered,
    asked: Asked<'_>,
    host: &Host,
) -> Result<Conditions, CommandError> {
    let environment = serde_json::to_value(host.environment(&gathered.compiler_version))?;
    let mut host_problems = problems(gathered, host);
    if asked.quick {
        let seconds = gathered.world.planning.trial_target_ns as f64 / 1e9;
        host_problems.push(format!(
            "measured with --quick: trials of {seconds} s, for a look only"
        ));
    }
    Ok(Conditions {
        compiler: None,
        cpu: Some(usize::try_from(gathered.cpu).unwrap_or_default()),
        environment: environment.as_object().cloned().unwrap_or_default(),
        host_problems,
        fixed_clock_hz: gathered.system.fixed_clock_hz,
        shard: asked.shard.map(str::to_owned),
    })
}
