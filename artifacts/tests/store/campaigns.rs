//! Campaigns: journal, root, pages.

use crate::support::{name, scene, step, system};
use artifacts::store::{CAMPAIGN, Campaign, StoreError};
use artifacts::{CandidateId, Stage, SystemId};

#[test]
fn what_is_recorded_is_there_at_once_and_in_the_root_after_closing() {
    let scene = scene();
    let store = &scene.store;
    let campaign = name("now");
    assert_eq!(store.campaign(&campaign).unwrap(), None);
    let unknown = store.record_step(&campaign, &step("-/probe"), &scene.step("p", "q"));
    assert!(matches!(unknown, Err(StoreError::NoCampaign(_))));
    store.create_campaign(&campaign, &system()).unwrap();

    let (probe, built) = (scene.step("probe", "so"), scene.step("source", "library"));
    let page = scene.step_of(Stage::Render, "root", "page");
    store
        .record_step(&campaign, &step("-/probe"), &probe)
        .unwrap();
    store
        .record_step(&campaign, &step("kem-11/build"), &built)
        .unwrap();
    store
        .record_step(&campaign, &step("kem-11/page"), &page)
        .unwrap();
    let open = store.campaign(&campaign).unwrap().unwrap();
    assert!(open.open && open.root.is_none());

    let root = store.close(&campaign).unwrap();
    let closed = store.campaign(&campaign).unwrap().unwrap();
    assert!(!closed.open);
    assert_eq!(closed.root, Some(root));
    assert_eq!((&closed.steps, &closed.pages), (&open.steps, &open.pages));
    assert_eq!(closed.receipt(&step("-/probe")), Some(probe.receipt));
    assert_eq!(closed.receipt(&step("kem-11/page")), Some(page.receipt));
    assert_eq!(closed.pages.len(), 1);
    let tree: Campaign = store.get_json(root, CAMPAIGN).unwrap();
    assert_eq!(
        tree.candidates.keys().collect::<Vec<_>>(),
        [&CandidateId::new("kem-11").unwrap()]
    );
    assert_eq!(tree.steps.len(), 1);

    // pages and closing again change no root, a new receipt does
    assert_eq!(store.close(&campaign).unwrap(), root);
    let page = scene.step_of(Stage::Render, "root", "page 2");
    store
        .record_step(&campaign, &step("kem-11/page"), &page)
        .unwrap();
    assert_eq!(store.close(&campaign).unwrap(), root);
    let rebuilt = scene.step("source 2", "library");
    store
        .record_step(&campaign, &step("kem-11/build"), &rebuilt)
        .unwrap();
    assert_ne!(store.close(&campaign).unwrap(), root);
    // and back again
    store
        .record_step(&campaign, &step("kem-11/build"), &built)
        .unwrap();
    assert_eq!(store.close(&campaign).unwrap(), root);
    assert_eq!(store.verify().unwrap().problems, []);
}

#[test]
fn the_same_receipts_give_the_same_root_in_any_order_and_under_any_name() {
    let scene = scene();
    let steps = [
        (step("kem-11/build"), scene.step("a", "1")),
        (step("kem-09/build"), scene.step("b", "2")),
        (step("-/probe"), scene.step("c", "3")),
    ];
    let mut roots = Vec::new();
    for (text, order) in [("one", [0, 1, 2]), ("two", [2, 1, 0]), ("three", [1, 0, 2])] {
        let campaign = name(text);
        scene.store.create_campaign(&campaign, &system()).unwrap();
        let chosen = order.map(|n| (&steps[n].0, &steps[n].1));
        scene.store.record_steps(&campaign, chosen).unwrap();
        roots.push(scene.store.close(&campaign).unwrap());
    }
    roots.dedup();
    assert_eq!(roots.len(), 1);
    let names: Vec<String> = scene
        .store
        .list_campaigns()
        .unwrap()
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(names, ["one", "three", "two"]);
}

#[test]
fn steps_and_campaigns_can_be_taken_out() {
    let scene = scene();
    let store = &scene.store;
    let campaign = name("now");
    store.create_campaign(&campaign, &system()).unwrap();
    let empty = store.close(&campaign).unwrap();
    let summary = scene.step("a", "1");
    store
        .record_step(&campaign, &step("kem-11/build"), &summary)
        .unwrap();
    assert_ne!(store.close(&campaign).unwrap(), empty);
    store
        .forget_steps(&campaign, [&step("kem-11/build")])
        .unwrap();
    assert!(store.campaign(&campaign).unwrap().unwrap().steps.is_empty());
    assert_eq!(store.close(&campaign).unwrap(), empty);

    store
        .record_step(&campaign, &step("kem-11/build"), &summary)
        .unwrap();
    store.remove_campaign(&campaign).unwrap();
    assert_eq!(store.campaign(&campaign).unwrap(), None);
    assert!(matches!(
        store.remove_campaign(&campaign),
        Err(StoreError::NoCampaign(_))
    ));
    assert!(matches!(
        store.close(&campaign),
        Err(StoreError::NoCampaign(_))
    ));
    // a later one of the same name begins empty
    assert!(
        store
            .create_campaign(&campaign, &system())
            .unwrap()
            .steps
            .is_empty()
    );
}

#[test]
fn a_campaign_is_one_system_s() {
    let scene = scene();
    let campaign = name("now");
    scene.store.create_campaign(&campaign, &system()).unwrap();
    let other = SystemId::new("x86_1").unwrap();
    let error = scene.store.create_campaign(&campaign, &other).unwrap_err();
    assert!(matches!(error, StoreError::OtherSystem { .. }), "{error}");
}

#[test]
fn a_close_cut_off_before_the_journal_went_changes_nothing() {
    let scene = scene();
    let campaign = name("now");
    scene.store.create_campaign(&campaign, &system()).unwrap();
    scene
        .store
        .record_step(&campaign, &step("-/a"), &scene.step("a", "1"))
        .unwrap();
    let journal = scene.path("campaigns/now.journal");
    let bytes = std::fs::read(&journal).unwrap();
    let root = scene.store.close(&campaign).unwrap();
    let view = scene.store.campaign(&campaign).unwrap().unwrap();
    std::fs::write(&journal, bytes).unwrap();
    let again = scene.store.campaign(&campaign).unwrap().unwrap();
    assert_eq!((again.steps, again.root), (view.steps, view.root));
    assert_eq!(scene.store.close(&campaign).unwrap(), root);
}
