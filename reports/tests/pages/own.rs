//! The pages of an own campaign, held by snapshots. The evidence is made up: round numbers that can
//! be followed by hand.

use artifacts::records::{
    COMPLETE, Call, Plan, ProfileRecord, ProfileTotal, TimingRecord, Trial, shares,
};
use artifacts::words::{Flags, Kind, Verdict};
use artifacts::{ArtifactId, Operation};
use reports::evidence::{CuratedSizes, Filed, HostTable, InstanceEvidence, KatLogFile, Origin};
use reports::reader::read;
use reports::site::{Index, IndexRow, MissingRow, SizeRow, YardstickRow, cells_page, size_audit};
use reports::{Evidence, Page, cells, html, markdown};
use serde_json::json;

/// 5 trials of 100 calls, around the given microseconds a call, without a counter.
fn timing(operation: Operation, microseconds: u64) -> Filed<TimingRecord> {
    let trials: Vec<Trial> = (0..5)
        .map(|n| Trial::from_nanoseconds(100, 100_000 * microseconds + 1_000 * n, None))
        .collect();
    let mut record = TimingRecord {
        status: COMPLETE.to_owned(),
        operation: operation.to_string(),
        plan: Some(Plan {
            iterations_per_trial: 100,
            warmups: 3,
            trials: 5,
            separate_processes: true,
            ..Plan::default()
        }),
        trials,
        baseline_rss_bytes: Some(1 << 20),
        peak_rss_bytes: Some(3 << 19),
        ..TimingRecord::default()
    };
    for (name, bytes) in [
        ("pk_bytes", 800),
        ("sk_bytes", 1632),
        ("ct_bytes", 768),
        ("ss_bytes", 32),
    ] {
        record.sizes.insert(name.to_owned(), json!(bytes));
    }
    record.statistics = record.recompute().unwrap();
    Filed {
        path: format!("records/ml-kem/ML-KEM-512__{operation}.json"),
        id: Some(ArtifactId::of(operation.to_string().as_bytes())),
        content: record,
    }
}

fn profile() -> Filed<ProfileRecord> {
    let call = |function: &str, calls, ticks| Call {
        function: function.to_owned(),
        in_bits: 0,
        out_bits: 0,
        calls,
        ticks,
        rest: serde_json::Map::new(),
    };
    let calls = vec![
        call("sha3_256", 2000, 40),
        call("shake128_absorb", 9000, 35),
        call("randombytes", 1000, 2),
    ];
    let total = ProfileTotal {
        operations: 1000,
        ticks: 100,
        ..ProfileTotal::default()
    };
    let shares = shares(&calls, &total).unwrap();
    Filed {
        path: "profile/ml-kem/ML-KEM-512__enc.json".to_owned(),
        id: Some(ArtifactId::of(b"profile")),
        content: ProfileRecord {
            status: COMPLETE.to_owned(),
            total: Some(total),
            calls,
            shares,
            ..ProfileRecord::default()
        },
    }
}

pub fn control() -> Evidence {
    let timings = [
        (Operation::Keygen, 15),
        (Operation::Enc, 20),
        (Operation::Dec, 25),
    ];
    Evidence {
        origin: Origin::Own,
        system: "local".parse().unwrap(),
        systems: vec!["local".parse().unwrap()],
        architecture: "x86_64".to_owned(),
        candidate: "ml-kem".parse().unwrap(),
        name: "ML-KEM".to_owned(),
        kind: Kind::Kem,
        control: true,
        variants: vec!["clean".to_owned()],
        sources: Some("PQClean in pqcrypto-mlkem 0.1.1".to_owned()),
        environment: HostTable {
            cpu_model: "Some CPU".to_owned(),
            cpu_number: Some(1),
            machine: None,
            clock:
                "measured 3.40 GHz, set by firmware (no OS frequency scaling or boost), SMT none"
                    .to_owned(),
            memory_kib: Some(8 * 1024 * 1024),
            os: "Some Linux 1".to_owned(),
            kernel: "6.1.0".to_owned(),
            compiler: "gcc 12.2.0".to_owned(),
            build_tool: "assay 0.1.0".to_owned(),
        },
        started_utc: Some("2026-01-02T03:04:05.678+00:00".to_owned()),
        ended_utc: Some("2026-01-02T03:05:06+00:00".to_owned()),
        host_problems: vec!["no cycle counter: this is a virtual machine".to_owned()],
        instances: vec![InstanceEvidence {
            label: "ML-KEM-512".parse().unwrap(),
            flags: Flags::Guide,
            verdict: Verdict::Pass,
            kat_log: Some(KatLogFile {
                path: "kat/ml-kem/ML-KEM-512.log".to_owned(),
                sha256: "0123456789abcdef".repeat(4),
            }),
            elf_load_bytes: Some(24_544),
            library: Some(ArtifactId::of(b"library")),
            api: None,
            curated: CuratedSizes {
                public_key: Some(800),
                ciphertext: Some(768),
                signature: None,
            },
            timings: timings
                .into_iter()
                .map(|(operation, microseconds)| {
                    (operation.clone(), timing(operation, microseconds))
                })
                .collect(),
            profiles: [(Operation::Enc, profile())].into(),
        }],
        kat_notes: Vec::new(),
        survey: None,
    }
}

#[test]
fn a_control_s_page() {
    let page = Page::from_evidence(&control());
    let text = markdown::page(&page).unwrap();
    let site = html::page(&page).unwrap();
    insta::assert_snapshot!("control.md", text);
    insta::assert_snapshot!("control.html", site);
    assert_eq!(read(&text).unwrap(), page);
    assert_eq!(read(&site).unwrap(), page);
    // nothing runs in a reader's browser and nothing is fetched
    assert!(!site.contains("<script") && !site.contains("http"));
}

#[test]
fn its_cells() {
    let evidence = control();
    let page = Page::from_evidence(&evidence);
    let values = cells(&page, &evidence);
    // every link of the page finds its cell
    let site = html::page(&page).unwrap();
    let table = html::write(&cells_page(&page, &values)).unwrap();
    let links: Vec<&str> = site
        .split("href=\"ml-kem.cells.html#")
        .skip(1)
        .map(|rest| &rest[..rest.find('"').unwrap()])
        .collect();
    assert!(links.len() > 20, "{}", links.len());
    for link in links {
        assert!(table.contains(&format!("id=\"{link}\"")), "{link}");
    }
    insta::assert_snapshot!(
        "control.cells.md",
        markdown::write(&cells_page(&page, &values)).unwrap()
    );
}

#[test]
fn the_frame_adds_the_root_and_nothing_else() {
    let mut page = Page::from_evidence(&control());
    let (text, site) = (markdown::page(&page).unwrap(), html::page(&page).unwrap());
    page.root = Some(ArtifactId::of(b"root").to_string());
    let root = page.root.clone().unwrap();
    assert_eq!(read(&markdown::with_root(&text, &root)).unwrap(), page);
    assert_eq!(read(&html::with_root(&site, &root)).unwrap(), page);
}

#[test]
fn index_and_size_audit() {
    let page = Page::from_evidence(&control());
    let index = Index {
        system: "local".parse().unwrap(),
        banners: page.banners.clone(),
        candidates: vec![IndexRow::of(&page, Kind::Kem, true)],
        missing: vec![MissingRow {
            candidate: "kem-09".parse().unwrap(),
            name: "CheetahKEM".to_owned(),
            kind: Kind::Kem,
            command: "campaign add-source kem-09 CheetahKEM.zip".to_owned(),
        }],
        yardstick: YardstickRow::of(&page),
    };
    insta::assert_snapshot!("index.md", markdown::write(&index.document()).unwrap());
    let size = |what: &str, declared, returned, curated| SizeRow {
        candidate: "ml-kem".parse().unwrap(),
        instance: "ML-KEM-512".parse().unwrap(),
        what: what.to_owned(),
        declared: Some(declared),
        returned: Some(returned),
        curated,
    };
    let audit = size_audit(
        &"local".parse().unwrap(),
        &[
            size("public key", 800, (800, 800), Some(800)),
            size("ciphertext", 768, (760, 772), Some(700)),
            size("shared secret", 32, (32, 32), None),
        ],
    );
    insta::assert_snapshot!("size-audit.md", markdown::write(&audit).unwrap());
}
