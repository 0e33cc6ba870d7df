//! A run that is killed or interrupted: the store stays sound, and the next run goes on.

use crate::assay::{Assay, Ran, finished};
use nix::sys::signal::{Signal, kill, killpg};
use nix::unistd::Pid;
use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

const ONE: &str = "run --quick --json --only ^ml-kem/ML-KEM-512$";
/// Probe, build, known answers, sizes, three times and profiles, page, index.
const STEPS: usize = 12;
const KILLS: u32 = 10;

fn start(assay: &Assay) -> Child {
    assay
        .command(ONE.split(' '))
        .process_group(0)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

fn pid(child: &Child) -> Pid {
    Pid::from_raw(i32::try_from(child.id()).unwrap())
}

#[test]
fn killed_at_any_instant_the_store_is_sound_and_the_next_run_goes_on() {
    // how long a whole run takes
    let whole = Assay::new();
    let started = Instant::now();
    whole.run("--only ^ml-kem/ML-KEM-512$");
    let whole = started.elapsed();

    let assay = Assay::new();
    let mut done = Vec::new();
    for place in 0..KILLS {
        // each lifetime is another part of a whole run, in an order that is not that of time
        let part = (place * 7 + 3) % KILLS + 1;
        let mut child = start(&assay);
        std::thread::sleep(whole * part / (2 * KILLS));
        // alone, as by the out-of-memory killer, or with all it started, as on a power cut
        match place % 2 {
            0 => kill(pid(&child), Signal::SIGKILL).unwrap(),
            _ => killpg(pid(&child), Signal::SIGKILL).unwrap(),
        }
        let killed = !child.wait().unwrap().success();
        let output = child.wait_with_output().unwrap();
        let steps = finished(&String::from_utf8_lossy(&output.stderr));
        assay.verify();
        // what had a receipt is not done again
        for step in &steps {
            assert!(!done.contains(step), "{step} ran twice");
        }
        done.extend(steps);
        if !killed {
            break;
        }
    }
    let rest = assay.run("--only ^ml-kem/ML-KEM-512$");
    for step in &rest.steps {
        assert!(!done.contains(step), "{step} ran twice");
    }
    // A step can have got its receipt without being told.
    assert!(done.len() + rest.steps.len() <= STEPS);
    assert!(
        !done.is_empty(),
        "no run came to a receipt before it was killed"
    );
    assert_eq!(rest.verdicts("ml-kem"), serde_json::json!({"PASS": 1}));
    assert_eq!(assay.run("--only ^ml-kem/ML-KEM-512$").steps, [""; 0]);
    assay.verify();
}

#[test]
fn interrupted_it_keeps_what_is_finished() {
    let assay = Assay::new();
    let mut child = start(&assay);
    let mut said = String::new();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    // the build is done, the rest is not
    while finished(&said).len() < 2 {
        said += &(lines.next().expect("an end before two steps").unwrap() + "\n");
    }
    kill(pid(&child), Signal::SIGINT).unwrap();
    let stopped = Instant::now();
    for line in lines {
        said += &(line.unwrap() + "\n");
    }
    let output = child.wait_with_output().unwrap();
    assert!(stopped.elapsed() < Duration::from_secs(30));
    assert_eq!(output.status.code(), Some(130), "{said}");
    let interrupted = Ran::of(&output);
    assert_eq!(interrupted.report["interrupted"], true);
    let done = finished(&said);
    assert!(done.len() < STEPS, "{said}");
    assay.verify();

    let rest = assay.run("--only ^ml-kem/ML-KEM-512$");
    assert_eq!(done.len() + rest.steps.len(), STEPS, "{said}{}", rest.said);
    assert!(!rest.steps.iter().any(|step| done.contains(step)));
}
