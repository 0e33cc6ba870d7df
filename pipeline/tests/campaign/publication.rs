//! What is published, checked as a stranger would: with the files alone, by the rules of NGCC.md
//! section 7, and by hashes computed here.

use crate::assay::{Assay, text};
use artifacts::records::{ProfileRecord, TimingRecord};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use walkdir::WalkDir;

/// One campaign for all tests that only read it: an instance that passes, quick.
pub fn campaign() -> &'static Assay {
    static CAMPAIGN: OnceLock<Assay> = OnceLock::new();
    CAMPAIGN.get_or_init(|| {
        let assay = Assay::new();
        assay.run("--only ^ml-kem/ML-KEM-512$");
        assay
    })
}

fn read(path: &Path) -> Vec<u8> {
    std::fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn json(path: &Path) -> Value {
    serde_json::from_slice(&read(path)).unwrap()
}

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

fn blob(bytes: &[u8]) -> String {
    format!("blob:{}", blake3::hash(bytes).to_hex())
}

/// Every file below a folder by its path in it.
fn files(folder: &Path) -> BTreeMap<String, PathBuf> {
    WalkDir::new(folder)
        .into_iter()
        .map(|entry| entry.unwrap())
        .filter(|entry| !entry.file_type().is_dir())
        .map(|entry| {
            let path = entry.path().strip_prefix(folder).unwrap();
            (path.to_str().unwrap().to_owned(), entry.path().to_owned())
        })
        .collect()
}

fn close(a: f64, b: &Value) -> bool {
    let b = b.as_f64().unwrap();
    (a - b).abs() <= 1e-9 * b.abs()
}

#[test]
fn the_published_validator_would_be_content() {
    let site = campaign().site();
    let builds = json(&site.join("build.json"));
    let campaign = json(&site.join("campaign.json"));
    let mut timings = 0;
    let mut profiles = 0;
    for (path, file) in files(&site) {
        if path.starts_with("records/") {
            timings += 1;
            validate_record(&json(&file), &builds, &campaign);
        } else if path.starts_with("profile/") {
            profiles += 1;
            validate_profile(&json(&file));
        }
    }
    assert_eq!((timings, profiles), (3, 3));
    for (name, entry) in builds["instances"].as_object().unwrap() {
        let log = read(&site.join(entry["kat_log"].as_str().unwrap()));
        assert_eq!(entry["kat_log_sha256"], sha256(&log), "{name}");
        let log = text(&log);
        let result = log
            .lines()
            .rfind(|line| line.starts_with("RESULT "))
            .unwrap();
        let expected = format!(
            "RESULT {} {} {} ",
            entry["candidate"].as_str().unwrap(),
            entry["instance"].as_str().unwrap(),
            entry["kat"].as_str().unwrap()
        );
        assert_eq!(result, expected, "{name}");
    }
}

fn validate_record(record: &Value, builds: &Value, campaign: &Value) {
    let name = format!(
        "{}/{}",
        record["candidate"].as_str().unwrap(),
        record["label"].as_str().unwrap()
    );
    let entry = &builds["instances"][&name];
    for field in [
        "candidate",
        "label",
        "instance",
        "variant",
        "flags",
        "kat",
        "library",
        "library_sha256",
        "kat_log",
        "kat_log_sha256",
        "build_flags",
    ] {
        assert!(record[field].is_string(), "{name}: {field}");
        assert_eq!(record[field], entry[field], "{name}: {field}");
    }
    assert_eq!(record["schema"], 2);
    assert_eq!(record["kat_not_passed"], record["kat"] != "PASS");

    let trials = record["trials"].as_array().unwrap();
    let calls: f64 = trials
        .iter()
        .map(|t| t["measurements"].as_f64().unwrap())
        .sum();
    let seconds: f64 = trials.iter().map(|t| t["seconds"].as_f64().unwrap()).sum();
    let mut means: Vec<f64> = trials
        .iter()
        .map(|t| t["seconds"].as_f64().unwrap() / t["measurements"].as_f64().unwrap())
        .collect();
    means.sort_by(f64::total_cmp);
    assert_eq!(means.len(), 5);
    assert!(close(calls, &record["measurements"]));
    assert!(close(seconds / calls, &record["mean_seconds"]));
    assert!(close(calls / seconds, &record["operations_per_second"]));
    assert!(close(means[2], &record["median_trial_seconds"]));
    assert!(close(means[0], &record["min_trial_seconds"]));
    assert!(close(means[4], &record["max_trial_seconds"]));
    let processes = record["processes"].as_array().unwrap();
    let of_processes: Vec<&Value> = processes
        .iter()
        .flat_map(|process| process["trials"].as_array().unwrap())
        .collect();
    assert_eq!(of_processes, trials.iter().collect::<Vec<_>>());

    // RFC 3339 of one form and zone compares as text
    let (from, to) = (&record["started_utc"], &record["ended_utc"]);
    assert!(campaign["started_utc"].as_str() <= from.as_str());
    assert!(to.as_str() <= campaign["ended_utc"].as_str());
    assert_eq!(campaign["planning"]["trial_target_s"], 0.05);
    for problem in record["host_problems"].as_array().unwrap() {
        let all = campaign["host_problems"].as_array().unwrap();
        assert!(all.contains(problem), "{problem}");
    }
}

fn validate_profile(profile: &Value) {
    let ticks = profile["total"]["ticks"].as_f64().unwrap();
    let mut by_function: BTreeMap<&str, f64> = BTreeMap::new();
    for call in profile["calls"].as_array().unwrap() {
        *by_function.entry(call["fn"].as_str().unwrap()).or_default() +=
            call["ticks"].as_f64().unwrap();
    }
    let shares = profile["share"].as_object().unwrap();
    assert_eq!(by_function.len(), shares.len());
    for (function, sum) in &by_function {
        assert!(close(sum / ticks, &shares[*function]), "{function}");
    }
    let hashes = by_function.iter().filter(|(name, _)| **name != "drng");
    let hashes: f64 = hashes.map(|(_, ticks)| ticks).sum();
    assert!(hashes > 0.0 && close(hashes / ticks, &profile["hash_share"]));
    assert_eq!(profile["candidate"], "ml-kem");
    assert_eq!(profile["label"], "ML-KEM-512");
}

#[test]
fn the_manifest_names_every_file_and_the_tree_leads_from_the_root_to_every_record() {
    let site = campaign().site();
    let manifest = json(&site.join("manifest.json"));
    let mut found = files(&site);
    found.remove("manifest.json").unwrap();
    let named = manifest["files"].as_object().unwrap();
    assert_eq!(
        named.keys().collect::<Vec<_>>(),
        found.keys().collect::<Vec<_>>(),
        "sorted and complete"
    );
    for (path, file) in &found {
        let bytes = read(file);
        assert_eq!(named[path]["bytes"], bytes.len(), "{path}");
        assert_eq!(named[path]["sha256"], sha256(&bytes), "{path}");
        let blake3 = blake3::hash(&bytes).to_hex().to_string();
        assert_eq!(named[path]["blake3"], blake3, "{path}");
    }

    let lines = text(&read(&site.join("receipts.jsonl")));
    let mut lines = lines.lines();
    assert!(lines.next().unwrap().contains("\"assay-receipts\""));
    let lines: Vec<(String, Value)> = lines
        .map(|line| (blob(line.as_bytes()), serde_json::from_str(line).unwrap()))
        .collect();
    assert_eq!(manifest["root"], lines[0].0);
    let by_id: BTreeMap<&str, &Value> = lines.iter().map(|(id, v)| (id.as_str(), v)).collect();
    let mut under_root = BTreeSet::new();
    for step in lines[0].1["steps"].as_object().unwrap().values() {
        under_root.insert(step.as_str().unwrap());
    }
    for node in lines[0].1["candidates"].as_object().unwrap().values() {
        let node = by_id[node.as_str().unwrap()];
        for step in node["steps"].as_object().unwrap().values() {
            under_root.insert(step.as_str().unwrap());
        }
    }
    // the probe; build, kat, size audit; three times and profiles
    assert_eq!(under_root.len(), 10);
    for id in &under_root {
        assert_eq!(by_id[id]["kind"], "assay-receipt");
    }
    for (path, file) in &found {
        let measured = if path.starts_with("records/") {
            let record: TimingRecord = serde_json::from_slice(&read(file)).unwrap();
            blob(&serde_json::to_vec(&record.as_measured()).unwrap())
        } else if path.starts_with("profile/") {
            let record: ProfileRecord = serde_json::from_slice(&read(file)).unwrap();
            blob(&serde_json::to_vec(&record.as_measured()).unwrap())
        } else {
            continue;
        };
        let published = json(file);
        let receipt = published["receipt"].as_str().unwrap();
        assert!(under_root.contains(receipt), "{path}");
        assert_eq!(by_id[receipt]["outputs"]["record"], measured, "{path}");
        assert_eq!(published["artifact"], measured, "{path}");
    }
}

#[test]
fn every_figure_leads_to_its_evidence() {
    let site = campaign().site();
    let cells = json(&site.join("cells.json"));
    let page = text(&read(&site.join("ml-kem.md")));
    let found = files(&site);
    let cells = cells["cells"].as_array().unwrap();
    assert!(cells.len() > 20);
    for cell in cells {
        let address = cell["cell"].as_str().unwrap();
        assert!(page.contains(cell["shown"].as_str().unwrap()), "{address}");
        for source in cell["evidence"].as_array().unwrap() {
            let path = source["path"].as_str().unwrap();
            if path == "catalog" {
                assert_eq!(source.get("sha256"), None);
                continue;
            }
            let bytes = read(&found[path]);
            assert_eq!(source["sha256"], sha256(&bytes), "{address}");
            let file: Value = serde_json::from_slice(&bytes).unwrap_or_default();
            if path.starts_with("records/") || path.starts_with("profile/") {
                assert_eq!(source["artifact"], file["artifact"], "{address}");
            }
            let metric = address.rsplit('/').next().unwrap();
            if path.starts_with("records/") && file[metric].is_number() {
                let exact: f64 = cell["exact"].as_str().unwrap().parse().unwrap();
                assert_eq!(file[metric].as_f64(), Some(exact), "{address}");
            }
        }
    }
}

#[test]
fn no_link_leads_nowhere() {
    let site = campaign().site();
    let found = files(&site);
    let attribute = |text: &str, name: &str| -> Vec<String> {
        let opening = format!(" {name}=\"");
        let pieces = text.split(&opening).skip(1).map(|rest| {
            let value = rest.split('"').next().unwrap();
            value.replace("&amp;", "&").replace("&#38;", "&")
        });
        pieces.collect()
    };
    let mut links = 0;
    for (path, file) in &found {
        if !path.ends_with(".html") {
            continue;
        }
        for href in attribute(&text(&read(file)), "href") {
            links += 1;
            let (target, fragment) = match href.split_once('#') {
                Some((target, fragment)) => (target, Some(fragment)),
                None => (href.as_str(), None),
            };
            // names of controls need no escapes
            let target = if target.is_empty() { path } else { target };
            assert!(found.contains_key(target), "{path}: {href}");
            if let Some(fragment) = fragment {
                let ids = attribute(&text(&read(&found[target])), "id");
                assert!(ids.iter().any(|id| id == fragment), "{path}: {href}");
            }
        }
    }
    assert!(links > 30, "{links}");
}

#[test]
fn nothing_published_tells_where_it_was_made() {
    let assay = campaign();
    let mut private = vec![
        assay
            .path("")
            .to_str()
            .unwrap()
            .trim_end_matches('/')
            .to_owned(),
        std::env::temp_dir().to_str().unwrap().to_owned(),
        env!("CARGO_MANIFEST_DIR").to_owned(),
    ];
    for name in ["HOME", "XDG_STATE_HOME", "CARGO_HOME", "LOGNAME", "USER"] {
        private.extend(std::env::var(name));
    }
    // a short name (root, for a page's root hash) stands in ordinary words too
    private.retain(|text| text.len() > 4 || text.starts_with('/') && text.len() > 1);
    for (path, file) in files(&assay.site()) {
        let content = text(&read(&file));
        for text in &private {
            assert!(!content.contains(text.as_str()), "{path} holds {text}");
        }
        let json = path.ends_with(".json") || path.ends_with(".jsonl");
        assert!(!json || !content.contains("\"/"), "{path} holds a path");
    }
}

#[test]
fn the_same_campaign_is_published_to_the_same_bytes() {
    let assay = campaign();
    let bytes = |folder: &Path| -> BTreeMap<String, Vec<u8>> {
        let found = files(folder).into_iter();
        found.map(|(path, file)| (path, read(&file))).collect()
    };
    let of_run = bytes(&assay.site());
    for folder in ["published", "published/../again"] {
        let report = assay.json(&format!("publish {folder}"));
        let there = bytes(&assay.path(folder));
        assert_eq!(there, of_run);
        assert_eq!(report["files"], there.len());
        assert_eq!(
            report["root"],
            serde_json::from_slice::<Value>(&there["manifest.json"]).unwrap()["root"]
        );
    }
    // in the place of the earlier one
    assert_eq!(assay.campaign("publish again").status.code(), Some(0));
    assert_eq!(bytes(&assay.path("again")), of_run);
    assert_eq!(
        assay
            .campaign("run --quick --only ^ml-kem/ML-KEM-512$")
            .status
            .code(),
        Some(0)
    );
    assert_eq!(bytes(&assay.site()), of_run);
}

#[test]
fn what_is_not_ours_or_not_finished_is_refused() {
    let assay = campaign();
    let foreign = assay.path("foreign");
    std::fs::create_dir(&foreign).unwrap();
    std::fs::write(foreign.join("thesis.tex"), "years of work").unwrap();
    for line in [
        "publish foreign",
        "run --quick --only ^ml-kem/ML-KEM-512$ --out foreign",
    ] {
        let refused = assay.campaign(line);
        assert_eq!(refused.status.code(), Some(2), "{line}");
        assert!(text(&refused.stderr).contains("thesis.tex"), "{line}");
    }
    assert_eq!(files(&foreign).len(), 1);
    let none = assay.campaign("publish x --campaign nightly");
    assert_eq!(none.status.code(), Some(2));
    assert!(text(&none.stderr).contains("no campaign `nightly`"));

    // a step recorded since the root, as by a run that was killed
    let assay = Assay::new();
    assay.run("--only ^ml-kem/ML-KEM-512$ --stages build,kat,render");
    let store = assay.store();
    let name = artifacts::store::CampaignName::new("local").unwrap();
    let receipt = assay.receipt("-/probe");
    let summary = artifacts::store::Summary::of(&receipt).unwrap();
    store
        .record_step(&name, &"-/probe".parse().unwrap(), &summary)
        .unwrap();
    let open = assay.campaign("publish x");
    assert_eq!(open.status.code(), Some(1));
    assert!(
        text(&open.stderr).contains("cut off"),
        "{}",
        text(&open.stderr)
    );
    assert!(!assay.path("x").exists());
    assay.run("--only ^ml-kem/ML-KEM-512$ --stages build,kat,render");
    assert_eq!(assay.campaign("publish x").status.code(), Some(0));
    // a page without times: nothing to say of the machine, and all the rest
    let campaign = json(&assay.path("x/campaign.json"));
    assert_eq!(campaign["started_utc"], Value::Null);
    let builds = json(&assay.path("x/build.json"));
    assert_eq!(builds["instances"]["ml-kem/ML-KEM-512"]["kat"], "PASS");
}

/// A signature that verifies whatever it is shown; `EXTRA` is what the C standard of the guide's
/// options may refuse.
const SUBMISSION: &str = r#"
#include "SIG_AlgorithmInstance.h"
#include <string.h>
typedef unsigned long long u64;
EXTRA
u64 sig_get_pk_len_bytes(void) { return 8; }
u64 sig_get_sk_len_bytes(void) { return 8; }
u64 sig_get_sn_len_bytes(void) { return 8; }
int sig_keygen(unsigned char *pk, u64 *pk_len, unsigned char *sk, u64 *sk_len) {
    memset(pk, 1, 8); memset(sk, 2, 8); *pk_len = *sk_len = 8; return 0;
}
int sig_sign(const unsigned char *sk, u64 sk_len, const unsigned char *m, u64 m_len,
             unsigned char *sn, u64 *sn_len) {
    (void)sk; (void)sk_len; (void)m; (void)m_len; memset(sn, 3, 8); *sn_len = 8; return 0;
}
int sig_verify(const unsigned char *pk, u64 pk_len, const unsigned char *sn, u64 sn_len,
               const unsigned char *m, u64 m_len) {
    (void)pk; (void)pk_len; (void)sn; (void)sn_len; (void)m; (void)m_len; return 0;
}
"#;

#[test]
fn failures_are_published_as_what_they_are() {
    let mut assay = Assay::new();
    let mut toml = "kind = \"assay-candidate\"\nmajor = 1\nminor = 0\nid = \"bad-01\"\n\
        name = \"Bad & <Worse>\"\nprimitive = \"sig\"\n"
        .to_owned();
    for (label, extra) in [
        ("Yes man", ""),
        ("gnu+only", "typedef typeof(1) gnu;"),
        ("Broken", "#error \"not today\""),
    ] {
        toml += &format!("[[instance]]\nlabel = \"{label}\"\nsource_dir = \"src/{label}\"\n");
        let folder = assay.path("archive/src").join(label);
        std::fs::create_dir_all(&folder).unwrap();
        let header = format!("#define ALGORITHM_INSTANCE \"own {label}\"\n");
        std::fs::write(folder.join("SIG_AlgorithmInstance.h"), header).unwrap();
        std::fs::write(folder.join("sig.c"), SUBMISSION.replace("EXTRA", extra)).unwrap();
    }
    std::fs::create_dir(assay.path("candidates")).unwrap();
    std::fs::write(assay.path("candidates/bad-01.toml"), toml).unwrap();
    assay.candidates = Some(assay.path("candidates"));
    let added = assay.campaign("add-source bad-01 archive");
    assert_eq!(added.status.code(), Some(0), "{}", text(&added.stderr));
    assay.run("--only ^bad-01/");

    let site = assay.site();
    let builds = json(&site.join("build.json"));
    let campaign = json(&site.join("campaign.json"));
    let entry = |label: &str| &builds["instances"][format!("bad-01/{label}")];
    let of = |label: &str| {
        let entry = entry(label);
        let word = |field: &str| entry[field].as_str().unwrap_or("-").to_owned();
        ["instance", "flags", "kat", "guide_result"].map(word)
    };
    let fallback = "harness-default";
    assert_eq!(
        of("Yes man"),
        ["own Yes man", fallback, "CRYPTOFAIL", "CRYPTOFAIL"]
    );
    assert_eq!(
        of("gnu+only"),
        ["own gnu+only", fallback, "CRYPTOFAIL", "BUILDFAIL"]
    );
    assert_eq!(of("Broken"), ["-", fallback, "BUILDFAIL", "BUILDFAIL"]);
    let broken = entry("Broken");
    assert_eq!(broken["instance"], Value::Null);
    for field in ["library", "library_sha256", "kat_log", "elf_load_bytes"] {
        assert_eq!(broken.get(field), None, "{field}");
    }
    assert!(broken["why"].as_str().unwrap().contains("not today"));
    assert_eq!(
        entry("Yes man")["supplied"],
        serde_json::json!(["drng", "auxfunc"]),
        "it ships neither"
    );

    // timed all the same, and flagged
    for label in ["Yes man", "gnu+only"] {
        for operation in ["keygen", "sign", "verify"] {
            let path = format!("records/bad-01/{label}__{operation}.json");
            let record = json(&site.join(path));
            validate_record(&record, &builds, &campaign);
            assert_eq!(record["kat_not_passed"], true);
        }
    }
    let records = files(&site.join("records/bad-01"));
    assert_eq!(records.len(), 6, "{records:?}");
    assert!(text(&read(&site.join("bad-01.html"))).contains("records/bad-01/Yes%20man__sign.json"));

    // a figure of a fallback build is shown with that build
    let shown = assay.json("show local/bad-01/gnu%2Bonly/-/kat --evidence");
    assert_eq!(shown["exact"], "CRYPTOFAIL");
    assert!(
        shown["raw"]["log"]
            .as_str()
            .unwrap()
            .contains("RESULT bad-01 own gnu+only CRYPTOFAIL")
    );
    let chain = shown["chain"].as_array().unwrap();
    let build = chain
        .iter()
        .find(|link| link["what"] == "build receipt")
        .unwrap();
    assert_eq!(build["facts"]["step"], "bad-01/gnu+only/build-fallback");
    let why = assay.json("why local/bad-01/gnu+only/sign/mean_seconds --quick");
    assert_eq!(why["standing"], "current", "{why}");
    let shown = assay.json("show local/bad-01/Broken/-/kat");
    assert_eq!(shown["exact"], "BUILDFAIL");
    let none = assay.campaign("request local/bad-01/Broken/sign/mean_seconds --quick");
    assert_eq!(none.status.code(), Some(2));
    assert!(text(&none.stderr).contains("no step of this campaign"));
}

#[test]
fn a_page_that_shows_what_the_campaign_no_longer_holds_is_not_published() {
    let assay = Assay::new();
    let with_pages = "--only ^ml-kem/ML-KEM-512$ --stages build,kat,time,render";
    assay.run(with_pages);
    // measured anew, and the run ended before it rendered
    assay.run("--only ^ml-kem/ML-KEM-512$ --stages build,kat,time --again ML-KEM-512/enc/time");
    let behind = assay.campaign("publish x");
    let said = text(&behind.stderr);
    assert_eq!(behind.status.code(), Some(1));
    assert!(said.contains("another timing of ML-KEM-512/enc"), "{said}");
    assert!(!assay.path("x").exists());
    let cell = "local/ml-kem/ML-KEM-512/enc/mean_seconds";
    let told = text(&assay.campaign(&format!("show {cell}")).stdout);
    assert!(told.contains("the page shows an earlier record"), "{told}");

    // as the message says
    let ran = assay.run(with_pages);
    assert_eq!(ran.sorted(), ["-/index", "ml-kem/page"]);
    assert_eq!(assay.campaign("publish x").status.code(), Some(0));
}
