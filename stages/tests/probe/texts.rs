//! KAT texts against published facts: the sizes of the texts in published logs, and vectors.

use crate::toolchain::{HOST, probe, shared, toy};
use std::fs;
use std::path::PathBuf;

/// The published logs of these kinds.
fn logs(kind: &str) -> Vec<String> {
    let Some(root) = shared("evidence/arm_1/kat") else {
        return Vec::new();
    };
    let logs: Vec<PathBuf> = fs::read_dir(root)
        .unwrap()
        .flat_map(|candidate| fs::read_dir(candidate.unwrap().path()).unwrap())
        .map(|log| log.unwrap().path())
        .collect();
    let line = format!("type        = {kind}\n");
    logs.iter()
        .map(|log| fs::read_to_string(log).unwrap())
        .filter(|t| t.contains(&line))
        .collect()
}

fn field(log: &str, key: &str) -> u64 {
    let line = log.lines().find(|line| line.starts_with(key)).unwrap();
    line.rsplit(' ').next().unwrap().parse().unwrap()
}

/// The sizes in `wrote  kat/NAME (N bytes)`.
fn written(log: &str) -> Vec<u64> {
    log.lines()
        .filter(|line| line.starts_with("wrote"))
        .map(|line| {
            line.split('(')
                .nth(1)
                .unwrap()
                .split(' ')
                .next()
                .unwrap()
                .parse()
                .unwrap()
        })
        .collect()
}

#[test]
fn kem_texts_have_the_published_sizes() {
    let library = toy(HOST, "kem", &[], &[]);
    for log in logs("kem") {
        let sizes = [
            ("TOY_PK", "pk_len"),
            ("TOY_SK", "sk_len"),
            ("TOY_CT", "ct_len"),
        ];
        let mut env: Vec<(&str, u64)> = sizes.iter().map(|(k, f)| (*k, field(&log, f))).collect();
        env.push(("TOY_SS", field(&log, "ss_len")));
        let answer = probe(&library, &["kat", "iccs", "10"], &env);
        assert_eq!(answer.one("end"), "ok");
        assert_eq!(answer.number("kat_bytes"), written(&log)[0], "{log}");
        assert_eq!(answer.text.len() as u64, written(&log)[0]);
    }
}

#[test]
fn signature_texts_have_the_published_sizes() {
    let library = toy(HOST, "sig", &[], &[]);
    for log in logs("sig") {
        let env = [
            ("TOY_PK", "pk_len"),
            ("TOY_SK", "sk_len"),
            ("TOY_SN", "sn_len"),
        ]
        .map(|(key, name)| (key, field(&log, name)));
        let answer = probe(&library, &["kat", "iccs", "10"], &env);
        assert_eq!(answer.one("end"), "ok");
        assert_eq!(answer.text.len() as u64, written(&log)[0], "{log}");
    }
}

#[test]
fn hash_texts_have_the_published_sizes() {
    for log in logs("hash") {
        let bits = format!("DIGEST_BIT_LENGTH={}", field(&log, "digest_bits"));
        let library = toy(HOST, "hash", &[&bits], &[]);
        let files = [("KAT_2_12", "4096"), ("KAT_2_23", "8388608")];
        for ((file, bits), size) in files.into_iter().zip(written(&log)) {
            let answer = probe(&library, &["kat", "iccs-hash", file, bits], &[]);
            assert_eq!(answer.one("end"), "ok");
            assert_eq!(answer.text.len() as u64, size, "{file}");
        }
    }
}

/// Seeds and messages are what the independent model draws: 512 bits of `seed` x 16 each, and the
/// first 448 bits, then 512, of `msg` x 21 + `m`.
#[test]
fn seeds_and_messages_are_the_vectors() {
    let Some(path) = shared("vectors/iccs.json") else {
        return;
    };
    let vectors: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let draw = |word: &str, n: usize| {
        let all = vectors["drng"].as_array().unwrap();
        let found = all
            .iter()
            .find(|g| g["seed"].as_str().unwrap().contains(word))
            .unwrap();
        found["draws"][n]["out_hex"]
            .as_str()
            .unwrap()
            .to_uppercase()
    };
    let text = probe(&toy(HOST, "sig", &[], &[]), &["kat", "iccs", "2"], &[]).text;
    let values = |key: &str| -> Vec<String> {
        text.lines()
            .filter_map(|l| Some(l.strip_prefix(key)?.to_owned()))
            .collect()
    };
    assert_eq!(values("Seed = "), [draw("seed", 0), draw("seed", 1)]);
    assert_eq!(
        values("M = "),
        [draw("msg", 0)[..112].to_owned(), draw("msg", 1)]
    );
    let keys: Vec<&str> = text
        .lines()
        .filter_map(|line| line.split(" =").next())
        .collect();
    let record = "Count Seed_Len Seed PK_Len PK SK_Len SK M_Len M Sn_Len Sn"
        .split(' ')
        .chain([""]);
    assert_eq!(keys, record.clone().chain(record).collect::<Vec<_>>());
}

/// A digest that the vectors name too: pseudohash of the empty message.
#[test]
fn a_hash_text_opens_with_the_empty_message() {
    let answer = probe(
        &toy(HOST, "hash", &[], &[]),
        &["kat", "iccs-hash", "KAT_2_12_Toy.txt", "9"],
        &[],
    );
    let empty = "958F69C7D26F0F69D6D674FC4B8AD58CA6F29A0037ADF88884428E5D04C67BE6\
        833DE1B616FF5C892224E5DE7258D68A787A228EDEC5203D8CFB274022765541";
    let start = format!("Msg_Len = 0\nMsg = \nDst_Len = 512\nDst = {empty}\n\nMsg_Len = 1\nMsg = ");
    assert!(answer.text.starts_with(&start), "{}", answer.text);
    assert_eq!(answer.number("kat_records"), 10);
}
