//! Bad disks and careless hands: everything is found, told, and mended by putting again.

use crate::support::{Scene, name, scene, spoil, step, system};
use artifacts::ArtifactId;
use artifacts::store::{Problem, StoreError};
use std::io::Write;
use std::path::PathBuf;

fn only_problem(scene: &Scene) -> Problem {
    let mut problems = scene.store.verify().unwrap().problems;
    assert_eq!(problems.len(), 1, "{problems:?}");
    problems.remove(0)
}

#[test]
fn changed_or_cut_bytes_are_never_given_out_and_mend_when_put_again() {
    let changes: [fn(&mut Vec<u8>); 5] = [
        |bytes| bytes[77] ^= 1,
        |bytes| bytes.truncate(100),
        |bytes| bytes.clear(),
        |bytes| bytes.push(0),
        |bytes| *bytes.last_mut().unwrap() ^= 0x80,
    ];
    for size in [1000, 9 << 20] {
        let content = vec![b'x'; size];
        for change in changes {
            let scene = scene();
            let id = scene.store.put_bytes(&content).unwrap();
            spoil(&scene.blob(id), change);
            let copy = scene.folder.path().join("copy");
            for error in [
                scene.store.get(id).map(|_| ()),
                scene.store.open_verified(id).map(|_| ()),
                scene.store.copy_to(id, &copy),
            ] {
                assert!(
                    matches!(error, Err(StoreError::Damaged { .. })),
                    "{error:?}"
                );
            }
            assert!(!copy.exists());
            let problem = only_problem(&scene);
            assert!(matches!(&problem, Problem::Damaged { path, .. } if path.starts_with("blobs")));
            assert_eq!(scene.store.put_reader(&content[..]).unwrap(), id);
            assert!(scene.store.get(id).unwrap() == content);
            assert_eq!(scene.store.verify().unwrap().problems, []);
        }
    }
}

#[test]
fn what_is_missing_is_told_with_who_names_it() {
    let scene = scene();
    let done = scene.step("in", "out");
    let output = done.outputs["role0"];
    std::fs::remove_file(scene.blob(output)).unwrap();
    assert!(matches!(scene.store.get(output), Err(StoreError::NoArtifact(id)) if id == output));
    assert_eq!(
        only_problem(&scene),
        Problem::Missing {
            from: done.receipt,
            role: "outputs.role0".to_owned(),
            to: output
        }
    );
    scene.store.put_bytes(b"out").unwrap();
    assert_eq!(scene.store.verify().unwrap().problems, []);
}

#[test]
fn links_and_folders_are_no_artifacts() {
    let scene = scene();
    let secret = scene.folder.path().join("secret");
    std::fs::write(&secret, b"right bytes").unwrap();
    let id = ArtifactId::of(b"right bytes");
    let place = scene.blob(id);
    std::fs::create_dir_all(place.parent().unwrap()).unwrap();

    // even a link to the right bytes: what it points to may change at any time
    std::os::unix::fs::symlink(&secret, &place).unwrap();
    assert!(!scene.store.has(id) && !scene.store.presence().unwrap().has(&id));
    assert!(matches!(scene.store.get(id), Err(StoreError::NotAFile(_))));
    let stranger = |path: PathBuf| Problem::Stranger { path };
    let inside = place.strip_prefix(scene.store.root()).unwrap().to_owned();
    assert_eq!(only_problem(&scene), stranger(inside.clone()));
    scene.store.put_bytes(b"right bytes").unwrap();
    assert!(std::fs::symlink_metadata(&place).unwrap().is_file());
    assert_eq!(std::fs::read(&secret).unwrap(), b"right bytes");

    std::fs::remove_file(&place).unwrap();
    std::fs::create_dir(&place).unwrap();
    assert!(matches!(scene.store.get(id), Err(StoreError::NotAFile(_))));
    assert!(matches!(
        scene.store.put_bytes(b"right bytes"),
        Err(StoreError::NotAFile(_))
    ));
    assert_eq!(only_problem(&scene), stranger(inside));
    assert_eq!(scene.temporary_files(), 0);
    std::fs::remove_dir(&place).unwrap();
    std::fs::write(scene.path("blobs/note.txt"), "").unwrap();
    assert_eq!(only_problem(&scene), stranger("blobs/note.txt".into()));
}

#[test]
fn a_receipt_changed_with_its_name_is_told_by_its_key() {
    let scene = scene();
    let done = scene.step("in", "out");
    let path = scene.file("receipts", done.receipt);
    let text = std::fs::read_to_string(&path).unwrap();
    // better flags than were used, under the key of those that were
    let text = text.replace("guide", "other");
    let id = ArtifactId::of(text.as_bytes());
    let forged = scene.file("receipts", id);
    std::fs::create_dir_all(forged.parent().unwrap()).unwrap();
    std::fs::write(forged, &text).unwrap();
    let problem = only_problem(&scene);
    assert!(
        matches!(&problem, Problem::WrongKey { receipt, .. } if *receipt == id),
        "{problem}"
    );
    // and rebuilding does not let it in
    assert_eq!(scene.store.rebuild_index().unwrap(), 1);
}

#[test]
fn a_torn_index_line_costs_nothing_but_that_line() {
    let scene = scene();
    let first = scene.step("a", "1");
    let index = scene.path("index.jsonl");
    let mut file = std::fs::OpenOptions::new()
        .append(true)
        .open(&index)
        .unwrap();
    file.write_all(br#"{"key":"key:00"#).unwrap();
    assert_eq!(
        scene.store.index().unwrap().summaries(),
        std::slice::from_ref(&first)
    );
    assert_eq!(scene.store.verify().unwrap().problems, []);
    let second = scene.step("b", "2");
    assert_eq!(scene.store.index().unwrap().summaries(), [first, second]);
    assert_eq!(scene.store.verify().unwrap().problems, []);
}

#[test]
fn an_index_that_says_something_else_is_told_and_rebuilt() {
    let scene = scene();
    let first = scene.step("a", "1");
    scene.step("b", "2");
    let index = scene.path("index.jsonl");
    let text = std::fs::read_to_string(&index).unwrap();
    std::fs::write(
        &index,
        text.replace(r#""elapsed_ms":1500"#, r#""elapsed_ms":1"#),
    )
    .unwrap();
    let problems = scene.store.verify().unwrap().problems;
    assert_eq!(
        problems[0],
        Problem::WrongIndexLine {
            line: 2,
            receipt: first.receipt
        }
    );
    assert_eq!(problems.len(), 2);
    let mut lines: Vec<&str> = text.lines().collect();
    lines[1] = "rubbish";
    std::fs::write(&index, lines.join("\n") + "\n").unwrap();
    assert_eq!(only_problem(&scene), Problem::BadIndexLine { line: 2 });
    assert_eq!(scene.store.index().unwrap().summaries().len(), 1);
    scene.store.rebuild_index().unwrap();
    assert_eq!(scene.store.verify().unwrap().problems, []);
}

#[test]
fn collection_refuses_when_it_cannot_know_what_to_keep() {
    let scene = scene();
    let campaign = name("now");
    scene.store.create_campaign(&campaign, &system()).unwrap();
    scene
        .store
        .record_step(&campaign, &step("kem-11/build"), &scene.step("a", "1"))
        .unwrap();
    let root = scene.store.close(&campaign).unwrap();
    let lone = scene.store.put_bytes(b"lone").unwrap();
    let bytes = std::fs::read(scene.blob(root)).unwrap();
    spoil(&scene.blob(root), |bytes| *bytes.last_mut().unwrap() = b' ');
    assert!(matches!(
        scene.store.gc(false, &[]),
        Err(StoreError::Damaged { .. })
    ));
    assert!(scene.store.has(lone));
    let problems = scene.store.verify().unwrap().problems;
    assert!(
        problems
            .iter()
            .any(|p| matches!(p, Problem::BadCampaign { .. })),
        "{problems:?}"
    );
    // copied back from elsewhere
    scene.store.put_bytes(&bytes).unwrap();
    assert_eq!(scene.store.gc(false, &[]).unwrap().removed.artifacts, 1);
}

#[test]
fn a_lost_receipt_is_told_by_its_campaign() {
    let scene = scene();
    let campaign = name("now");
    scene.store.create_campaign(&campaign, &system()).unwrap();
    let done = scene.step("a", "1");
    scene
        .store
        .record_step(&campaign, &step("kem-11/build"), &done)
        .unwrap();
    scene.store.close(&campaign).unwrap();
    std::fs::remove_file(scene.file("receipts", done.receipt)).unwrap();
    let problems = scene.store.verify().unwrap().problems;
    // by the index, the campaign, and the node
    assert_eq!(problems.len(), 3, "{problems:?}");
    assert!(problems.iter().any(|p| matches!(
        p,
        Problem::MissingStep { receipt, step, .. }
            if *receipt == done.receipt && step == "kem-11/build"
    )));
}
