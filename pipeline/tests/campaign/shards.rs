//! Parts of a campaign run side by side, and parts of it run alone.

use crate::assay::{Assay, Ran, finished};
use artifacts::store::CampaignName;
use std::collections::BTreeSet;
use std::process::Stdio;

/// Of three instances: build, known answers, sizes, three times and profiles each; the probe.
const STEPS: usize = 3 * 9 + 1;

fn held(assay: &Assay, campaign: &str) -> BTreeSet<String> {
    let name = CampaignName::new(campaign).unwrap();
    let view = assay.store().campaign(&name).unwrap().unwrap();
    view.steps.keys().map(ToString::to_string).collect()
}

#[test]
fn shards_side_by_side_leave_nothing_out_and_do_nothing_twice() {
    if std::thread::available_parallelism().map_or(1, usize::from) < 2 {
        eprintln!("skipped: two shards need two cores");
        return;
    }
    let assay = Assay::new();
    let start = |shard: &str, cpu: &str| {
        let line = format!("run --quick --json --only ^ml-kem/ --shard {shard} --cpu {cpu}");
        let mut command = assay.command(line.split(' '));
        let out = assay.path(&format!("site-{cpu}"));
        command.env("ASSAY_OUT", out);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().unwrap()
    };
    let shards = [start("1/2", "0"), start("2/2", "1")];
    let mut done = BTreeSet::new();
    for shard in shards {
        let ran = Ran::of(&shard.wait_with_output().unwrap());
        assert_eq!(ran.code, Some(0), "{}", ran.said);
        for step in finished(&ran.said) {
            // The probe may be built twice at once, and whoever is done later renders again.
            let shared = step.ends_with("/probe") || step.ends_with("/page") || step == "-/index";
            assert!(done.insert(step.clone()) || shared, "{step} ran twice");
        }
    }
    assert_eq!(held(&assay, "local").len(), STEPS);
    assay.verify();
    let whole = assay.run("--only ^ml-kem/");
    let measured = |step: &String| !step.ends_with("/page") && step != "-/index";
    assert!(!whole.steps.iter().any(measured), "{}", whole.said);

    // A run of other stages takes no figure off the page.
    let page = || std::fs::read_to_string(assay.site().join("ml-kem.md")).unwrap();
    let before = page();
    assert!(before.contains("| `ML-KEM-512` | keygen |"), "{before}");
    let part = assay.run("--only ^ml-kem/ --stages build,render");
    assert_eq!(part.steps, [""; 0], "{}", part.said);
    assert_eq!(page(), before);

    // Another campaign over the same store runs one instance: its page shows what is there of the
    // others, so the campaign holds that, and the site can be written.
    let other = assay.run("--only ^ml-kem/ML-KEM-512$ --campaign other");
    assert!(other.report["site"].is_string(), "{}", other.said);
    assert_eq!(held(&assay, "other"), held(&assay, "local"));
}

#[test]
fn parts_that_are_none_are_refused() {
    let assay = Assay::new();
    for shard in ["0/2", "3/2", "1", "a/b", "1/0", "-1/2", "5/9"] {
        let ran = Ran::of(&assay.campaign(&format!("run --quick --only ^ml-kem/ --shard={shard}")));
        assert_eq!(ran.code, Some(2), "{shard}: {}", ran.said);
        assert!(ran.said.contains("--shard"), "{shard}: {}", ran.said);
    }
}
