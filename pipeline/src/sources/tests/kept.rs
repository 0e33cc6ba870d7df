//! Sources kept in a store.

use super::*;
use crate::sources::{added, added_tree, added_trees, keep_source};
use artifacts::store::Store;

fn store() -> (tempfile::TempDir, Store) {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::create_or_open(&folder.path().join("store")).unwrap();
    (folder, store)
}

#[test]
fn what_was_added_is_found_again_and_survives_garbage_collection() {
    let (_folder, store) = store();
    let candidate = simple();
    assert!(added(&store, &candidate.id).unwrap().is_none());
    assert!(added_trees(&store).unwrap().is_empty());

    let large = vec![7; 3 << 20];
    let archive = Archive::new(&zip(&[file("k/a.c", "int a;"), file("k/large", &large)]));
    let record = keep_source(&store, &candidate, &archive.path, &Limits::default()).unwrap();
    assert_eq!(added(&store, &candidate.id).unwrap().unwrap(), record);
    store.gc(false, &added_trees(&store).unwrap()).unwrap();
    let tree = added_tree(&store, &record).unwrap();
    assert_eq!(paths(&tree), ["k/a.c", "k/large"]);
    assert_eq!(store.get(tree.files[&path("k/a.c")]).unwrap(), b"int a;");
    assert_eq!(store.get(tree.files[&path("k/large")]).unwrap(), large);
    assert!(store.verify().unwrap().problems.is_empty());
}

#[test]
fn adding_again_replaces_and_a_refused_archive_changes_nothing() {
    let (_folder, store) = store();
    let candidate = simple();
    let keep = |bytes: &[u8]| {
        keep_source(
            &store,
            &candidate,
            &Archive::new(bytes).path,
            &Limits::default(),
        )
    };
    keep(&zip(&[file("k/a.c", "1")])).unwrap();
    let second = keep(&tar(&[file("k/a.c", "2")])).unwrap();
    let error = keep(&zip(&[file("k/a.c", "3"), file("../evil", "")])).unwrap_err();
    assert!(matches!(error, SourceError::Name { .. }), "{error}");
    assert_eq!(added(&store, &candidate.id).unwrap().unwrap(), second);
    assert_eq!(added_trees(&store).unwrap(), [second.tree]);
}

#[test]
fn pages_say_whether_the_sources_are_the_published_ones() {
    let (_folder, store) = store();
    let candidate = simple();
    let archive = Archive::new(&zip(&[file("k/a.c", "1")]));
    let record = keep_source(&store, &candidate, &archive.path, &Limits::default()).unwrap();
    let digest = record.sha256.clone().unwrap();
    let origin = record.origin(&candidate);
    assert_eq!(
        origin,
        format!("archive a, SHA-256 {digest}, not checked against a published one")
    );
    let lines = format!("[archive]\nfile = \"a\"\nsha256 = \"{digest}\"");
    let published = super::candidate(&lines, &[("k", "")]);
    assert_eq!(
        record.origin(&published),
        format!("archive a, SHA-256 {digest}")
    );

    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("k")).unwrap();
    std::fs::write(folder.path().join("k/a.c"), "1").unwrap();
    let record = keep_source(&store, &candidate, folder.path(), &Limits::default()).unwrap();
    assert!(
        record
            .origin(&candidate)
            .starts_with("a folder, tree blob:")
    );
    assert_eq!(record.sha256, None);
}

#[test]
fn a_record_of_another_version_is_refused() {
    let (_folder, store) = store();
    let candidate = simple();
    let archive = Archive::new(&zip(&[file("k/a.c", "1")]));
    keep_source(&store, &candidate, &archive.path, &Limits::default()).unwrap();
    let path = store.root().join("sources/mine.json");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replace("\"major\":1", "\"major\":2")).unwrap();
    let error = added(&store, &candidate.id).unwrap_err();
    assert!(error.to_string().contains("version 2"), "{error}");
    assert!(added_trees(&store).is_err());
}
