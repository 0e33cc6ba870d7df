//! Machines made of a few files. Their facts come from NGCC.md, the seeds and the published evidence.

use std::collections::BTreeMap;
use systems::Root;

/// A machine's files: path below the root to content.
#[derive(Clone, Default)]
pub struct Files(BTreeMap<String, String>);

impl Files {
    /// With this file, or with another content for it.
    #[must_use]
    pub fn with(mut self, path: &str, content: &str) -> Self {
        self.0.insert(path.to_owned(), content.to_owned());
        self
    }

    /// Without this file.
    #[must_use]
    pub fn without(mut self, path: &str) -> Self {
        self.0.remove(path).expect("the file is there");
        self
    }

    /// Written to a temporary folder, which lives as long as the first value.
    pub fn write(&self) -> (tempfile::TempDir, Root) {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for (path, content) in &self.0 {
            let path = folder.path().join(path);
            fs_err::create_dir_all(path.parent().expect("a parent")).expect("a folder");
            fs_err::write(path, content).expect("a file");
        }
        let root = Root::at(folder.path());
        (folder, root)
    }
}

fn cpufreq(files: Files, cpu: u32, driver: &str, min: &str, max: &str) -> Files {
    let file = |name: &str| format!("sys/devices/system/cpu/cpu{cpu}/cpufreq/{name}");
    files
        .with(&file("scaling_governor"), "performance\n")
        .with(&file("scaling_driver"), &format!("{driver}\n"))
        .with(&file("scaling_min_freq"), &format!("{min}\n"))
        .with(&file("scaling_max_freq"), &format!("{max}\n"))
}

/// x86_1 as its pages state it: fixed at 2.1 GHz, turbo and SMT off, core 2 a performance core.
pub fn x86_1() -> Files {
    let block = |cpu: u32| {
        format!(
            "processor\t: {cpu}\nvendor_id\t: GenuineIntel\n\
             model name\t: 12th Gen Intel(R) Core(TM) i7-12700\nmicrocode\t: 0x3a\n\
             flags\t\t: fpu vme sse2 avx2\n\n"
        )
    };
    let files = Files::default()
        .with(
            "proc/cpuinfo",
            &format!("{}{}{}", block(0), block(2), block(16)),
        )
        .with(
            "proc/meminfo",
            "MemTotal:       32551000 kB\nMemFree:        30000000 kB\n",
        )
        .with("proc/loadavg", "0.08 0.03 0.01 1/300 4242\n")
        .with("proc/sys/kernel/hostname", "lab\n")
        .with("proc/sys/kernel/arch", "x86_64\n")
        .with("proc/sys/kernel/osrelease", "6.12.107+deb13-amd64\n")
        .with("proc/sys/kernel/perf_event_paranoid", "2\n")
        .with(
            "etc/os-release",
            "PRETTY_NAME=\"Debian GNU/Linux 13 (trixie)\"\nID=debian\n",
        )
        .with("sys/bus/event_source/devices/cpu_core/type", "4\n")
        .with("sys/bus/event_source/devices/cpu_atom/type", "10\n")
        .with("sys/devices/cpu_core/cpus", "0,2,4,6,8,10,12,14\n")
        .with("sys/devices/cpu_atom/cpus", "16-19\n")
        .with("sys/class/dmi/id/sys_vendor", "To Be Filled By O.E.M.\n")
        .with("sys/class/dmi/id/product_name", "System Product Name\n")
        .with(
            "sys/devices/system/cpu/online",
            "0,2,4,6,8,10,12,14,16-19\n",
        )
        .with("sys/devices/system/cpu/isolated", "2\n")
        .with("sys/devices/system/cpu/smt/control", "off\n")
        .with("sys/devices/system/cpu/intel_pstate/no_turbo", "1\n")
        .with(
            "sys/devices/system/cpu/cpu2/topology/thread_siblings_list",
            "2\n",
        )
        .with(
            "sys/devices/system/cpu/cpu16/topology/thread_siblings_list",
            "16\n",
        )
        .with(
            "sys/devices/system/cpu/vulnerabilities/meltdown",
            "Not affected\n",
        )
        .with(
            "sys/devices/system/cpu/vulnerabilities/spectre_v1",
            "Mitigation: barriers\n",
        );
    let files = cpufreq(files, 2, "intel_pstate", "800000", "2100000");
    cpufreq(files, 16, "intel_pstate", "800000", "1600000")
}

/// arm_1 as the environments in its records state it, at its declared core 2.
pub fn arm_1() -> Files {
    let block = |cpu: u32| {
        format!(
            "processor\t: {cpu}\nBogoMIPS\t: 38.40\nFeatures\t: fp asimd aes\n\
             CPU implementer\t: 0x51\nCPU architecture: 8\nCPU variant\t: 0x1\n\
             CPU part\t: 0x001\nCPU revision\t: 1\n\n"
        )
    };
    let files = Files::default()
        .with("proc/cpuinfo", &(0..12).map(block).collect::<String>())
        .with("proc/meminfo", "MemTotal:       31295756 kB\n")
        .with("proc/sys/kernel/hostname", "vivo\n")
        .with("proc/sys/kernel/arch", "aarch64\n")
        .with("proc/sys/kernel/osrelease", "7.0.0-34-generic\n")
        .with("proc/sys/kernel/perf_event_paranoid", "2\n")
        .with(
            "etc/os-release",
            "NAME=\"Ubuntu\"\nPRETTY_NAME=\"Ubuntu 26.04.1 LTS\"\n",
        )
        .with("sys/firmware/devicetree/base/model", "ASUS Vivobook S 15\0")
        .with("sys/bus/event_source/devices/armv8_pmuv3_0/type", "10\n")
        .with("sys/devices/system/cpu/online", "0-11\n")
        .with("sys/devices/system/cpu/smt/control", "notsupported\n")
        .with("sys/devices/system/cpu/cpufreq/boost", "0\n")
        .with(
            "sys/devices/system/cpu/cpu2/topology/thread_siblings_list",
            "2\n",
        )
        .with(
            "sys/devices/system/cpu/cpu2/cpufreq/cpuinfo_avg_freq",
            "2703375\n",
        );
    cpufreq(files, 2, "scmi", "2707200", "2707200")
}

/// A cloud machine: a hypervisor, no frequency control, no counter.
pub fn virtual_machine() -> Files {
    Files::default()
        .with(
            "proc/cpuinfo",
            "processor\t: 0\nvendor_id\t: GenuineIntel\n\
             model name\t: Intel(R) Xeon(R) Processor\nmicrocode\t: 0x1\n\
             flags\t\t: fpu sse2 hypervisor avx2\n\n",
        )
        .with("proc/meminfo", "MemTotal:       24731708 kB\n")
        .with("proc/sys/kernel/arch", "x86_64\n")
        .with("proc/sys/kernel/perf_event_paranoid", "2\n")
        .with("sys/bus/event_source/devices/software/type", "1\n")
        .with("sys/devices/system/cpu/online", "0\n")
        .with("sys/devices/system/cpu/smt/control", "notsupported\n")
        .with(
            "sys/devices/system/cpu/cpu0/topology/thread_siblings_list",
            "0\n",
        )
        .with(
            "sys/devices/system/clocksource/clocksource0/available_clocksource",
            "tsc kvm-clock \n",
        )
}
