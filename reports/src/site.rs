//! The pages beside those of candidates: index, cells and size audit, and how pages link.
//!
//! All pages lie in one folder, the dataset's root, beside `records/`, `profile/` and `kat/`:
//! `index.html`, `size-audit.html`, `<candidate>.html` and `<candidate>.cells.html`, each also as
//! `.md`.

use crate::cells::CellValue;
use crate::document::{Block, Document, Grid, GridColumn, Span, Text, Tone};
use crate::format;
use crate::model::{Page, Performance, SizeTable};
use crate::natural;
use artifacts::words::Kind;
use artifacts::{CandidateId, Cell, Label, SystemId};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::{Deserialize, Serialize};

/// The index page's file name.
pub const INDEX: &str = "index.html";
/// The size-audit page's file name.
pub const SIZE_AUDIT: &str = "size-audit.html";

/// What stands in a relative link as it is; parentheses would end a Markdown link.
const HREF: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'~')
    .remove(b'/');

/// The address of a file in the dataset, as a link.
pub fn relative_href(path: &str) -> String {
    utf8_percent_encode(path, HREF).to_string()
}

/// The file name of a candidate's page.
pub fn page_file(candidate: &CandidateId) -> String {
    format!("{candidate}.html")
}

/// The file name of the page of a candidate's cells.
pub fn cells_file(candidate: &CandidateId) -> String {
    format!("{candidate}.cells.html")
}

/// The link from a figure to its cell. An address is percent-encoded already: as a fragment it finds
/// the element of exactly that name.
pub fn cell_href(candidate: &CandidateId, cell: &Cell) -> String {
    format!("{}#{cell}", cells_file(candidate))
}

/// The page of a candidate's cells.
pub fn cells_page(page: &Page, cells: &[CellValue]) -> Document {
    let title = format!(
        "{} {} — cells (system {})",
        page.candidate, page.name, page.system
    );
    let mut grid = Grid::titled(&["cell", "shown", "exact", "spread", "formula", "evidence"])
        .figures(&[1, 2, 3]);
    for value in cells {
        let address = value.cell.to_string();
        let mut evidence: Text = Vec::new();
        for source in &value.evidence {
            let is_file = source.path.contains('/') || source.path.contains('.');
            let mut path = Span::code(&source.path);
            if is_file {
                path = path.link(relative_href(&source.path));
            }
            evidence.push(path);
            if let Some(hash) = &source.hash {
                evidence.push(Span::plain(" "));
                evidence.push(Span::code(hash));
            }
        }
        let mut name = Span::code(&address);
        name.id = Some(address);
        grid.rows.push(vec![
            vec![name],
            vec![Span::plain(&value.shown)],
            vec![Span::plain(&value.exact)],
            vec![Span::plain(format::or_missing(value.spread, |spread| {
                format!("{:.2}%", spread * 100.0)
            }))],
            vec![Span::plain(value.formula)],
            evidence,
        ]);
    }
    Document {
        title: title.clone(),
        blocks: vec![
            Block::Paragraph(
                Tone::Trail,
                vec![
                    Span::plain("Performance measurements").quiet_link(Some(INDEX.to_owned())),
                    Span::plain(" › "),
                    Span::plain(page.candidate.as_str())
                        .quiet_link(Some(page_file(&page.candidate))),
                    Span::plain(" › cells"),
                ],
            ),
            Block::Heading(1, title),
            Block::paragraph(
                Tone::Plain,
                "Every figure of the page: as shown, unrounded, how far trials differ ((largest - \
                 smallest trial) / mean), and the evidence it follows from. Times are seconds, \
                 memory is bytes.",
            ),
            Block::Table(grid),
        ],
    }
}

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
        .figures(&[2, 4]);
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
    let mut grid = Grid::titled(&titles).figures(&[3, 4, 5, 6, 7]);
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
    let figure = |title: &str| GridColumn {
        title: title.to_owned(),
        figures: true,
    };
    let mut grid = Grid::titled(&["candidate", "instance", "size of"]);
    grid.columns
        .extend(["declared", "returned", "catalog"].map(figure));
    grid.columns.push(GridColumn {
        title: "agreement".to_owned(),
        figures: false,
    });
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
