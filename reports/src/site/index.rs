//! The index: all candidates by kind, the controls as yardstick, and those without sources.

use super::{SIZE_AUDIT, cell_href, page_file};
use crate::document::{Block, Document, Grid, Setting, Span, Text, Tone};
use crate::model::{Page, Performance, SizeTable};
use crate::{format, natural};
use artifacts::words::Kind;
use artifacts::{CandidateId, Label, SystemId};
use serde::{Deserialize, Serialize};

/// What the index says.
#[derive(Debug, Clone)]
pub struct Index {
    /// The system.
    pub system: SystemId,
    /// What a reader must know before any figure.
    pub banners: Vec<String>,
    /// Those that were measured.
    pub candidates: Vec<IndexRow>,
    /// Those without sources.
    pub missing: Vec<MissingRow>,
    /// The controls' figures.
    pub yardstick: Vec<YardstickRow>,
}

/// A measured candidate on the index.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct IndexRow {
    /// The candidate.
    pub candidate: CandidateId,
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: Kind,
    /// Whether it is a control.
    pub control: bool,
    /// How many instances it has.
    pub instances: usize,
    /// How many ended with which verdict: `3 PASS, 1 NOKAT`.
    pub verdicts: String,
    /// How many operations were timed.
    pub operations: usize,
}

/// A candidate without sources on the index.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MissingRow {
    /// The candidate.
    pub candidate: CandidateId,
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: Kind,
    /// The command that adds its sources.
    pub command: String,
}

/// An operation of a control on the index.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct YardstickRow {
    /// The control.
    pub candidate: CandidateId,
    /// The instance.
    pub instance: Label,
    /// Operation, cycles, time and operations a second, each with the link to its cell.
    pub figures: [(String, Option<String>); 4],
    /// Sizes of public key and of ciphertext or signature.
    pub sizes: [String; 2],
}

impl IndexRow {
    /// What the index says of this page.
    pub fn of(page: &Page, kind: Kind, control: bool) -> Self {
        let rows = &page.kat.table.rows;
        // verdicts in the order of their first appearance
        let mut counts: Vec<(&str, usize)> = Vec::new();
        for row in rows {
            let verdict = row.kat.split(' ').next().unwrap_or_default();
            match counts.iter_mut().find(|(name, _)| *name == verdict) {
                Some((_, count)) => *count += 1,
                None => counts.push((verdict, 1)),
            }
        }
        let verdicts: Vec<String> = counts
            .iter()
            .map(|(verdict, count)| format!("{count} {verdict}"))
            .collect();
        IndexRow {
            candidate: page.candidate.clone(),
            name: page.name.clone(),
            kind,
            control,
            instances: rows.len(),
            verdicts: verdicts.join(", "),
            operations: match &page.performance {
                Performance::Operations(table) => table.rows.len(),
                Performance::Messages(table) => table.rows.len(),
            },
        }
    }
}

impl YardstickRow {
    /// The operations of this control's page.
    pub fn of(page: &Page) -> Vec<Self> {
        let Performance::Operations(table) = &page.performance else {
            return Vec::new();
        };
        let sizes = |instance: &Label| -> Option<[String; 2]> {
            match &page.sizes.as_ref()?.table {
                SizeTable::Kem(table) => table
                    .rows
                    .iter()
                    .find(|row| row.instance == *instance)
                    .map(|row| [row.public_key.clone(), row.ciphertext.clone()]),
                SizeTable::Sig(table) => table
                    .rows
                    .iter()
                    .find(|row| row.instance == *instance)
                    .map(|row| [row.public_key.clone(), row.signature.clone()]),
                SizeTable::Kex(_) => None,
            }
        };
        table
            .rows
            .iter()
            .map(|row| {
                let href = |metric: &str, shown: &str| {
                    let cell = page.cell(&row.instance, Some(row.operation.clone()), metric);
                    (shown != format::MISSING && shown != format::FAILED)
                        .then(|| cell_href(&page.candidate, &cell))
                };
                let figure = |metric: &str, shown: &String| (shown.clone(), href(metric, shown));
                YardstickRow {
                    candidate: page.candidate.clone(),
                    instance: row.instance.clone(),
                    figures: [
                        (row.operation.to_string(), None),
                        figure("mean_cycles", &row.cycles),
                        figure("mean_seconds", &row.time),
                        figure("operations_per_second", &row.ops),
                    ],
                    sizes: sizes(&row.instance)
                        .unwrap_or_else(|| [(); 2].map(|()| format::MISSING.to_owned())),
                }
            })
            .collect()
    }
}

/// The heading of a kind's part of the index.
fn kind_heading(kind: Kind) -> &'static str {
    match kind {
        Kind::Kem => "Key encapsulation",
        Kind::Sig => "Digital signatures",
        Kind::Hash => "Hashes",
        Kind::Kex => "Key exchange",
    }
}

impl Index {
    /// The index page.
    pub fn document(&self) -> Document {
        let title = format!("Performance measurements — system {}", self.system);
        let mut blocks = vec![
            Block::paragraph(Tone::Brand, "assay"),
            Block::Heading(1, title.clone()),
        ];
        for banner in &self.banners {
            blocks.push(Block::paragraph(Tone::Banner, banner));
        }
        blocks.push(Block::Paragraph(
            Tone::Plain,
            vec![
                Span::plain(
                    "One page a candidate; every figure on it leads to its evidence. See also the ",
                ),
                Span::plain("size audit").link(SIZE_AUDIT),
                Span::plain("."),
            ],
        ));
        for kind in Kind::ALL {
            let mut rows: Vec<&IndexRow> = self
                .candidates
                .iter()
                .filter(|row| row.kind == *kind)
                .collect();
            if rows.is_empty() {
                continue;
            }
            // controls after the candidates that they stand beside
            rows.sort_by(|a, b| {
                a.control
                    .cmp(&b.control)
                    .then_with(|| natural::compare(a.candidate.as_str(), b.candidate.as_str()))
            });
            blocks.push(Block::Heading(2, kind_heading(*kind).to_owned()));
            blocks.push(Block::Table(candidates(&rows)));
        }
        if !self.yardstick.is_empty() {
            blocks.push(Block::Heading(2, "Yardstick".to_owned()));
            blocks.push(Block::paragraph(
                Tone::Plain,
                "The controls, measured on the same machine in the same campaign.",
            ));
            blocks.push(Block::Table(yardstick(&self.yardstick)));
        }
        if !self.missing.is_empty() {
            blocks.push(Block::Heading(2, "Without sources".to_owned()));
            blocks.push(Block::paragraph(
                Tone::Plain,
                "These are in the catalog but were not measured, for want of their sources.",
            ));
            blocks.push(Block::Table(missing(&self.missing)));
        }
        Document { title, blocks }
    }
}

fn candidates(rows: &[&IndexRow]) -> Grid {
    let mut grid = Grid::titled(&["candidate", "name", "instances", "KAT", "operations timed"])
        .set(Setting::Figures, &[2, 4]);
    for row in rows {
        let name = if row.control {
            format!("{} (control)", row.name)
        } else {
            row.name.clone()
        };
        grid.rows.push(vec![
            vec![Span::plain(row.candidate.as_str()).link(page_file(&row.candidate))],
            vec![Span::plain(name)],
            vec![Span::plain(row.instances.to_string())],
            vec![Span::plain(&row.verdicts)],
            vec![Span::plain(row.operations.to_string())],
        ]);
    }
    grid
}

fn yardstick(rows: &[YardstickRow]) -> Grid {
    let titles = [
        "control",
        "instance",
        "operation",
        "mean cycles",
        "mean time",
        "ops/s",
        "public key",
        "ciphertext / signature",
    ];
    let mut grid = Grid::titled(&titles).set(Setting::Figures, &[3, 4, 5, 6, 7]);
    for row in rows {
        let mut cells: Vec<Text> = vec![
            vec![Span::plain(row.candidate.as_str()).link(page_file(&row.candidate))],
            vec![Span::code(row.instance.as_str())],
        ];
        for (shown, href) in &row.figures {
            cells.push(vec![Span::plain(shown).quiet_link(href.clone())]);
        }
        cells.extend(row.sizes.iter().map(|size| vec![Span::plain(size)]));
        grid.rows.push(cells);
    }
    grid
}

fn missing(rows: &[MissingRow]) -> Grid {
    let mut rows: Vec<&MissingRow> = rows.iter().collect();
    rows.sort_by(|a, b| natural::compare(a.candidate.as_str(), b.candidate.as_str()));
    let mut grid = Grid::titled(&["candidate", "name", "kind", "command"]);
    for row in rows {
        grid.rows.push(vec![
            vec![Span::plain(row.candidate.as_str())],
            vec![Span::plain(&row.name)],
            vec![Span::plain(kind_heading(row.kind))],
            vec![Span::code(&row.command)],
        ]);
    }
    grid
}
