//! Auditing: from a published number to its evidence, and back to the page.
//!
//! Four levels: [`integrity`] (hashes and links), derivation ([`timing`], [`profile`], [`campaign`]:
//! figures recomputed, rules held), pages ([`page`] with evidence, [`implied`] without, [`own`] for
//! publications of assay), and reproduction, which `campaign rebuild` does.
//!
//! # Invariants
//!
//! - Every check has an id ([`Check`]) and says what it compared; what it could not check is listed
//!   with the reason ([`coverage`]): silence is not a pass.
//! - Nothing is written, and nothing of what is audited is trusted: sizes are bounded, links not
//!   followed, and no number divides before it is looked at.
//! - Candidates are audited side by side and dropped one by one, so that a campaign of thousands of
//!   records is never in memory as a whole.

mod book;
mod campaign;
mod check;
pub mod coverage;
mod facts;
pub mod form;
mod implied;
mod integrity;
mod own;
mod page;
mod profile;
mod receipts;
mod report;
mod timing;

pub use book::{Book, Finding, Open};
pub use check::Check;
pub use page::recomputed;
pub use report::{AUDIT, CheckReport, NotChecked, Report, Verdict};

use crate::catalog::Catalog;
use crate::dataset::{
    BUILDS, CAMPAIGN, CatalogFacts, Dataset, Fault, Files, Loaded, page_evidence,
};
use crate::publish::Manifest;
use artifacts::words::{Kind, WordError};
use artifacts::{ArtifactId, CandidateId, SystemId};
use campaign::{Session, sessions};
use facts::Facts;
use own::Cells;
use rayon::prelude::*;
use receipts::Receipts;
use reports::site::cells_page;
use reports::{Evidence, Page, cells, html, markdown, reader};

/// Why an audit could not be made at all.
#[derive(Debug, thiserror::Error)]
pub enum AuditError {
    /// The target cannot be read.
    #[error("{target}: {fault}")]
    Target {
        /// What was named.
        target: String,
        /// What is wrong with it.
        fault: Fault,
    },
    /// The page and its evidence are of two systems.
    #[error(
        "{page} is a page of system {said}, its evidence one of system {system}: name the evidence \
         of {said} with --evidence"
    )]
    OtherSystem {
        /// The page.
        page: String,
        /// The system in its title.
        said: SystemId,
        /// The evidence's.
        system: String,
    },
    /// The evidence does not know the page's candidate.
    #[error("{page} is a page of {candidate}, of which the evidence holds nothing")]
    NoCandidate {
        /// The page.
        page: String,
        /// The candidate in its title.
        candidate: CandidateId,
    },
    /// A system's id in a file is none.
    #[error("campaign.json, field `system_id`: {0}")]
    System(WordError),
}

/// What is asked of an audit.
#[derive(Clone, Copy)]
pub struct Asked<'a> {
    /// Up to this level, 1 to 3.
    pub level: u8,
    /// The root that pages and manifest must state.
    pub root: Option<ArtifactId>,
    /// What is known of candidates beside their evidence.
    pub catalog: &'a Catalog,
    /// Only this candidate.
    pub candidate: Option<&'a CandidateId>,
}

/// A page to be held to its evidence.
#[derive(Debug, Clone)]
pub struct PageFile {
    /// By which name findings call it.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// Audits a dataset, and pages of it that lie elsewhere.
///
/// # Errors
/// When there is no dataset, or a page is one of another system or candidate.
pub fn dataset(
    files: Files<'_>,
    target: &str,
    asked: Asked<'_>,
    pages: &[PageFile],
) -> Result<Report, AuditError> {
    let dataset = Dataset::open(files).map_err(|fault| AuditError::Target {
        target: target.to_owned(),
        fault,
    })?;
    let mut book = Book::default();
    let read = read_pages(&mut book, &dataset, asked, pages)?;
    let system = match &dataset.campaign {
        Some(campaign) => {
            Some(SystemId::new(campaign.system_id.as_str()).map_err(AuditError::System)?)
        }
        None => None,
    };
    let publication = Publication::read(&mut book, &dataset, asked);
    let audit = Audit {
        dataset: &dataset,
        facts: Facts::of(&dataset),
        asked,
        system: system.as_ref(),
        publication: publication.as_ref(),
        pages: &read,
    };
    audit.run(&mut book);
    let mut report = Report::of(book, target, asked.level);
    report.system = system.map(|system| system.to_string());
    report.root = publication.and_then(|publication| publication.root());
    Ok(report)
}

/// Audits a page without evidence.
pub fn page_alone(file: &PageFile, asked: Asked<'_>) -> Report {
    let mut book = Book::default();
    match reader::read(&file.text) {
        Err(error) => unreadable(&mut book, &file.name, &error),
        Ok(page) => {
            root(&mut book, &file.name, asked.root, page.root.as_deref());
            implied::page(&mut book, &file.name, &page, asked.catalog);
            let why = "no evidence was given: only what figures imply of each other, and what \
                       catalog and system say, was checked (--evidence DIR names it)";
            book.open(&file.name, "", why);
            let mut report = Report::of(book, &file.name, asked.level);
            report.system = Some(page.system.to_string());
            return report;
        }
    }
    Report::of(book, &file.name, asked.level)
}

fn unreadable(book: &mut Book, name: &str, error: &reader::ReadError) {
    let field = match error {
        reader::ReadError::Field { line, field, .. } => format!("line {line}, {field}"),
        reader::ReadError::Unexpected { line, .. }
        | reader::ReadError::RowLength { line, .. }
        | reader::ReadError::Title { line, .. } => format!("line {line}"),
        reader::ReadError::NoTitle => "title".to_owned(),
        reader::ReadError::Section { heading } | reader::ReadError::NoTable { heading, .. } => {
            (*heading).to_owned()
        }
    };
    book.at(name, "")
        .wrong(Check::Readable, &field, error.to_string(), "a page");
}

/// The root that a page states, and the one asked for.
fn root(book: &mut Book, file: &str, asked: Option<ArtifactId>, said: Option<&str>) {
    if let Some(asked) = asked {
        let asked = asked.to_string();
        book.at(file, "")
            .same(Check::Root, "root", said, Some(asked.as_str()));
    }
}

type ReadPages = Vec<(String, Page)>;

fn read_pages(
    book: &mut Book,
    dataset: &Dataset<'_>,
    asked: Asked<'_>,
    pages: &[PageFile],
) -> Result<ReadPages, AuditError> {
    let system = dataset.campaign.as_ref().map(|c| c.system_id.as_str());
    let mut read = Vec::new();
    for file in pages {
        let page = match reader::read(&file.text) {
            Ok(page) => page,
            Err(error) => {
                unreadable(book, &file.name, &error);
                continue;
            }
        };
        if let Some(system) = system
            && page.system.as_str() != system
        {
            return Err(AuditError::OtherSystem {
                page: file.name.clone(),
                said: page.system.clone(),
                system: system.to_owned(),
            });
        }
        if !dataset.candidates().any(|id| *id == page.candidate) {
            return Err(AuditError::NoCandidate {
                page: file.name.clone(),
                candidate: page.candidate.clone(),
            });
        }
        root(book, &file.name, asked.root, page.root.as_deref());
        read.push((file.name.clone(), page));
    }
    Ok(read)
}

/// What an own publication has beside the dataset.
struct Publication {
    manifest: Option<Manifest>,
    receipts: Receipts,
    cells: Cells,
}

impl Publication {
    fn read(book: &mut Book, dataset: &Dataset<'_>, asked: Asked<'_>) -> Option<Self> {
        if !dataset.is_own() {
            if asked.root.is_some() {
                book.at(CAMPAIGN, "").wrong(
                    Check::Root,
                    "",
                    "a dataset without a root",
                    "the root asked for",
                );
            }
            return None;
        }
        let manifest = receipts::manifest(book, dataset);
        let root = manifest.as_ref().map(|manifest| manifest.root);
        if let Some(manifest) = &manifest {
            receipts::listed(book, dataset, manifest);
            let mut notes = book.at(crate::publish::MANIFEST_FILE, "");
            if let Some(asked) = asked.root {
                notes.same(Check::Root, "root", manifest.root, asked);
            }
            let system = dataset.campaign.as_ref().map(|c| c.system_id.as_str());
            let said = Some(manifest.system.as_str());
            notes.same(Check::Repeats, "system", said, system);
        }
        if asked.root.is_none() {
            let why = "whoever can change all files can change the root with them: hold it to one \
                       from elsewhere with --root";
            book.open(crate::publish::MANIFEST_FILE, "root", why);
        }
        let receipts = Receipts::read(book, dataset, manifest.as_ref());
        let cells = match asked.level {
            3.. => Cells::read(book, dataset, root),
            _ => Cells::default(),
        };
        Some(Publication {
            manifest,
            receipts,
            cells,
        })
    }

    fn root(&self) -> Option<ArtifactId> {
        self.manifest.as_ref().map(|manifest| manifest.root)
    }
}

struct Audit<'a> {
    dataset: &'a Dataset<'a>,
    facts: Facts<'a>,
    asked: Asked<'a>,
    system: Option<&'a SystemId>,
    publication: Option<&'a Publication>,
    pages: &'a ReadPages,
}

impl Audit<'_> {
    fn run(&self, book: &mut Book) {
        let dataset = self.dataset;
        integrity::problems(book, &dataset.problems);
        integrity::strangers(book, dataset);
        for path in [CAMPAIGN, BUILDS] {
            if let Ok(bytes) = dataset.files.read(path) {
                integrity::bytes(book, self.facts.own, path, &bytes);
            }
        }
        let wanted: Vec<&CandidateId> = dataset
            .candidates()
            .filter(|id| self.asked.candidate.is_none_or(|only| only == *id))
            .collect();
        let parts: Vec<(Book, Vec<Session>)> = wanted
            .par_iter()
            .map(|candidate| self.candidate(candidate))
            .collect();
        let mut all = Vec::new();
        for (part, sessions) in parts {
            book.join(part);
            all.extend(sessions);
        }
        if self.asked.level >= 2 {
            campaign::file(book, dataset, &self.facts);
            sessions(book, &self.facts, all);
            // A manifest covers every byte.
            if self.publication.is_none_or(|p| p.manifest.is_none()) {
                coverage::common(book, dataset.campaign.as_ref());
            }
        }
        if self.asked.level >= 3 {
            self.other_pages(book);
        }
    }

    fn candidate(&self, candidate: &CandidateId) -> (Book, Vec<Session>) {
        let mut book = Book::default();
        let loaded = self.dataset.load(candidate, |path, bytes| {
            integrity::bytes(&mut book, self.facts.own, path, bytes);
        });
        let entry = self.asked.catalog.get(candidate).ok();
        let page = self.publication.and_then(|p| p.receipts.page(candidate));
        let known = match (page, entry) {
            (Some(page), _) => CatalogFacts::Asked(page),
            (None, Some(entry)) => CatalogFacts::Known(entry),
            (None, None) => CatalogFacts::Unknown,
        };
        let kind = known.kind(&loaded);
        integrity::candidate(&mut book, self.dataset, &loaded, kind);
        if let Some(publication) = self.publication {
            publication.receipts.provenance(&mut book, &loaded);
        }
        let mut sessions = Vec::new();
        if self.asked.level >= 2 {
            self.derivation(&mut book, &loaded, &mut sessions);
        }
        if let (3.., Some(system)) = (self.asked.level, self.system) {
            let evidence = page_evidence(self.dataset, &loaded, known, system);
            self.page(&mut book, candidate, kind, recomputed(evidence));
        }
        (book, sessions)
    }

    fn derivation(&self, book: &mut Book, loaded: &Loaded, sessions: &mut Vec<Session>) {
        let facts = &self.facts;
        let candidate = &loaded.candidate;
        for (label, instance) in &loaded.instances {
            for (operation, piece) in &instance.timings {
                let subject = format!("{candidate}/{label}/{operation}");
                timing::record(book, facts, &subject, label, operation, piece);
                sessions.push(Session::of(&piece.path, &subject, &piece.content));
            }
            for (operation, piece) in &instance.profiles {
                let subject = format!("{candidate}/{label}/{operation}");
                let timing = instance.timings.get(operation).map(|piece| &piece.content);
                let of = (candidate, label, operation);
                profile::record(book, facts, &subject, of, piece, timing);
            }
            timing::instance(book, candidate, label, instance);
        }
        if self.publication.is_none_or(|p| p.manifest.is_none()) {
            coverage::candidate(book, loaded);
        }
    }

    fn page(&self, book: &mut Book, candidate: &CandidateId, kind: Kind, evidence: Evidence) {
        let expected = Page::from_evidence(&evidence);
        let mut pages = self.pages.iter().filter(|(_, p)| p.candidate == *candidate);
        for (file, page) in pages.by_ref() {
            page::compare(book, file, page, &expected);
            page::cited(book, file, page, &self.dataset.files);
        }
        let Some(publication) = self.publication else {
            let any = self.pages.iter().any(|(_, p)| p.candidate == *candidate);
            if !any {
                book.open(
                    &format!("page of {candidate}"),
                    "",
                    "no page was given to hold to this evidence (audit PAGE --evidence DIR)",
                );
            }
            let _ = kind;
            return;
        };
        let values = cells(&expected, &evidence);
        let files = &self.dataset.files;
        publication.cells.compare(book, files, &expected, &evidence);
        let cells = cells_page(&expected, &values);
        let rendered = [
            (format!("{candidate}.md"), "page.md", markdown::page(&expected)),
            (format!("{candidate}.html"), "page.html", html::page(&expected)),
            (format!("{candidate}.cells.md"), "cells.md", markdown::write(&cells)),
            (format!("{candidate}.cells.html"), "cells.html", html::write(&cells)),
        ];
        let rendered: Vec<(String, &str, String)> = rendered
            .into_iter()
            .filter_map(|(file, role, body)| Some((file, role, body.ok()?)))
            .collect();
        let root = publication.root();
        own::page_bytes(book, files, &publication.receipts, candidate, &rendered, root);
        // The same page in words, so that a finding names the figure.
        for (file, ..) in rendered.iter().take(2) {
            let Ok(bytes) = files.read(file) else { continue };
            match reader::read(&String::from_utf8_lossy(&bytes)) {
                Ok(page) => {
                    page::compare(book, file, &page, &expected);
                    page::cited(book, file, &page, files);
                    let stated = root.map(|root| root.to_string());
                    book.at(file, candidate.as_str()).same(
                        Check::Wording,
                        "root",
                        page.root,
                        stated,
                    );
                }
                Err(error) => unreadable(book, file, &error),
            }
        }
    }

    fn other_pages(&self, book: &mut Book) {
        let Some(publication) = self.publication else {
            return;
        };
        if let Some(root) = publication.root() {
            own::other_pages(book, &self.dataset.files, &publication.receipts, root);
        }
    }
}
