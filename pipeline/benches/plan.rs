//! Planning a campaign of 5,000 steps and finding all of them current, beside `ninja` finding nothing
//! to do in a graph of as many edges; then `campaign plan` as a process, with its resident set.
//!
//! `cargo bench -p pipeline`. Rounds alternate between both sides, figures are medians. Candidates,
//! sources and receipts are made up, but go through the public interface: the planner sees them as it
//! sees real ones. Everything happens in cargo's target folder, so on the disk that holds it.

use artifacts::receipt::{Outcome, RECEIPT, Receipt};
use artifacts::store::{Store, Summary};
use artifacts::words::Verdict;
use artifacts::{ArtifactId, Stage};
use chrono::{TimeDelta, Utc};
use pipeline::catalog::Catalog;
use pipeline::cli::{Common, Selection};
use pipeline::commands::plan::all_steps;
use pipeline::gather::{Gathered, gather};
use pipeline::plan::{Planned, State, Step};
use pipeline::runner::Known;
use pipeline::sources::{Limits, keep_source};
use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// Instances a candidate; each has nine steps.
const INSTANCES: usize = 3;
const ROUNDS: usize = 25;
const TARGET: Duration = Duration::from_millis(100);
const TARGET_KIB: u64 = 64 << 10;
const ONLY: &str = "^bench-";

fn main() -> Result<()> {
    // Without cargo's word for it, this is a test run that only sees whether it still works.
    let candidates = match std::env::args().any(|arg| arg == "--bench") {
        true => 180,
        false => 2,
    };
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR"))?;
    let common = Common {
        store: Some(folder.path().join("store")),
        system: "local".to_owned(),
        campaign: None,
        candidates: Some(folder.path().join("candidates")),
        controls: None,
        cc: None,
        json: false,
    };
    let store = Store::create_or_open(&folder.path().join("store"))?;
    add_candidates(&store, folder.path(), candidates)?;
    let gathered = gather(&common, &selection(), &store)?;
    let steps = fill(&store, &gathered)?;

    let ninja = Ninja::new(folder.path(), &steps)?;
    let (mut read, mut ours, mut theirs) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let started = Instant::now();
        let known = Known::read(&store, None)?;
        read.push(started.elapsed());
        let planned = all_steps(&gathered.world, &known, &[])?;
        ours.push(started.elapsed());
        if planned.iter().any(|step| step.summary().is_none()) {
            return Err("not every step is current".into());
        }
        if let Some(ninja) = &ninja {
            theirs.push(ninja.run()?);
        }
    }
    let ours = median(ours);
    println!(
        "plan    {} steps found current in {ours:.1?} (target {TARGET:?}: {:.2} of it), of which reading the \
         store {:.1?}",
        steps.len(),
        ours.as_secs_f64() / TARGET.as_secs_f64(),
        median(read)
    );
    if !theirs.is_empty() {
        let theirs = median(theirs);
        println!(
            "ninja   as many edges, nothing to do, in {theirs:.1?}: ours takes {:.1} times that",
            ours.as_secs_f64() / theirs.as_secs_f64()
        );
    }
    process(&common)
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

fn selection() -> Selection {
    Selection {
        only: Some(ONLY.to_owned()),
        stages: Vec::new(),
        cpu: None,
        quick: false,
        allow_unfixed_host: false,
        again: None,
    }
}

/// Writes candidates and their sources, and adds these to the store.
fn add_candidates(store: &Store, folder: &Path, count: usize) -> Result<()> {
    let toml = folder.join("candidates");
    std::fs::create_dir(&toml)?;
    for number in 0..count {
        let id = format!("bench-{number:03}");
        let mut text = format!(
            "kind = \"assay-candidate\"\nmajor = 1\nminor = 0\nid = \"{id}\"\nname = \"Bench \
             {number}\"\nprimitive = \"kem\"\n"
        );
        for instance in 0..INSTANCES {
            let label = format!("B{number}-{instance}");
            let _ = write!(
                text,
                "[[instance]]\nlabel = \"{label}\"\nsource_dir = \"{label}\"\nsizes = {{ \
                 public_key = 800, ciphertext = 768 }}\nkat = [{{ file = \"KAT_KEM_{label}.txt\", \
                 digest = \"{}\" }}]\n",
                "ab".repeat(32)
            );
            let dir = folder.join("sources").join(&id).join(&label);
            std::fs::create_dir_all(&dir)?;
            for file in ["kem.c", "poly.c", "KEM_AlgorithmInstance.h"] {
                std::fs::write(dir.join(file), format!("/* {label} {file} */\n"))?;
            }
        }
        std::fs::write(toml.join(format!("{id}.toml")), text)?;
    }
    let catalog = Catalog::embedded()?.with_folder(&toml)?;
    for candidate in catalog
        .iter()
        .filter(|c| c.id.as_str().starts_with("bench-"))
    {
        let sources = folder.join("sources").join(candidate.id.as_str());
        keep_source(store, candidate, &sources, &Limits::default())?;
    }
    Ok(())
}

/// Gives every step a receipt, round by round as their inputs become known.
fn fill(store: &Store, gathered: &Gathered) -> Result<Vec<Planned>> {
    store.create_campaign(&gathered.campaign, &gathered.world.system)?;
    loop {
        let known = Known::read(store, None)?;
        let steps = all_steps(&gathered.world, &known, &[])?;
        let mut done = Vec::new();
        for step in &steps {
            if let State::Ready(material) = &step.state {
                let receipt = receipt(store, gathered, step, material)?;
                store.record(&receipt)?;
                done.push((step.name.stored()?, Summary::of(&receipt)?));
            }
        }
        if done.is_empty() {
            return Ok(steps);
        }
        let named = done.iter().map(|(step, summary)| (step, summary));
        store.record_steps(&gathered.campaign, named)?;
    }
}

fn receipt(
    store: &Store,
    gathered: &Gathered,
    step: &Planned,
    material: &artifacts::KeyMaterial,
) -> Result<Receipt> {
    let roles: &[&str] = match step.name.stage {
        Step::Probe => &["probe", "report", "log"],
        Step::Build | Step::FallbackBuild => &["library", "wrapped", "report", "log"],
        Step::Kat | Step::FallbackKat => &["log", "report", "text:KAT_KEM.txt"],
        Step::SizeAudit => &["report"],
        Step::Time | Step::Profile => &["record"],
        Step::Page => &["page.md", "page.html", "cells", "summary"],
        Step::Index => &["index.md", "index.html"],
    };
    let mut outputs: BTreeMap<String, ArtifactId> = BTreeMap::new();
    let mut batch = store.batch();
    for role in roles {
        let bytes = format!("{} {role}", step.name);
        outputs.insert((*role).to_owned(), batch.put_bytes(bytes.as_bytes())?);
    }
    batch.commit()?;
    let ended_utc = Utc::now();
    Ok(Receipt {
        header: RECEIPT.header(),
        key: material.key(),
        subject: step.name.subject(&gathered.world.system),
        material: material.clone(),
        outputs,
        outcome: match material.stage {
            Stage::Kat => Outcome::with_verdict(Verdict::Pass, String::new()),
            _ => Outcome::done(),
        },
        started_utc: ended_utc - TimeDelta::seconds(1),
        ended_utc,
        observations: BTreeMap::new(),
        tools: BTreeMap::new(),
        unknown: BTreeMap::new(),
    })
}

/// A graph like the campaign's, all of it done.
struct Ninja<'a>(&'a Path);

impl<'a> Ninja<'a> {
    /// Absent where ninja is not installed.
    fn new(folder: &'a Path, steps: &[Planned]) -> Result<Option<Self>> {
        if Command::new("ninja").arg("--version").output().is_err() {
            println!("ninja   absent");
            return Ok(None);
        }
        let mut text = String::from("rule step\n  command = : > $out\n");
        let mut pages = String::new();
        for step in steps {
            let file = step.name.to_string().replace('/', ".");
            let instance = file.rsplitn(2, '.').last().unwrap_or_default();
            let inputs = match step.name.stage {
                Step::Probe => "source".to_owned(),
                Step::Build | Step::FallbackBuild => "source".to_owned(),
                Step::Kat | Step::FallbackKat => format!("{instance}.build -.probe"),
                Step::SizeAudit => format!("{instance}.kat"),
                Step::Time | Step::Profile => {
                    let instance = instance.rsplitn(2, '.').last().unwrap_or_default();
                    format!("{instance}.build {instance}.kat -.probe")
                }
                Step::Page => {
                    pages.push(' ');
                    pages.push_str(&file);
                    let of = |s: &&Planned| {
                        s.name.candidate == step.name.candidate && s.name.instance.is_some()
                    };
                    let parts = steps.iter().filter(of);
                    parts
                        .map(|s| s.name.to_string().replace('/', ".") + " ")
                        .collect()
                }
                Step::Index => pages.clone(),
            };
            let _ = writeln!(text, "build {file}: step {inputs}");
        }
        std::fs::create_dir(folder.join("ninja"))?;
        std::fs::write(folder.join("ninja/build.ninja"), text)?;
        std::fs::write(folder.join("ninja/source"), "")?;
        let ninja = Ninja(folder);
        ninja.run()?;
        Ok(Some(ninja))
    }

    fn run(&self) -> Result<Duration> {
        let started = Instant::now();
        let output = Command::new("ninja")
            .current_dir(self.0.join("ninja"))
            .output()?;
        let taken = started.elapsed();
        match output.status.success() {
            true => Ok(taken),
            false => Err(String::from_utf8_lossy(&output.stdout).into_owned().into()),
        }
    }
}

/// `campaign plan` of all that, from the command line to the end.
fn process(common: &Common) -> Result<()> {
    let started = Instant::now();
    let mut child = Command::new(env!("CARGO_BIN_EXE_campaign"))
        .args(["plan", "--only", ONLY])
        .env(
            "ASSAY_STORE",
            common.store.as_deref().unwrap_or(Path::new("")),
        )
        .env(
            "ASSAY_CANDIDATES",
            common.candidates.as_deref().unwrap_or(Path::new("")),
        )
        .stdout(Stdio::piped())
        .spawn()?;
    // The peak only grows, so that the last look before the end tells it.
    let status = format!("/proc/{}/status", child.id());
    let mut peak_kib: u64 = 0;
    while child.try_wait()?.is_none() {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kib = line.and_then(|rest| rest.split_whitespace().next()?.parse().ok());
        peak_kib = peak_kib.max(kib.unwrap_or_default());
        std::thread::sleep(Duration::from_micros(200));
    }
    let taken = started.elapsed();
    let output = child.wait_with_output()?;
    let said = String::from_utf8_lossy(&output.stdout);
    print!(
        "process campaign plan: {}",
        said.lines().last().unwrap_or_default()
    );
    println!();
    println!(
        "process {taken:.1?}, peak resident set {:.1} MiB (target {} MiB: {:.2} of it)",
        peak_kib as f64 / 1024.0,
        TARGET_KIB >> 10,
        peak_kib as f64 / TARGET_KIB as f64
    );
    match output.status.success() {
        true => Ok(()),
        false => Err("campaign plan failed".into()),
    }
}
