//! Each stage's output on a fixed input, by the stage's version. A stage that answers the same request
//! differently fails here until its version in `contract::version` is raised: then the snapshot has
//! a new name, to be looked at and accepted (`INSTA_UPDATE=always cargo test -p stages --test
//! versions`), and the old one is removed.
//!
//! What the compiler or the clock decides is left out of the snapshots: sizes of code, effective
//! options, times.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test helper that cannot go on fails its test"
)]

use artifacts::key::{Facet, KeyMaterial};
use artifacts::receipt::{Receipt, Subject};
use artifacts::store::Store;
use artifacts::tree::{Tree, TreePath};
use artifacts::words::{Flags, Kind, Label, Operation, Stage, SystemId, Verdict};
use artifacts::{ArtifactId, CandidateId};
use contract::parameters::{
    BuildParameters, CandidatePage, Glue, IndexPage, InstanceBuild, KatFormat, KatParameters,
    PageInstance, Planning, ProbeBuild, ProfileParameters, RenderParameters, Role,
    SizeAuditParameters, TimeParameters, canonical,
};
use contract::request::{Conditions, REQUEST, Request};
use contract::version::version;
use serde::Serialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

struct Scene {
    _folder: tempfile::TempDir,
    store: Store,
    path: PathBuf,
}

fn binary(stage: Stage) -> &'static str {
    match stage {
        Stage::Build => env!("CARGO_BIN_EXE_stage-build"),
        Stage::Kat => env!("CARGO_BIN_EXE_stage-kat"),
        Stage::Time => env!("CARGO_BIN_EXE_stage-time"),
        Stage::Profile => env!("CARGO_BIN_EXE_stage-profile"),
        Stage::SizeAudit => env!("CARGO_BIN_EXE_stage-size-audit"),
        Stage::Render => env!("CARGO_BIN_EXE_stage-render"),
    }
}

fn options(text: &str) -> Vec<String> {
    text.split(' ').map(str::to_owned).collect()
}

impl Scene {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("store");
        let store = Store::create_or_open(&path).unwrap();
        Scene {
            _folder: folder,
            store,
            path,
        }
    }

    fn tree(&self, files: impl IntoIterator<Item = (String, Vec<u8>)>) -> ArtifactId {
        let files = files
            .into_iter()
            .map(|(path, bytes)| {
                (
                    TreePath::new(path).unwrap(),
                    self.store.put_bytes(&bytes).unwrap(),
                )
            })
            .collect();
        self.store.put_json(&Tree::new(files)).unwrap()
    }

    fn glue(&self) -> ArtifactId {
        let folders = ["src", "iccs", "glue"].map(|f| contract::PROBE_SOURCES.get_dir(f).unwrap());
        let files = folders.into_iter().flat_map(|folder| folder.files());
        self.tree(files.map(|file| {
            (
                file.path().to_str().unwrap().to_owned(),
                file.contents().to_vec(),
            )
        }))
    }

    fn source(&self) -> ArtifactId {
        let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
        self.tree(["toy.h", "toy_kem.c"].map(|name| {
            (
                format!("a b/{name}"),
                std::fs::read(fixtures.join(name)).unwrap(),
            )
        }))
    }

    fn run<P: Serialize>(
        &self,
        stage: Stage,
        operation: Option<Operation>,
        parameters: &P,
        inputs: &[(&str, ArtifactId)],
    ) -> Receipt {
        let request = Request {
            header: REQUEST.header(),
            subject: Subject {
                system: SystemId::new("local").unwrap(),
                candidate: Some(CandidateId::new("toy").unwrap()),
                instance: None,
                operation,
            },
            material: KeyMaterial {
                stage,
                stage_version: version(stage),
                inputs: inputs
                    .iter()
                    .map(|(role, id)| ((*role).to_owned(), *id))
                    .collect(),
                parameters: canonical(parameters).unwrap(),
                facets: BTreeMap::from([("test".to_owned(), Facet::from(BTreeMap::new()))]),
            },
            store: self.path.clone(),
            conditions: Conditions::default(),
        };
        let mut child = Command::new(binary(stage))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let json = serde_json::to_vec(&request).unwrap();
        child.stdin.take().unwrap().write_all(&json).unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "stage-{stage} gave no receipt");
        let receipt: Receipt = serde_json::from_slice(&output.stdout).unwrap();
        assert!(receipt.outcome.is_done(), "{:?}", receipt.outcome);
        receipt
    }

    fn text(&self, receipt: &Receipt, role: &str) -> String {
        let id = receipt
            .outputs
            .get(role)
            .unwrap_or_else(|| panic!("no output `{role}`"));
        String::from_utf8(self.store.get(*id).unwrap()).unwrap()
    }

    fn json(&self, receipt: &Receipt, role: &str) -> Value {
        serde_json::from_str(&self.text(receipt, role)).unwrap()
    }

    fn probe(&self) -> ArtifactId {
        let build = ProbeBuild {
            options: options("-std=c99 -O2 -fPIE -fvisibility=hidden -D_GNU_SOURCE"),
            link_options: options("-pie -Wl,-z,now"),
        };
        let glue = [("glue", self.glue())];
        self.run(Stage::Build, None, &BuildParameters::Probe(build), &glue)
            .outputs["probe"]
    }

    fn built(&self) -> Receipt {
        let build = InstanceBuild {
            kind: Kind::Kem,
            glue: Glue::Iccs,
            flags: Flags::Guide,
            options: options("-std=c99 -O2 -fPIC -D_GNU_SOURCE"),
            cxx_options: options("-O2"),
            link_options: options("-shared -Wl,-Bsymbolic -Wl,--no-undefined"),
            source_dir: TreePath::new("a b").unwrap(),
            sources: Vec::new(),
            extra_sources: Vec::new(),
            exclude: Vec::new(),
            include_dirs: Vec::new(),
            header: None,
            instance: "TOY".to_owned(),
            namespace: None,
            libraries: Vec::new(),
            wrap: options("pseudohash pseudoXOF sm3hash get_random_number"),
        };
        let inputs = [("source", self.source()), ("glue", self.glue())];
        self.run(
            Stage::Build,
            None,
            &BuildParameters::Instance(Box::new(build)),
            &inputs,
        )
    }

    fn kat(&self, library: ArtifactId, probe: ArtifactId) -> Receipt {
        let parameters = KatParameters {
            candidate: CandidateId::new("toy").unwrap(),
            label: Label::new("toy-1").unwrap(),
            algorithm: "Toy".to_owned(),
            kind: Kind::Kem,
            variant: "reference".to_owned(),
            format: KatFormat::Iccs,
            manifest: Vec::new(),
            timeout_s: 60,
        };
        self.run(
            Stage::Kat,
            None,
            &parameters,
            &[("library", library), ("probe", probe)],
        )
    }
}

fn check(stage: Stage, text: &str) {
    insta::assert_snapshot!(format!("{stage}-v{}", version(stage)), text);
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap()
}

/// The paths of all fields, list places as `[]`.
fn fields(value: &Value, path: &str, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(map) => {
            for (name, value) in map {
                fields(value, &format!("{path}.{name}"), found);
            }
        }
        Value::Array(items) => items
            .iter()
            .for_each(|i| fields(i, &format!("{path}[]"), found)),
        _ => {
            found.insert(path.to_owned());
        }
    }
}

fn shape(value: &Value) -> String {
    let mut found = BTreeSet::new();
    fields(value, "", &mut found);
    found.into_iter().collect::<Vec<_>>().join("\n")
}

#[test]
fn build() {
    let scene = Scene::new();
    let receipt = scene.built();
    let mut report = scene.json(&receipt, "report");
    for decided_by_compiler in ["elf_load_bytes", "effective_options"] {
        assert!(
            report
                .as_object_mut()
                .unwrap()
                .remove(decided_by_compiler)
                .is_some()
        );
    }
    let roles: Vec<&String> = receipt.outputs.keys().collect();
    check(Stage::Build, &format!("{roles:?}\n{}", pretty(&report)));
}

#[test]
fn kat_and_size_audit() {
    let scene = Scene::new();
    let probe = scene.probe();
    let kat = scene.kat(scene.built().outputs["library"], probe);
    let report = pretty(&scene.json(&kat, "report"));
    check(
        Stage::Kat,
        &format!("{}\n{report}", scene.text(&kat, "log")),
    );
    let parameters = SizeAuditParameters {
        kind: Kind::Kem,
        curated: BTreeMap::from([("pk".to_owned(), 101)]),
    };
    let input = [("kat", kat.outputs["report"])];
    let audit = scene.run(Stage::SizeAudit, None, &parameters, &input);
    check(Stage::SizeAudit, &pretty(&scene.json(&audit, "report")));
}

#[test]
fn time_and_profile() {
    let scene = Scene::new();
    let probe = scene.probe();
    let built = scene.built();
    let planning = Planning {
        trials: 2,
        trial_target_ns: 1_000_000,
        min_total: 4,
        ..Planning::LOCAL
    };
    let parameters = TimeParameters {
        operation: Operation::Dec,
        planning,
        event: "cpu-clock".to_owned(),
    };
    let inputs = [("library", built.outputs["library"]), ("probe", probe)];
    let time = scene.run(Stage::Time, Some(Operation::Dec), &parameters, &inputs);
    let mut record = scene.json(&time, "record");
    // Whether trials differ enough for a warning is the clock's.
    record.as_object_mut().unwrap().remove("warnings");
    check(Stage::Time, &shape(&record));
    let parameters = ProfileParameters {
        operation: Operation::Enc,
        max_operations: 10,
        target_ns: 1_000_000_000,
    };
    let inputs = [("wrapped", built.outputs["wrapped"]), ("probe", probe)];
    let profile = scene.run(Stage::Profile, Some(Operation::Enc), &parameters, &inputs);
    let record = scene.json(&profile, "record");
    // What is called, how often and with which lengths is the toy's, not the clock's.
    let mut calls = record["calls"].clone();
    for call in calls.as_array_mut().unwrap() {
        assert!(call.as_object_mut().unwrap().remove("ticks").is_some());
    }
    check(
        Stage::Profile,
        &format!("{}\n{}", pretty(&calls), shape(&record)),
    );
}

/// A record with figures that can be worked out by hand: 2 trials of 100 calls in 0.1 and 0.3 s.
fn record() -> Value {
    let trials = [0.1, 0.3].map(|seconds| {
        artifacts::records::Trial::from_nanoseconds(100, (seconds * 1e9) as u64, None)
    });
    let statistics = artifacts::records::statistics(&trials, 0).unwrap();
    let mut record = serde_json::json!({
        "kind": "assay-timing", "major": 1, "minor": 0, "schema": 2, "status": "complete",
        "operation": "enc", "input_bytes": 0,
        "plan": {
            "iterations_per_trial": 100, "warmups": 3, "trials": 2, "separate_processes": true
        },
        "started_utc": "2026-01-02T03:04:05.000000+00:00",
        "ended_utc": "2026-01-02T03:04:06.000000+00:00",
        "environment": {
            "architecture": "x86_64", "cpu_model": "Toy CPU", "cpu_number": 0,
            "memory_total_kib": 1024, "os": "Toy OS 1", "kernel": "1.0"
        },
        "sizes": {"pk_bytes": 100, "sk_bytes": 32, "ct_bytes": 77, "ss_bytes": 32},
        "baseline_rss_bytes": 1_024_000, "peak_rss_bytes": 2_048_000,
        "host_problems": ["a toy host"],
    });
    record["trials"] = serde_json::to_value(&trials).unwrap();
    let figures = serde_json::to_value(statistics).unwrap();
    record
        .as_object_mut()
        .unwrap()
        .extend(figures.as_object().unwrap().clone());
    record
}

#[test]
fn render() {
    let scene = Scene::new();
    let candidate = CandidateId::new("toy").unwrap();
    let label = Label::new("toy-1").unwrap();
    let page = CandidatePage {
        candidate,
        name: "Toy".to_owned(),
        kind: Kind::Kem,
        role: Role::Submission,
        variants: vec!["reference".to_owned()],
        sources: Some("toy.zip".to_owned()),
        architecture: "x86_64".to_owned(),
        compiler: "toycc 1".to_owned(),
        build_tool: "assay".to_owned(),
        measuring_core: 0,
        host: BTreeMap::new(),
        notes: Vec::new(),
        survey: vec!["ICCS-only".to_owned()],
        instances: vec![PageInstance {
            label,
            flags: Flags::Guide,
            verdict: Verdict::Pass,
            library: None,
            curated: BTreeMap::from([("pk".to_owned(), 100), ("ct".to_owned(), 77)]),
        }],
    };
    let record = scene.store.put_json(&record()).unwrap();
    let inputs = [("timing:toy-1/enc", record)];
    let parameters = RenderParameters::Candidate(Box::new(page));
    let receipt = scene.run(Stage::Render, None, &parameters, &inputs);
    let summary = [("summary:toy", receipt.outputs["summary"])];
    let index = RenderParameters::Index(IndexPage {
        banners: vec!["a banner".to_owned()],
        missing: vec![
            ["kem-01", "Other", "kem", "campaign add-source kem-01 X.zip"].map(str::to_owned),
        ],
    });
    let index = scene.run(Stage::Render, None, &index, &summary);
    let texts: Vec<String> = [
        (&receipt, "page.md"),
        (&receipt, "cells.md"),
        (&index, "index.md"),
    ]
    .into_iter()
    .map(|(receipt, role)| scene.text(receipt, role))
    .collect();
    // The HTML templates have snapshots in `reports`; their version is this one too.
    let html = artifacts::ArtifactId::of(scene.text(&receipt, "page.html").as_bytes());
    check(
        Stage::Render,
        &format!("{}\nHTML {html}", texts.join("\n----\n")),
    );
}

/// A snapshot of a version that is no more would hold nothing.
#[test]
fn no_snapshot_is_left_over() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/versions/snapshots");
    let expected: BTreeSet<String> = Stage::ALL
        .iter()
        .map(|stage| format!("versions__{stage}-v{}.snap", version(*stage)))
        .collect();
    let found: BTreeSet<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(found, expected);
}
