//! The page model: a page as sections and typed rows of *shown* texts.
//!
//! Invariant: what a writer writes of a page, the reader reads as the same page. So texts carry no
//! line breaks and no blanks at their ends, and everything shown is in the model, wording included:
//! an audit compares what stands there, not what should.
//!
//! A figure's address follows from where it stands ([`Page::figures`]); it is not stored.

use artifacts::{CandidateId, Cell, Label, Operation, SystemId};

pub use crate::rows::{
    Column, EvidenceRow, FactRow, KatRow, KemSizeRow, KexSizeRow, MessageRow, PerfRow, ResourceRow,
    Role, Row, RowError, ShareRow, SigSizeRow,
};

/// A candidate's page on one system.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// The site's name above everything; a text extraction may have lost it.
    pub brand: Option<String>,
    /// The way to this page and the systems of which there are pages.
    pub trail: Option<String>,
    /// The candidate.
    pub candidate: CandidateId,
    /// The candidate's name.
    pub name: String,
    /// The architecture as shown: `x86-64` or `AArch64`.
    pub architecture: String,
    /// The system.
    pub system: SystemId,
    /// What a reader must know before any figure, such as a host that was not fixed.
    pub banners: Vec<String>,
    /// What kind of measurement this is.
    pub intro: String,
    /// Section 1; empty where an extraction lost it.
    pub basic: Vec<Fact>,
    /// Section 2.
    pub environment: Table<FactRow>,
    /// Section 3.
    pub kat: Kat,
    /// Section 4.
    pub performance: Performance,
    /// Section 5.
    pub resources: Titled<ResourceRow>,
    /// Section 6; absent for hashes.
    pub sizes: Option<Sizes>,
    /// Symmetric primitives; absent for hashes.
    pub symmetric: Option<Symmetric>,
    /// Section 7.
    pub evidence: Titled<EvidenceRow>,
    /// With what it was made.
    pub scripts: String,
    /// The root hash of the campaign, where the page's frame shows one.
    pub root: Option<String>,
}

/// A line `name: value` of section 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fact {
    /// One of [`FACT_NAMES`].
    pub name: String,
    /// What is said.
    pub value: String,
}

/// The facts that section 1 knows, in their order.
pub const FACT_NAMES: [&str; 8] = [
    "Category",
    "Algorithm",
    "Implementation versions measured",
    "Parameter sets",
    "Sources",
    "Security evaluation",
    "Measurement method",
    "Submission",
];

/// A table: its column titles as shown, and its rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table<R> {
    /// Column titles.
    pub head: Vec<String>,
    /// Rows.
    pub rows: Vec<R>,
}

impl<R: Row> Table<R> {
    /// A table under the usual titles.
    pub fn new(rows: Vec<R>) -> Self {
        Table {
            head: R::COLUMNS
                .iter()
                .map(|column| column.titles[0].to_owned())
                .collect(),
            rows,
        }
    }
}

/// A table with a paragraph before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Titled<R> {
    /// The paragraph; empty where there is none.
    pub intro: String,
    /// The table.
    pub table: Table<R>,
}

/// Section 3: known-answer tests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kat {
    /// Against what was checked.
    pub intro: String,
    /// The verdicts.
    pub table: Table<KatRow>,
    /// The notes `[1]`, `[2]`, .. in order, without their number.
    pub notes: Vec<String>,
}

/// Section 4: by operation, or for hashes by message size.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Performance {
    /// KEM, signature and key exchange.
    Operations(Table<PerfRow>),
    /// Hash.
    Messages(Table<MessageRow>),
}

/// Section 6: sizes in bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sizes {
    /// Where the figures come from.
    pub intro: String,
    /// The table, which depends on the kind of candidate.
    pub table: SizeTable,
}

/// See [`Sizes::table`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SizeTable {
    /// KEM.
    Kem(Table<KemSizeRow>),
    /// Signature.
    Sig(Table<SigSizeRow>),
    /// Key exchange.
    Kex(Table<KexSizeRow>),
}

/// The section on symmetric primitives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Symmetric {
    /// The survey's verdict and note as shown after `Survey verdict: `.
    pub survey: Option<String>,
    /// What the table tells.
    pub intro: String,
    /// Shares of time and calls.
    pub table: Table<ShareRow>,
}

/// A figure on a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Figure {
    /// Its address.
    pub cell: Cell,
    /// The text shown.
    pub shown: String,
    /// The title of its column.
    pub title: String,
}

impl Page {
    /// The first heading: `kem-11 COMPASS-KEM — performance on AArch64 (system arm_1)`.
    pub fn title(&self) -> String {
        format!(
            "{} {} — performance on {} (system {})",
            self.candidate, self.name, self.architecture, self.system
        )
    }

    /// The address of a figure on this page.
    pub fn cell(&self, instance: &Label, operation: Option<Operation>, metric: &str) -> Cell {
        Cell {
            campaign: None,
            system: self.system.clone(),
            candidate: self.candidate.clone(),
            instance: instance.clone(),
            operation,
            metric: metric.to_owned(),
        }
    }

    /// The address of the figure in this column of this row, if there stands one.
    pub fn cell_of<R: Row>(&self, row: &R, column: &Column) -> Option<Cell> {
        let (metric, operation) = match column.role {
            Role::Figure(metric) => (metric, row.operation()),
            Role::InstanceFigure(metric) => (metric, None),
            Role::Key | Role::Code | Role::Text => return None,
        };
        Some(self.cell(row.instance()?, operation, metric))
    }

    /// Every figure in page order. The same figure may stand in several rows, as the static memory
    /// of an instance does.
    pub fn figures(&self) -> Vec<Figure> {
        let mut figures = Vec::new();
        self.collect(&self.kat.table, &mut figures);
        match &self.performance {
            Performance::Operations(table) => self.collect(table, &mut figures),
            Performance::Messages(table) => self.collect(table, &mut figures),
        }
        self.collect(&self.resources.table, &mut figures);
        match self.sizes.as_ref().map(|sizes| &sizes.table) {
            Some(SizeTable::Kem(table)) => self.collect(table, &mut figures),
            Some(SizeTable::Sig(table)) => self.collect(table, &mut figures),
            Some(SizeTable::Kex(table)) => self.collect(table, &mut figures),
            None => {}
        }
        if let Some(symmetric) = &self.symmetric {
            self.collect(&symmetric.table, &mut figures);
        }
        figures
    }

    fn collect<R: Row>(&self, table: &Table<R>, figures: &mut Vec<Figure>) {
        for row in &table.rows {
            let shown = row.cells();
            for ((column, shown), title) in R::COLUMNS.iter().zip(shown).zip(&table.head) {
                if let Some(cell) = self.cell_of(row, column) {
                    figures.push(Figure {
                        cell,
                        shown,
                        title: title.clone(),
                    });
                }
            }
        }
    }
}
