//! Taking over what was done into another store.

use crate::support::{scene, spoil};
use artifacts::store::StoreError;
use artifacts::words::Stage;

#[test]
fn receipts_come_with_all_they_name_and_only_once() {
    let (ours, theirs) = (scene(), scene());
    let here = ours.step_of(Stage::Build, "source 1", "library 1");
    let same = theirs.step_of(Stage::Build, "source 1", "library 1");
    let built = theirs.step_of(Stage::Build, "source 2", "library 2");
    let timed = theirs.step_of(Stage::Time, "library 2", "record");
    assert_eq!(here.key, same.key);

    let stages = [Stage::Build, Stage::Kat];
    assert_eq!(ours.store.take_from(&theirs.store, &stages).unwrap(), 1);
    let (index, presence) = (ours.store.index().unwrap(), ours.store.presence().unwrap());
    assert_eq!(index.find(&built.key, &presence), Some(&built));
    assert_eq!(index.find(&here.key, &presence), Some(&here));
    assert_eq!(index.lookup(&timed.key), None);
    assert_eq!(ours.store.verify().unwrap().problems, []);
    assert_eq!(ours.store.take_from(&theirs.store, &stages).unwrap(), 0);
}

#[test]
fn a_damaged_artifact_is_not_taken_nor_its_receipt() {
    let (ours, theirs) = (scene(), scene());
    let built = theirs.step_of(Stage::Build, "source", "library");
    let library = *built.outputs.values().next().unwrap();
    spoil(&theirs.blob(library), |bytes| bytes.push(b'!'));
    let refused = ours.store.take_from(&theirs.store, &[Stage::Build]);
    assert!(matches!(refused, Err(StoreError::Damaged { .. })));
    assert!(ours.store.index().unwrap().lookup(&built.key).is_none());
}
