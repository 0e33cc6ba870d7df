//! Foreign code under the launcher: `launch/foreign.c` tries what it should not.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "helpers of tests fail the test"
)]

use nix::sys::signal::{Signal, kill};
use nix::unistd::{Pid, geteuid};
use stages::launch::{End, Enforced, Finished, LaunchError, Limits, Piece, Policy, run};
use std::fs::{self, File, Permissions};
use std::io::{Seek, Write};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// The compiled foreign code; one for all tests of the process.
fn foreign() -> PathBuf {
    static BUILT: OnceLock<(TempDir, PathBuf)> = OnceLock::new();
    let build = || {
        let folder = open_folder();
        let program = folder.path().join("foreign");
        let source = include_str!("launch/foreign.c");
        fs::write(folder.path().join("foreign.c"), source).unwrap();
        let status = Command::new("cc")
            .args(["-O0", "-w", "-pthread", "foreign.c", "-o", "foreign"])
            .current_dir(folder.path())
            .status()
            .expect("a C compiler");
        assert!(status.success());
        (folder, program)
    };
    BUILT.get_or_init(build).1.clone()
}

/// A folder that the command's user may enter.
fn open_folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).unwrap();
    folder
}

fn policy(mode: &str, arg: impl Into<std::ffi::OsString>) -> Policy {
    Policy::new(foreign())
        .arg(mode)
        .arg(arg)
        .read_system()
        .wall(Duration::from_secs(30))
}

fn finish(policy: &Policy) -> Finished {
    let finished = run(policy, None).unwrap();
    for piece in &finished.containment {
        let Piece::LimitProcesses = piece.piece else {
            continue;
        };
        assert_eq!(
            piece.enforced,
            Enforced::Yes,
            "these tests need it: {}",
            piece.why
        );
    }
    finished
}

#[track_caller]
fn allowed(policy: &Policy) -> String {
    let finished = finish(policy);
    assert_eq!(finished.end, End::Exited(0), "{}", finished.stderr.text());
    finished.stdout.text()
}

#[track_caller]
fn refused(policy: &Policy) -> String {
    let finished = finish(policy);
    assert_eq!(finished.end, End::Exited(1), "{}", finished.stderr.text());
    finished.stderr.text()
}

#[track_caller]
fn signalled(policy: &Policy, name: &str) {
    match finish(policy).end {
        End::Signalled { name: found, .. } => assert_eq!(found, name),
        other => panic!("{name} expected: {other:?}"),
    }
}

/// Processes of this machine with `marker` in their command line.
fn processes(marker: &str) -> Vec<Pid> {
    let listed = fs::read_dir("/proc").unwrap().flatten();
    let pids = listed.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    let marked = |pid: &i32| {
        fs::read_to_string(format!("/proc/{pid}/cmdline")).is_ok_and(|line| line.contains(marker))
    };
    pids.filter(marked).map(Pid::from_raw).collect()
}

#[track_caller]
fn soon(what: &str, condition: impl Fn() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(
            start.elapsed() < Duration::from_secs(5),
            "{what}: not within 5 s"
        );
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn marker(test: &str) -> String {
    format!("marker-{test}-{}", std::process::id())
}

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
fn reads_only_what_is_named() {
    refused(&policy("read", "/etc/passwd"));
    allowed(&policy("read", "/etc/passwd").read("/etc/passwd"));
    let neighbour = open_folder();
    let secret = neighbour.path().join("secret");
    fs::write(&secret, "x").unwrap();
    refused(&policy("read", &secret));
    refused(&policy("list", neighbour.path()));
    allowed(&policy("read", &secret).read(&secret));
    refused(&policy("list", "/"));
    refused(&policy("read", "/proc/self/status"));
}

#[test]
fn root_opens_closed_folders_above_what_is_named() {
    let closed = tempfile::tempdir().unwrap();
    fs::set_permissions(closed.path(), Permissions::from_mode(0o700)).unwrap();
    let file = closed.path().join("file");
    fs::write(&file, "x").unwrap();
    allowed(&policy("read", &file).read(&file));
}

#[test]
fn writes_only_what_is_named() {
    let (outside, inside) = (open_folder(), open_folder());
    let canary = outside.path().join("canary");
    fs::write(&canary, "intact").unwrap();
    fs::set_permissions(&canary, Permissions::from_mode(0o666)).unwrap();
    for mode in ["write", "truncate", "unlink", "chmod"] {
        refused(&policy(mode, &canary));
        // named for reading is not named for writing, whoever owns it
        refused(&policy(mode, &canary).read(&canary).write(inside.path()));
        refused(&policy(mode, &canary).read(outside.path()));
    }
    refused(&policy("write", outside.path().join("new")).read(outside.path()));
    for place in ["/tmp/new", "/new", "/dev/shm/new", "/usr/new"] {
        refused(&policy("write", place));
    }
    assert_eq!(fs::read_to_string(&canary).unwrap(), "intact");
    let new = inside.path().join("new");
    allowed(&policy("write", &new).write(inside.path()));
    assert_eq!(fs::read_to_string(&new).unwrap(), "written");
    let deep = inside.path().join("made by the stage");
    fs::create_dir(&deep).unwrap();
    allowed(&policy("write", deep.join("new")).write(inside.path()));
    allowed(&policy("write", "/dev/null"));
}

#[test]
fn the_inner_of_two_paths_decides() {
    let outer = open_folder();
    let inner = outer.path().join("inner");
    fs::create_dir(&inner).unwrap();
    let writable = policy("write", inner.join("new"))
        .write(outer.path())
        .read(&inner);
    refused(&writable);
    allowed(
        &policy("write", inner.join("new"))
            .read(outer.path())
            .write(&inner),
    );
}

#[test]
fn what_was_written_is_not_executed() {
    let folder = open_folder();
    let program = folder.path().join("program");
    fs::copy(foreign(), &program).unwrap();
    let stderr = refused(&policy("exec", &program).write(folder.path()));
    assert!(stderr.contains("Permission denied"), "{stderr}");
}

#[test]
fn sees_its_own_processes_only() {
    let listed = allowed(&policy("list", "/proc").proc());
    let pids: Vec<i32> = listed
        .lines()
        .filter_map(|name| name.parse().ok())
        .collect();
    assert_eq!(pids.len(), 2, "`launcher init` and itself: {pids:?}");
    refused(&policy("list", "/proc"));
}

/// A mask of signals in hexadecimal, without the two that the C library keeps to itself.
fn signals(mask: &str) -> u64 {
    u64::from_str_radix(mask, 16).unwrap() & !(0b11 << 31)
}

#[test]
fn has_no_rights() {
    let status = allowed(&policy("print", "/proc/self/status").proc());
    let field = |name: &str| {
        let line = status
            .lines()
            .find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
        line.unwrap_or_else(|| panic!("{name} in {status}"))
            .trim()
            .to_owned()
    };
    for set in ["CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"] {
        assert_eq!(field(set), "0000000000000000", "{set}");
    }
    for set in ["SigBlk", "SigIgn", "SigCgt"] {
        assert_eq!(signals(&field(set)), 0, "{set}");
    }
    assert_eq!(field("NoNewPrivs"), "1");
    let uid = if geteuid().is_root() {
        65534
    } else {
        geteuid().as_raw()
    };
    assert_eq!(field("Uid"), format!("{uid}\t{uid}\t{uid}\t{uid}"));
    refused(&policy("unshare", ""));
    // nor over the first process of its namespace, which speaks to the stage
    refused(&policy("ptrace", ""));
    refused(&policy("write", "/proc/1/fd/0").proc());
    refused(&policy("read", "/proc/1/environ").proc());
    refused(&policy("write", "/proc/sys/user/max_user_namespaces").proc());
    allowed(&policy("kill", ""));
    allowed(&policy("starve", ""));
}

#[test]
fn reaches_no_network() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    refused(&policy("connect", port.to_string()));
    let control = Command::new(foreign())
        .args(["connect", &port.to_string()])
        .status()
        .unwrap();
    assert!(
        control.success(),
        "the fixture can connect when it is free to"
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
fn daemons_die_with_the_command() {
    let marker = marker("daemon");
    allowed(&policy("daemon", "").arg(&marker));
    assert_eq!(processes(&marker), []);
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

#[test]
fn environment_input_folder_and_core_are_as_given() {
    assert_eq!(allowed(&policy("env", "")), "");
    assert_eq!(allowed(&policy("env", "").env("LC_ALL", "C")), "LC_ALL=C\n");
    allowed(&policy("stdin", ""));
    let folder = open_folder();
    let cwd = folder.path().canonicalize().unwrap();
    assert_eq!(
        allowed(&policy("cwd", "").read(&cwd).cwd(&cwd)),
        format!("{}\n", cwd.display())
    );
    let status = allowed(&policy("print", "/proc/self/status").proc().cpu(0));
    assert!(status.contains("Cpus_allowed_list:\t0\n"), "{status}");
}

#[test]
fn descriptors_are_those_passed() {
    // a careless library leaves descriptors open to children
    let careless = File::open("/etc/passwd").unwrap();
    let inherit = nix::fcntl::FcntlArg::F_SETFD(nix::fcntl::FdFlag::empty());
    nix::fcntl::fcntl(&careless, inherit).unwrap();
    assert_eq!(
        allowed(&policy("list", "/proc/self/fd").proc()),
        "0\n1\n2\n3\n"
    );
    let mut extra = tempfile::tempfile().unwrap();
    extra.write_all(b"from the stage").unwrap();
    extra.rewind().unwrap();
    let again = || Some(extra.try_clone().unwrap().into());
    let listed = run(&policy("list", "/proc/self/fd").proc(), again()).unwrap();
    assert_eq!(listed.stdout.text(), "0\n1\n2\n3\n4\n");
    assert_eq!(
        run(&policy("fd4", ""), again()).unwrap().stdout.text(),
        "from the stage\n"
    );
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

/// The stage of the next tests, in a process of its own.
#[test]
#[ignore = "started by other tests"]
fn a_stage() {
    let marker = std::env::var("ASSAY_TEST_MARKER").unwrap_or_default();
    if marker.is_empty() {
        print!("{}", allowed(&policy("print", "/proc/self/status").proc()));
    } else {
        finish(&policy("sleep", marker));
    }
}

fn stage_arguments() -> [&'static str; 4] {
    ["--exact", "a_stage", "--ignored", "--nocapture"]
}

#[test]
fn a_killed_stage_kills_the_command() {
    let marker = marker("stage");
    let mut stage = Command::new(std::env::current_exe().unwrap())
        .args(stage_arguments())
        .env("ASSAY_TEST_MARKER", &marker)
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    soon("asleep", || !processes(&marker).is_empty());
    stage.kill().unwrap();
    stage.wait().unwrap();
    soon("the command is dead", || processes(&marker).is_empty());
}

#[test]
fn signals_the_stage_ignores_are_not_ignored() {
    let stage = Command::new("sh")
        .args([
            "-c",
            r#"trap "" HUP INT QUIT TERM CHLD USR1; exec "$0" "$@""#,
        ])
        .arg(std::env::current_exe().unwrap())
        .args(stage_arguments())
        .output()
        .unwrap();
    let stdout = String::from_utf8_lossy(&stage.stdout);
    let ignored = stdout
        .lines()
        .find_map(|line| line.strip_prefix("SigIgn:\t"))
        .unwrap();
    assert_eq!(signals(ignored), 0, "{stdout}");
}

/// The same tests without root's rights.
#[test]
fn and_all_of_it_for_an_ordinary_user() {
    if !geteuid().is_root() {
        println!("skipped: not root");
        return;
    }
    let folder = open_folder();
    let beside = |name: &str, from: &Path| fs::copy(from, folder.path().join(name)).unwrap();
    beside("launcher", Path::new(env!("CARGO_BIN_EXE_launcher")));
    beside("tests", &std::env::current_exe().unwrap());
    let tests = Command::new("setpriv")
        .args(["--reuid=4242", "--regid=4242", "--clear-groups"])
        .arg(folder.path().join("tests"))
        .current_dir("/")
        .output();
    let Ok(tests) = tests else {
        println!("skipped: no setpriv");
        return;
    };
    let stdout = String::from_utf8_lossy(&tests.stdout);
    assert!(tests.status.success(), "{stdout}");
}
