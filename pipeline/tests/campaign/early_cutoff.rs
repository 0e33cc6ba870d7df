//! Nothing runs twice that need not: what a change of the sources makes run again.

use crate::assay::{Assay, Ran};
use crate::controls::{copy, edit};
use serde_json::json;
use std::time::{Duration, SystemTime};
use walkdir::WalkDir;

const TWO: &str = "--only ^ml-kem/ML-KEM-(512|768)$";
const STEPS: [&str; 9] = [
    "build",
    "dec/profile",
    "dec/time",
    "enc/profile",
    "enc/time",
    "kat",
    "keygen/profile",
    "keygen/time",
    "size-audit",
];

/// The steps of a run that are not of this instance, pages aside.
fn of_others<'a>(ran: &'a Ran, instance: &str) -> Vec<&'a str> {
    let mut steps = ran.sorted();
    steps.retain(|step| !step.starts_with(instance) && !is_page(step));
    steps
}

pub fn is_page(step: &str) -> bool {
    step.ends_with("/page") || step == "-/index"
}

#[test]
fn only_what_a_change_of_sources_reaches_runs_again() {
    let mut assay = Assay::new();
    let pqclean = copy(&assay.path("pqclean"));
    let clean = pqclean.join("crypto_kem/ml-kem-512/clean");
    assay.controls = Some(pqclean.clone());

    // everything, once
    let first = assay.run(TWO);
    let mut expected: Vec<String> = ["512", "768"]
        .iter()
        .flat_map(|set| STEPS.map(|step| format!("ml-kem/ML-KEM-{set}/{step}")))
        .chain(["-/index", "-/probe", "ml-kem/page"].map(str::to_owned))
        .collect();
    expected.sort();
    assert_eq!(first.sorted(), expected);
    assert_eq!(first.verdicts("ml-kem"), json!({"PASS": 2}));
    let built = "ml-kem/ML-KEM-512/build";
    let library = assay.output(built, "library");

    // again
    let again = assay.run(TWO);
    assert_eq!(again.steps, [""; 0]);
    assert_eq!(again.report["ran"], 0);
    assert_eq!(again.report["root"], first.report["root"]);

    // other time stamps
    let stamp = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
    for entry in WalkDir::new(&pqclean) {
        let entry = entry.unwrap();
        if entry.file_type().is_file() {
            let file = std::fs::File::options().append(true).open(entry.path());
            file.unwrap().set_modified(stamp).unwrap();
        }
    }
    assert_eq!(assay.run(TWO).steps, [""; 0]);

    // a comment: the library comes out as it was
    edit(
        &clean.join("verify.c"),
        "Compare two arrays for equality",
        "Compare two arrays",
    );
    let comment = assay.run(TWO);
    assert_eq!(comment.steps, [built]);
    assert_eq!(assay.output(built, "library"), library);

    // a constant that changes code and no result: this instance's chain, no other's
    edit(
        &clean.join("indcpa.c"),
        "uint8_t buf[2 * KYBER_SYMBYTES];",
        "uint8_t buf[4 * KYBER_SYMBYTES];",
    );
    let constant = assay.run(TWO);
    assert_eq!(of_others(&constant, "ml-kem/ML-KEM-512/"), [""; 0]);
    for step in STEPS.iter().filter(|step| **step != "size-audit") {
        let step = format!("ml-kem/ML-KEM-512/{step}");
        assert!(constant.steps.contains(&step), "{step}: {}", constant.said);
    }
    assert_eq!(constant.verdicts("ml-kem"), json!({"PASS": 2}));
    assert_ne!(assay.output(built, "library"), library);

    // one byte that changes results
    edit(
        &clean.join("indcpa.c"),
        "buf[KYBER_SYMBYTES] = KYBER_K;",
        "buf[KYBER_SYMBYTES] = KYBER_N;",
    );
    let byte = assay.run(TWO);
    assert_eq!(byte.verdicts("ml-kem"), json!({"MISMATCH": 1, "PASS": 1}));
    assert_eq!(of_others(&byte, "ml-kem/ML-KEM-512/"), [""; 0]);
    let kat = byte
        .said
        .lines()
        .find(|line| line.contains("ML-KEM-512/kat MISMATCH"));
    // both digests: the one of META.yml, and another
    let kat = kat.expect(&byte.said);
    assert!(
        kat.contains("c70041a761e01cd6426fa60e9fd6a4412c2be817386c8d0f3334898082512782"),
        "{kat}"
    );
    assert!(kat.contains("sha256"), "{kat}");

    // back to what was there: all receipts are still good
    copy(&pqclean);
    let back = assay.run(TWO);
    assert_eq!(back.steps, [""; 0]);
    assert_eq!(back.report["root"], first.report["root"]);
    assert_eq!(assay.output(built, "library"), library);
    assay.verify();
}

#[test]
fn a_filter_that_matches_nothing_is_an_error() {
    let assay = Assay::new();
    let output = assay.campaign("run --only ^no-such-candidate$");
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
    let said = crate::assay::text(&output.stderr);
    assert!(said.contains("^no-such-candidate$"), "{said}");
}
