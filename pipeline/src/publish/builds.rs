//! `build.json`: each instance, how it was built, and its verdict.

use super::PublishError;
use super::writer::{Writer, hex};
use crate::campaign::{Campaign, CandidateReceipt, Done, build_step, kat_step};
use crate::plan::Step;
use artifacts::ArtifactId;
use artifacts::records::{BUILD_FILE, BuildEntry, BuildFile, Fields, InstanceFacts, kat_log_path};
use artifacts::store::Store;
use artifacts::words::{Flags, Verdict};
use contract::parameters::{KatParameters, PageInstance};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use sha2::{Digest, Sha256};

/// The file's name.
const FILE: &str = "build.json";

/// What is taken from a build report; the stage writes more.
#[derive(Debug, Default, Deserialize)]
struct BuildReport {
    elf_load_bytes: u64,
    options: String,
    #[serde(default)]
    cxx_options: Option<String>,
    link_options: String,
    effective_options: Vec<String>,
    sources: Vec<String>,
    supplied: Vec<String>,
    wrapped: Vec<String>,
}

/// What is taken from a kat report.
#[derive(Debug, Default, Deserialize)]
struct KatReport {
    #[serde(default)]
    instance: Option<String>,
}

/// The entry of an instance; writes its KAT log.
pub fn entry(
    campaign: &Campaign<'_>,
    page: &CandidateReceipt,
    instance: &PageInstance,
    writer: &mut Writer,
) -> Result<BuildEntry, PublishError> {
    let store = campaign.store();
    let candidate = &page.page.candidate;
    let label = &instance.label;
    let step = |step| campaign.instance_step(candidate, label, None, step);
    let build = step(build_step(instance.flags))?;
    let build = held(page, build, "build", label.as_str(), "report")?;
    let kat = match page.input(&format!("kat:{label}")) {
        Some(_) => step(kat_step(instance.flags))?,
        None => None,
    };
    let kat = held(page, kat, "kat", label.as_str(), "report")?;
    let kat = held(page, kat, "log", label.as_str(), "log")?;
    let path = |id: &str| format!("{FILE}, the report {id}");
    let report: Option<BuildReport> = match page.input(&format!("build:{label}")) {
        Some(id) => Some(json(store, id, &path("of the build"))?),
        None => None,
    };
    let told: KatReport = match page.input(&format!("kat:{label}")) {
        Some(id) => json(store, id, &path("of the known answers"))?,
        None => KatReport::default(),
    };
    let mut entry = BuildEntry {
        candidate: candidate.to_string(),
        label: label.to_string(),
        instance: told.instance,
        variant: variant(page, kat.as_ref())?,
        flags: Some(instance.flags.to_string()),
        kat: instance.verdict.to_string(),
        guide_result: guide_result(campaign, page, instance)?,
        elf_load_bytes: report.as_ref().map(|report| report.elf_load_bytes),
        ..BuildEntry::default()
    };
    if let Some(library) = instance.library {
        entry.library = Some(format!("{candidate}/lib/lib{label}.so"));
        entry.library_sha256 = Some(sha256(store, library)?);
    }
    if let Some(log) = page.input(&format!("log:{label}")) {
        let bytes = store.get(log)?;
        let path = kat_log_path(candidate, label);
        writer.put(&path, &bytes)?;
        // What could not be loaded has not named itself: its log calls it by its label.
        entry.instance.get_or_insert_with(|| label.to_string());
        entry.kat_log_sha256 = writer.entry(&path).map(|file| file.sha256.clone());
        entry.kat_log = Some(path);
    }
    entry.rest = more(instance, report, build.as_ref(), kat.as_ref());
    Ok(entry)
}

/// What build.json of others does not say.
fn more(
    instance: &PageInstance,
    report: Option<BuildReport>,
    build: Option<&Done>,
    kat: Option<&Done>,
) -> Fields {
    let mut rest = Fields::new();
    let mut say = |name: &str, value: Value| rest.insert(name.to_owned(), value);
    if let Some(library) = instance.library {
        say("library_artifact", library.to_string().into());
    }
    if let Some(report) = report {
        say("build_flags", report.options.into());
        if let Some(options) = report.cxx_options {
            say("cxx_flags", options.into());
        }
        say("link_flags", report.link_options.into());
        say("effective_options", report.effective_options.into());
        say("sources", report.sources.into());
        say("supplied", report.supplied.into());
        say("wrapped", report.wrapped.into());
    }
    if let Some(build) = build {
        let material = &build.receipt.material;
        if let Some(source) = material.inputs.get("source") {
            say("source_tree", source.to_string().into());
        }
        if let Some(compiler) = build.receipt.tools.get("compiler") {
            say("compiler", compiler.clone().into());
        }
        say("build_receipt", build.id.to_string().into());
    }
    if let Some(kat) = kat {
        say("kat_receipt", kat.id.to_string().into());
    }
    let ends = [kat, build].into_iter().flatten();
    let mut whys = ends.map(|done| &done.receipt.outcome.why);
    if let Some(why) = whys.find(|why| !why.is_empty()) {
        say("why", why.clone().into());
    }
    rest
}

/// The step, where its output is what the page shows in this role.
pub fn held(
    page: &CandidateReceipt,
    done: Option<Done>,
    role: &str,
    name: &str,
    output: &str,
) -> Result<Option<Done>, PublishError> {
    let shown = page.input(&format!("{role}:{name}"));
    let made = done
        .as_ref()
        .and_then(|done| done.receipt.outputs.get(output))
        .copied();
    if shown.is_some() && shown != made {
        return Err(PublishError::Stale {
            candidate: page.page.candidate.clone(),
            what: format!("{role} of {name}"),
        });
    }
    Ok(done)
}

/// The verdict with the guide's flags, where the fallback was tried.
fn guide_result(
    campaign: &Campaign<'_>,
    page: &CandidateReceipt,
    instance: &PageInstance,
) -> Result<Option<String>, PublishError> {
    let candidate = &page.page.candidate;
    let step = |step| campaign.instance_step(candidate, &instance.label, None, step);
    if instance.flags == Flags::Guide && step(Step::FallbackBuild)?.is_none() {
        return Ok(None);
    }
    let done = match step(Step::Kat)? {
        Some(kat) => Some(kat),
        None => step(Step::Build)?,
    };
    Ok(done
        .and_then(|done| done.receipt.outcome.verdict)
        .map(|verdict| verdict.to_string()))
}

/// Which implementation: as its known answers were asked for, else the candidate's only one.
fn variant(page: &CandidateReceipt, kat: Option<&Done>) -> Result<Option<String>, PublishError> {
    if let Some(kat) = kat {
        return Ok(Some(kat.parameters::<KatParameters>()?.variant));
    }
    Ok(match page.page.variants.as_slice() {
        [only] => Some(only.clone()),
        _ => None,
    })
}

/// What an instance's records repeat of its entry.
pub fn facts(entry: &BuildEntry, verdict: Verdict) -> InstanceFacts {
    let build_flags = entry.rest.get("build_flags").and_then(Value::as_str);
    InstanceFacts {
        candidate: entry.candidate.clone(),
        label: entry.label.clone(),
        variant: entry.variant.clone(),
        flags: entry.flags.clone().unwrap_or_default(),
        kat: entry.kat.clone(),
        kat_not_passed: verdict != Verdict::Pass,
        library: entry.library.clone(),
        library_sha256: entry.library_sha256.clone(),
        kat_log: entry.kat_log.clone(),
        kat_log_sha256: entry.kat_log_sha256.clone(),
        build_flags: build_flags.map(str::to_owned),
    }
}

/// Writes the file.
pub fn write(builds: BuildFile, writer: &mut Writer) -> Result<(), PublishError> {
    let header = BUILD_FILE.header();
    writer.put_json(
        FILE,
        &BuildFile {
            kind: Some(header.kind),
            major: Some(header.major),
            minor: Some(header.minor),
            ..builds
        },
    )
}

/// A JSON artifact; `path` says for what it is read.
pub fn json<T: DeserializeOwned>(
    store: &Store,
    id: ArtifactId,
    path: &str,
) -> Result<T, PublishError> {
    serde_json::from_slice(&store.get(id)?).map_err(|source| PublishError::Json {
        path: path.to_owned(),
        source,
    })
}

/// SHA-256 of an artifact, which may be large.
fn sha256(store: &Store, id: ArtifactId) -> Result<String, PublishError> {
    let mut hasher = Sha256::new();
    std::io::copy(&mut store.open_verified(id)?, &mut hasher)?;
    Ok(hex(&hasher.finalize()))
}
