//! The published form of a machine's facts: the `environment` of records and campaigns.
//!
//! Read as published (NGCC.md section 7): fields may be absent or null, unknown ones are kept. Numbers
//! that are read from `/sys` are strings there. What this version adds beyond schema 2 is left out
//! where it is not known.

use crate::machine::Machine;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// The facts of the machine at one time, as evidence states them.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Environment {
    /// See [`Machine::hostname`].
    pub hostname: Option<String>,
    /// See [`Machine::architecture`].
    pub architecture: Option<String>,
    /// See [`Machine::cpu_model`].
    pub cpu_model: Option<String>,
    /// See [`Machine::machine`].
    pub machine: Option<String>,
    /// See [`Machine::cpu_number`].
    pub cpu_number: Option<u32>,
    /// See [`Machine::logical_cpus_online`].
    pub logical_cpus_online: Option<String>,
    /// Whether this is a virtual machine.
    pub virtualized: Option<bool>,
    /// Memory in KiB.
    pub memory_total_kib: Option<u64>,
    /// See [`Machine::os`].
    pub os: Option<String>,
    /// See [`Machine::kernel`].
    pub kernel: Option<String>,
    /// First line of `gcc --version`.
    pub compiler: Option<String>,
    /// First line of `cmake --version`; assay itself builds without it.
    pub cmake: Option<String>,
    /// The harness's Python; assay has none.
    pub python: Option<String>,
    /// See [`Machine::perf_event_paranoid`].
    pub perf_event_paranoid: Option<String>,
    /// See [`Machine::cpufreq_governor`].
    pub cpufreq_governor: Option<String>,
    /// See [`Machine::cpufreq_driver`].
    pub cpufreq_driver: Option<String>,
    /// kHz; see [`Machine::cpufreq_min_khz`].
    pub cpufreq_min_khz: Option<String>,
    /// kHz; see [`Machine::cpufreq_max_khz`].
    pub cpufreq_max_khz: Option<String>,
    /// kHz; see [`Machine::cpufreq_avg_khz`].
    pub cpufreq_avg_khz: Option<String>,
    /// `1`: turbo off.
    pub intel_pstate_no_turbo: Option<String>,
    /// `0`: boost off.
    pub cpufreq_boost: Option<String>,
    /// See [`Machine::smt_control`].
    pub smt_control: Option<String>,
    /// Median of the measured clock, Hz.
    pub core_clock_hz: Option<u64>,
    /// Slowest window of the measured clock, Hz.
    pub core_clock_min_hz: Option<u64>,
    /// Fastest window of the measured clock, Hz.
    pub core_clock_max_hz: Option<u64>,
    /// The measured clock to the nearest 100 MHz, in MHz.
    pub core_clock_mhz: Option<u64>,
    /// The hypervisor's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub virtualization: Option<String>,
    /// Whether the kernel found a hardware performance counter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cycle_counter: Option<bool>,
    /// `performance` or `efficiency` on a hybrid processor.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub core_kind: Option<String>,
    /// Other online hardware threads of the core.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thread_siblings: Option<Vec<u32>>,
    /// See [`Machine::microcode`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub microcode: Option<String>,
    /// See [`Machine::isolated_cpus`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub isolated_cpus: Option<String>,
    /// See [`Machine::mitigations`].
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub mitigations: BTreeMap<String, String>,
    /// Fields this version does not know, kept.
    #[serde(flatten)]
    pub unknown: Map<String, Value>,
}

impl Environment {
    /// The facts of this machine, compiled for with `compiler` (first line of its `--version`).
    pub fn of(machine: &Machine, compiler: Option<&str>) -> Environment {
        let flag = |value: Option<bool>| value.map(|on| u8::from(on).to_string());
        let number = |value: Option<u64>| value.map(|number| number.to_string());
        let clock = machine.core_clock;
        Environment {
            hostname: machine.hostname.clone(),
            architecture: Some(machine.architecture.clone()),
            cpu_model: machine.cpu_model.clone(),
            machine: machine.machine.clone(),
            cpu_number: Some(machine.cpu_number),
            logical_cpus_online: Some(machine.logical_cpus_online.clone()),
            virtualized: Some(machine.virtualization.is_some()),
            memory_total_kib: machine.memory_total_kib,
            os: machine.os.clone(),
            kernel: machine.kernel.clone(),
            compiler: compiler.map(str::to_owned),
            cmake: None,
            python: None,
            perf_event_paranoid: machine.perf_event_paranoid.map(|level| level.to_string()),
            cpufreq_governor: machine.cpufreq_governor.clone(),
            cpufreq_driver: machine.cpufreq_driver.clone(),
            cpufreq_min_khz: number(machine.cpufreq_min_khz),
            cpufreq_max_khz: number(machine.cpufreq_max_khz),
            cpufreq_avg_khz: number(machine.cpufreq_avg_khz),
            intel_pstate_no_turbo: flag(machine.intel_pstate_no_turbo),
            cpufreq_boost: flag(machine.cpufreq_boost),
            smt_control: machine.smt_control.clone(),
            core_clock_hz: clock.map(|clock| clock.median_hz),
            core_clock_min_hz: clock.map(|clock| clock.min_hz),
            core_clock_max_hz: clock.map(|clock| clock.max_hz),
            core_clock_mhz: clock.map(|clock| clock.nominal_mhz()),
            virtualization: machine.virtualization.clone(),
            cycle_counter: Some(machine.cycle_counter),
            core_kind: machine.core_kind.map(|kind| kind.as_str().to_owned()),
            thread_siblings: Some(machine.thread_siblings.iter().copied().collect()),
            microcode: machine.microcode.clone(),
            isolated_cpus: machine.isolated_cpus.clone(),
            mitigations: machine.mitigations.clone(),
            unknown: Map::new(),
        }
    }

    /// The page's line `clock`; NGCC.md section 8.
    ///
    /// Three forms: the measured clock where the operating system controls none, `fixed` where an
    /// AArch64 core's minimum equals its maximum, and `max` with the governor elsewhere. What is not
    /// known is called so.
    pub fn clock_line(&self) -> String {
        let smt = format!("SMT {}", self.smt());
        let khz = |value: &Option<String>| value.as_deref().and_then(|khz| khz.parse::<u64>().ok());
        let (min, max) = (khz(&self.cpufreq_min_khz), khz(&self.cpufreq_max_khz));
        let Some(max) = max else {
            return match self
                .core_clock_mhz
                .or(self.core_clock_hz.map(|hz| hz / 1_000_000))
            {
                Some(mhz) => format!(
                    "measured {}, set by firmware (no OS frequency scaling or boost), {smt}",
                    ghz(mhz * 1000)
                ),
                None => format!("not known (no OS frequency scaling, none measured), {smt}"),
            };
        };
        let governor = format!(
            "governor {}",
            self.cpufreq_governor.as_deref().unwrap_or("unknown")
        );
        let boost = self.boost();
        if self.architecture.as_deref() == Some("aarch64") && min == Some(max) {
            format!(
                "fixed {} ({governor}, minimum = maximum), {boost}, {smt}",
                ghz(max)
            )
        } else {
            format!("max {}, {governor}, {boost}, {smt}", ghz(max))
        }
    }

    fn boost(&self) -> &'static str {
        match (
            self.intel_pstate_no_turbo.as_deref(),
            self.cpufreq_boost.as_deref(),
        ) {
            (Some("0"), _) => "turbo on",
            (Some(_), _) => "turbo off",
            (None, Some("0")) => "boost off",
            (None, Some(_)) => "boost on",
            (None, None) => "boost none",
        }
    }

    fn smt(&self) -> &'static str {
        match self.smt_control.as_deref() {
            Some("on") => "on",
            Some("off" | "forceoff") => "off",
            Some("notsupported") => "none",
            _ => match self.thread_siblings.as_deref() {
                Some([]) => "none",
                Some(_) => "on",
                None => "unknown",
            },
        }
    }
}

fn ghz(khz: u64) -> String {
    format!("{:.2} GHz", khz as f64 / 1e6)
}
