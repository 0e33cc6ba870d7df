//! Maple KEM: ships no helpers, and in one of its two sets code that only a GNU dialect takes.

use super::{Submission, calls, fixtures, headers, page, profile};
use crate::assay::Assay;
use crate::early_cutoff::is_page;
use crate::iccs::{self, Puppet};
use serde_json::json;
use std::path::PathBuf;

const SOURCES: &str = "Maple KEM (round 1)/Implementations/Reference Implementation";
const VECTORS: &str = "Maple KEM (round 1)/Test Vectors";

fn set(submission: &mut Submission, label: &str, code: u32, sizes: &str) -> (PathBuf, Puppet) {
    let folder = submission.instance(
        &format!("{SOURCES}/{label}"),
        Some(&format!("crypto_kem/ml-kem-{code}/clean")),
        &["common", "kem"],
    );
    let header = format!(
        "#define ALGORITHM_INSTANCE \"{label}\"\n#define KYBER_NAME PQCLEAN_MLKEM{code}_CLEAN\n"
    );
    std::fs::write(folder.join("KEM_AlgorithmInstance.h"), header).unwrap();
    if code == 512 {
        std::fs::remove_file(folder.join("gnu_only.c")).unwrap();
    }
    submission.toml += &format!(
        "[[instance]]\nlabel = \"{label}\"\nsource_dir = \"Implementations/Reference \
         Implementation/{label}\"\nsizes = {sizes}\nkat = [{{ file = \"Test \
         Vectors/KAT_KEM_{label}.txt\" }}]\n"
    );
    let puppet = Puppet::compile(
        &folder,
        true,
        &headers(),
        &fixtures().join("puppet/puppet.c"),
    );
    submission.write(
        &format!("{VECTORS}/KAT_KEM_{label}.txt"),
        &iccs::kem(&puppet),
    );
    (folder, puppet)
}

#[test]
fn a_kem_without_helpers_passes_and_falls_back_where_it_must() {
    let mut assay = Assay::new();
    let mut maple = Submission::new(&assay, "maple", "Maple KEM", "kem");
    let sizes = "{ public_key = 800, ciphertext = 768 }";
    let (_, puppet) = set(&mut maple, "Maple-128", 512, sizes);
    // a curated size that is not what the API says
    set(
        &mut maple,
        "Maple-192",
        768,
        "{ public_key = 1184, ciphertext = 1000 }",
    );
    maple.add(&mut assay);

    let ran = assay.run("--only ^maple/");
    assert_eq!(ran.verdicts("maple"), json!({"PASS": 2}), "{}", ran.said);
    let report = assay.output_json("maple/Maple-128/build", "report");
    assert_eq!(report["supplied"], json!(["drng", "auxfunc"]));
    let wrapped = ["get_random_number", "pseudoXOF", "pseudohash", "sm3hash"];
    let mut found: Vec<&str> = report["wrapped"]
        .as_array()
        .unwrap()
        .iter()
        .map(|name| name.as_str().unwrap())
        .collect();
    found.sort_unstable();
    assert_eq!(found, wrapped);
    let sources = report["sources"].to_string();
    for driver in ["KAT_KEM.c", "test_speed.c", "cpucycles.c", "swp"] {
        assert!(!sources.contains(driver), "{sources}");
    }

    // the second set: guide flags fail, the fallback passes and is what is measured
    let guide = assay.receipt("maple/Maple-192/build");
    assert!(!guide.outcome.is_done());
    assert!(
        guide.outcome.why.contains("gnu_only.c"),
        "{}",
        guide.outcome.why
    );
    let fallback = assay.receipt("maple/Maple-192/build-fallback");
    let time = assay.receipt("maple/Maple-192/enc/time");
    assert_eq!(time.material.inputs["library"], fallback.outputs["library"]);

    // one record calls as often as its operations do together; only the matrix is drawn by chance
    let seen = puppet.record(&[7; 64], &[]).asked;
    for (function, letter) in [("drng", 'r'), ("pseudohash", 'h'), ("sm3hash", 's')] {
        let profiled: f64 = ["keygen", "enc", "dec"]
            .iter()
            .map(|o| {
                calls(
                    &profile(&assay, &format!("maple/Maple-128/{o}/profile")),
                    function,
                )
            })
            .sum();
        assert_eq!(profiled, seen[&letter] as f64, "{function}");
    }
    for operation in ["keygen", "enc", "dec"] {
        let profile = profile(&assay, &format!("maple/Maple-128/{operation}/profile"));
        assert!(calls(&profile, "pseudoXOF") > 5.0, "{operation}");
        let shares = &profile.shares;
        assert!(
            shares.share["pseudoXOF"] > 0.1 && shares.hash_share < 1.0,
            "{shares:?}"
        );
        let share = |name: &str| shares.share.get(name).copied().unwrap_or_default();
        let hashes = share("pseudoXOF") + share("pseudohash") + share("sm3hash");
        assert!((shares.hash_share - hashes).abs() < 1e-9, "{shares:?}");
    }

    let page = page(&assay, "maple");
    for words in [
        "Maple KEM",
        "Maple-128",
        "pseudoXOF",
        "pseudohash",
        "sm3hash",
        "harness-default",
    ] {
        assert!(page.contains(words), "{words}: {page}");
    }
    let audit = std::fs::read_to_string(assay.site().join("size-audit.md")).unwrap();
    assert!(
        audit.contains("Maple-192") && audit.contains("1000"),
        "{audit}"
    );
}

#[test]
fn one_changed_digit_of_a_submitted_text_is_named() {
    let mut assay = Assay::new();
    let mut maple = Submission::new(&assay, "maple", "Maple KEM", "kem");
    set(&mut maple, "Maple-128", 512, "{}");
    maple.add(&mut assay);
    let stages = "--only ^maple/ --stages build,kat";
    assert_eq!(assay.run(stages).verdicts("maple"), json!({"PASS": 1}));

    let file = maple
        .folder
        .join(format!("{VECTORS}/KAT_KEM_Maple-128.txt"));
    let text = std::fs::read_to_string(&file).unwrap();
    let record = text.find("Count = 3").unwrap();
    let at = record + text[record..].find("\nCT = ").unwrap() + 100;
    let digit = if &text[at..=at] == "0" { "1" } else { "0" };
    std::fs::write(&file, [&text[..at], digit, &text[at + 1..]].concat()).unwrap();
    maple.add(&mut assay);
    let ran = assay.run(stages);
    assert_eq!(ran.verdicts("maple"), json!({"MISMATCH": 1}));
    let kat = assay.receipt("maple/Maple-128/kat");
    assert_eq!(kat.outcome.why, "KAT_KEM_Maple-128.txt: record 3, field CT");
    // What the build may read did not change; the fallback is tried, as the guide flags' build
    // does not pass.
    let mut steps = ran.sorted();
    steps.retain(|step| !is_page(step));
    let expected = ["build-fallback", "kat", "kat-fallback"];
    assert_eq!(
        steps,
        expected.map(|step| format!("maple/Maple-128/{step}"))
    );
}
