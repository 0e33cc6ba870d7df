//! Imported evidence: shown and checked, kept while a campaign names it, never reused.

use crate::support::{name, scene, step, system};
use artifacts::imported::Imported;
use artifacts::receipt::Subject;
use artifacts::store::{Problem, StoreError};
use artifacts::{ArtifactId, StepKey};
use std::collections::BTreeMap;

fn imported(path: &str, id: ArtifactId) -> Imported {
    let subject = Subject {
        system: system(),
        candidate: None,
        instance: None,
        operation: None,
    };
    Imported::new(subject, BTreeMap::from([(path.to_owned(), id)]))
}

#[test]
fn imported_receipts_are_kept_and_checked_but_never_found_by_a_key() {
    let scene = scene();
    let store = &scene.store;
    let campaign = name("theirs");
    store.create_campaign(&campaign, &system()).unwrap();
    let missing = imported("a.json", ArtifactId::of(b"not put"));
    let refused = store.record_imported(&campaign, &[(step("kem-11/x/kat"), missing)]);
    assert!(matches!(refused, Err(StoreError::Unresolved { .. })));

    let file = store.put_bytes(b"{}").unwrap();
    let receipt = imported("a.json", file);
    let receipts = [(step("kem-11/x/kat"), receipt.clone())];
    store.record_imported(&campaign, &receipts).unwrap();
    let root = store.close(&campaign).unwrap();
    let view = store.campaign(&campaign).unwrap().unwrap();
    let id = view.receipt(&step("kem-11/x/kat")).unwrap();
    assert_eq!(store.imported(id).unwrap(), receipt);
    assert!(store.is_imported(id).unwrap());
    assert!(store.receipt(id).is_err());

    // importing again changes nothing
    store.record_imported(&campaign, &receipts).unwrap();
    assert_eq!(store.close(&campaign).unwrap(), root);

    store.gc(false, &[]).unwrap();
    assert_eq!(store.get(file).unwrap(), b"{}");
    assert_eq!(store.rebuild_index().unwrap(), 0);
    let key = StepKey::from_bytes([0; 32]);
    assert!(store.index().unwrap().lookup(&key).is_none());
    let report = store.verify().unwrap();
    assert_eq!(report.problems, []);
    assert_eq!(report.unindexed_receipts, 0);

    std::fs::remove_file(scene.blob(file)).unwrap();
    let problems = store.verify().unwrap().problems;
    assert!(
        matches!(problems.as_slice(), [Problem::Missing { role, .. }] if role == "files.a.json"),
        "{problems:?}"
    );
}
