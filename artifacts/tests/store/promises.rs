//! Put, get, record, find, verify, collect: the ordinary ways.

use crate::support::{name, receipt, scene, step, system};
use artifacts::store::{Store, StoreError, Summary};
use artifacts::tree::{TREE, Tree, TreePath};
use artifacts::{ArtifactId, Stage};
use std::collections::BTreeSet;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

#[test]
fn what_is_put_is_got_whatever_its_size_and_by_every_way() {
    let scene = scene();
    let store = &scene.store;
    for size in [0usize, 1, 4096, 200_000, (3 << 20) + 17] {
        let bytes: Vec<u8> = (0..size).map(|i| (i * 7 % 253) as u8).collect();
        // the expected id comes from the hash crate itself
        let expected = ArtifactId::from_bytes(*blake3::hash(&bytes).as_bytes());
        assert!(!store.has(expected));
        assert_eq!(store.put_bytes(&bytes).unwrap(), expected);
        assert_eq!(store.put_reader(&bytes[..]).unwrap(), expected);
        let file = scene.folder.path().join("copy");
        store.copy_to(expected, &file).unwrap();
        assert_eq!(store.put_file(&file).unwrap(), expected);
        assert!(store.get(expected).unwrap() == bytes);
        let mut read = Vec::new();
        store
            .open_verified(expected)
            .unwrap()
            .read_to_end(&mut read)
            .unwrap();
        assert!(read == bytes);
        assert!(store.has(expected) && store.presence().unwrap().has(&expected));
        let mode = std::fs::metadata(scene.blob(expected))
            .unwrap()
            .permissions()
            .mode();
        assert_eq!(mode & 0o7777, 0o444);
    }
    assert_eq!(store.presence().unwrap().len(), 5);
    assert_eq!(scene.temporary_files(), 0);
}

#[test]
fn a_batch_is_there_with_its_commit_and_not_before() {
    let scene = scene();
    for many in [3u32, 300] {
        let texts: Vec<String> = (0..many).map(|n| format!("{many} {n}")).collect();
        let mut dropped = scene.store.batch();
        let mut batch = scene.store.batch();
        let ids: Vec<ArtifactId> = texts
            .iter()
            .map(|text| {
                dropped.put_bytes(text.as_bytes()).unwrap();
                batch.put_bytes(text.as_bytes()).unwrap()
            })
            .collect();
        drop(dropped);
        assert!(!ids.iter().any(|id| scene.store.has(*id)));
        batch.commit().unwrap();
        for (id, text) in ids.iter().zip(&texts) {
            assert_eq!(scene.store.get(*id).unwrap(), text.as_bytes());
        }
        assert_eq!(scene.temporary_files(), 0);
    }
}

#[test]
fn a_recorded_step_is_found_only_while_its_outputs_are_there() {
    let scene = scene();
    let store = &scene.store;
    let done = scene.step("source", "library");
    assert_eq!(done.elapsed_ms, 1500);
    let (index, presence) = (store.index().unwrap(), store.presence().unwrap());
    assert_eq!(index.find(&done.key, &presence), Some(&done));
    // the receipt reads as written, down to its bytes
    let read = store.receipt(done.receipt).unwrap();
    assert_eq!(Summary::of(&read).unwrap(), done);

    // measuring again: the newer one wins, and when its output is lost, the older one serves
    let mut again = read.clone();
    let output = store.put_bytes(b"library 2").unwrap();
    again.outputs.insert("role0".to_owned(), output);
    let newer = store.record(&again).unwrap();
    let index = store.index().unwrap();
    let found = |index: &artifacts::store::Index| {
        index
            .find(&done.key, &store.presence().unwrap())
            .map(|summary| summary.receipt)
    };
    assert_eq!(found(&index), Some(newer));
    assert_eq!(index.all(&done.key).count(), 2);
    std::fs::remove_file(scene.blob(output)).unwrap();
    assert_eq!(found(&index), Some(done.receipt));
    std::fs::remove_file(scene.file("receipts", done.receipt)).unwrap();
    assert_eq!(found(&index), None);
    assert_eq!(index.lookup(&done.key).unwrap().receipt, newer);
}

#[test]
fn a_receipt_that_is_not_true_is_not_recorded() {
    let scene = scene();
    let there = scene.store.put_bytes(b"there").unwrap();
    let gone = ArtifactId::of(b"gone");
    let mut wrong = receipt(Stage::Time, &[there], &[there]);
    wrong.material.stage_version = 2;
    assert!(matches!(
        scene.store.record(&wrong),
        Err(StoreError::WrongKey { .. })
    ));
    for (inputs, outputs, role) in [
        ([gone], [there], "inputs.role0"),
        ([there], [gone], "outputs.role0"),
    ] {
        let error = scene
            .store
            .record(&receipt(Stage::Time, &inputs, &outputs))
            .unwrap_err();
        assert!(
            matches!(&error, StoreError::Unresolved { role: r, id } if r == role && *id == gone),
            "{error}"
        );
    }
    assert!(scene.store.index().unwrap().summaries().is_empty());
    assert_eq!(scene.store.presence().unwrap().len(), 1);
}

#[test]
fn only_recording_makes_a_receipt() {
    let scene = scene();
    let store = &scene.store;
    let there = store.put_bytes(b"there").unwrap();
    // what a candidate might print, or a submission contain: a receipt to the last byte
    let forged = store
        .put_json(&receipt(Stage::Time, &[there], &[there]))
        .unwrap();
    assert!(matches!(
        store.receipt(forged),
        Err(StoreError::NoArtifact(_))
    ));
    assert_eq!(store.rebuild_index().unwrap(), 0);
    let mut summary = scene.step("a", "b");
    summary.receipt = forged;
    store.create_campaign(&name("x"), &system()).unwrap();
    assert!(
        store
            .record_step(&name("x"), &step("-/probe"), &summary)
            .is_err()
    );
}

#[test]
fn the_index_comes_back_from_the_receipts() {
    let scene = scene();
    let steps: Vec<Summary> = (0..5)
        .map(|n| scene.step(&format!("in {n}"), "out"))
        .collect();
    let before = scene.store.index().unwrap();
    std::fs::remove_file(scene.path("index.jsonl")).unwrap();
    assert!(scene.store.index().unwrap().summaries().is_empty());
    assert_eq!(scene.store.verify().unwrap().unindexed_receipts, 5);
    assert_eq!(scene.store.rebuild_index().unwrap(), 5);
    let after = scene.store.index().unwrap();
    for summary in &steps {
        assert_eq!(after.lookup(&summary.key), before.lookup(&summary.key));
    }
    // bytes that are no index at all are mended too
    std::fs::write(scene.path("index.jsonl"), "\0\0\0\n\0").unwrap();
    assert!(scene.store.index().is_err());
    assert_eq!(scene.store.rebuild_index().unwrap(), 5);
    assert_eq!(scene.store.verify().unwrap().problems, []);
}

#[test]
fn collection_keeps_what_campaigns_reach_and_nothing_else() {
    let scene = scene();
    let store = &scene.store;
    let campaign = name("now");
    store.create_campaign(&campaign, &system()).unwrap();

    // a tree, its files, and a step that reads it, folded into the root
    let file = store.put_bytes(b"int x;").unwrap();
    let tree = Tree::new([(TreePath::new("a/x.c").unwrap(), file)].into());
    let tree = store.put_json(&tree).unwrap();
    let library = store.put_bytes(b"library").unwrap();
    let built = receipt(Stage::Build, &[tree], &[library]);
    store.record(&built).unwrap();
    store
        .record_step(
            &campaign,
            &step("kem-11/build"),
            &Summary::of(&built).unwrap(),
        )
        .unwrap();
    store.close(&campaign).unwrap();
    // a page, and a step still in the journal
    let page = scene.step_of(Stage::Render, "shown", "page");
    let journalled = scene.step("more", "of it");
    store
        .record_step(&campaign, &step("kem-11/page"), &page)
        .unwrap();
    store
        .record_step(&campaign, &step("kem-11/other"), &journalled)
        .unwrap();
    let kept = store.presence().unwrap().len();

    // garbage: a step of a campaign that goes, lone artifacts, a killed writer's file
    let other = name("old");
    store.create_campaign(&other, &system()).unwrap();
    let old = scene.step("old in", "old out");
    store
        .record_step(&other, &step("kem-11/build"), &old)
        .unwrap();
    store.close(&other).unwrap();
    let lone = store.put_bytes(b"lone").unwrap();
    let asked = store.put_bytes(b"asked for").unwrap();
    std::fs::write(scene.path("tmp/.assay-dead"), b"half").unwrap();
    assert_eq!(store.gc(true, &[]).unwrap().removed.artifacts, 2);
    store.remove_campaign(&other).unwrap();

    let plan = store.gc(true, &[asked]).unwrap();
    // in, out, receipt, node, root of the old one, and the lone artifact
    assert_eq!((plan.removed.artifacts, plan.removed_receipts), (6, 1));
    assert_eq!(plan.temporary_files, 1);
    assert!(store.has(lone));
    let mut did = store.gc(false, &[asked]).unwrap();
    did.dry_run = true;
    assert_eq!(did, plan);
    assert_eq!(store.presence().unwrap().len(), kept + 1);
    assert!(store.has(file) && store.has(asked) && !store.has(lone) && !store.has(old.receipt));
    assert_eq!(scene.temporary_files(), 0);

    let index = store.index().unwrap();
    assert!(index.lookup(&old.key).is_none());
    assert!(index.find(&built.key, &store.presence().unwrap()).is_some());
    let report = store.verify().unwrap();
    assert_eq!((report.problems, report.unindexed_receipts), (vec![], 0));
}

#[test]
fn collection_waits_for_nobody_who_is_at_work() {
    let scene = scene();
    let lone = scene.store.put_bytes(b"lone").unwrap();
    let _working = scene.store.lock_shared().unwrap();
    let error = scene.store.gc(false, &[]).unwrap_err().to_string();
    assert!(
        error.contains(&format!("process {}", std::process::id())),
        "{error}"
    );
    assert!(scene.store.has(lone));
}

/// The layout in the module's documentation is the layout.
#[test]
fn the_documented_layout_is_what_is_on_disk() {
    let scene = scene();
    let summary = scene.step("in", "out");
    let campaign = name("c");
    scene.store.create_campaign(&campaign, &system()).unwrap();
    scene
        .store
        .record_step(&campaign, &step("-/x"), &summary)
        .unwrap();
    scene.store.close(&campaign).unwrap();
    scene
        .store
        .record_step(&campaign, &step("-/y"), &summary)
        .unwrap();
    std::fs::write(scene.path("tmp/.assay-aBc123"), "").unwrap();

    let mut found = BTreeSet::new();
    walk(scene.store.root(), "", &mut found);
    let documented: BTreeSet<String> = include_str!("../../src/store/mod.rs")
        .split("```")
        .nth(1)
        .unwrap()
        .lines()
        .filter_map(|line| line.strip_prefix("//! ")?.split("  ").next())
        .filter(|path| !path.is_empty())
        .map(str::to_owned)
        .collect();
    assert_eq!(found, documented);
}

fn walk(folder: &Path, inside: &str, found: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let file = entry.file_name().into_string().unwrap();
        let hex = file
            .bytes()
            .all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b));
        let part = match (inside, file.as_str()) {
            ("blobs/" | "receipts/", name) if hex && name.len() == 2 => "<2 hex>".to_owned(),
            ("blobs/<2 hex>/" | "receipts/<2 hex>/", name) if hex && name.len() == 62 => {
                "<62 hex>".to_owned()
            }
            ("campaigns/", name) => name.replacen("c.", "<name>.", 1),
            ("locks/", "store" | "index" | "campaign-c") => "<lock>".to_owned(),
            ("tmp/", name) if name.starts_with(".assay-") => ".assay-<random>".to_owned(),
            (_, name) => name.to_owned(),
        };
        let path = format!("{inside}{part}");
        if entry.file_type().unwrap().is_dir() {
            walk(&entry.path(), &format!("{path}/"), found);
        } else {
            found.insert(path);
        }
    }
}

#[test]
fn a_store_is_made_where_there_is_nothing_and_nowhere_else() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("deep/store");
    assert!(matches!(Store::open(&path), Err(StoreError::Absent(_))));
    assert!(!path.exists());
    Store::create_or_open(&path).unwrap();
    Store::open(&path).unwrap();
    Store::create_or_open(&path).unwrap();

    // making was cut off before format.json
    std::fs::remove_file(path.join("format.json")).unwrap();
    Store::create_or_open(&path).unwrap();

    let other = folder.path().join("home");
    std::fs::create_dir(&other).unwrap();
    std::fs::write(other.join("thesis.tex"), "").unwrap();
    for result in [Store::open(&other), Store::create_or_open(&other)] {
        assert!(matches!(result, Err(StoreError::NotAStore(_))));
    }
    assert_eq!(std::fs::read_dir(&other).unwrap().count(), 1);
    let file = other.join("thesis.tex");
    assert!(matches!(
        Store::create_or_open(&file),
        Err(StoreError::NotAStore(_))
    ));
}

#[test]
fn json_is_read_as_what_it_is() {
    let scene = scene();
    let tree = Tree::new(Default::default());
    let id = scene.store.put_json(&tree).unwrap();
    assert_eq!(scene.store.get_json::<Tree>(id, TREE).unwrap(), tree);
    let text = scene.store.put_bytes(b"no json").unwrap();
    assert!(matches!(
        scene.store.get_json::<Tree>(text, TREE),
        Err(StoreError::Json { .. })
    ));
    let error = scene
        .store
        .get_json::<Tree>(id, artifacts::receipt::RECEIPT)
        .unwrap_err();
    assert!(error.to_string().contains("assay-tree"), "{error}");
}
