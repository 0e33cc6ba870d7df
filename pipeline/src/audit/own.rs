//! Level 3 on an own publication: `cells.json` and the bytes of its pages.

use super::book::Book;
use super::check::Check;
use super::receipts::Receipts;
use crate::dataset::{Dataset, Files, sha256};
use crate::publish::{CELLS, CellsHead, PublishedCell};
use artifacts::format::Header;
use artifacts::{ArtifactId, CandidateId};
use reports::cells::{cells, unit};
use reports::view::ROOT;
use reports::{CellValue, Evidence, Page, html, markdown};
use serde::Deserialize;
use std::collections::BTreeMap;

/// The file's name.
pub const CELLS_FILE: &str = "cells.json";

/// `cells.json`, by candidate.
#[derive(Default)]
pub struct Cells {
    by_candidate: BTreeMap<CandidateId, Vec<PublishedCell>>,
}

#[derive(Deserialize)]
struct CellsText {
    #[serde(flatten)]
    head: CellsHead,
    cells: Vec<PublishedCell>,
}

impl Cells {
    /// Reads the file.
    pub fn read(book: &mut Book, dataset: &Dataset<'_>, root: Option<ArtifactId>) -> Self {
        let mut cells = Cells::default();
        let read = dataset.files.read(CELLS_FILE);
        let read = read.and_then(|bytes| crate::dataset::parse::<CellsText>(&bytes));
        let mut notes = book.at(CELLS_FILE, "");
        let text = match read {
            Ok(text) => text,
            Err(fault) => {
                notes.wrong(Check::Readable, fault.field(), fault.to_string(), "");
                return cells;
            }
        };
        let Header { kind, major, .. } = &text.head.header;
        let known = CELLS.check(&text.head.header).is_ok();
        notes.holds(Check::Readable, "kind", known, || {
            (format!("{kind} {major}"), CELLS.kind.to_owned())
        });
        let system = dataset.campaign.as_ref().map(|c| c.system_id.as_str());
        notes.same(
            Check::Cells,
            "system",
            Some(text.head.system.as_str()),
            system,
        );
        if let Some(root) = root {
            notes.same(Check::Cells, "root", text.head.root, root);
        }
        for cell in text.cells {
            let candidate = cell.cell.candidate.clone();
            cells.by_candidate.entry(candidate).or_default().push(cell);
        }
        cells
    }

    /// Compares those of a candidate with the recomputation.
    pub fn compare(&self, book: &mut Book, files: &Files<'_>, page: &Page, evidence: &Evidence) {
        let none = Vec::new();
        let published = self.by_candidate.get(&page.candidate).unwrap_or(&none);
        let subject = page.candidate.to_string();
        let mut notes = book.at(CELLS_FILE, &subject);
        let computed = cells(page, evidence);
        notes.same(
            Check::Cells,
            "the number of cells",
            published.len(),
            computed.len(),
        );
        let by_cell: BTreeMap<String, &PublishedCell> = published
            .iter()
            .map(|cell| (cell.cell.to_string(), cell))
            .collect();
        let mut hashes: BTreeMap<String, Option<String>> = BTreeMap::new();
        for value in &computed {
            let address = value.cell.to_string();
            let Some(said) = by_cell.get(&address) else {
                notes.wrong(Check::Cells, &address, "is missing", value.shown.clone());
                continue;
            };
            one(&mut notes, said, value);
            for (said, source) in said.evidence.iter().zip(&value.evidence) {
                let hash = hashes.entry(source.path.clone()).or_insert_with(|| {
                    files.read(&source.path).ok().map(|bytes| sha256(&bytes))
                });
                let field = format!("{address}, evidence {}", source.path);
                notes.same(Check::Cells, &field, &said.path, &source.path);
                notes.same(Check::Cells, &field, &said.sha256, hash);
                let artifact = said.artifact.map(|id| id.to_string());
                // A log's hash is its SHA-256, which stands in its own place.
                let is = source.hash.as_ref().filter(|hash| hash.starts_with("blob:"));
                notes.same(Check::Cells, &field, artifact.as_ref(), is);
            }
        }
    }
}

fn one(notes: &mut super::book::Notes<'_>, said: &PublishedCell, value: &CellValue) {
    let address = value.cell.to_string();
    let mut text = |name: &str, said: &str, is: &str| {
        notes.same(Check::Cells, &format!("{address}, {name}"), said, is);
    };
    text("shown", &said.shown, &value.shown);
    text("exact", &said.exact, &value.exact);
    text("formula", &said.formula, &value.formula);
    let is = unit(&value.cell.metric);
    let field = format!("{address}, unit");
    notes.same(Check::Cells, &field, said.unit.as_deref(), is);
    let field = format!("{address}, spread");
    notes.same(Check::Cells, &field, said.spread, value.spread);
    let field = format!("{address}, evidence");
    notes.same(
        Check::Cells,
        &field,
        said.evidence.len(),
        value.evidence.len(),
    );
}

/// The bytes of a candidate's pages: rendered again, and as the page's receipt names them.
pub fn page_bytes(
    book: &mut Book,
    files: &Files<'_>,
    receipts: &Receipts,
    candidate: &CandidateId,
    rendered: &[(String, &str, String)],
    root: Option<ArtifactId>,
) {
    let outputs = receipts.page_receipt(candidate).map(|r| &r.outputs);
    let subject = candidate.to_string();
    for (file, role, body) in rendered {
        let mut notes = book.at(file, &subject);
        let bytes = match files.read(file) {
            Ok(bytes) => bytes,
            Err(fault) => {
                notes.wrong(Check::PageBytes, "", fault.to_string(), "the page");
                continue;
            }
        };
        let framed = root.map_or_else(|| body.clone(), |root| in_frame(file, body, root));
        let at = first_difference(&bytes, framed.as_bytes());
        notes.holds(Check::PageBytes, "", at.is_none(), || {
            let line = |text: &[u8]| {
                let at = at.unwrap_or_default().min(text.len());
                1 + text[..at].iter().filter(|b| **b == b'\n').count()
            };
            (
                format!("differs from its rendering in line {}", line(&bytes)),
                "the same bytes from the same evidence".to_owned(),
            )
        });
        if let Some(outputs) = outputs {
            let made = outputs.get(*role).copied();
            notes.same(
                Check::Provenance,
                "its receipt",
                made,
                Some(ArtifactId::of(body.as_bytes())),
            );
        }
    }
}

fn in_frame(file: &str, body: &str, root: ArtifactId) -> String {
    let root = root.to_string();
    match file.ends_with(".html") {
        true => html::with_root(body, &root),
        false => markdown::with_root(body, &root),
    }
}

fn first_difference(a: &[u8], b: &[u8]) -> Option<usize> {
    if a == b {
        return None;
    }
    let common = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    Some(common)
}

/// Pages that are not rendered again here, without their frame, against their receipt.
pub fn other_pages(book: &mut Book, files: &Files<'_>, receipts: &Receipts, root: ArtifactId) {
    let Some(index) = receipts.index.and_then(|id| receipts.receipt(id)) else {
        book.at(super::receipts::FILE, "").wrong(
            Check::Merkle,
            "",
            "holds no receipt of the index",
            "one",
        );
        return;
    };
    for (file, id) in &index.outputs {
        let mut notes = book.at(file, "");
        let bytes = match files.read(file) {
            Ok(bytes) => bytes,
            Err(fault) => {
                notes.wrong(Check::PageBytes, "", fault.to_string(), "the page");
                continue;
            }
        };
        let text = String::from_utf8_lossy(&bytes);
        let body = out_of_frame(file, &text);
        let framed = in_frame(file, &body, root);
        let whole = framed.as_bytes() == bytes && ArtifactId::of(body.as_bytes()) == *id;
        notes.holds(Check::PageBytes, "", whole, || {
            (
                "is not what its receipt names".to_owned(),
                format!("{id} with the root as its last line"),
            )
        });
    }
}

/// A page without the line that its frame adds.
fn out_of_frame(file: &str, text: &str) -> String {
    let (begin, end) = match file.ends_with(".html") {
        true => (format!("<p class=\"root\">{ROOT}"), "</p>\n"),
        false => (format!("\n{ROOT}"), "\n"),
    };
    let Some(at) = text.rfind(&begin) else {
        return text.to_owned();
    };
    let rest = &text[at + begin.len()..];
    let after = rest.find(end).map_or("", |found| &rest[found + end.len()..]);
    format!("{}{after}", &text[..at])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_frame_adds_is_taken_away_exactly() {
        let root = ArtifactId::of(b"root");
        for (file, body) in [
            ("index.html", "<html><main><p>x</p></main></html>\n"),
            ("index.md", "# x\n\ny\n"),
        ] {
            assert_eq!(out_of_frame(file, &in_frame(file, body, root)), body);
        }
    }
}
