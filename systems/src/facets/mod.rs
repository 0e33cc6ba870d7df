//! Facets: the parts of the system's fingerprint that enter step keys, each a flat map of strings, so
//! that `campaign why` can name the one that changed.
//!
//! - [`machine`]: what the hardware and its kernel are and how they are set.
//! - [`Toolchain::facet`]: what turns sources into a library.
//! - [`Toolchain::runtime`]: what a library runs with.
//!
//! No facet holds an absolute path, a core's number or a time. What is not known has no entry.

mod ask;
mod hashes;
mod toolchain;

pub use hashes::FileHashes;
pub use toolchain::Toolchain;

use crate::machine::Machine;
use std::collections::BTreeMap;

/// A part of the system's fingerprint.
pub type Facet = BTreeMap<String, String>;

/// The `machine` facet: what can change a time or a cycle count. Not the core's number, the exact
/// memory, the name on the network or the load.
pub fn machine(machine: &Machine) -> Facet {
    let number = |value: Option<u64>| value.map(|number| number.to_string());
    let on = |value: Option<bool>| value.map(|on| if on { "on" } else { "off" }.to_owned());
    let turbo = machine.intel_pstate_no_turbo.map(|off| !off);
    let entries = [
        ("architecture", Some(machine.architecture.clone())),
        ("boost", on(machine.cpufreq_boost)),
        ("clock.max-khz", number(machine.cpufreq_max_khz)),
        ("clock.min-khz", number(machine.cpufreq_min_khz)),
        (
            "core-kind",
            machine.core_kind.map(|kind| kind.as_str().to_owned()),
        ),
        ("cpu-model", machine.cpu_model.clone()),
        ("governor", machine.cpufreq_governor.clone()),
        ("kernel", machine.kernel.clone()),
        ("microcode", machine.microcode.clone()),
        ("os", machine.os.clone()),
        ("smt", machine.smt_control.clone()),
        ("turbo", on(turbo)),
        (
            "virtualization",
            Some(
                machine
                    .virtualization
                    .clone()
                    .unwrap_or_else(|| "none".to_owned()),
            ),
        ),
    ];
    let mitigations = machine
        .mitigations
        .iter()
        .map(|(name, state)| (format!("mitigation.{name}"), state.clone()));
    entries
        .into_iter()
        .filter_map(|(name, value)| Some((name.to_owned(), value?)))
        .chain(mitigations)
        .collect()
}
