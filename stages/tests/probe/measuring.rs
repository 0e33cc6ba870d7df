//! Timing, counters and profiles on the toy submissions.

use crate::toolchain::{Answer, HOST, host_probe, probe, probe_on, toy};

/// Iterations, nanoseconds, count.
fn trials(answer: &Answer) -> Vec<(u64, u64, Option<u64>)> {
    answer
        .all("trial")
        .iter()
        .map(|line| {
            let words: Vec<&str> = line.split(' ').collect();
            let count = (words[2] != "-").then(|| words[2].parse().unwrap());
            (words[0].parse().unwrap(), words[1].parse().unwrap(), count)
        })
        .collect()
}

#[test]
fn every_operation_is_timed() {
    let operations = [
        ("kem", &["keygen", "enc", "dec"][..]),
        ("sig", &["keygen", "sign", "verify"]),
    ];
    for (kind, names) in operations.into_iter().chain([("hash", &["hash"][..])]) {
        let library = toy(HOST, kind, &[], &[]);
        for name in names {
            let answer = probe(&library, &["time", name, "0", "2", "50", "none"], &[]);
            assert_eq!(answer.one("end"), "ok", "{answer:?}");
            let trials = trials(&answer);
            assert!(
                matches!(trials.as_slice(), [(50, ns, None)] if *ns > 0),
                "{trials:?}"
            );
            for count in [
                "sign_failures_retried",
                "verify_rejections",
                "message_changes",
            ] {
                assert_eq!(answer.number(count), 0);
            }
            assert!(answer.number("baseline_rss_bytes") > 100_000);
            assert!(answer.number("peak_rss_bytes") > 100_000);
            assert!(answer.number("setup_ns") > 0);
            assert_eq!(answer.number("warmups"), 2);
        }
    }
}

/// The software event takes the path that hardware cycles take: nanoseconds of processor time.
#[test]
fn a_software_event_is_counted_in_every_trial() {
    let library = toy(HOST, "hash", &[], &[]);
    let answer = probe(
        &library,
        &["time", "hash", "65536", "0", "20", "cpu-clock", "3"],
        &[],
    );
    if let [refused] = answer.all("event_error").as_slice() {
        println!("skipped: {refused}");
        return;
    }
    let trials = trials(&answer);
    assert_eq!(trials.len(), 3);
    for (iterations, ns, count) in trials {
        let count = count.unwrap();
        assert_eq!(iterations, 20);
        // no more processor time than wall time, but for the instants around the loop
        assert!(
            count > 0 && count < ns + ns / 5 + 1_000_000,
            "{count} in {ns}"
        );
    }
}

#[test]
fn a_refused_counter_says_why_and_gives_no_figure() {
    let library = toy(HOST, "kem", &[], &[]);
    let answer = probe(&library, &["time", "enc", "0", "0", "5", "cycles"], &[]);
    assert_eq!((answer.one("end"), answer.one("event")), ("ok", "cycles"));
    let trials = trials(&answer);
    match answer.all("event_error").as_slice() {
        [] => assert!(trials[0].2.is_some_and(|cycles| cycles > 0)),
        [why] => {
            assert_eq!(trials[0].2, None);
            assert!(
                why.starts_with('E') && why.contains("perf_event_paranoid"),
                "{why}"
            );
        }
        more => panic!("{more:?}"),
    }
}

#[test]
fn the_clock_is_probed_without_a_library() {
    let answer = probe_on(HOST, host_probe(), &["clock", "cpu-clock"], &[]);
    assert_eq!(answer.one("end"), "ok");
    let windows = answer.all("window");
    assert!(windows.len() > 10);
    for window in windows {
        let words: Vec<&str> = window.split(' ').collect();
        assert!(words[0].parse::<u64>().unwrap() > 1_000_000, "{window}");
        assert!(words[2].parse::<u64>().unwrap() > 0);
    }
}

/// By hand: toy encapsulation draws 77 bytes, hashes pk (100 bytes) with pseudohash and ct with
/// sm3hash, and expands 96 bytes to 32; the helpers' own calls to each other are not seen.
#[test]
fn a_profile_sees_each_outermost_call() {
    let wrapped = ["pseudohash", "pseudoXOF", "sm3hash", "get_random_number"];
    let library = toy(HOST, "kem", &[], &wrapped);
    let answer = probe(&library, &["profile", "enc", "0", "7", "1000000000"], &[]);
    assert_eq!(answer.one("end"), "ok");
    let mut calls: Vec<Vec<&str>> = answer
        .all("call")
        .iter()
        .map(|line| line.split(' ').collect())
        .collect();
    calls.sort();
    let shapes: Vec<&[&str]> = calls.iter().map(|call| &call[..4]).collect();
    let expected = [
        ["drng", "0", "616", "7"],
        ["pseudoXOF", "768", "256", "7"],
        ["pseudohash", "800", "512", "7"],
        ["sm3hash", "616", "256", "7"],
    ];
    assert_eq!(shapes, expected);
    let ticks: u64 = calls
        .iter()
        .map(|call| call[4].parse::<u64>().unwrap())
        .sum();
    let total = answer.numbers("total");
    assert_eq!(total[0], 7);
    assert!(ticks > 0 && ticks <= total[1], "{ticks} of {total:?}");
    assert_eq!(
        (answer.number("overflow_calls"), answer.number("warmups")),
        (0, 1)
    );
    assert!(answer.number("tick_hz") > 1_000_000 && answer.number("op_ns") > 0);

    // time over: three operations at least
    let answer = probe(&library, &["profile", "dec", "0", "1000", "1"], &[]);
    assert_eq!(answer.numbers("total")[0], 3);
}
