//! `receipts.jsonl` of an own publication: the Merkle tree under the root, read from hashes up.

use super::book::Book;
use super::check::Check;
use crate::campaign::{build_step, kat_step};
use crate::dataset::{Dataset, Instance, Loaded};
use crate::plan::{Step, StepName};
use crate::publish::{MANIFEST_FILE, Manifest, RECEIPTS};
use artifacts::format::Header;
use artifacts::key::Value;
use artifacts::receipt::{RECEIPT, Receipt};
use artifacts::records::{ARTIFACT, Fields, RECEIPT as RECEIPT_FIELD};
use artifacts::store::{CAMPAIGN, CANDIDATE, Campaign as Root, CandidateNode};
use artifacts::words::{Flags, Stage};
use artifacts::{ArtifactId, CandidateId, Label, Operation};
use contract::parameters::{CandidatePage, RenderParameters};
use serde::de::DeserializeOwned;
use std::collections::{BTreeMap, HashMap, HashSet};

/// The file's name.
pub const FILE: &str = "receipts.jsonl";

/// The receipts of a publication.
#[derive(Default)]
pub struct Receipts {
    root: Option<ArtifactId>,
    steps: BTreeMap<String, ArtifactId>,
    by_id: HashMap<ArtifactId, Receipt>,
    pages: BTreeMap<CandidateId, (ArtifactId, CandidatePage)>,
    /// The receipt of the index.
    pub index: Option<ArtifactId>,
}

impl Receipts {
    /// Reads the file; whatever does not hold together is noted.
    pub fn read(book: &mut Book, dataset: &Dataset<'_>, manifest: Option<&Manifest>) -> Self {
        let mut receipts = Receipts::default();
        let bytes = match dataset.files.read(FILE) {
            Ok(bytes) => bytes,
            Err(fault) => {
                book.at(FILE, "")
                    .wrong(Check::Readable, "", fault.to_string(), "");
                return receipts;
            }
        };
        let mut lines = bytes.split(|byte| *byte == b'\n');
        let head: Option<Header> = parse(lines.next().unwrap_or_default());
        let known = head.is_some_and(|head| RECEIPTS.check(&head).is_ok());
        book.at(FILE, "")
            .same(Check::Readable, "line 1", known, true);
        let blobs: Vec<(usize, ArtifactId, &[u8])> = lines
            .enumerate()
            .filter(|(_, line)| !line.is_empty())
            .map(|(index, line)| (index + 2, ArtifactId::of(line), line))
            .collect();
        let by_id: HashMap<ArtifactId, &[u8]> =
            blobs.iter().map(|(_, id, line)| (*id, *line)).collect();
        let mut reached = HashSet::new();
        if let Some(manifest) = manifest {
            receipts.root = Some(manifest.root);
            receipts.tree(book, manifest, &by_id, &mut reached);
        }
        for (line, id, text) in blobs {
            receipts.line(book, line, id, text, &reached);
        }
        receipts
    }

    fn tree(
        &mut self,
        book: &mut Book,
        manifest: &Manifest,
        by_id: &HashMap<ArtifactId, &[u8]>,
        reached: &mut HashSet<ArtifactId>,
    ) {
        let mut notes = book.at(FILE, "");
        let mut node = |id: ArtifactId, what: &str| {
            reached.insert(id);
            let found = by_id.get(&id).copied();
            notes.holds(Check::Merkle, what, found.is_some(), || {
                (
                    format!("no line has the hash {id}"),
                    format!("{what}, which the tree under the root names"),
                )
            });
            found
        };
        let Some(root) = node(manifest.root, "the root") else {
            return;
        };
        let Some(root) = parse::<Root>(root).filter(|root| CAMPAIGN.check(&root.header).is_ok())
        else {
            notes.wrong(Check::Merkle, "the root", "is no root", "");
            return;
        };
        let system = root.system.to_string();
        for (step, id) in &root.steps {
            node(*id, &format!("step {step}"));
            self.steps.insert(step.to_string(), *id);
        }
        for (candidate, id) in &root.candidates {
            let what = format!("candidate {candidate}");
            let Some(text) = node(*id, &what) else {
                continue;
            };
            let Some(steps) = parse::<CandidateNode>(text)
                .filter(|node| CANDIDATE.check(&node.header).is_ok())
            else {
                continue;
            };
            for (step, id) in steps.steps {
                node(id, &format!("step {step}"));
                self.steps.insert(step.to_string(), id);
            }
        }
        notes.same(
            Check::Merkle,
            "the root's system",
            system.as_str(),
            manifest.system.as_str(),
        );
    }

    fn line(
        &mut self,
        book: &mut Book,
        line: usize,
        id: ArtifactId,
        text: &[u8],
        reached: &HashSet<ArtifactId>,
    ) {
        let field = format!("line {line}");
        let kind = parse::<Header>(text).map(|header| header.kind);
        let node = matches!(kind.as_deref(), Some(kind) if kind == CAMPAIGN.kind || kind == CANDIDATE.kind);
        let mut notes = book.at(FILE, "");
        if node {
            notes.holds(Check::Merkle, &field, reached.contains(&id), || {
                ("is not under the root".into(), "a part of its tree".into())
            });
            return;
        }
        let receipt: Option<Receipt> =
            parse(text).filter(|receipt: &Receipt| RECEIPT.check(&receipt.header).is_ok());
        let Some(receipt) = receipt else {
            notes.wrong(Check::Merkle, &field, "is no receipt", "a receipt");
            return;
        };
        notes.same(
            Check::Merkle,
            &format!("{field}, key"),
            receipt.key,
            receipt.material.key(),
        );
        let page = receipt.material.stage == Stage::Render;
        let belongs = reached.contains(&id) || page;
        notes.holds(Check::Merkle, &field, belongs, || {
            (
                format!("the receipt of {} is not under the root", receipt.subject),
                "a step of the campaign".to_owned(),
            )
        });
        if page {
            let parameters = Value::Map(receipt.material.parameters.clone());
            match parameters.parse::<RenderParameters>() {
                Ok(RenderParameters::Candidate(page)) => {
                    self.pages.insert(page.candidate.clone(), (id, *page));
                }
                Ok(RenderParameters::Index(_)) => self.index = Some(id),
                Err(error) => notes.wrong(
                    Check::Merkle,
                    &field,
                    error.to_string(),
                    "the parameters of a page",
                ),
            }
        }
        self.by_id.insert(id, receipt);
    }

    /// What a candidate's page was asked to show.
    pub fn page(&self, candidate: &CandidateId) -> Option<&CandidatePage> {
        self.pages.get(candidate).map(|(_, page)| page)
    }

    /// The candidates that have a page.
    pub fn candidates(&self) -> impl Iterator<Item = &CandidateId> {
        self.pages.keys()
    }

    /// The receipt of a candidate's page.
    pub fn page_receipt(&self, candidate: &CandidateId) -> Option<&Receipt> {
        self.by_id.get(&self.pages.get(candidate)?.0)
    }

    /// A receipt by its hash.
    pub fn receipt(&self, id: ArtifactId) -> Option<&Receipt> {
        self.by_id.get(&id)
    }

    fn step(
        &self,
        candidate: &CandidateId,
        label: &Label,
        operation: Option<&Operation>,
        stage: Step,
    ) -> Option<(ArtifactId, &Receipt)> {
        let name = StepName {
            candidate: Some(candidate.clone()),
            instance: Some(label.clone()),
            operation: operation.cloned(),
            stage,
        };
        let id = *self.steps.get(&name.to_string())?;
        Some((id, self.by_id.get(&id)?))
    }

    /// Follows every piece of a candidate's evidence to its receipt.
    pub fn provenance(&self, book: &mut Book, loaded: &Loaded) {
        if self.root.is_none() {
            book.open(FILE, "", "without the manifest no root is known");
            return;
        }
        let candidate = &loaded.candidate;
        let shown = self.page_receipt(candidate);
        let shows = |role: String| shown.and_then(|page| page.material.inputs.get(&role)).copied();
        for (label, instance) in &loaded.instances {
            self.built(book, candidate, label, instance);
            for (operation, piece) in &instance.timings {
                let claim = Claim {
                    path: &piece.path,
                    subject: format!("{candidate}/{label}/{operation}"),
                    rest: &piece.content.rest,
                    measured: piece.content.measured_artifact(),
                    shown: shows(format!("timing:{label}/{operation}")),
                };
                let step = self.step(candidate, label, Some(operation), Step::Time);
                claim.check(book, step);
            }
            for (operation, piece) in &instance.profiles {
                let claim = Claim {
                    path: &piece.path,
                    subject: format!("{candidate}/{label}/{operation}"),
                    rest: &piece.content.rest,
                    measured: piece.content.measured_artifact(),
                    shown: shows(format!("profile:{label}/{operation}")),
                };
                let step = self.step(candidate, label, Some(operation), Step::Profile);
                claim.check(book, step);
            }
        }
    }

    /// Library and KAT log.
    fn built(
        &self,
        book: &mut Book,
        candidate: &CandidateId,
        label: &Label,
        instance: &Instance,
    ) {
        let Some(entry) = &instance.entry else { return };
        let subject = format!("{candidate}/{label}");
        let flags: Flags = entry
            .flags
            .as_deref()
            .and_then(|flags| flags.parse().ok())
            .unwrap_or(Flags::Guide);
        let stated = |name: &str| entry.rest.get(name).and_then(|value| value.as_str());
        let build = self.step(candidate, label, None, build_step(flags));
        let kat = self.step(candidate, label, None, kat_step(flags));
        let text = |id: Option<ArtifactId>| id.map(|id| id.to_string());
        let output = |step: Option<(ArtifactId, &Receipt)>, role: &str| {
            step.and_then(|(_, receipt)| receipt.outputs.get(role).copied())
        };
        let input = |step: Option<(ArtifactId, &Receipt)>, role: &str| {
            step.and_then(|(_, receipt)| receipt.material.inputs.get(role).copied())
        };
        let field = |name: &str| format!("instances.{subject}.{name}");
        let mut notes = book.at(crate::dataset::BUILDS, &subject);
        for (name, is) in [
            ("library_artifact", text(output(build, "library"))),
            ("build_receipt", text(build.map(|(id, _)| id))),
            ("kat_receipt", text(kat.map(|(id, _)| id))),
            ("source_tree", text(input(build, "source"))),
        ] {
            notes.same(Check::Provenance, &field(name), stated(name), is.as_deref());
        }
        if let Some((_, receipt)) = kat {
            let verdict = receipt.outcome.verdict.map(|verdict| verdict.to_string());
            notes.same(
                Check::Provenance,
                &field("kat"),
                Some(&entry.kat),
                verdict.as_ref(),
            );
            notes.same(
                Check::Provenance,
                "the library checked by the KAT",
                input(kat, "library"),
                output(build, "library"),
            );
        }
        if let Some(log) = &instance.log {
            let mut notes = book.at(&log.path, &subject);
            let made = output(kat, "log");
            notes.same(Check::Provenance, "", Some(log.id), made);
        }
    }
}

/// A record's claim to be what a step measured.
struct Claim<'a> {
    path: &'a str,
    subject: String,
    rest: &'a Fields,
    measured: Option<ArtifactId>,
    shown: Option<ArtifactId>,
}

impl Claim<'_> {
    fn check(self, book: &mut Book, step: Option<(ArtifactId, &Receipt)>) {
        let stated = |name: &str| self.rest.get(name).and_then(|value| value.as_str());
        let text = |id: Option<ArtifactId>| id.map(|id| id.to_string());
        let mut notes = book.at(self.path, &self.subject);
        let measured = text(self.measured);
        notes.same(
            Check::Provenance,
            ARTIFACT,
            stated(ARTIFACT),
            measured.as_deref(),
        );
        let receipt = text(step.map(|(id, _)| id));
        notes.same(
            Check::Provenance,
            RECEIPT_FIELD,
            stated(RECEIPT_FIELD),
            receipt.as_deref(),
        );
        let made = step.and_then(|(_, receipt)| receipt.outputs.get("record").copied());
        notes.same(Check::Provenance, "", self.measured, made);
        notes.same(
            Check::Provenance,
            "the page's receipt",
            self.shown,
            self.measured,
        );
    }
}

fn parse<T: DeserializeOwned>(line: &[u8]) -> Option<T> {
    serde_json::from_slice(line).ok()
}

/// Reads the manifest.
pub fn manifest(book: &mut Book, dataset: &Dataset<'_>) -> Option<Manifest> {
    let bytes = match dataset.files.read(MANIFEST_FILE) {
        Ok(bytes) => bytes,
        Err(fault) => {
            book.at(MANIFEST_FILE, "")
                .wrong(Check::Readable, "", fault.to_string(), "");
            return None;
        }
    };
    match crate::dataset::parse::<Manifest>(&bytes) {
        Ok(manifest) if crate::publish::MANIFEST.check(&manifest.header).is_ok() => Some(manifest),
        Ok(manifest) => {
            let head = manifest.header;
            book.at(MANIFEST_FILE, "").wrong(
                Check::Readable,
                "kind",
                format!("{} {}.{}", head.kind, head.major, head.minor),
                "a manifest of a known version",
            );
            None
        }
        Err(fault) => {
            let mut notes = book.at(MANIFEST_FILE, "");
            notes.wrong(Check::Readable, fault.field(), fault.to_string(), "");
            None
        }
    }
}

/// Every file against the manifest.
pub fn listed(book: &mut Book, dataset: &Dataset<'_>, manifest: &Manifest) {
    use rayon::prelude::*;
    for path in dataset.files.paths() {
        if path != MANIFEST_FILE && !manifest.files.contains_key(path) {
            book.at(path, "").wrong(
                Check::Manifest,
                "",
                "is not in manifest.json",
                "only files that it names",
            );
        }
    }
    let checked: Vec<Book> = manifest
        .files
        .par_iter()
        .map(|(path, entry)| {
            let mut book = Book::default();
            let mut notes = book.at(path, "");
            match dataset.files.read(path) {
                Ok(bytes) => {
                    notes.same(Check::Manifest, "size", bytes.len() as u64, entry.bytes);
                    let blake3 = ArtifactId::of(&bytes).hex();
                    notes.same(Check::Manifest, "BLAKE3", &blake3, &entry.blake3);
                    let sha256 = crate::dataset::sha256(&bytes);
                    notes.same(Check::Manifest, "SHA-256", &sha256, &entry.sha256);
                }
                Err(fault) => notes.wrong(
                    Check::Manifest,
                    "",
                    fault.to_string(),
                    "the file that manifest.json names",
                ),
            }
            book
        })
        .collect();
    checked.into_iter().for_each(|other| book.join(other));
}
