//! Many processes, kills, full and read-only disks.

use crate::support::{receipt, scene};
use artifacts::store::{Store, StoreError, Summary};
use artifacts::{ArtifactId, Stage};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, SystemTime};

/// Which part a child process of this test binary plays, and on which store.
const PART: &str = "ASSAY_TEST_PART";
const STORE: &str = "ASSAY_TEST_STORE";

fn child(part: &str, store: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "processes::part_of_a_child", "--nocapture"])
        .env(PART, part)
        .env(STORE, store)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// Not a test of its own: what the children of the tests below do.
#[test]
fn part_of_a_child() {
    let (Ok(part), Ok(path)) = (std::env::var(PART), std::env::var(STORE)) else {
        return;
    };
    let store = Store::open(Path::new(&path)).unwrap();
    let _lock = store.lock_shared().unwrap();
    match part.as_str() {
        "put-shared" => {
            for n in 0..50 {
                let id = store.put_bytes(format!("shared {n}").as_bytes()).unwrap();
                store.record(&receipt(Stage::Build, &[id], &[id])).unwrap();
            }
        }
        "large" => {
            let zeros = std::io::Read::take(std::io::repeat(0), 300 << 20);
            let id = store.put_reader(zeros).unwrap();
            store.open_verified(id).unwrap();
            store.copy_to(id, &store.root().join("tmp/copy")).unwrap();
            assert_eq!(store.verify().unwrap().problems, []);
            let status = std::fs::read_to_string("/proc/self/status").unwrap();
            let peak = status
                .lines()
                .find_map(|line| line.strip_prefix("VmHWM:"))
                .unwrap();
            let kib: u64 = peak.trim().trim_end_matches(" kB").parse().unwrap();
            assert!(kib < 64 << 10, "{kib} KiB resident");
        }
        // until killed
        _ => {
            for n in 0u64.. {
                let mut batch = store.batch();
                let ids: Vec<ArtifactId> = (0..40)
                    .map(|k| {
                        batch
                            .put_bytes(format!("{part} {n} {k}").as_bytes())
                            .unwrap()
                    })
                    .collect();
                batch.commit().unwrap();
                let large =
                    store.put_reader(std::io::Read::take(std::io::repeat(n as u8), 1 << 22));
                let outputs = [ids[0], large.unwrap()];
                store
                    .record(&receipt(Stage::Build, &ids, &outputs))
                    .unwrap();
            }
        }
    }
}

#[test]
fn writers_of_the_same_artifacts_do_each_other_no_harm() {
    let scene = scene();
    let children: Vec<Child> = (0..3)
        .map(|_| child("put-shared", scene.store.root()))
        .collect();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for n in 0..50 {
                    scene
                        .store
                        .put_bytes(format!("shared {n}").as_bytes())
                        .unwrap();
                }
            });
        }
    });
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    let report = scene.store.verify().unwrap();
    assert_eq!(report.problems, []);
    assert_eq!((report.checked.artifacts, report.receipts), (100, 50));
    assert_eq!(scene.store.index().unwrap().summaries().len(), 150);
    assert_eq!(scene.temporary_files(), 0);
}

#[test]
fn an_artifact_larger_than_the_memory_allowed_is_no_matter() {
    let scene = scene();
    assert!(child("large", scene.store.root()).wait().unwrap().success());
}

#[test]
fn killed_at_any_instant_the_store_is_valid_and_goes_on() {
    let scene = scene();
    for round in 0..12u64 {
        let mut child = child(&format!("round {round}"), scene.store.root());
        std::thread::sleep(Duration::from_millis(15 + 13 * round));
        child.kill().unwrap();
        child.wait().unwrap();
        let report = scene.store.verify().unwrap();
        assert_eq!(report.problems, [], "round {round}");
        // whatever is indexed is whole
        let presence = scene.store.presence().unwrap();
        let index = scene.store.index().unwrap();
        for summary in index.summaries() {
            assert!(index.find(&summary.key, &presence).is_some());
        }
    }
    assert!(
        !scene.store.index().unwrap().summaries().is_empty(),
        "no child got to record"
    );
    // the locks of the dead block nobody, and what they left goes
    let report = scene.store.gc(false, &[]).unwrap();
    assert!(report.removed.artifacts > 0);
    assert_eq!(
        (
            scene.temporary_files(),
            scene.store.presence().unwrap().len()
        ),
        (0, 0)
    );
}

#[test]
fn old_temporary_files_go_and_fresh_ones_stay() {
    let scene = scene();
    let (old, fresh) = (scene.path("tmp/.assay-old"), scene.path("tmp/.assay-fresh"));
    std::fs::write(&fresh, "").unwrap();
    let file = std::fs::File::create(&old).unwrap();
    file.set_modified(SystemTime::now() - Duration::from_secs(25 * 3600))
        .unwrap();
    Store::create_or_open(scene.store.root()).unwrap();
    assert!(fresh.exists() && !old.exists());
}

/// A file system of its own, where this user may mount one.
struct Mount(PathBuf);

impl Mount {
    fn tmpfs(at: &Path, size: &str) -> Option<Self> {
        std::fs::create_dir_all(at).unwrap();
        let options = format!("size={size},mode=0700");
        mount(&["-t", "tmpfs", "-o", &options, "tmpfs"], at)
    }

    fn read_only(of: &Path, at: &Path) -> Option<Self> {
        std::fs::create_dir_all(at).unwrap();
        let mounted = mount(&["--bind", of.to_str().unwrap()], at)?;
        let status = Command::new("mount")
            .args(["-o", "remount,bind,ro"])
            .arg(at)
            .status();
        status.is_ok_and(|s| s.success()).then_some(mounted)
    }
}

fn mount(options: &[&str], at: &Path) -> Option<Mount> {
    let output = Command::new("mount").args(options).arg(at).output();
    if output.is_ok_and(|output| output.status.success()) {
        return Some(Mount(at.to_owned()));
    }
    println!("skipped: this user may not mount a file system");
    None
}

impl Drop for Mount {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).status();
    }
}

#[test]
fn a_full_disk_is_said_and_leaves_a_valid_store() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path().join("small");
    let Some(_mount) = Mount::tmpfs(&at, "4m") else {
        return;
    };
    let store = Store::create_or_open(&at.join("store")).unwrap();
    let small = store.put_bytes(b"small").unwrap();
    let zeros = |size| std::io::Read::take(std::io::repeat(0), size);
    let error = store.put_reader(zeros(8 << 20)).unwrap_err();
    assert!(matches!(error, StoreError::Full(_)), "{error}");

    // filled to the last block, so that not even a line fits
    let filler = at.join("filler");
    let filled = std::io::copy(
        &mut zeros(8 << 20),
        &mut std::fs::File::create(&filler).unwrap(),
    );
    assert!(filled.is_err());
    let done = receipt(Stage::Build, &[small], &[small]);
    let error = store.record(&done).unwrap_err();
    assert!(matches!(error, StoreError::Full(_)), "{error}");
    assert!(error.to_string().contains("campaign gc"));
    assert_eq!(store.verify().unwrap().problems, []);
    assert_eq!(std::fs::read_dir(at.join("store/tmp")).unwrap().count(), 0);

    std::fs::remove_file(&filler).unwrap();
    store.record(&done).unwrap();
    assert_eq!(store.verify().unwrap().problems, []);
    assert_eq!(
        store.index().unwrap().lookup(&done.key),
        Some(&Summary::of(&done).unwrap())
    );
}

#[test]
fn a_read_only_store_is_read_verified_and_not_written() {
    let scene = scene();
    let done = scene.step("in", "out");
    let at = scene.folder.path().join("read-only");
    let Some(_mount) = Mount::read_only(scene.store.root(), &at) else {
        return;
    };
    let store = Store::create_or_open(&at).unwrap();
    assert_eq!(store.get(done.outputs["role0"]).unwrap(), b"out");
    let report = store.verify().unwrap();
    assert_eq!((report.problems, report.receipts), (vec![], 1));
    // what is there needs no writing, what is not cannot be written
    assert_eq!(store.put_bytes(b"out").unwrap(), done.outputs["role0"]);
    for result in [
        store.put_bytes(b"new").map(|_| ()),
        store.rebuild_index().map(|_| ()),
        store.gc(false, &[]).map(|_| ()),
        Store::create_or_open(&at.join("blobs/new")).map(|_| ()),
    ] {
        assert!(
            matches!(result, Err(StoreError::NotWritable(_))),
            "{result:?}"
        );
    }
}
