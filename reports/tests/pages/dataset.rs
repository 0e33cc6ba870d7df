//! Published evidence as a page's input. What the dataset does not hold (names, curated rows, the
//! survey) comes from the seeds, as the catalog has it.

use artifacts::records::{BuildFile, CampaignFile, ProfileRecord, TimingRecord};
use artifacts::words::Kind;
use artifacts::{ArtifactId, CandidateId, Operation, SystemId};
use reports::Evidence;
use reports::evidence::{
    CuratedSizes, Filed, HostTable, InstanceEvidence, KatLogFile, Origin, Survey,
};
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

pub const CLOCK: &str =
    "fixed 2.71 GHz (governor performance, minimum = maximum), boost off, SMT none";

pub fn shared() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared")
}

/// The folder of published evidence, or nothing and a word about it.
pub fn arm_1() -> Option<PathBuf> {
    let root = shared().join("evidence/arm_1");
    if root.is_dir() {
        return Some(root);
    }
    println!(
        "skipped: the published evidence is not at {}",
        root.display()
    );
    None
}

/// A seed's text, or nothing and a word about it.
pub fn seed(name: &str) -> Option<String> {
    let path = shared().join("seeds").join(name);
    match std::fs::read_to_string(&path) {
        Ok(text) => Some(text),
        Err(_) => {
            println!("skipped: the seed is not at {}", path.display());
            None
        }
    }
}

fn json<T: DeserializeOwned>(path: &Path) -> T {
    let bytes = std::fs::read(path).unwrap();
    serde_json::from_slice(&bytes).unwrap()
}

fn filed<T: DeserializeOwned>(
    root: &Path,
    folder: &str,
    candidate: &str,
    label: &str,
) -> BTreeMap<Operation, Filed<T>> {
    let mut found = BTreeMap::new();
    let Ok(files) = std::fs::read_dir(root.join(folder).join(candidate)) else {
        return found;
    };
    for file in files {
        let name = file.unwrap().file_name().into_string().unwrap();
        let (of, operation) = name
            .strip_suffix(".json")
            .unwrap()
            .split_once("__")
            .unwrap();
        if of == label {
            let path = format!("{folder}/{candidate}/{name}");
            let bytes = std::fs::read(root.join(&path)).unwrap();
            found.insert(
                operation.parse().unwrap(),
                Filed {
                    id: Some(ArtifactId::of(&bytes)),
                    content: serde_json::from_slice(&bytes).unwrap(),
                    path,
                },
            );
        }
    }
    found
}

/// The evidence of one candidate on arm_1.
pub fn evidence(root: &Path, candidate: &str, name: &str, kind: Kind) -> Evidence {
    let campaign: CampaignFile = json(&root.join("campaign.json"));
    let build: BuildFile = json(&root.join("build.json"));
    let instances: Vec<InstanceEvidence> = build
        .instances
        .values()
        .filter(|entry| entry.candidate == candidate)
        .map(|entry| InstanceEvidence {
            label: entry.label.parse().unwrap(),
            flags: entry.flags.as_deref().unwrap().parse().unwrap(),
            verdict: entry.kat.parse().unwrap(),
            kat_log: entry.kat_log.clone().map(|path| KatLogFile {
                path,
                sha256: entry.kat_log_sha256.clone().unwrap(),
            }),
            elf_load_bytes: entry.elf_load_bytes,
            library: None,
            api: None,
            curated: CuratedSizes::default(),
            timings: filed::<TimingRecord>(root, "records", candidate, &entry.label),
            profiles: filed::<ProfileRecord>(root, "profile", candidate, &entry.label),
        })
        .collect();
    let text = |field: &str| {
        campaign.environment_at_end[field]
            .as_str()
            .unwrap()
            .to_owned()
    };
    Evidence {
        origin: Origin::Published,
        system: SystemId::new("arm_1").unwrap(),
        systems: ["x86_1", "arm_1"]
            .map(|id| SystemId::new(id).unwrap())
            .to_vec(),
        architecture: text("architecture"),
        candidate: CandidateId::new(candidate).unwrap(),
        name: name.to_owned(),
        kind,
        control: false,
        variants: vec!["reference".to_owned()],
        sources: None,
        environment: HostTable {
            cpu_model: text("cpu_model"),
            // the system's declared measuring core
            cpu_number: Some(2),
            machine: Some(text("machine")),
            clock: CLOCK.to_owned(),
            memory_kib: campaign.environment_at_end["memory_total_kib"].as_u64(),
            os: text("os"),
            kernel: text("kernel"),
            compiler: text("compiler"),
            build_tool: text("cmake"),
        },
        started_utc: campaign.started_utc,
        ended_utc: campaign.ended_utc,
        host_problems: campaign.host_problems,
        instances,
        kat_notes: Vec::new(),
        survey: Some(Survey {
            verdict: "ICCS-only".to_owned(),
            note: None,
        }),
    }
}
