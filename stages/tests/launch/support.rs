//! The compiled foreign code, and what tests expect of it.

use nix::unistd::Pid;
use stages::launch::{End, Finished, Policy, run};
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Where tests that start these tests in another way say that the foreign code is.
pub const FOREIGN: &str = "ASSAY_TEST_FOREIGN";

/// The foreign code, compiled once.
pub fn foreign() -> PathBuf {
    static COMPILED: OnceLock<PathBuf> = OnceLock::new();
    let compile = || {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let new = folder.join(format!("foreign.{}", std::process::id()));
        let program = folder.join("foreign");
        let status = Command::new("cc")
            .args(["-O0", "-w", "-pthread", "-o"])
            .arg(&new)
            .arg(concat!(
                env!("CARGO_MANIFEST_DIR"),
                "/tests/launch/foreign.c"
            ))
            .status()
            .expect("a C compiler");
        assert!(status.success());
        fs::rename(new, &program).unwrap();
        program
    };
    let given = || std::env::var_os(FOREIGN).map(PathBuf::from);
    COMPILED
        .get_or_init(|| given().unwrap_or_else(compile))
        .clone()
}

/// A folder that the command's user may enter.
pub fn open_folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).unwrap();
    folder
}

pub fn policy(mode: &str, arg: impl Into<std::ffi::OsString>) -> Policy {
    Policy::new(foreign())
        .arg(mode)
        .arg(arg)
        .read_system()
        .wall(Duration::from_secs(30))
}

pub fn finish(policy: &Policy) -> Finished {
    run(policy, None).unwrap()
}

#[track_caller]
pub fn allowed(policy: &Policy) -> String {
    let finished = finish(policy);
    assert_eq!(finished.end, End::Exited(0), "{}", finished.stderr.text());
    finished.stdout.text()
}

#[track_caller]
pub fn refused(policy: &Policy) -> String {
    let finished = finish(policy);
    assert_eq!(finished.end, End::Exited(1), "{}", finished.stderr.text());
    finished.stderr.text()
}

#[track_caller]
pub fn signalled(policy: &Policy, name: &str) {
    match finish(policy).end {
        End::Signalled { name: found, .. } => assert_eq!(found, name),
        other => panic!("{name} expected: {other:?}"),
    }
}

/// Processes of this machine with `marker` in their command line.
pub fn processes(marker: &str) -> Vec<Pid> {
    let listed = fs::read_dir("/proc").unwrap().flatten();
    let pids = listed.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    let marked = |pid: &i32| {
        fs::read_to_string(format!("/proc/{pid}/cmdline")).is_ok_and(|line| line.contains(marker))
    };
    pids.filter(marked).map(Pid::from_raw).collect()
}

#[track_caller]
pub fn soon(what: &str, condition: impl Fn() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(
            start.elapsed() < Duration::from_secs(5),
            "{what}: not within 5 s"
        );
        std::thread::sleep(Duration::from_millis(5));
    }
}

pub fn marker(test: &str) -> String {
    format!("marker-{test}-{}", std::process::id())
}
