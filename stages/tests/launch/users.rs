//! The other tests as an ordinary user, and on a kernel that enforces less.

use crate::support::{FOREIGN, foreign, open_folder};
use nix::unistd::geteuid;
use stages::launch::{Containment, Enforced, containment_available};
use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::process::Command;

#[test]
fn this_machine_enforces_all_of_it() {
    let available = containment_available().unwrap();
    let lacking: Vec<&Containment> = available
        .iter()
        .filter(|piece| piece.enforced != Enforced::Yes)
        .collect();
    assert_eq!(
        lacking,
        Vec::<&Containment>::new(),
        "the other tests need it"
    );
    let pieces: HashSet<String> = available
        .iter()
        .map(|piece| piece.piece.to_string())
        .collect();
    assert_eq!(pieces.len(), 21, "each piece once: {pieces:?}");
}

/// Runs tests by name (all: none named) in a process started by `start`, from a folder that any user
/// may enter. False: it can't be started so.
fn tests_under(start: &[&str], names: &[&str]) -> bool {
    let folder = open_folder();
    let beside = |name: &str, from: &Path| fs::copy(from, folder.path().join(name)).unwrap();
    beside("launcher", Path::new(env!("CARGO_BIN_EXE_launcher")));
    beside("tests", &std::env::current_exe().unwrap());
    beside("foreign", &foreign());
    let start = |program: &str| {
        let (first, rest) = start.split_first().unwrap();
        let mut command = Command::new(first);
        command
            .args(rest)
            .arg(program)
            .current_dir("/")
            .env(FOREIGN, folder.path().join("foreign"));
        command
    };
    if !start("true").status().is_ok_and(|status| status.success()) {
        println!("skipped: can't {start:?}", start = start("true"));
        return false;
    }
    let tests = start(folder.path().join("tests").to_str().unwrap())
        .args(names)
        .output()
        .unwrap();
    let stdout = String::from_utf8_lossy(&tests.stdout);
    assert!(tests.status.success(), "{stdout}");
    true
}

#[test]
fn and_all_of_it_for_an_ordinary_user() {
    if !geteuid().is_root() {
        println!("skipped: this is one already");
        return;
    }
    tests_under(
        &["setpriv", "--reuid=4242", "--regid=4242", "--clear-groups"],
        &[],
    );
}

/// A kernel without namespaces, in effect: what is lacking is said, and the rest holds.
#[test]
fn without_namespaces_less_holds() {
    let (uid, gid) = (geteuid(), nix::unistd::getegid());
    if uid.is_root() {
        println!("skipped: see the ordinary user's turn");
        return;
    }
    let no_more = "echo 0 > /proc/sys/user/max_user_namespaces && \
                   exec setpriv --ambient-caps=-all --inh-caps=-all --bounding-set=-all \"$@\"";
    let (uid, gid) = (format!("--map-user={uid}"), format!("--map-group={gid}"));
    tests_under(
        &[
            "unshare",
            "-U",
            &uid,
            &gid,
            "--keep-caps",
            "sh",
            "-c",
            no_more,
            "sh",
        ],
        &[
            "lacking_namespaces_are_named",
            "--include-ignored",
            "crashes_leave_no_dump",
            "daemons_die_with_the_command",
            "descriptors_are_those_passed",
            "exit_codes_and_signals_are_told_apart",
            "files_are_limited",
            "output_is_capped_and_drained",
            "reaches_no_network",
            "reads_only_what_is_named",
            "time_ends_the_deaf_and_their_brood",
            "what_was_written_is_not_executed",
        ],
    );
}

#[test]
#[ignore = "started by the test before"]
fn lacking_namespaces_are_named() {
    let available = containment_available().unwrap();
    let lacking = available
        .iter()
        .filter(|piece| piece.enforced != Enforced::Yes);
    let named: Vec<String> = lacking
        .clone()
        .map(|piece| piece.piece.to_string())
        .collect();
    let expected = [
        "processes",
        "network",
        "ipc",
        "host-name",
        "file-tree",
        "proc",
        "user",
        "no-namespaces",
        "limit-processes",
    ];
    assert_eq!(named, expected);
    assert!(
        lacking.clone().all(|piece| !piece.why.is_empty()),
        "{available:?}"
    );
}
