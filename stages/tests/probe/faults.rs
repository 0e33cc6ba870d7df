//! What real submissions do wrong, and what the probe says to it.

use crate::toolchain::{Answer, HOST, host_probe, probe, probe_on, toy};

fn kat(kind: &str, faults: &[&str]) -> Answer {
    probe(&toy(HOST, kind, faults, &[]), &["kat", "iccs", "3"], &[])
}

fn time(kind: &str, faults: &[&str], operation: &str) -> Answer {
    let arguments = ["time", operation, "0", "1", "10", "none"];
    probe(&toy(HOST, kind, faults, &[]), &arguments, &[])
}

#[test]
fn one_byte_past_the_ciphertext_is_an_overflow() {
    let answer = kat("kem", &["FAULT_PAST_CT"]);
    assert_eq!(answer.one("end"), "overflow");
    assert_eq!(
        answer.one("overflow"),
        "ct after first changed byte is 1 after the last"
    );

    // in a timing run the figures come first
    let answer = time("kem", &["FAULT_PAST_CT"], "dec");
    assert_eq!(answer.one("end"), "overflow");
    assert_eq!(answer.all("trial").len(), 1);
}

#[test]
fn a_byte_before_the_public_key_is_an_overflow() {
    let answer = kat("kem", &["FAULT_BEFORE_PK"]);
    assert_eq!(answer.one("end"), "overflow");
    assert_eq!(
        answer.one("overflow"),
        "pk before first changed byte is 64 before the start"
    );
}

#[test]
fn a_length_beyond_the_declared_one_is_an_overflow() {
    let answer = kat("kem", &["FAULT_LENGTH"]);
    assert_eq!(answer.one("end"), "overflow");
    assert_eq!(answer.one("overflow"), "ct length returned 82 declared 77");
    assert_eq!(answer.one("returned ct"), "82 82");
}

#[test]
fn another_secret_fails_the_kat_and_is_timed() {
    let answer = kat("kem", &["FAULT_SECRET"]);
    assert_eq!(answer.one("end"), "cryptofail");
    assert_eq!(
        answer.one("cryptofail"),
        "0 kem_dec gives another secret than kem_enc"
    );
    let answer = time("kem", &["FAULT_SECRET"], "dec");
    assert_eq!((answer.one("end"), answer.one("dec_mismatch")), ("ok", "1"));
    assert_eq!(answer.all("trial").len(), 1);
}

#[test]
fn a_verifier_that_always_accepts_or_rejects_fails() {
    let answer = kat("sig", &["FAULT_ACCEPTS"]);
    assert_eq!(answer.one("end"), "cryptofail");
    assert_eq!(
        answer.one("cryptofail"),
        "0 sig_verify accepts a changed message"
    );
    let answer = kat("sig", &["FAULT_REJECTS"]);
    assert_eq!(
        answer.one("cryptofail"),
        "0 sig_verify of a good signature returned -1"
    );

    // one warm-up and ten calls
    let answer = time("sig", &["FAULT_REJECTS"], "verify");
    assert_eq!(
        (answer.one("end"), answer.one("verify_rejections")),
        ("ok", "11")
    );
}

#[test]
fn failing_signers_are_retried_and_counted() {
    // every third call fails: 11 signatures with the warm-up take 16 calls, 5 of which fail
    let answer = time("sig", &["FAULT_SOMETIMES"], "sign");
    assert_eq!(
        (answer.one("end"), answer.one("sign_failures_retried")),
        ("ok", "5")
    );
    assert_eq!(answer.all("trial").len(), 1);

    let answer = time("sig", &["FAULT_NEVER"], "sign");
    assert_eq!(answer.one("end"), "cryptofail");
    assert!(answer.all("trial").is_empty());

    // 1 + 16 attempts, then another message
    let answer = time("sig", &["FAULT_THIS_MESSAGE"], "verify");
    assert_eq!(
        (answer.one("end"), answer.one("message_changes")),
        ("ok", "1")
    );
    assert_eq!(answer.one("sign_failures_retried"), "17");

    let answer = kat("sig", &["FAULT_NEVER"]);
    assert_eq!(answer.one("cryptofail"), "0 sig_sign returned -1");
}

#[test]
fn a_signature_longer_than_declared_is_measured() {
    for operation in ["sign", "verify"] {
        let answer = time("sig", &["FAULT_LONG"], operation);
        assert_eq!(
            (answer.one("end"), answer.one("signature_excess_bytes")),
            ("ok", "10")
        );
    }
    assert_eq!(kat("sig", &["FAULT_LONG"]).one("end"), "overflow");
}

/// A candidate that ends the process leaves no `end` line; one that prints says nothing to us.
#[test]
fn ends_without_a_result_show() {
    for fault in ["FAULT_EXIT", "FAULT_CRASH"] {
        let answer = kat("kem", &[fault]);
        assert!(answer.all("end").is_empty(), "{answer:?}");
        assert_eq!(answer.one("size pk"), "100");
        assert_eq!(answer.status.success(), fault == "FAULT_EXIT");
    }
    let answer = kat("kem", &["FAULT_NOISE"]);
    assert_eq!(answer.one("end"), "ok");
    assert!(answer.all("trial").is_empty());
}

#[test]
fn neither_side_takes_the_others_functions() {
    let hostile = toy(HOST, "kem", &["FAULT_HOSTILE"], &[]);
    let answer = probe(&hostile, &["kat", "iccs", "3"], &[]);
    assert_eq!((answer.one("end"), answer.one("kat_records")), ("ok", "3"));
    let answer = probe(&hostile, &["time", "dec", "0", "0", "5", "none"], &[]);
    let trial: Vec<&str> = answer.one("trial").split(' ').collect();
    assert!(trial[1].parse::<u64>().unwrap() > 0);

    let answer = kat("kem", &["FAULT_UNDEFINED"]);
    assert!(answer.one("end").starts_with("loadfail"), "{answer:?}");
    assert!(answer.one("end").contains("undefined symbol: report"));
}

#[test]
fn what_cannot_be_done_is_said() {
    let kem = toy(HOST, "kem", &[], &[]);
    let end = |arguments: &[&str]| probe(&kem, arguments, &[]).one("end").to_owned();
    assert_eq!(end(&["info"]), "ok");
    assert_eq!(
        end(&["time", "sign", "0", "0", "1", "none"]),
        "unsupported operation sign of a kem"
    );
    assert!(end(&["time", "enc", "0", "0", "x", "none"]).starts_with("usage ITERATIONS"));
    assert!(end(&["time", "enc", "0", "0", "1", "steps"]).starts_with("usage unknown event"));
    assert!(end(&["kat", "iccs-hash", "KAT_2_12", "9"]).starts_with("usage kat iccs-hash"));
    assert!(end(&["dance"]).starts_with("usage probe"));
    assert!(end(&["profile", "enc", "0", "9", "9"]).starts_with("unsupported profile"));

    let kex = toy(HOST, "kex", &[], &[]);
    let answer = probe(&kex, &["time", "exchange", "0", "0", "1", "none"], &[]);
    assert_eq!(
        answer.one("end"),
        "unsupported key exchange is not measured yet"
    );

    let answer = probe_on(HOST, host_probe(), &["/nowhere.so", "info"], &[]);
    assert!(answer.one("end").starts_with("loadfail /nowhere.so"));
    let answer = probe_on(HOST, host_probe(), &[], &[]);
    assert!(answer.one("end").starts_with("usage probe"));
}

#[test]
fn empty_and_large_keys_work() {
    let kem = toy(HOST, "kem", &[], &[]);
    let sizes = [("TOY_PK", 0), ("TOY_SK", 3_000_000)];
    let answer = probe(&kem, &["kat", "iccs", "2"], &sizes);
    assert_eq!(answer.one("end"), "ok");
    assert_eq!(
        (answer.one("returned pk"), answer.one("returned sk")),
        ("0 0", "3000000 3000000")
    );
    assert!(answer.text.contains("PK_Len = 0\nPK = \n"));
}

/// The paint makes a digest of unwritten stack differ, and leaves a proper one alone.
#[test]
fn paint_shows_what_was_never_written() {
    let digest = |library: &crate::toolchain::Library, byte: &str| {
        let path = library.path.to_str().unwrap();
        let arguments = ["--paint", byte, path, "kat", "iccs-hash", "KAT_2_12", "16"];
        let answer = probe_on(HOST, host_probe(), &arguments, &[]);
        assert_eq!(answer.one("end"), "ok");
        answer.text
    };
    let good = toy(HOST, "hash", &[], &[]);
    assert_eq!(digest(&good, "0"), digest(&good, "255"));
    let bad = toy(HOST, "hash", &["FAULT_STACK"], &[]);
    assert_ne!(digest(&bad, "0"), digest(&bad, "255"));
}
