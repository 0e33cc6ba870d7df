//! The size audit: declared, really returned and curated sizes beside each other.

use super::{INDEX, page_file};
use crate::document::{Block, Document, Grid, Setting, Span, Tone};
use crate::{format, natural};
use artifacts::{CandidateId, Label, SystemId};
use serde::{Deserialize, Serialize};

/// A size on the size-audit page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SizeRow {
    /// The candidate.
    pub candidate: CandidateId,
    /// The instance.
    pub instance: Label,
    /// What has the size, such as `public key`.
    pub what: String,
    /// Bytes that the API declares.
    pub declared: Option<u64>,
    /// Bytes really returned in the known-answer run: smallest and largest.
    pub returned: Option<(u64, u64)>,
    /// Bytes that the catalog states.
    pub curated: Option<u64>,
}

impl SizeRow {
    /// What disagrees, or nothing.
    pub fn disagreement(&self) -> Option<String> {
        let mut said = Vec::new();
        if let (Some(declared), Some((_, largest))) = (self.declared, self.returned)
            && largest > declared
        {
            said.push(format!(
                "returns up to {} more than declared",
                largest - declared
            ));
        }
        if let (Some(declared), Some(curated)) = (self.declared, self.curated)
            && declared != curated
        {
            said.push("API and catalog differ".to_owned());
        }
        if let (Some((_, largest)), Some(curated)) = (self.returned, self.curated)
            && largest != curated
        {
            said.push("really returned and catalog differ".to_owned());
        }
        (!said.is_empty()).then(|| said.join("; "))
    }
}

/// The size-audit page: disagreements first, then all sizes, candidates in natural order.
pub fn size_audit(system: &SystemId, rows: &[SizeRow]) -> Document {
    let title = format!("Size audit — system {system}");
    let mut rows: Vec<&SizeRow> = rows.iter().collect();
    // stable: sizes of an instance stay in the caller's order
    rows.sort_by(|a, b| {
        natural::compare(a.candidate.as_str(), b.candidate.as_str())
            .then_with(|| natural::compare(a.instance.as_str(), b.instance.as_str()))
    });
    let differing: Vec<&SizeRow> = rows
        .iter()
        .copied()
        .filter(|row| row.disagreement().is_some())
        .collect();
    let mut blocks = vec![
        Block::Paragraph(
            Tone::Trail,
            vec![
                Span::plain("Performance measurements").quiet_link(Some(INDEX.to_owned())),
                Span::plain(" › size audit"),
            ],
        ),
        Block::Heading(1, title.clone()),
        Block::paragraph(
            Tone::Plain,
            "Sizes in bytes: what the API declares, what the known-answer run really returned \
             (smallest to largest where they vary), and what the catalog states.",
        ),
        Block::Heading(2, "Disagreements".to_owned()),
    ];
    if differing.is_empty() {
        blocks.push(Block::paragraph(Tone::Plain, "None."));
    } else {
        blocks.push(Block::Table(sizes(&differing)));
    }
    blocks.push(Block::Heading(2, "All sizes".to_owned()));
    blocks.push(Block::Table(sizes(&rows)));
    Document { title, blocks }
}

fn sizes(rows: &[&SizeRow]) -> Grid {
    let titles = [
        "candidate",
        "instance",
        "size of",
        "declared",
        "returned",
        "catalog",
        "agreement",
    ];
    let mut grid = Grid::titled(&titles)
        .set(Setting::Figures, &[3, 4, 5])
        .set(Setting::Prose, &[6]);
    for row in rows {
        let bytes = |n: Option<u64>| vec![Span::plain(format::or_missing(n, |n| n.to_string()))];
        grid.rows.push(vec![
            vec![Span::plain(row.candidate.as_str()).quiet_link(Some(page_file(&row.candidate)))],
            vec![Span::code(row.instance.as_str())],
            vec![Span::plain(&row.what)],
            bytes(row.declared),
            vec![Span::plain(format::or_missing(
                row.returned,
                |(least, most)| {
                    if least == most {
                        least.to_string()
                    } else {
                        format!("{least} to {most}")
                    }
                },
            ))],
            bytes(row.curated),
            vec![Span::plain(
                row.disagreement().unwrap_or_else(|| "agree".to_owned()),
            )],
        ]);
    }
    grid
}
