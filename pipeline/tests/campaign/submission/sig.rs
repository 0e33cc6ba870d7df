//! Oak: a signature with helpers of its own, in a folder whose name is no ASCII.

use super::{Submission, calls, fixtures, headers, page, profile};
use crate::assay::Assay;
use crate::iccs::{self, Puppet};
use serde_json::json;

#[test]
fn a_signature_with_helpers_of_its_own_passes() {
    let mut assay = Assay::new();
    let mut oak = Submission::new(&assay, "oak", "Oak", "sig");
    let folder = oak.instance(
        "橡树 Oak/Reference_Implementation/Oak-44 (C99)",
        Some("crypto_sign/ml-dsa-44/clean"),
        &["common", "sig", "helpers"],
    );
    let header = "#define ALGORITHM_INSTANCE \"oak_44\"\n";
    std::fs::write(folder.join("SIG_Oak.h"), header).unwrap();
    // The interface's code includes it by the usual name.
    let api = folder.join("sig_api.c");
    crate::controls::edit(&api, "SIG_AlgorithmInstance.h", "SIG_Oak.h");
    oak.toml += "[[instance]]\nlabel = \"Oak-44\"\ninstance = \"oak_44\"\nsource_dir = \
                 \"Reference_Implementation/Oak-44 (C99)\"\nkat = [{ file = \
                 \"KAT_SIG_oak_44.txt\" }]\n";
    let puppet = Puppet::compile(
        &folder,
        false,
        &headers(),
        &fixtures().join("puppet/puppet.c"),
    );
    // carriage returns and blanks at the ends of lines are no differences
    let text = iccs::sig(&puppet).replace('\n', " \r\n");
    oak.write("橡树 Oak/KAT/KAT_SIG_oak_44.txt", &text);
    oak.add(&mut assay);

    let ran = assay.run("--only ^oak/");
    assert_eq!(ran.verdicts("oak"), json!({"PASS": 1}), "{}", ran.said);
    let report = assay.output_json("oak/Oak-44/build", "report");
    assert_eq!(report["supplied"], json!([]));
    let log = assay
        .store()
        .get(assay.output("oak/Oak-44/kat", "log"))
        .unwrap();
    let log = crate::assay::text(&log);
    assert_eq!(
        log.lines().last().map(str::trim_end),
        Some("RESULT oak oak_44 PASS"),
        "{log}"
    );

    for (operation, draws) in [("keygen", 1.0), ("sign", 1.0), ("verify", 0.0)] {
        let profile = profile(&assay, &format!("oak/Oak-44/{operation}/profile"));
        assert_eq!(calls(&profile, "drng"), draws, "{operation}");
        // the digest of the message; those inside the DRNG are not calls of their own
        let digests = if operation == "keygen" { 0.0 } else { 1.0 };
        assert_eq!(calls(&profile, "sm3hash"), digests, "{operation}");
        assert!(calls(&profile, "pseudohash") >= 1.0, "{operation}");
        assert!(calls(&profile, "pseudoXOF") > 10.0, "{operation}");
    }
    let page = page(&assay, "oak");
    for words in ["Oak-44", "pseudoXOF", "drng", "sign", "verify"] {
        assert!(page.contains(words), "{words}: {page}");
    }
}
