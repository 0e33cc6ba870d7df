//! Birch: a hash; one of its texts is known by a digest only, the other is a submitted file.

use super::{Submission, page};
use crate::assay::Assay;
use crate::iccs;
use serde_json::json;

#[test]
fn a_hash_passes_both_of_its_texts() {
    let mut assay = Assay::new();
    let mut birch = Submission::new(&assay, "birch", "Birch", "hash");
    let folder = birch.instance("Birch/Reference/Birch-512", None, &["hash", "helpers"]);
    std::fs::remove_file(folder.join("drng.c")).unwrap();
    std::fs::remove_file(folder.join("drng.h")).unwrap();
    let header = "#define ALGORITHM_INSTANCE \"Birch-512\"\n#define DIGEST_BIT_LENGTH 512\n";
    std::fs::write(folder.join("CryptHash_AlgorithmInstance.h"), header).unwrap();
    birch.write("Birch/KAT/KAT_2_23_Birch-512.txt", &iccs::three_messages());
    birch.toml += &format!(
        "[[instance]]\nlabel = \"Birch-512\"\nsource_dir = \"Birch/Reference/Birch-512\"\nkat = [\n  \
         {{ file = \"KAT_2_12_Birch-512.txt\", digest = \"{}\" }},\n  {{ file = \
         \"KAT_2_23_Birch-512.txt\" }},\n]\n",
        iccs::canonical_sha256(&iccs::every_length())
    );
    birch.add(&mut assay);

    let ran = assay.run("--only ^birch/");
    assert_eq!(ran.verdicts("birch"), json!({"PASS": 1}), "{}", ran.said);
    let files = &assay.output_json("birch/Birch-512/kat", "report")["files"];
    for (place, name) in ["KAT_2_12_Birch-512.txt", "KAT_2_23_Birch-512.txt"]
        .iter()
        .enumerate()
    {
        assert_eq!(files[place]["file"], *name);
        assert_eq!(files[place]["verdict"], "PASS");
    }
    // eight messages, no profile
    let timed = ran
        .steps
        .iter()
        .filter(|step| step.ends_with("/time"))
        .count();
    assert_eq!(timed, 8, "{}", ran.said);
    assert!(!ran.steps.iter().any(|step| step.ends_with("/profile")));
    let page = page(&assay, "birch");
    assert!(
        page.contains("Birch-512") && page.contains("65536"),
        "{page}"
    );
}
