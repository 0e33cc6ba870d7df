//! How foreign code ends, and that everything it started ends with it.

use crate::support::{
    FOREIGN, allowed, finish, foreign, marker, policy, processes, signalled, soon,
};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use stages::launch::{End, LaunchError, Limits, Policy, run};
use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

#[test]
fn exit_codes_and_signals_are_told_apart() {
    for code in [0, 1, 42, 255] {
        assert_eq!(
            finish(&policy("exit", code.to_string())).end,
            End::Exited(code)
        );
    }
    signalled(&policy("crash", ""), "SIGSEGV");
    signalled(&policy("signal", "6"), "SIGABRT");
    // by its own hand, not by the time
    signalled(&policy("signal", "9"), "SIGKILL");
    // a real-time signal has no name
    signalled(&policy("signal", "40"), "signal 40");
}

#[test]
fn what_cannot_run_says_why() {
    let why = |policy: Policy| run(&policy, None).unwrap_err().to_string();
    let missing = why(policy("exit", "0").read("/no/such/folder"));
    assert!(
        missing.contains("allow /no/such/folder: No such file"),
        "{missing}"
    );
    let everything = why(policy("exit", "0").read("/"));
    assert!(everything.contains("allow /: name folders"), "{everything}");
    let mut relative = policy("exit", "0");
    relative.command[0] = "foreign".into();
    assert!(why(relative).contains("not an absolute path"));
    let outside = why(policy("exit", "0").cwd("/no/such/folder"));
    assert!(outside.contains("No such file"), "{outside}");
}

#[test]
fn daemons_die_with_the_command() {
    let marker = marker("daemon");
    allowed(&policy("daemon", "").arg(&marker));
    assert_eq!(processes(&marker), []);
}

#[test]
fn orphans_that_end_disturb_nothing() {
    let limits = Limits {
        processes: 110,
        ..Limits::default()
    };
    allowed(&policy("orphans", "").limits(limits));
    // by its own hand, again and again: never mistaken for the time's
    for _ in 0..50 {
        signalled(&policy("signal", "9"), "SIGKILL");
    }
}

#[test]
fn time_ends_the_deaf_and_their_brood() {
    for mode in ["sleep", "brood", "spin"] {
        let marker = marker(mode);
        let start = Instant::now();
        let finished = finish(&policy(mode, &marker).wall(Duration::from_millis(300)));
        assert_eq!(finished.end, End::TimedOut, "{mode}");
        assert!(
            (300..1500).contains(&start.elapsed().as_millis()),
            "{mode}: {:?}",
            start.elapsed()
        );
        assert!(
            finished.usage.wall_ns >= 300_000_000,
            "{:?}",
            finished.usage
        );
        assert_eq!(processes(&marker), []);
    }
}

#[test]
fn a_killed_launcher_is_an_error_and_kills_the_command() {
    let marker = marker("launcher");
    let sleeper = policy("sleep", &marker);
    let running = std::thread::spawn(move || run(&sleeper, None));
    soon("asleep", || !processes(&marker).is_empty());
    let command = processes(&marker)[0];
    // command, `launcher init`, `launcher supervise`
    let parent = |pid: Pid| {
        let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
        let line = status
            .lines()
            .find_map(|line| line.strip_prefix("PPid:"))
            .unwrap();
        Pid::from_raw(line.trim().parse().unwrap())
    };
    kill(parent(parent(command)), Signal::SIGKILL).unwrap();
    soon("the command is dead", || processes(&marker).is_empty());
    let error = running.join().unwrap().unwrap_err();
    assert!(matches!(error, LaunchError::Lost { .. }), "{error}");
}

/// The stage of the next test, in a process of its own.
#[test]
#[ignore = "started by the next test"]
fn a_stage() {
    finish(&policy(
        "sleep",
        std::env::var("ASSAY_TEST_MARKER").unwrap(),
    ));
}

#[test]
fn a_killed_stage_kills_the_command() {
    let marker = marker("stage");
    let mut stage = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "ends::a_stage", "--ignored", "--nocapture"])
        .env(FOREIGN, foreign())
        .env("ASSAY_TEST_MARKER", &marker)
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    soon("asleep", || !processes(&marker).is_empty());
    stage.kill().unwrap();
    stage.wait().unwrap();
    soon("the command is dead", || processes(&marker).is_empty());
}
