//! Real implementations: PQClean's in the pinned crate, against the digests in their META.yml.

use crate::toolchain::{
    ARM, HOST, Library, Objects, Target, add_wrappers, build_probe, c_files, host_probe, probe_on,
    sources,
};
use sha2::{Digest, Sha256};
use std::fs;
use std::path::PathBuf;

/// The package's folder of PQClean code; says so when the crate is not pinned here.
fn pqclean() -> Option<PathBuf> {
    let metadata = cargo_metadata::MetadataCommand::new()
        .manifest_path(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"))
        .exec()
        .unwrap();
    let package = metadata
        .packages
        .iter()
        .find(|package| package.name.as_str() == "pqcrypto-mlkem");
    if package.is_none() {
        println!("skipped: the workspace does not pin pqcrypto-mlkem");
    }
    Some(package?.manifest_path.parent()?.join("pqclean").into())
}

/// The library of `crypto_kem/ml-kem-512` and the like.
fn control(target: Target, folder: &str, namespace: &str, wrapped: &[&str]) -> Option<Library> {
    let root = pqclean()?;
    let kind = if folder.starts_with("crypto_kem") {
        "KEM"
    } else {
        "SIG"
    };
    let mut objects = Objects::new(target);
    let config = format!(
        "#define ASSAY_{kind} 1\n#define ASSAY_NAMESPACE {namespace}\n#include \"api.h\"\n"
    );
    fs::write(objects.path().join("assay_config.h"), config).unwrap();
    let [clean, common] = [root.join(folder).join("clean"), root.join("common")];
    let own = objects.path().to_owned();
    let includes = [own.as_path(), &clean, &common];
    objects.add(&c_files(&clean), &[], &includes);
    objects.add(
        &["fips202.c", "aes.c", "sha2.c"].map(|file| common.join(file)),
        &[],
        &includes,
    );
    objects.add(&[root.join("test/common/nistkatrng.c")], &[], &includes);
    objects.add(&[sources().join("glue/pqclean.c")], &["-Werror"], &includes);
    add_wrappers(&mut objects, "wrap_pqclean.c", wrapped);
    let path = objects.link_library(wrapped);
    Some(Library::of(objects, path))
}

fn published_digest(folder: &str) -> String {
    let meta = fs::read_to_string(pqclean().unwrap().join(folder).join("META.yml")).unwrap();
    let line = meta
        .lines()
        .find(|line| line.starts_with("nistkat-sha256:"))
        .unwrap();
    line.split(' ').nth(1).unwrap().to_owned()
}

fn gives_the_digest(target: Target, probe: &std::path::Path, folder: &str, namespace: &str) {
    let Some(library) = control(target, folder, namespace, &[]) else {
        return;
    };
    let answer = probe_on(
        target,
        probe,
        &[library.path.to_str().unwrap(), "kat", "nist"],
        &[],
    );
    assert_eq!(answer.one("end"), "ok", "{answer:?}");
    let digest: String = Sha256::digest(&answer.text)
        .iter()
        .map(|b| format!("{b:02x}"))
        .collect();
    assert_eq!(digest, published_digest(folder), "{folder}");
}

#[test]
fn kems_give_their_nistkat_digest() {
    for level in ["512", "768", "1024"] {
        let folder = format!("crypto_kem/ml-kem-{level}");
        gives_the_digest(
            HOST,
            host_probe(),
            &folder,
            &format!("PQCLEAN_MLKEM{level}_CLEAN"),
        );
    }
}

#[test]
fn signatures_give_their_nistkat_digest() {
    for level in ["44", "65", "87"] {
        let folder = format!("crypto_sign/ml-dsa-{level}");
        gives_the_digest(
            HOST,
            host_probe(),
            &folder,
            &format!("PQCLEAN_MLDSA{level}_CLEAN"),
        );
    }
}

#[test]
fn a_kem_gives_its_nistkat_digest_on_aarch64() {
    if !ARM.is_here() {
        return;
    }
    let probe = build_probe(ARM);
    gives_the_digest(
        ARM,
        &probe.path,
        "crypto_kem/ml-kem-512",
        "PQCLEAN_MLKEM512_CLEAN",
    );
}

/// Every function that a wrapper exists for can be wrapped at once.
fn every_wrapper() -> Vec<String> {
    let source = fs::read_to_string(sources().join("glue/wrap_pqclean.c")).unwrap();
    source
        .lines()
        .filter_map(|l| Some(l.strip_prefix("#ifdef ASSAY_WRAP_")?.to_owned()))
        .collect()
}

/// By hand, from FIPS 203: ML-KEM-512 encapsulation draws 32 bytes (m), hashes the public key of 800
/// bytes (H), 64 bytes with SHA3-512 (G); two vectors of two polynomials of noise and one more.
#[test]
fn a_profile_of_a_kem_counts_its_hashing() {
    let wrappers = every_wrapper();
    let wrapped: Vec<&str> = wrappers.iter().map(String::as_str).collect();
    assert!(wrapped.len() > 40 && wrapped.contains(&"PQCLEAN_randombytes"));
    let namespace = "PQCLEAN_MLKEM512_CLEAN";
    let Some(library) = control(HOST, "crypto_kem/ml-kem-512", namespace, &wrapped) else {
        return;
    };
    let path = library.path.to_str().unwrap();
    let answer = probe_on(
        HOST,
        host_probe(),
        &[path, "profile", "enc", "0", "20", "9999999999"],
        &[],
    );
    assert_eq!(
        (answer.one("end"), answer.one("instance")),
        ("ok", "ML-KEM-512")
    );
    let calls: Vec<Vec<&str>> = answer
        .all("call")
        .iter()
        .map(|line| line.split(' ').collect())
        .collect();
    let count = |function: &str, in_bits: &str| -> u64 {
        let of = calls
            .iter()
            .filter(|call| call[0] == function && call[1] == in_bits);
        of.map(|call| call[3].parse::<u64>().unwrap()).sum()
    };
    assert_eq!(count("drng", "0"), 20);
    assert_eq!(count("sha3_256", "6400"), 20);
    assert_eq!(count("sha3_512", "512"), 20);
    assert_eq!(count("shake256", "264"), 5 * 20);
    assert_eq!(count("shake128_absorb", "272"), 4 * 20);
    let ticks: u64 = calls
        .iter()
        .map(|call| call[4].parse::<u64>().unwrap())
        .sum();
    let total = answer.numbers("total");
    assert!(ticks > 0 && ticks <= total[1], "{ticks} of {total:?}");
    assert_eq!(answer.number("overflow_calls"), 0);
}

/// A control is timed like a submission.
#[test]
fn a_control_is_timed() {
    let namespace = "PQCLEAN_MLDSA44_CLEAN";
    let Some(library) = control(HOST, "crypto_sign/ml-dsa-44", namespace, &[]) else {
        return;
    };
    let path = library.path.to_str().unwrap();
    for operation in ["keygen", "sign", "verify"] {
        let arguments = [path, "time", operation, "0", "1", "20", "none"];
        let answer = probe_on(HOST, host_probe(), &arguments, &[]);
        assert_eq!(answer.one("end"), "ok");
        assert_eq!(answer.number("verify_rejections"), 0);
        assert_eq!(answer.one("size sn"), "2420");
    }
}
