//! How much foreign code can use.

use crate::support::{allowed, finish, marker, open_folder, policy, processes, refused, signalled};
use stages::launch::{End, Limits, Policy};
use std::fs;
use std::time::{Duration, Instant};

#[test]
fn usage_is_what_was_used() {
    let limits = Limits {
        cpu_s: 1,
        ..Limits::default()
    };
    let usage = finish(&policy("spin", "").limits(limits)).usage;
    // the kernel counts limits in ticks and usage in what was used
    let second = 1_000_000_000;
    assert!(
        (second / 2..second * 2).contains(&(usage.user_ns + usage.system_ns)),
        "{usage:?}"
    );
    assert!(usage.wall_ns >= usage.user_ns, "{usage:?}");
    assert!(
        (100_000..100_000_000).contains(&usage.max_rss_bytes),
        "{usage:?}"
    );
}

#[test]
fn memory_is_limited() {
    let limits = Limits {
        address_space_bytes: 256 << 20,
        ..Limits::default()
    };
    refused(&policy("memory", "512").limits(limits.clone()));
    allowed(&policy("memory", "128").limits(limits));
}

#[test]
fn cpu_time_is_limited() {
    let limits = Limits {
        cpu_s: 1,
        ..Limits::default()
    };
    signalled(&policy("spin", "").limits(limits), "SIGXCPU");
}

#[test]
fn files_are_limited() {
    let folder = open_folder();
    let file = folder.path().join("file");
    let limits = Limits {
        file_size_bytes: 3 << 20,
        open_files: 32,
        ..Limits::default()
    };
    signalled(
        &policy("file", &file)
            .write(folder.path())
            .limits(limits.clone()),
        "SIGXFSZ",
    );
    assert_eq!(fs::metadata(&file).unwrap().len(), 3 << 20);
    // 0, 1, 2 and 3 are open
    assert_eq!(allowed(&policy("open", "").limits(limits)), "28\n");
}

#[test]
fn stack_is_limited() {
    let stack = |mib: u64| Limits {
        stack_bytes: mib << 20,
        ..Limits::default()
    };
    let deep = policy("stack", (32 << 10).to_string());
    signalled(&deep.clone().limits(stack(8)), "SIGSEGV");
    allowed(&deep.limits(stack(512)));
}

#[test]
fn crashes_leave_no_dump() {
    let folder = open_folder();
    signalled(
        &policy("crash", "").cwd(folder.path()).write(folder.path()),
        "SIGSEGV",
    );
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn fork_bombs_are_bounded_and_die() {
    let limits = |processes| Limits {
        processes,
        ..Limits::default()
    };
    let born = |policy: &Policy| allowed(policy).trim().parse::<u64>().unwrap();
    // the command itself is one of them
    assert_eq!(born(&policy("bomb", "1").limits(limits(20))), 19);
    assert_eq!(born(&policy("threads", "").limits(limits(20))), 19);
    assert_eq!(born(&policy("bomb", "1").limits(limits(1))), 0);
    let marker = marker("bomb");
    let bomb = policy("bomb", "3").arg(&marker).limits(limits(50));
    assert!(born(&bomb) < 50);
    assert_eq!(processes(&marker), []);
}

#[test]
fn output_is_capped_and_drained() {
    let start = Instant::now();
    let finished = finish(&policy("stdout", "100"));
    assert_eq!(finished.end, End::Exited(0));
    assert_eq!(finished.stdout.total(), 100 << 20);
    assert_eq!(finished.stdout.lost(), 98 << 20);
    assert!(finished.stdout.text().len() < (2 << 20) + 100);
    assert!(
        start.elapsed() < Duration::from_secs(10),
        "{:?}",
        start.elapsed()
    );
    assert_eq!(allowed(&policy("bytes", "")), "a\u{fffd}\u{fffd}b");
}

#[test]
fn the_report_is_a_channel_of_its_own() {
    let finished = finish(&policy("report", "1"));
    assert_eq!(
        (finished.stdout.total(), finished.report.len()),
        (0, 1 << 20)
    );
    assert!(!finished.report_cut);
    let finished = finish(&policy("report", "17"));
    assert_eq!(
        (finished.end, finished.report.len()),
        (End::Exited(0), 16 << 20)
    );
    assert!(finished.report_cut);
}
