//! A store in a temporary folder with receipts in it.

use artifacts::key::{Facet, KeyMaterial, Value};
use artifacts::receipt::{Outcome, RECEIPT, Receipt, Subject};
use artifacts::store::{CampaignName, StepName, Store, Summary};
use artifacts::{ArtifactId, Stage, SystemId};
use chrono::{DateTime, TimeDelta, Utc};
use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

pub struct Scene {
    pub folder: tempfile::TempDir,
    pub store: Store,
}

pub fn scene() -> Scene {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::create_or_open(&folder.path().join("store")).unwrap();
    Scene { folder, store }
}

pub fn name(text: &str) -> CampaignName {
    CampaignName::new(text).unwrap()
}

pub fn step(text: &str) -> StepName {
    text.parse().unwrap()
}

pub fn system() -> SystemId {
    SystemId::new("local").unwrap()
}

/// A receipt of a step that reads `inputs` and wrote `outputs`.
pub fn receipt(stage: Stage, inputs: &[ArtifactId], outputs: &[ArtifactId]) -> Receipt {
    let roles = |ids: &[ArtifactId]| -> BTreeMap<String, ArtifactId> {
        ids.iter()
            .enumerate()
            .map(|(n, id)| (format!("role{n}"), *id))
            .collect()
    };
    let material = KeyMaterial {
        stage,
        stage_version: 1,
        inputs: roles(inputs),
        parameters: BTreeMap::from([("flags".to_owned(), Value::Text("guide".to_owned()))]),
        facets: BTreeMap::from([(
            "machine".to_owned(),
            Facet::from(BTreeMap::from([("kernel".to_owned(), "6.18".to_owned())])),
        )]),
    };
    let started_utc: DateTime<Utc> = "2026-12-01T00:00:00Z".parse().unwrap();
    Receipt {
        header: RECEIPT.header(),
        key: material.key(),
        subject: Subject {
            system: system(),
            candidate: None,
            instance: None,
            operation: None,
        },
        material,
        outputs: roles(outputs),
        outcome: Outcome::done(),
        started_utc,
        ended_utc: started_utc + TimeDelta::milliseconds(1500),
        observations: BTreeMap::from([("load".to_owned(), serde_json::json!(0.25))]),
        tools: BTreeMap::new(),
        unknown: BTreeMap::new(),
    }
}

impl Scene {
    /// Puts an input and an output and records the step between them.
    pub fn step(&self, input: &str, output: &str) -> Summary {
        self.step_of(Stage::Build, input, output)
    }

    pub fn step_of(&self, stage: Stage, input: &str, output: &str) -> Summary {
        let input = self.store.put_bytes(input.as_bytes()).unwrap();
        let output = self.store.put_bytes(output.as_bytes()).unwrap();
        let receipt = receipt(stage, &[input], &[output]);
        let id = self.store.record(&receipt).unwrap();
        let summary = Summary::of(&receipt).unwrap();
        assert_eq!(summary.receipt, id);
        summary
    }

    pub fn blob(&self, id: ArtifactId) -> PathBuf {
        self.file("blobs", id)
    }

    pub fn file(&self, area: &str, id: ArtifactId) -> PathBuf {
        let hex = id.hex();
        self.store.root().join(area).join(&hex[..2]).join(&hex[2..])
    }

    pub fn path(&self, inside: &str) -> PathBuf {
        self.store.root().join(inside)
    }

    pub fn temporary_files(&self) -> usize {
        std::fs::read_dir(self.path("tmp")).unwrap().count()
    }
}

/// Replaces the content of a read-only file, as a bad disk or a careless hand would.
pub fn spoil(path: &Path, change: impl FnOnce(&mut Vec<u8>)) {
    let mut bytes = std::fs::read(path).unwrap();
    change(&mut bytes);
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o644)).unwrap();
    std::fs::write(path, bytes).unwrap();
}
