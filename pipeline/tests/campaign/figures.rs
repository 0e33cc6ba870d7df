//! One figure: shown with all that is behind it, told why it stands, and asked for again by hand.

use crate::assay::{Assay, text};
use crate::controls::{copy, edit};
use crate::publication::campaign;
use serde_json::Value;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

const CELL: &str = "local/ml-kem/ML-KEM-512/enc/mean_seconds";

/// Every text in a JSON value.
fn texts<'a>(value: &'a Value, all: &mut Vec<&'a str>) {
    match value {
        Value::String(text) => all.push(text),
        Value::Array(items) => items.iter().for_each(|item| texts(item, all)),
        Value::Object(fields) => fields.values().for_each(|item| texts(item, all)),
        _ => {}
    }
}

#[test]
fn a_figure_is_shown_with_its_chain_and_its_trials() {
    let assay = campaign();
    let shown = assay.json(&format!("show {CELL} --evidence"));
    let exact: f64 = shown["exact"].as_str().unwrap().parse().unwrap();
    assert_eq!(shown["unit"], "s");

    // the figure from the raw trials
    let (mut calls, mut ns) = (0, 0);
    for process in shown["raw"]["processes"].as_array().unwrap() {
        for trial in process["trials"].as_array().unwrap() {
            calls += trial["measurements"].as_u64().unwrap();
            ns += trial["ns"].as_u64().unwrap();
        }
    }
    let mean = ns as f64 / 1e9 / calls as f64;
    assert!((mean - exact).abs() < 1e-9 * exact, "{mean} {exact}");

    // the chain is whole, and every link of it is in the store
    let links = shown["chain"].as_array().unwrap();
    let names: Vec<&str> = links.iter().map(|l| l["what"].as_str().unwrap()).collect();
    assert_eq!(
        names,
        [
            "page receipt",
            "record",
            "time receipt",
            "kat receipt",
            "library",
            "build receipt",
            "source tree",
            "our C sources",
            "probe's build receipt",
            "architecture",
            "machine",
            "runtime",
            "toolchain"
        ]
    );
    let mut all = Vec::new();
    texts(&shown["chain"], &mut all);
    let store = assay.store();
    let ids: Vec<_> = all
        .iter()
        .filter(|text| text.starts_with("blob:"))
        .collect();
    assert!(ids.len() > 20);
    for id in ids {
        let id = id.split(' ').next().unwrap().parse().unwrap();
        assert!(store.has(id), "{id}");
    }
    let link = |name: &str| links.iter().find(|l| l["what"] == name).unwrap();
    let library = link("library")["hash"].clone();
    assert_eq!(link("time receipt")["facts"]["inputs"]["library"], library);
    assert_eq!(link("kat receipt")["facts"]["verdict"], "PASS");
    assert_eq!(
        library,
        assay
            .output("ml-kem/ML-KEM-512/build", "library")
            .to_string()
    );

    // people get the same
    let told = text(&assay.campaign(&format!("show {CELL}")).stdout);
    for hash in all.iter().filter(|text| text.starts_with("blob:")) {
        assert!(told.contains(*hash), "{hash}");
    }
}

#[test]
fn every_published_cell_can_be_shown_and_its_step_asked_for() {
    let assay = campaign();
    let published = std::fs::read(assay.site().join("cells.json")).unwrap();
    let published: Value = serde_json::from_slice(&published).unwrap();
    let cells = published["cells"].as_array().unwrap();
    for cell in cells {
        let address = cell["cell"].as_str().unwrap();
        let shown = assay.json(&format!("show {address}"));
        for field in ["shown", "exact", "formula"] {
            assert_eq!(shown[field], cell[field], "{address}");
        }
        for field in ["unit", "spread"] {
            assert_eq!(shown.get(field), cell.get(field), "{address}");
        }
    }
    // one of each stage
    for (metric, binary) in [
        ("-/elf_load_bytes", "stage-build"),
        ("-/kat", "stage-kat"),
        ("dec/hash_share", "stage-profile"),
    ] {
        let output = assay.campaign(&format!("request local/ml-kem/ML-KEM-512/{metric}"));
        assert_eq!(output.status.code(), Some(0));
        assert!(text(&output.stderr).contains(binary), "{metric}");
    }
}

#[test]
fn what_does_not_exist_is_told_with_what_does() {
    let assay = campaign();
    for (line, code, said) in [
        (
            "show local/ml-kem/ML-KEM-512/enc/mean_time",
            2,
            "its metrics: mean_seconds, operations_per_second, median_trial_seconds",
        ),
        (
            "show local/ml-kem/ML-KEM-513/enc/mean_seconds",
            2,
            "it has: ML-KEM-512",
        ),
        (
            "show local/ml-kem/ML-KEM-512/sign/mean_seconds",
            2,
            "its operations: -, keygen, enc, dec",
        ),
        (
            "show local/kem-09/Cheetah128/enc/mean_seconds",
            2,
            "has those of: ml-kem",
        ),
        (
            "show nightly@local/ml-kem/ML-KEM-512/enc/mean_seconds",
            2,
            "no campaign `nightly`",
        ),
        ("show ML-KEM-512", 2, "not a cell address"),
        (
            "why local/ml-kem/ML-KEM-512/enc/kat",
            2,
            "its metrics: mean_cycles",
        ),
        ("why local/ml-kem/ML-KEM-76/-/kat", 2, "it has: ML-KEM-768"),
        (
            "why local/kem-09/Cheetah128/enc/mean_seconds",
            2,
            "campaign add-source kem-09",
        ),
        (
            "request local/ml-kem/ML-KEM-768/enc/mean_seconds",
            2,
            "stands behind ml-kem/ML-KEM-768/build",
        ),
    ] {
        let output = assay.campaign(line);
        let stderr = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{line}: {stderr}");
        assert!(stderr.contains(said), "{line}: {stderr}");
    }
}

#[test]
fn why_names_the_field_of_the_key() {
    let mut assay = Assay::new();
    let pqclean = copy(&assay.path("pqclean"));
    assay.controls = Some(pqclean.clone());
    let only = "--only ^ml-kem/ML-KEM-512$ --stages build,kat,time";
    assay.run(only);
    let standing = |report: &Value, step: &str| -> (String, Value) {
        let steps = report["steps"].as_array().unwrap();
        let step = steps.iter().find(|s| s["step"] == step).unwrap();
        let standing = step["standing"].as_str().unwrap().to_owned();
        (standing, step.clone())
    };
    let time = "ml-kem/ML-KEM-512/enc/time";
    let build = "ml-kem/ML-KEM-512/build";

    let current = assay.json(&format!("why {CELL} --quick"));
    assert_eq!(current["standing"], "current");
    let names: Vec<&str> = current["steps"]
        .as_array()
        .unwrap()
        .iter()
        .map(|step| step["step"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["-/probe", build, "ml-kem/ML-KEM-512/kat", time]);

    // other planning
    let full = assay.json(&format!("why {CELL}"));
    assert_eq!(full["standing"], "stale");
    let (_, step) = standing(&full, time);
    let differences = step["differences"].as_array().unwrap();
    assert_eq!(differences.len(), 1);
    assert_eq!(
        differences[0]["field"],
        "parameters.planning.trial_target_ns"
    );
    assert_eq!(differences[0]["was"], "50000000");

    // a comment: the build is stale, what is behind it is not known yet
    edit(
        &pqclean.join("crypto_kem/ml-kem-512/clean/reduce.c"),
        "#include <stdint.h>",
        "#include <stdint.h> /* a comment */",
    );
    let edited = assay.json(&format!("why {CELL} --quick"));
    assert_eq!(edited["standing"], "waiting");
    let (at_build, step) = standing(&edited, build);
    assert_eq!(at_build, "stale");
    assert_eq!(step["differences"][0]["field"], "inputs.source");
    let (_, step) = standing(&edited, time);
    assert!(step["why"].as_str().unwrap().contains("early cutoff"));

    // and then the library came out the same
    let ran = assay.run(only);
    assert_eq!(ran.steps, [build]);
    let after = assay.json(&format!("why {CELL} --quick"));
    assert_eq!(after["standing"], "current");
    let (_, step) = standing(&after, time);
    let why = step["why"].as_str().unwrap();
    assert!(why.contains("came out the same (early cutoff)"), "{why}");
    let (_, step) = standing(&after, build);
    assert!(!step["why"].as_str().unwrap().contains("early cutoff"));
}

#[test]
fn a_step_can_be_done_by_hand() {
    let assay = Assay::new();
    assay.run("--only ^ml-kem/ML-KEM-512$ --stages build,kat,time");
    let before = assay.receipt("ml-kem/ML-KEM-512/enc/time");
    let request = assay.campaign(&format!("request {CELL} --quick"));
    assert_eq!(request.status.code(), Some(0), "{}", text(&request.stderr));
    let stage = Path::new(env!("CARGO_BIN_EXE_campaign")).with_file_name("stage-time");
    let mut child = Command::new(stage)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(&request.stdout).unwrap();
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let receipt: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(receipt["key"], before.key.to_string());
    let record = receipt["outputs"]["record"].as_str().unwrap();
    assert_ne!(record, before.outputs["record"].to_string());
    // measured under the same conditions as by a run
    let store = assay.store();
    let fields = |id: artifacts::ArtifactId| -> Value {
        let record: Value = serde_json::from_slice(&store.get(id).unwrap()).unwrap();
        record["host_problems"].clone()
    };
    assert_eq!(
        fields(record.parse().unwrap()),
        fields(before.outputs["record"])
    );

    // it counts: the next run takes it and measures nothing
    let why = assay.json(&format!("why {CELL} --quick"));
    assert_eq!(why["standing"], "current");
    let ran = assay.run("--only ^ml-kem/ML-KEM-512$ --stages build,kat,time");
    assert_eq!(ran.steps, [""; 0]);
    assert_eq!(
        assay
            .output("ml-kem/ML-KEM-512/enc/time", "record")
            .to_string(),
        record
    );
    assay.verify();
}
