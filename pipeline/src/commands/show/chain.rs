//! From a figure down: its record, the receipts behind it, library, sources, probe and machine.

use super::Link;
use crate::campaign::{CampaignError, Done, build_step, kat_step};
use crate::lookup::{Figure, Origin};
use crate::plan::Step;
use artifacts::ArtifactId;
use artifacts::key::Facet;
use artifacts::records::{Fields, TimingRecord};
use artifacts::tree::{TREE, Tree};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// The chain of a figure, from the page down.
///
/// # Errors
/// When a link is missing from the store or damaged.
pub fn chain(figure: &Figure<'_>) -> Result<Vec<Link>, CampaignError> {
    let mut walk = Walk {
        figure,
        links: Vec::new(),
        facets: BTreeMap::new(),
    };
    walk.page()?;
    walk.measured()?;
    walk.known_answers()?;
    walk.library()?;
    walk.probe()?;
    walk.all_facets();
    Ok(walk.links)
}

struct Walk<'a, 'f> {
    figure: &'f Figure<'a>,
    links: Vec<Link>,
    /// By name and digest: receipts of one chain may have seen different ones.
    facets: BTreeMap<(String, String), Facet>,
}

impl Walk<'_, '_> {
    fn step(&self, stage: Step) -> Result<Option<Done>, CampaignError> {
        let cell = &self.figure.value.cell;
        let operation = match stage {
            Step::Time | Step::Profile => cell.operation.as_ref(),
            _ => None,
        };
        let campaign = &self.figure.campaign;
        campaign.instance_step(&cell.candidate, &cell.instance, operation, stage)
    }

    fn page(&mut self) -> Result<(), CampaignError> {
        let page = &self.figure.page;
        let instance = page.instance(&self.figure.value.cell.instance);
        let link = receipt("page receipt", &page.done)
            .fact("page.html", page.done.output("page.html")?.to_string())
            .fact(
                "curated sizes",
                instance
                    .map(|instance| serde_json::to_value(&instance.curated).unwrap_or_default())
                    .unwrap_or_default(),
            );
        self.links.push(link);
        Ok(())
    }

    /// The record and the receipt that measured it.
    fn measured(&mut self) -> Result<(), CampaignError> {
        let cell = &self.figure.value.cell;
        let (role, stage, what) = match self.figure.origin {
            Origin::Time => ("timing", Step::Time, "time receipt"),
            Origin::Profile => ("profile", Step::Profile, "profile receipt"),
            Origin::Build | Origin::Kat => return Ok(()),
        };
        let Some(operation) = &cell.operation else {
            return Ok(());
        };
        let shown = self
            .figure
            .page
            .input(&format!("{role}:{}/{operation}", cell.instance));
        if let Some(record) = shown {
            let link = self.record(record)?;
            self.links.push(link);
        }
        let Some(done) = self.step(stage)? else {
            return Ok(());
        };
        let seen = &done.receipt.observations;
        let see = |name: &str| seen.get(name).cloned().unwrap_or_default();
        let mut link = receipt(what, &done)
            .fact("core", see("cpu"))
            .fact("shard", see("shard"))
            .fact("load average at start", see("load_average"))
            .fact("calibration, ns", see("calibration_ns"))
            .fact("trials repeated", see("disturbed_retries"))
            .fact("containment", containment(&see("containment")));
        if done.receipt.outputs.get("record") != shown.as_ref() {
            link = link.fact(
                "note",
                "the page shows an earlier record: `campaign run` renders it anew",
            );
        }
        self.links.push(link);
        self.take_facets(&done);
        Ok(())
    }

    fn record(&self, id: ArtifactId) -> Result<Link, CampaignError> {
        let path = self.figure.value.evidence.first();
        let link = Link::new("record", id).fact(
            "published as",
            path.map(|source| source.path.clone()).unwrap_or_default(),
        );
        let bytes = self.figure.campaign.store().get(id)?;
        let wrong = |source| CampaignError::Artifact { id, source };
        let fields: Fields = serde_json::from_slice(&bytes).map_err(wrong)?;
        let field = |name: &str| fields.get(name).cloned().unwrap_or_default();
        let mut link = link.fact("status", field("status"));
        if self.figure.origin == Origin::Time {
            let record: TimingRecord = serde_json::from_slice(&bytes).map_err(wrong)?;
            if let Some(plan) = record.plan {
                link = link.fact(
                    "plan",
                    format!(
                        "{} trials of {} calls after {} warm-ups, {}",
                        plan.trials,
                        plan.iterations_per_trial,
                        plan.warmups,
                        match plan.separate_processes {
                            true => "a process each",
                            false => "in one process",
                        }
                    ),
                );
            }
        }
        Ok(link
            .fact("started", field("started_utc"))
            .fact("ended", field("ended_utc"))
            .fact("host not fixed", field("host_problems"))
            .fact("warning", field("warnings")))
    }

    fn known_answers(&mut self) -> Result<(), CampaignError> {
        let Some(instance) = self.figure.page.instance(&self.figure.value.cell.instance) else {
            return Ok(());
        };
        let Some(done) = self.step(kat_step(instance.flags))? else {
            return Ok(());
        };
        let log = match done.receipt.outputs.get("log") {
            None => String::new(),
            Some(log) => format!("{log} sha256:{}", self.sha256(*log)?),
        };
        let references = done.receipt.material.inputs.iter();
        let references: Fields = references
            .filter_map(|(role, id)| {
                Some((
                    role.strip_prefix("reference:")?.to_owned(),
                    id.to_string().into(),
                ))
            })
            .collect();
        let manifest = done.receipt.material.parameters.get("manifest");
        let link = receipt("kat receipt", &done)
            .fact("verdict", verdict(&done))
            .fact("log", log)
            .fact("report", output(&done, "report"))
            .fact("submitted files", references)
            .fact(
                "digests",
                manifest.map(ToString::to_string).unwrap_or_default(),
            );
        self.links.push(link);
        self.take_facets(&done);
        Ok(())
    }

    /// The library, its build, and the sources.
    fn library(&mut self) -> Result<(), CampaignError> {
        let Some(instance) = self.figure.page.instance(&self.figure.value.cell.instance) else {
            return Ok(());
        };
        let build = self.step(build_step(instance.flags))?;
        let store = self.figure.campaign.store();
        let report = match build.as_ref().and_then(|b| b.receipt.outputs.get("report")) {
            None => Fields::new(),
            Some(id) => serde_json::from_slice(&store.get(*id)?)
                .map_err(|source| CampaignError::Artifact { id: *id, source })?,
        };
        let field = |name: &str| report.get(name).cloned().unwrap_or_default();
        let library = match self.figure.origin {
            Origin::Profile => ("library with wrappers", "wrapped"),
            _ => ("library", "library"),
        };
        let made = build
            .as_ref()
            .and_then(|b| b.receipt.outputs.get(library.1));
        if let Some(id) = made {
            let mut link = Link::new(library.0, id).fact("sha256", self.sha256(*id)?);
            if library.1 == "library" {
                link = link.fact("bytes when loaded", field("elf_load_bytes"));
            } else {
                link = link.fact("wrapped", field("wrapped"));
            }
            self.links.push(link);
        }
        let Some(build) = build else { return Ok(()) };
        let link = receipt("build receipt", &build)
            .fact("verdict", verdict(&build))
            .fact("flags", instance.flags.to_string())
            .fact("options", field("options"))
            .fact("C++ options", field("cxx_options"))
            .fact("link options", field("link_options"))
            .fact("effective options", field("effective_options"))
            .fact("compiler", tool(&build, "compiler"))
            .fact("linker", tool(&build, "linker"))
            .fact("report", output(&build, "report"))
            .fact("log", output(&build, "log"))
            .fact("containment", containment_of(&build));
        self.links.push(link);
        for (what, role) in [("source tree", "source"), ("our C sources", "glue")] {
            if let Some(id) = build.receipt.material.inputs.get(role) {
                let tree: Tree = store.get_json(*id, TREE)?;
                let link = Link::new(what, id).fact("files", tree.files.len());
                let link = match role {
                    "source" => link
                        .fact("from", self.figure.page.page.sources.clone())
                        .fact("compiled", field("sources")),
                    _ => link.fact("supplied helpers", field("supplied")),
                };
                self.links.push(link);
            }
        }
        self.take_facets(&build);
        Ok(())
    }

    fn probe(&mut self) -> Result<(), CampaignError> {
        if self.figure.origin == Origin::Build {
            return Ok(());
        }
        if let Some(done) = self.figure.campaign.probe()? {
            let link = receipt("probe's build receipt", &done)
                .fact("probe", output(&done, "probe"))
                .fact("compiler", tool(&done, "compiler"));
            self.links.push(link);
        }
        Ok(())
    }

    fn take_facets(&mut self, done: &Done) {
        for (name, facet) in &done.receipt.material.facets {
            let key = (name.clone(), facet.digest().to_owned());
            self.facets.insert(key, facet.clone());
        }
    }

    /// The facets in clear, each once.
    fn all_facets(&mut self) {
        for ((name, digest), facet) in std::mem::take(&mut self.facets) {
            let mut link = Link::new(
                match name.as_str() {
                    "machine" => "machine",
                    "runtime" => "runtime",
                    "toolchain" => "toolchain",
                    _ => "architecture",
                },
                digest,
            );
            for (fact, value) in facet.facts() {
                link = link.fact(fact, value.clone());
            }
            self.links.push(link);
        }
    }

    fn sha256(&self, id: ArtifactId) -> Result<String, CampaignError> {
        let mut hasher = Sha256::new();
        let mut file = self.figure.campaign.store().open_verified(id)?;
        std::io::copy(&mut file, &mut hasher).map_err(artifacts::store::StoreError::from)?;
        Ok(hasher
            .finalize()
            .iter()
            .map(|b| format!("{b:02x}"))
            .collect())
    }
}

/// A receipt with what all receipts have: key, inputs, facets, times.
fn receipt(what: &'static str, done: &Done) -> Link {
    let material = &done.receipt.material;
    let facets: Fields = material
        .facets
        .iter()
        .map(|(name, facet)| (name.clone(), facet.digest().into()))
        .collect();
    // A page's inputs are all that it shows.
    let inputs: Fields = match done.name.stage {
        Step::Page => Fields::new(),
        _ => material
            .inputs
            .iter()
            .map(|(role, id)| (role.clone(), id.to_string().into()))
            .collect(),
    };
    let mut link = Link::new(what, done.id)
        .fact("step", done.name.to_string())
        .fact("key", done.receipt.key.to_string());
    if done.receipt.subject.to_string() != own_subject(done) {
        link = link.fact("first run for", done.receipt.subject.to_string());
    }
    link.fact("inputs", inputs)
        .fact("facets", facets)
        .fact("began", done.receipt.started_utc.to_rfc3339())
        .fact("done", done.receipt.ended_utc.to_rfc3339())
        .fact("outcome", done.receipt.outcome.why.clone())
}

/// The subject under which the step itself would have run.
fn own_subject(done: &Done) -> String {
    done.name.subject(&done.receipt.subject.system).to_string()
}

fn output(done: &Done, role: &str) -> Value {
    let id = done.receipt.outputs.get(role);
    id.map(|id| id.to_string().into()).unwrap_or_default()
}

fn tool(done: &Done, name: &str) -> Value {
    let version = done.receipt.tools.get(name);
    version
        .map(|version| version.clone().into())
        .unwrap_or_default()
}

fn verdict(done: &Done) -> Value {
    let verdict = done.receipt.outcome.verdict;
    verdict
        .map(|verdict| verdict.to_string().into())
        .unwrap_or_default()
}

fn containment_of(done: &Done) -> Value {
    let seen = done.receipt.observations.get("containment");
    seen.map(containment).unwrap_or_default()
}

/// How many pieces of containment were in force, and which were not.
fn containment(pieces: &Value) -> Value {
    let Some(pieces) = pieces.as_array() else {
        return Value::Null;
    };
    let lacking: Vec<String> = pieces
        .iter()
        .filter(|piece| piece["enforced"] != "yes")
        .map(|piece| match piece["piece"].as_str() {
            Some(name) => name.to_owned(),
            None => piece.to_string(),
        })
        .collect();
    let all = pieces.len();
    match lacking.is_empty() {
        true => format!("all {all} pieces in force").into(),
        false => format!(
            "{} of {all} pieces in force, not: {}",
            all - lacking.len(),
            lacking.join(", ")
        )
        .into(),
    }
}
