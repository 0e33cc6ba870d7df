//! The facts of a machine, as seen from one of its cores.

use crate::clock::CoreClock;
use crate::root::{Root, parse_cpus};
use crate::{Error, identity};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

const CPU: &str = "sys/devices/system/cpu";

/// What a machine says of itself. Absent is `None`: not told by this kernel or firmware.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Machine {
    /// The network name.
    pub hostname: Option<String>,
    /// As `uname -m`: `x86_64`, `aarch64`.
    pub architecture: String,
    /// The processor's name.
    pub cpu_model: Option<String>,
    /// The machine's name, where the firmware gives one (device tree, or DMI without placeholders).
    pub machine: Option<String>,
    /// The core these facts are of.
    pub cpu_number: u32,
    /// The kernel's list of online cores.
    pub logical_cpus_online: String,
    /// The hypervisor (`kvm`, `vmware`, .. or `unknown`); `None` on hardware.
    pub virtualization: Option<String>,
    /// Memory in KiB.
    pub memory_total_kib: Option<u64>,
    /// The operating system's name and version.
    pub os: Option<String>,
    /// The kernel's release.
    pub kernel: Option<String>,
    /// Who may count events; user-mode counting needs 2 or less. `None`: a kernel without perf.
    pub perf_event_paranoid: Option<i32>,
    /// Whether the kernel found a hardware performance counter.
    pub cycle_counter: bool,
    /// Whether the operating system controls the core's clock at all.
    pub cpufreq: bool,
    /// The core's frequency governor.
    pub cpufreq_governor: Option<String>,
    /// The core's frequency driver.
    pub cpufreq_driver: Option<String>,
    /// The lowest clock the governor may choose, kHz.
    pub cpufreq_min_khz: Option<u64>,
    /// The highest clock the governor may choose, kHz.
    pub cpufreq_max_khz: Option<u64>,
    /// The clock as the hardware reports it, kHz.
    pub cpufreq_avg_khz: Option<u64>,
    /// Whether `intel_pstate` keeps turbo off.
    pub intel_pstate_no_turbo: Option<bool>,
    /// Whether the frequency driver may boost.
    pub cpufreq_boost: Option<bool>,
    /// The kernel's word: `on`, `off`, `forceoff`, `notsupported` or `notimplemented`.
    pub smt_control: Option<String>,
    /// Other online hardware threads of the same core.
    pub thread_siblings: BTreeSet<u32>,
    /// The microcode's revision.
    pub microcode: Option<String>,
    /// Name of a vulnerability to how the kernel mitigates it.
    pub mitigations: BTreeMap<String, String>,
    /// What kind of core this is on a hybrid processor.
    pub core_kind: Option<CoreKind>,
    /// The performance cores of a hybrid processor, as the kernel lists them.
    pub performance_cpus: Option<String>,
    /// The cores kept free of other work at boot, as the kernel lists them.
    pub isolated_cpus: Option<String>,
    /// The clock as the probe measured it; set by [`Machine::with_clock`].
    pub core_clock: Option<CoreClock>,
    /// Runnable tasks on average over 1, 5 and 15 minutes.
    pub load_average: Option<[f64; 3]>,
}

/// The two kinds of core of hybrid processors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CoreKind {
    /// The large kind (`/sys/devices/cpu_core`).
    Performance,
    /// The small kind (`/sys/devices/cpu_atom`).
    Efficiency,
}

impl CoreKind {
    /// The word written in facets and environments.
    pub const fn as_str(self) -> &'static str {
        match self {
            CoreKind::Performance => "performance",
            CoreKind::Efficiency => "efficiency",
        }
    }
}

impl Machine {
    /// Reads the facts of core `cpu` of the machine at `root`.
    ///
    /// # Errors
    /// When the core is not online, or `/proc` and `/sys` are not those of Linux.
    pub fn read(root: &Root, cpu: u32) -> Result<Machine, Error> {
        let online_file = format!("{CPU}/online");
        let logical_cpus_online = root.require(&online_file)?;
        let online = parse_cpus(&root.path(&online_file), &logical_cpus_online)?;
        if !online.contains(&cpu) {
            return Err(Error::NoSuchCpu {
                cpu,
                online: logical_cpus_online,
            });
        }
        let cpuinfo = CpuInfo::of(&root.require("proc/cpuinfo")?, cpu);
        let per_cpu = |file: &str| format!("{CPU}/cpu{cpu}/{file}");
        let cpufreq = |file: &str| per_cpu(&format!("cpufreq/{file}"));
        let flag = |file: &str| root.number::<u8>(file).map(|value| value != 0);
        let siblings = root
            .cpus(&per_cpu("topology/thread_siblings_list"))?
            .unwrap_or_default();
        let performance = root.cpus("sys/devices/cpu_core/cpus")?;
        let core_kind = performance.map(|cpus| {
            if cpus.contains(&cpu) {
                CoreKind::Performance
            } else {
                CoreKind::Efficiency
            }
        });
        Ok(Machine {
            hostname: root.text("proc/sys/kernel/hostname"),
            architecture: identity::architecture(root, &cpuinfo),
            cpu_model: identity::cpu_model(&cpuinfo),
            machine: identity::machine_name(root),
            cpu_number: cpu,
            virtualization: identity::virtualization(root, &cpuinfo),
            memory_total_kib: root
                .text("proc/meminfo")
                .and_then(|text| memory_total(&text)),
            os: root
                .text("etc/os-release")
                .or_else(|| root.text("usr/lib/os-release"))
                .and_then(|text| pretty_name(&text)),
            kernel: root.text("proc/sys/kernel/osrelease"),
            perf_event_paranoid: root.number("proc/sys/kernel/perf_event_paranoid"),
            cycle_counter: root
                .names("sys/bus/event_source/devices")
                .iter()
                .any(|device| is_core_counter(device)),
            cpufreq: root.has(&cpufreq("scaling_governor")),
            cpufreq_governor: root.text(&cpufreq("scaling_governor")),
            cpufreq_driver: root.text(&cpufreq("scaling_driver")),
            cpufreq_min_khz: root.number(&cpufreq("scaling_min_freq")),
            cpufreq_max_khz: root.number(&cpufreq("scaling_max_freq")),
            cpufreq_avg_khz: root.number(&cpufreq("cpuinfo_avg_freq")),
            intel_pstate_no_turbo: flag(&format!("{CPU}/intel_pstate/no_turbo")),
            cpufreq_boost: flag(&format!("{CPU}/cpufreq/boost")),
            smt_control: root.text(&format!("{CPU}/smt/control")),
            thread_siblings: siblings
                .into_iter()
                .filter(|other| *other != cpu && online.contains(other))
                .collect(),
            microcode: cpuinfo
                .get("microcode")
                .map(str::to_owned)
                .or_else(|| root.text(&per_cpu("microcode/version"))),
            mitigations: mitigations(root),
            core_kind,
            performance_cpus: root.text("sys/devices/cpu_core/cpus"),
            isolated_cpus: root.text(&format!("{CPU}/isolated")),
            core_clock: None,
            load_average: root
                .text("proc/loadavg")
                .and_then(|text| load_average(&text)),
            logical_cpus_online,
        })
    }

    /// The same with a measured clock.
    #[must_use]
    pub fn with_clock(self, clock: CoreClock) -> Machine {
        Machine {
            core_clock: Some(clock),
            ..self
        }
    }
}

/// One processor's lines of `/proc/cpuinfo`.
pub(crate) struct CpuInfo(BTreeMap<String, String>);

impl CpuInfo {
    /// The block of core `cpu`, filled up from the file's other blocks: some kernels state the model
    /// once, at the end.
    pub(crate) fn of(text: &str, cpu: u32) -> CpuInfo {
        let mut own = BTreeMap::new();
        let mut others = BTreeMap::new();
        for block in text.split("\n\n") {
            let block: BTreeMap<String, String> = block
                .lines()
                .filter_map(|line| line.split_once(':'))
                .map(|(key, value)| (key.trim().to_owned(), value.trim().to_owned()))
                .collect();
            if block
                .get("processor")
                .is_some_and(|number| *number == cpu.to_string())
            {
                own = block;
            } else if !block.contains_key("processor") {
                others.extend(block);
            }
        }
        others.extend(own);
        CpuInfo(others)
    }

    pub(crate) fn get(&self, key: &str) -> Option<&str> {
        self.0
            .get(key)
            .map(String::as_str)
            .filter(|value| !value.is_empty())
    }
}

/// The kernel's names of core counters: `cpu` (x86), `cpu_core` and `cpu_atom` (hybrid x86),
/// `armv8_pmuv3_0`, `armv8_cortex_a76`, `apple_firestorm_pmu`.
fn is_core_counter(device: &str) -> bool {
    matches!(device, "cpu" | "cpu_core" | "cpu_atom")
        || device.starts_with("armv")
        || (device.starts_with("apple_") && device.ends_with("_pmu"))
}

fn memory_total(meminfo: &str) -> Option<u64> {
    let line = meminfo
        .lines()
        .find_map(|line| line.strip_prefix("MemTotal:"))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}

fn pretty_name(os_release: &str) -> Option<String> {
    let value = os_release
        .lines()
        .find_map(|line| line.strip_prefix("PRETTY_NAME="))?;
    Some(value.trim().trim_matches(['"', '\'']).to_owned())
}

fn mitigations(root: &Root) -> BTreeMap<String, String> {
    let folder = format!("{CPU}/vulnerabilities");
    root.names(&folder)
        .into_iter()
        .filter_map(|name| Some((name.clone(), root.text(&format!("{folder}/{name}"))?)))
        .collect()
}

fn load_average(text: &str) -> Option<[f64; 3]> {
    let mut fields = text.split_whitespace().map(|field| field.parse().ok());
    Some([fields.next()??, fields.next()??, fields.next()??])
}
