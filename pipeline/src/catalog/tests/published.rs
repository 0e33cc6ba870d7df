//! The embedded catalog against what others published.

use super::*;
use artifacts::records::KatLog;
use contract::PROBE_SOURCES;
use reports::evidence::KatAction;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// What `shared/` holds at this path, or `None` with a word on standard error.
fn shared(path: &str) -> Option<String> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../shared")
        .join(path);
    let text = std::fs::read_to_string(&path).ok();
    if text.is_none() {
        eprintln!("skipped: there is no {}", path.display());
    }
    text
}

#[test]
fn every_file_is_read() {
    let expected = [
        "hash-13", "kem-06", "kem-09", "kem-11", "kem-33", "kex-07", "ml-dsa", "ml-kem", "sign-06",
    ];
    assert_eq!(ids(), expected);
    let controls: Vec<bool> = ["ml-kem", "kem-09"]
        .map(|id| candidate(id).is_control())
        .to_vec();
    assert_eq!(controls, [true, false]);
}

#[test]
fn folders_names_and_digests_are_those_of_the_published_logs() {
    for id in ["hash-13", "kem-09", "kem-11", "kem-33", "kex-07", "sign-06"] {
        let candidate = candidate(id);
        for instance in &candidate.instances {
            let label = &instance.label;
            let Some(text) = shared(&format!("evidence/arm_1/kat/{id}/{label}.log")) else {
                return;
            };
            let log = KatLog::parse(&text);
            assert_eq!(log.field("algorithm"), Some(candidate.name.as_str()));
            assert_eq!(log.field("type"), Some(candidate.kind.as_str()));
            assert_eq!(log.field("instance"), Some(instance.name()), "{label}");
            let source_dir = instance.source_dir.to_string();
            assert_eq!(
                log.field("source_dir"),
                Some(source_dir.as_str()),
                "{label}"
            );
            let published: Vec<&str> = text
                .lines()
                .filter_map(|line| line.strip_prefix("manifest "))
                .collect();
            let manifest = candidate.manifest(instance);
            let ours: Vec<String> = manifest
                .iter()
                .map(|l| format!("{} {} {}", l.digest, l.mode, l.file))
                .collect();
            assert_eq!(ours, published, "{label}");
        }
    }
}

#[test]
fn instances_are_those_of_the_published_builds() {
    let Some(text) = shared("evidence/arm_1/build.json") else {
        return;
    };
    let build: serde_json::Value = serde_json::from_str(&text).unwrap();
    let published: BTreeSet<String> = build["instances"]
        .as_object()
        .unwrap()
        .iter()
        .map(|(name, built)| format!("{name} {}", built["variant"].as_str().unwrap()))
        .collect();
    let catalog = Catalog::embedded().unwrap();
    let submissions = catalog.iter().filter(|candidate| !candidate.is_control());
    let ours: BTreeSet<String> = submissions
        .flat_map(|c| {
            c.instances
                .iter()
                .map(|i| format!("{}/{} {}", c.id, i.label, i.variant))
        })
        .collect();
    assert_eq!(ours, published);
}

/// The words of a published page, however its tables were taken out of it.
fn words(page: &str) -> String {
    page.split(|c: char| c.is_whitespace() || "|`".contains(c))
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

#[test]
fn curated_facts_are_those_of_the_published_pages() {
    for (id, page) in [
        ("kem-06", "x86_1-kem-06-BRA"),
        ("kem-09", "arm_1-kem-09-CheetahKEM"),
        ("kem-11", "arm_1-kem-11-COMPASS-KEM"),
        ("kem-33", "arm_1-kem-33-QUBE"),
        ("sign-06", "x86_1-sign-06-COMPASS-SIG"),
    ] {
        let Some(page) = shared(&format!("seeds/{page}.txt")) else {
            return;
        };
        let page = words(&page);
        let candidate = candidate(id);
        assert!(
            page.contains(&format!("{id} {} — performance", candidate.name)),
            "{id}"
        );
        let survey = candidate.survey.as_ref().unwrap();
        let note = survey
            .note
            .as_ref()
            .map_or(String::new(), |note| format!(" — {note}"));
        let line = format!("Survey verdict: {}{note} Share of each", survey.verdict);
        assert!(page.contains(&line), "{id}: {line}");
        for row in &candidate.kat_rows {
            assert_eq!(row.action, KatAction::Measure);
            let line = format!("[1] {} These instances are timed anyway", row.cause);
            assert!(page.contains(&line), "{id}: {line}");
        }
        assert_eq!(page.contains("[1]"), !candidate.kat_rows.is_empty(), "{id}");
        let overhead = page
            .split("Transmission and storage overhead")
            .nth(1)
            .unwrap();
        let overhead = overhead.split("Symmetric primitives").next().unwrap();
        for instance in &candidate.instances {
            // public key, secret key, then ciphertext or signature
            let after = overhead
                .split(&format!(" {} ", instance.label))
                .nth(1)
                .unwrap();
            let numbers: Vec<u64> = after.split(' ').map_while(|w| w.parse().ok()).collect();
            let sizes = &instance.sizes;
            assert_eq!(Some(numbers[0]), sizes.public_key, "{}", instance.label);
            assert_eq!(Some(numbers[2]), sizes.ciphertext.or(sizes.signature));
        }
    }
}

#[test]
fn archive_digests_are_those_of_the_domain_facts() {
    let Some(facts) = shared("NGCC.md") else {
        return;
    };
    for id in ["kem-06", "kem-09", "kem-11", "kem-33", "sign-06"] {
        let candidate = candidate(id);
        let archive = candidate.archive.unwrap();
        let row = facts
            .lines()
            .find(|l| l.starts_with(&format!("| {id} ")))
            .unwrap();
        assert!(
            row.starts_with(&format!("| {id} {} |", candidate.name)),
            "{row}"
        );
        let end = format!("| {} {} |", archive.file, archive.sha256.unwrap());
        assert!(row.ends_with(&end), "{row}");
    }
}

#[test]
fn wrapped_functions_have_a_wrapper() {
    let wrappers = PROBE_SOURCES.get_file("glue/wrap_pqclean.c").unwrap();
    let wrappers = wrappers.contents_utf8().unwrap();
    for id in ["ml-kem", "ml-dsa"] {
        for function in candidate(id).wrapped_functions() {
            assert!(
                wrappers.contains(&format!("#ifdef ASSAY_WRAP_{function}\n")),
                "{function}"
            );
        }
    }
    let iccs = ["pseudohash", "pseudoXOF", "sm3hash", "get_random_number"];
    assert_eq!(candidate("kem-09").wrapped_functions(), iccs);
}
