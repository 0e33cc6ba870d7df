//! Whether a host is fit for measuring: NGCC.md section 5, "Host readiness".

use crate::clock::{CoreClock, STEADY_IQR_PERCENT};
use crate::machine::{CoreKind, Machine};
use serde::Serialize;
use std::collections::BTreeSet;

/// One thing that keeps the clock or the counter of the measuring core from being fixed.
///
/// As text: a sentence for people, which records and pages repeat. [`Problem::remedy`] mends it.
#[derive(Debug, Clone, PartialEq, Serialize, thiserror::Error)]
#[serde(tag = "problem", rename_all = "kebab-case")]
pub enum Problem {
    /// There is no hardware counter, as in most virtual machines: times only.
    #[error("no cycle counter: {}", match virtualization {
        Some(name) => format!("this virtual machine ({name}) has none"),
        None => "the kernel found none on this processor".to_owned(),
    })]
    NoCycleCounter {
        /// The hypervisor, if this is a virtual machine.
        virtualization: Option<String>,
    },
    /// The kernel does not let users count.
    #[error(
        "hardware cycle counter unavailable: kernel.perf_event_paranoid is {paranoid}, not 2 or less"
    )]
    CounterForbidden {
        /// The level in force.
        paranoid: i32,
    },
    /// The counter is there and allowed, but the probe could not open it.
    #[error("hardware cycle counter unavailable: {why}")]
    CounterRefused {
        /// What the probe says.
        why: String,
    },
    /// The governor may change the clock.
    #[error("the frequency governor of CPU {cpu} is {governor}, not performance")]
    Governor {
        /// The measuring core.
        cpu: u32,
        /// Its governor.
        governor: String,
    },
    /// Intel's turbo is on.
    #[error("turbo is on")]
    Turbo,
    /// The frequency driver may boost.
    #[error("boost is on")]
    Boost,
    /// An AArch64 core whose clock may vary.
    #[error("the clock of CPU {cpu} may vary between {min_khz} and {max_khz} kHz")]
    ClockRange {
        /// The measuring core.
        cpu: u32,
        /// The lowest clock in kHz.
        min_khz: u64,
        /// The highest clock in kHz.
        max_khz: u64,
    },
    /// Another hardware thread shares the core.
    #[error("CPU {cpu} shares its core with CPU {} (SMT)", list(siblings))]
    SmtSibling {
        /// The measuring core.
        cpu: u32,
        /// The other threads that are online.
        siblings: BTreeSet<u32>,
    },
    /// A small core of a hybrid processor.
    #[error("CPU {cpu} is not a performance core (those are {performance_cpus})")]
    NotPerformanceCore {
        /// The measuring core.
        cpu: u32,
        /// The kernel's list of performance cores.
        performance_cpus: String,
    },
    /// Firmware controls the clock, and nobody measured it.
    #[error(
        "the operating system does not control the clock of CPU {cpu}, and it has not been measured"
    )]
    ClockUnmeasured {
        /// The measuring core.
        cpu: u32,
    },
    /// Firmware controls the clock, and it varies.
    #[error(
        "the operating system does not control the clock of CPU {cpu}, and it is not steady: \
         interquartile range {iqr_percent:.2} %, more than {STEADY_IQR_PERCENT} %"
    )]
    ClockUnsteady {
        /// The measuring core.
        cpu: u32,
        /// Interquartile range in per cent of the median.
        iqr_percent: f64,
    },
}

impl Problem {
    /// The command that mends it (as root), or, where none can, what to do.
    pub fn remedy(&self) -> String {
        const CPU: &str = "/sys/devices/system/cpu";
        match self {
            Problem::NoCycleCounter { virtualization: Some(_) } => {
                "measure on hardware, or give the virtual machine a counter (QEMU: `-cpu host,pmu=on`)".into()
            }
            Problem::NoCycleCounter { virtualization: None } => {
                "boot a kernel with the processor's performance monitoring unit enabled".into()
            }
            Problem::CounterForbidden { .. } => "sysctl kernel.perf_event_paranoid=2".into(),
            Problem::CounterRefused { .. } => {
                "stop other users of the counter (`perf`, the NMI watchdog: `sysctl kernel.nmi_watchdog=0`)"
                    .into()
            }
            Problem::Governor { cpu, .. } => {
                format!("echo performance > {CPU}/cpu{cpu}/cpufreq/scaling_governor")
            }
            Problem::Turbo => format!("echo 1 > {CPU}/intel_pstate/no_turbo"),
            Problem::Boost => format!("echo 0 > {CPU}/cpufreq/boost"),
            // which clock is the operator's choice; the highest allowed one is always possible
            Problem::ClockRange { cpu, max_khz, .. } => {
                format!("echo {max_khz} > {CPU}/cpu{cpu}/cpufreq/scaling_min_freq")
            }
            Problem::SmtSibling { .. } => format!("echo off > {CPU}/smt/control"),
            Problem::NotPerformanceCore { performance_cpus, .. } => {
                let first = performance_cpus.split(['-', ',']).next().unwrap_or_default();
                format!("campaign check --cpu {first}")
            }
            Problem::ClockUnmeasured { cpu } => format!("campaign check --cpu {cpu}"),
            Problem::ClockUnsteady { .. } => {
                "load the kernel's frequency driver for this processor (such as `modprobe scmi-cpufreq`), \
                 or fix the clock in the firmware"
                    .into()
            }
        }
    }
}

fn list(cpus: &BTreeSet<u32>) -> String {
    cpus.iter()
        .map(u32::to_string)
        .collect::<Vec<_>>()
        .join(", ")
}

/// What the probe found when it opened the cycle counter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CounterProbe {
    /// Nobody tried: the machine's facts decide.
    NotTried,
    /// It counts.
    Opened,
    /// It does not, and why.
    Refused(String),
}

/// All that keeps this core from being fixed; empty when it is. The measured clock is
/// [`Machine::core_clock`].
pub fn readiness(machine: &Machine, counter: &CounterProbe) -> Vec<Problem> {
    let cpu = machine.cpu_number;
    let counter = counter_problem(machine, counter);
    let has_counter = !matches!(counter, Some(Problem::NoCycleCounter { .. }));
    let mut problems: Vec<Problem> = counter.into_iter().collect();

    if machine.cpufreq {
        problems.extend(cpufreq_problems(machine));
    } else if has_counter {
        // without a counter the clock cannot be measured: said once is enough
        problems.extend(match machine.core_clock {
            None => Some(Problem::ClockUnmeasured { cpu }),
            Some(CoreClock { iqr_percent, .. }) if iqr_percent > STEADY_IQR_PERCENT => {
                Some(Problem::ClockUnsteady { cpu, iqr_percent })
            }
            Some(_) => None,
        });
    }
    if !machine.thread_siblings.is_empty() {
        problems.push(Problem::SmtSibling {
            cpu,
            siblings: machine.thread_siblings.clone(),
        });
    }
    if machine.core_kind == Some(CoreKind::Efficiency) {
        problems.push(Problem::NotPerformanceCore {
            cpu,
            performance_cpus: machine.performance_cpus.clone().unwrap_or_default(),
        });
    }
    problems
}

fn counter_problem(machine: &Machine, probe: &CounterProbe) -> Option<Problem> {
    // the kernel's list of counters may have a name we do not know: a counter that opened is one
    let exists = machine.cycle_counter || *probe == CounterProbe::Opened;
    match (machine.perf_event_paranoid, probe) {
        (Some(paranoid), _) if exists && paranoid > 2 => {
            Some(Problem::CounterForbidden { paranoid })
        }
        (Some(_), CounterProbe::Refused(why)) if exists => {
            Some(Problem::CounterRefused { why: why.clone() })
        }
        (Some(_), _) if exists => None,
        _ => Some(Problem::NoCycleCounter {
            virtualization: machine.virtualization.clone(),
        }),
    }
}

fn cpufreq_problems(machine: &Machine) -> impl Iterator<Item = Problem> {
    let cpu = machine.cpu_number;
    let governor = machine.cpufreq_governor.as_deref().unwrap_or("unknown");
    let governor = (governor != "performance").then(|| Problem::Governor {
        cpu,
        governor: governor.to_owned(),
    });
    let turbo = (machine.intel_pstate_no_turbo == Some(false)).then_some(Problem::Turbo);
    let boost = (machine.cpufreq_boost == Some(true)).then_some(Problem::Boost);
    let range = match (machine.cpufreq_min_khz, machine.cpufreq_max_khz) {
        (Some(min_khz), Some(max_khz))
            if machine.architecture == "aarch64" && min_khz != max_khz =>
        {
            Some(Problem::ClockRange {
                cpu,
                min_khz,
                max_khz,
            })
        }
        _ => None,
    };
    governor.into_iter().chain(turbo).chain(boost).chain(range)
}
