//! Facts, environments, facets and readiness of machines that are not this one.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "clippy.toml allows them in test functions, not in what these share"
)]

mod common;

use common::{Files, arm_1, virtual_machine, x86_1};
use std::path::{Path, PathBuf};
use systems::{
    ClockSamples, CoreKind, CounterProbe, Environment, Error, Machine, Problem, Root, System,
    facets, readiness,
};

const CPU: &str = "sys/devices/system/cpu";

fn read(files: &Files, cpu: u32) -> Machine {
    let (_folder, root) = files.write();
    Machine::read(&root, cpu).unwrap()
}

fn problems(machine: &Machine) -> Vec<Problem> {
    readiness(machine, &CounterProbe::NotTried)
}

/// Sentences and remedies of all problems.
fn told(machine: &Machine) -> Vec<(String, String)> {
    problems(machine)
        .iter()
        .map(|problem| (problem.to_string(), problem.remedy()))
        .collect()
}

fn clock_of(windows: &[(u64, u64)]) -> systems::CoreClock {
    ClockSamples::from_windows(windows.iter().copied())
        .unwrap()
        .summary()
}

#[test]
fn x86_1_is_fixed_registered_and_described_as_on_its_pages() {
    let machine = read(&x86_1(), 2);
    assert_eq!(told(&machine), []);
    assert_eq!(System::named("x86_1").unwrap().mismatches(&machine), []);
    let environment = Environment::of(&machine, Some("gcc (Debian 14.2.0-19) 14.2.0"));
    // seeds, section 2: clock, memory in MiB, no row for the machine
    assert_eq!(
        environment.clock_line(),
        "max 2.10 GHz, governor performance, turbo off, SMT off"
    );
    assert_eq!(environment.memory_total_kib.unwrap() / 1024, 31788);
    assert_eq!(
        environment.os.as_deref(),
        Some("Debian GNU/Linux 13 (trixie)")
    );
    assert_eq!(environment.machine, None);
    assert_eq!(environment.virtualized, Some(false));
    assert_eq!(machine.core_kind, Some(CoreKind::Performance));
    assert_eq!(machine.load_average, Some([0.08, 0.03, 0.01]));
}

#[test]
fn arm_1_is_fixed_registered_and_described_as_on_its_pages() {
    let machine = read(&arm_1(), 2);
    assert_eq!(told(&machine), []);
    assert_eq!(System::named("arm_1").unwrap().mismatches(&machine), []);
    assert_eq!(
        Environment::of(&machine, None).clock_line(),
        "fixed 2.71 GHz (governor performance, minimum = maximum), boost off, SMT none"
    );
}

#[test]
fn one_machine_is_not_the_other() {
    let mismatches = System::named("x86_1")
        .unwrap()
        .mismatches(&read(&arm_1(), 2));
    let facts: Vec<_> = mismatches.iter().map(|mismatch| mismatch.fact).collect();
    assert_eq!(
        facts,
        [
            "architecture",
            "cpu_model",
            "cpufreq_max_khz",
            "intel_pstate_no_turbo",
            "smt_control"
        ]
    );
    assert_eq!(
        mismatches[1].to_string(),
        "cpu_model is Qualcomm Oryon, not 12th Gen Intel(R) Core(TM) i7-12700"
    );
    assert_eq!(
        mismatches[3].to_string(),
        "intel_pstate_no_turbo is not known, not true"
    );
}

#[test]
fn an_efficiency_core_is_refused() {
    let machine = read(&x86_1(), 16);
    assert_eq!(machine.core_kind, Some(CoreKind::Efficiency));
    assert_eq!(
        told(&machine),
        [(
            "CPU 16 is not a performance core (those are 0,2,4,6,8,10,12,14)".to_owned(),
            "campaign check --cpu 0".to_owned(),
        )]
    );
}

#[test]
fn every_setting_of_an_x86_machine_has_its_remedy() {
    let machine = read(
        &x86_1()
            .with(&format!("{CPU}/online"), "0-19\n")
            .with(&format!("{CPU}/smt/control"), "on\n")
            .with(
                &format!("{CPU}/cpu2/topology/thread_siblings_list"),
                "2-3\n",
            )
            .with(&format!("{CPU}/intel_pstate/no_turbo"), "0\n")
            .with(
                &format!("{CPU}/cpu2/cpufreq/scaling_governor"),
                "powersave\n",
            )
            .with("proc/sys/kernel/perf_event_paranoid", "4\n"),
        2,
    );
    let expected = [
        (
            "hardware cycle counter unavailable: kernel.perf_event_paranoid is 4, not 2 or less",
            "sysctl kernel.perf_event_paranoid=2",
        ),
        (
            "the frequency governor of CPU 2 is powersave, not performance",
            "echo performance > /sys/devices/system/cpu/cpu2/cpufreq/scaling_governor",
        ),
        (
            "turbo is on",
            "echo 1 > /sys/devices/system/cpu/intel_pstate/no_turbo",
        ),
        (
            "CPU 2 shares its core with CPU 3 (SMT)",
            "echo off > /sys/devices/system/cpu/smt/control",
        ),
    ];
    assert_eq!(
        told(&machine),
        expected.map(|(a, b)| (a.to_owned(), b.to_owned()))
    );
    assert_eq!(
        Environment::of(&machine, None).clock_line(),
        "max 2.10 GHz, governor powersave, turbo on, SMT on"
    );
}

#[test]
fn an_aarch64_clock_must_be_pinned() {
    let files = arm_1()
        .with(&format!("{CPU}/cpu2/cpufreq/scaling_min_freq"), "710400\n")
        .with(&format!("{CPU}/cpufreq/boost"), "1\n");
    let machine = read(&files, 2);
    let expected = [
        (
            "boost is on",
            "echo 0 > /sys/devices/system/cpu/cpufreq/boost",
        ),
        (
            "the clock of CPU 2 may vary between 710400 and 2707200 kHz",
            "echo 2707200 > /sys/devices/system/cpu/cpu2/cpufreq/scaling_min_freq",
        ),
    ];
    assert_eq!(
        told(&machine),
        expected.map(|(a, b)| (a.to_owned(), b.to_owned()))
    );
}

#[test]
fn a_clock_left_to_firmware_must_be_measured_and_steady() {
    // arm_1 before its frequency driver was loaded: 3.40 GHz (campaign.json, history_note)
    let files = [
        "scaling_governor",
        "scaling_driver",
        "scaling_min_freq",
        "scaling_max_freq",
    ]
    .iter()
    .fold(arm_1(), |files, file| {
        files.without(&format!("{CPU}/cpu2/cpufreq/{file}"))
    })
    .without(&format!("{CPU}/cpufreq/boost"));
    let machine = read(&files, 2);
    assert_eq!(problems(&machine), [Problem::ClockUnmeasured { cpu: 2 }]);

    let steady = machine
        .clone()
        .with_clock(clock_of(&[(1000, 3398), (1000, 3399), (1000, 3400)]));
    assert_eq!(told(&steady), []);
    assert_eq!(
        Environment::of(&steady, None).clock_line(),
        "measured 3.40 GHz, set by firmware (no OS frequency scaling or boost), SMT none"
    );

    let unsteady = machine.with_clock(clock_of(&[(1000, 2850), (1000, 3300), (1000, 3400)]));
    assert!(matches!(
        problems(&unsteady)[..],
        [Problem::ClockUnsteady { cpu: 2, .. }]
    ));
}

#[test]
fn a_virtual_machine_without_counter_is_never_fixed() {
    let machine = read(&virtual_machine(), 0);
    assert_eq!(machine.virtualization.as_deref(), Some("kvm"));
    assert_eq!(
        problems(&machine),
        [Problem::NoCycleCounter {
            virtualization: Some("kvm".to_owned())
        }]
    );
    let environment = Environment::of(&machine, None);
    assert_eq!(environment.virtualized, Some(true));
    assert_eq!(
        environment.clock_line(),
        "not known (no OS frequency scaling, none measured), SMT none"
    );
    // a counter that opens counts, whatever the kernel calls it
    let clock = clock_of(&[(1000, 2100)]);
    assert_eq!(
        readiness(&machine.with_clock(clock), &CounterProbe::Opened),
        []
    );
}

#[test]
fn a_counter_that_the_probe_cannot_open_is_a_problem() {
    let refused = CounterProbe::Refused("EBUSY".to_owned());
    let problems = readiness(&read(&x86_1(), 2), &refused);
    assert_eq!(
        problems,
        [Problem::CounterRefused {
            why: "EBUSY".to_owned()
        }]
    );
}

#[test]
fn a_core_that_is_not_online_is_an_error() {
    let (_folder, root) = x86_1().write();
    let error = Machine::read(&root, 3).unwrap_err();
    assert!(matches!(error, Error::NoSuchCpu { cpu: 3, .. }));
    assert!(error.to_string().contains("0,2,4"), "{error}");
    let empty = tempfile::tempdir().unwrap();
    assert!(matches!(
        Machine::read(&Root::at(empty.path()), 0),
        Err(Error::Fact(_))
    ));
}

#[test]
fn the_machine_facet_holds_what_can_change_a_time_and_nothing_else() {
    let facet = facets::machine(&read(&x86_1(), 2));
    let names: Vec<_> = facet.keys().map(String::as_str).collect();
    assert_eq!(
        names,
        [
            "architecture",
            "clock.max-khz",
            "clock.min-khz",
            "core-kind",
            "cpu-model",
            "governor",
            "kernel",
            "microcode",
            "mitigation.meltdown",
            "mitigation.spectre_v1",
            "os",
            "smt",
            "turbo",
            "virtualization",
        ]
    );
    assert_eq!(
        (facet["turbo"].as_str(), facet["virtualization"].as_str()),
        ("off", "none")
    );

    let same = [
        ("proc/meminfo", "MemTotal: 1024 kB\n"),
        ("proc/sys/kernel/hostname", "other\n"),
        ("proc/loadavg", "9.00 9.00 9.00 1/1 1\n"),
    ];
    for (path, content) in same {
        assert_eq!(
            facets::machine(&read(&x86_1().with(path, content), 2)),
            facet,
            "{path}"
        );
    }
    let (_folder, root) = x86_1()
        .with(
            &format!("{CPU}/cpu4/cpufreq/scaling_governor"),
            "performance\n",
        )
        .with(&format!("{CPU}/cpu4/cpufreq/scaling_min_freq"), "800000\n")
        .with(&format!("{CPU}/cpu4/cpufreq/scaling_max_freq"), "2100000\n")
        .write();
    // another core of the same kind; its block of /proc/cpuinfo is that of core 2
    let cpuinfo = root
        .require("proc/cpuinfo")
        .unwrap()
        .replace("processor\t: 2", "processor\t: 4");
    fs_err::write(root.path("proc/cpuinfo"), cpuinfo).unwrap();
    assert_eq!(facets::machine(&Machine::read(&root, 4).unwrap()), facet);

    let microcode = root
        .require("proc/cpuinfo")
        .unwrap()
        .replace("0x3a", "0x3b");
    fs_err::write(root.path("proc/cpuinfo"), microcode).unwrap();
    assert_ne!(facets::machine(&Machine::read(&root, 4).unwrap()), facet);
}

#[test]
fn facts_survive_json() {
    let machine = read(&arm_1(), 2).with_clock(clock_of(&[(1000, 2695)]));
    let text = serde_json::to_string(&machine).unwrap();
    assert_eq!(serde_json::from_str::<Machine>(&text).unwrap(), machine);
}

#[test]
fn this_machine_has_facts() {
    let machine = Machine::read(&Root::host(), 0).unwrap();
    assert_eq!(machine.architecture, std::env::consts::ARCH);
    assert!(machine.memory_total_kib.unwrap() > 0 && machine.kernel.is_some());
    assert!(
        !facets::machine(&machine)
            .values()
            .any(|value| value.starts_with('/'))
    );
    assert!(System::local().mismatches(&machine).is_empty());
}

fn evidence() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/evidence/arm_1");
    if !folder.is_dir() {
        println!(
            "skipped: no published evidence beside the checkout ({})",
            folder.display()
        );
        return None;
    }
    Some(folder)
}

#[test]
fn published_environments_are_read_whole_and_ours_are_a_superset() {
    let Some(evidence) = evidence() else { return };
    let mut environments = Vec::new();
    for candidate in fs_err::read_dir(evidence.join("records")).unwrap() {
        for record in fs_err::read_dir(candidate.unwrap().path()).unwrap() {
            let text = fs_err::read(record.unwrap().path()).unwrap();
            let mut record: serde_json::Value = serde_json::from_slice(&text).unwrap();
            environments.push(record["environment"].take());
        }
    }
    assert_eq!(environments.len(), 81);
    let ours = serde_json::to_value(Environment::of(&read(&arm_1(), 2), None)).unwrap();
    for published in environments {
        let environment: Environment = serde_json::from_value(published.clone()).unwrap();
        assert_eq!(
            environment.clock_line(),
            "fixed 2.71 GHz (governor performance, minimum = maximum), boost off, SMT none"
        );
        assert!(environment.unknown.is_empty());
        assert_eq!(serde_json::to_value(&environment).unwrap(), published);
        for (name, value) in published.as_object().unwrap() {
            assert!(ours.get(name).is_some(), "{name}");
            let volatile = name.starts_with("core_clock") || name.ends_with("avg_khz");
            let of_caller = ["compiler", "cmake", "python", "cpu_number"].contains(&name.as_str());
            if !volatile && !of_caller {
                assert_eq!(ours[name], *value, "{name}");
            }
        }
    }
}

#[test]
fn fields_of_others_are_kept() {
    let text = r#"{"cpu_model": "X", "cpufreq_max_khz": null, "rack": {"row": 3}}"#;
    let environment: Environment = serde_json::from_str(text).unwrap();
    assert_eq!(environment.unknown["rack"]["row"], 3);
    assert_eq!(
        serde_json::to_value(&environment).unwrap()["rack"]["row"],
        3
    );
    assert_eq!(
        environment.clock_line(),
        "not known (no OS frequency scaling, none measured), SMT unknown"
    );
}

#[test]
fn published_planning_and_flags_are_those_of_arm_1() {
    let Some(evidence) = evidence() else { return };
    let text = fs_err::read(evidence.join("campaign.json")).unwrap();
    let campaign: serde_json::Value = serde_json::from_slice(&text).unwrap();
    let planning = System::named("arm_1").unwrap().planning;
    let published = &campaign["planning"];
    let seconds = |ns: u64| ns as f64 / 1e9;
    assert_eq!(published["trials"], planning.trials);
    assert_eq!(
        published["trial_target_s"],
        seconds(planning.trial_target_ns)
    );
    assert_eq!(published["min_total"], planning.min_total);
    assert_eq!(published["max_iters_per_trial"], planning.max_iterations);
    assert_eq!(published["op_budget_s"], seconds(planning.op_budget_ns));
    assert_eq!(
        published["separate_process_setup_s"],
        seconds(planning.separate_process_setup_ns)
    );

    use systems::flags::{GuideVersion, HARNESS_ADDITIONS};
    let arm = systems::Architecture::Aarch64;
    assert_eq!(
        campaign["arch_config"]["reference"],
        arm.guide(GuideVersion::Reference)
    );
    assert_eq!(
        campaign["arch_config"]["performance"],
        arm.guide(GuideVersion::Performance)
    );
    assert_eq!(campaign["harness_additions"], HARNESS_ADDITIONS);
}
