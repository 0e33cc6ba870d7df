//! Files of other versions: unknown majors are refused, newer minors read and not written.

use crate::support::{name, scene, step, system};
use artifacts::store::{Store, StoreError};

fn raise(path: &std::path::Path, what: &str) -> String {
    let text = std::fs::read_to_string(path).unwrap();
    let old = if what == "major" {
        r#""major":1"#
    } else {
        r#""minor":0"#
    };
    let text = text.replacen(old, &format!(r#""{what}":9"#), 1);
    std::fs::write(path, &text).unwrap();
    text
}

#[test]
fn a_store_of_an_unknown_major_is_refused() {
    let scene = scene();
    raise(&scene.path("format.json"), "major");
    for result in [
        Store::open(scene.store.root()),
        Store::create_or_open(scene.store.root()),
    ] {
        assert!(
            matches!(result, Err(StoreError::Format { .. })),
            "{result:?}"
        );
    }
}

#[test]
fn a_store_of_a_newer_minor_is_read_and_not_written() {
    let scene = scene();
    let done = scene.step("a", "1");
    let text = raise(&scene.path("format.json"), "minor");
    let store = Store::create_or_open(scene.store.root()).unwrap();
    assert_eq!(store.get(done.outputs["role0"]).unwrap(), b"1");
    assert_eq!(store.verify().unwrap().problems, []);
    let newer = |result: Result<(), StoreError>| {
        assert!(
            matches!(result, Err(StoreError::NewerMinor { found: 9, .. })),
            "{result:?}"
        );
    };
    newer(store.put_bytes(b"new").map(|_| ()));
    newer(store.create_campaign(&name("x"), &system()).map(|_| ()));
    newer(store.gc(false, &[]).map(|_| ()));
    newer(store.rebuild_index().map(|_| ()));
    assert_eq!(
        std::fs::read_to_string(scene.path("format.json")).unwrap(),
        text
    );
}

#[test]
fn campaign_and_index_files_of_other_versions_are_left_alone() {
    for file in ["campaigns/now.json", "campaigns/now.journal", "index.jsonl"] {
        let scene = scene();
        let store = &scene.store;
        let campaign = name("now");
        store.create_campaign(&campaign, &system()).unwrap();
        let done = scene.step("a", "1");
        store.record_step(&campaign, &step("-/a"), &done).unwrap();
        let path = scene.path(file);
        let text = raise(&path, "minor");

        assert_eq!(store.campaign(&campaign).unwrap().unwrap().steps.len(), 1);
        assert_eq!(store.index().unwrap().summaries().len(), 1);
        if file == "index.jsonl" {
            let receipt = store.receipt(done.receipt).unwrap();
            assert!(matches!(
                store.record(&receipt),
                Err(StoreError::NewerMinor { .. })
            ));
            assert!(matches!(
                store.rebuild_index(),
                Err(StoreError::NewerMinor { .. })
            ));
        } else {
            assert!(matches!(
                store.close(&campaign),
                Err(StoreError::NewerMinor { .. })
            ));
        }
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text);

        let text = raise(&path, "major");
        if file == "index.jsonl" {
            assert!(matches!(store.index(), Err(StoreError::Format { .. })));
            assert!(matches!(
                store.rebuild_index(),
                Err(StoreError::Format { .. })
            ));
        } else {
            assert!(matches!(
                store.campaign(&campaign),
                Err(StoreError::Format { .. })
            ));
            assert!(store.gc(false, &[]).is_err());
        }
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        assert_eq!(store.verify().unwrap().problems.len(), 1);
    }
}
