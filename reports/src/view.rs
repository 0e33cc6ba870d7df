//! A candidate's page as a document: sections and their order.

use crate::document::{Block, Document, Grid, GridColumn, Setting, Span, Text, Tone};
use crate::format::{FAILED, MISSING};
use crate::model::{Column, Page, Performance, Role, Row, SizeTable, Table};
use crate::site;

/// The headings of a page, in order.
pub const BASIC: &str = "1. Basic information";
/// Section 2.
pub const ENVIRONMENT: &str = "2. Assessment environment";
/// Section 3.
pub const KAT: &str = "3. Functional testing (KAT)";
/// Section 4.
pub const PERFORMANCE: &str = "4. Performance";
/// Section 5.
pub const RESOURCES: &str = "5. Resource consumption";
/// Section 6.
pub const SIZES: &str = "6. Transmission and storage overhead";
/// A section without a number.
pub const SYMMETRIC: &str = "Symmetric primitives";
/// Section 7.
pub const EVIDENCE: &str = "7. Raw evidence index";
/// Before the survey's verdict.
pub const SURVEY: &str = "Survey verdict: ";
/// How the last line of a page begins in which its frame states the campaign's root hash.
pub const ROOT: &str = "Campaign root: ";

impl Page {
    /// The page as a document, without the root hash, which the frame adds.
    pub fn document(&self) -> Document {
        let mut blocks = Vec::new();
        if let Some(brand) = &self.brand {
            blocks.push(Block::paragraph(Tone::Brand, brand));
        }
        if let Some(trail) = &self.trail {
            blocks.push(Block::Paragraph(Tone::Trail, trail_text(trail)));
        }
        blocks.push(Block::Heading(1, self.title()));
        for banner in &self.banners {
            blocks.push(Block::paragraph(Tone::Banner, banner));
        }
        blocks.push(Block::paragraph(Tone::Plain, &self.intro));

        blocks.push(Block::Heading(2, BASIC.to_owned()));
        if !self.basic.is_empty() {
            blocks.push(Block::Items(
                self.basic
                    .iter()
                    .map(|fact| vec![Span::plain(format!("{}: {}", fact.name, fact.value))])
                    .collect(),
            ));
        }

        blocks.push(Block::Heading(2, ENVIRONMENT.to_owned()));
        blocks.push(self.grid(&self.environment));

        blocks.push(Block::Heading(2, KAT.to_owned()));
        paragraph(&mut blocks, &self.kat.intro);
        blocks.push(self.grid(&self.kat.table));
        for (index, note) in self.kat.notes.iter().enumerate() {
            paragraph(&mut blocks, &format!("[{}] {note}", index + 1));
        }

        blocks.push(Block::Heading(2, PERFORMANCE.to_owned()));
        blocks.push(match &self.performance {
            Performance::Operations(table) => self.grid(table),
            Performance::Messages(table) => self.grid(table),
        });

        blocks.push(Block::Heading(2, RESOURCES.to_owned()));
        paragraph(&mut blocks, &self.resources.intro);
        blocks.push(self.grid(&self.resources.table));

        if let Some(sizes) = &self.sizes {
            blocks.push(Block::Heading(2, SIZES.to_owned()));
            paragraph(&mut blocks, &sizes.intro);
            blocks.push(match &sizes.table {
                SizeTable::Kem(table) => self.grid(table),
                SizeTable::Sig(table) => self.grid(table),
                SizeTable::Kex(table) => self.grid(table),
            });
        }

        if let Some(symmetric) = &self.symmetric {
            blocks.push(Block::Heading(2, SYMMETRIC.to_owned()));
            if let Some(survey) = &symmetric.survey {
                paragraph(&mut blocks, &format!("{SURVEY}{survey}"));
            }
            paragraph(&mut blocks, &symmetric.intro);
            blocks.push(self.grid(&symmetric.table));
        }

        blocks.push(Block::Heading(2, EVIDENCE.to_owned()));
        paragraph(&mut blocks, &self.evidence.intro);
        let mut files = self.table(&self.evidence.table);
        for row in &mut files.rows {
            // the file's name is in the last column
            if let Some(span) = row.last_mut().and_then(|text| text.first_mut()) {
                span.href = Some(site::relative_href(&span.text));
            }
        }
        blocks.push(Block::Table(files));
        paragraph(&mut blocks, &self.scripts);
        Document {
            title: self.title(),
            blocks,
        }
    }

    fn grid<R: Row>(&self, table: &Table<R>) -> Block {
        Block::Table(self.table(table))
    }

    fn table<R: Row>(&self, table: &Table<R>) -> Grid {
        let columns = R::COLUMNS
            .iter()
            .zip(&table.head)
            .map(|(column, title)| GridColumn {
                title: title.clone(),
                setting: setting(column),
            })
            .collect();
        let rows = table
            .rows
            .iter()
            .map(|row| {
                let shown = row.cells().into_iter();
                R::COLUMNS
                    .iter()
                    .zip(shown)
                    .map(|(column, shown)| {
                        let cell = self
                            .cell_of(row, column)
                            .filter(|_| shown != MISSING && shown != FAILED);
                        let href = cell.map(|cell| site::cell_href(&self.candidate, &cell));
                        let mut span = Span::plain(shown).quiet_link(href);
                        if column.role == Role::Code {
                            span.code = true;
                            span.quiet = false;
                        }
                        vec![span]
                    })
                    .collect()
            })
            .collect();
        Grid { columns, rows }
    }
}

fn setting(column: &Column) -> Setting {
    match (column.role, column.titles) {
        (Role::Figure("calls_per_operation"), _)
        | (Role::Text | Role::Code, ["value" | "file"]) => Setting::Prose,
        (Role::InstanceFigure("kat" | "flags"), _) => Setting::Words,
        (role, _) if role.is_figure() => Setting::Figures,
        _ => Setting::Words,
    }
}

fn paragraph(blocks: &mut Vec<Block>, text: &str) {
    if !text.is_empty() {
        blocks.push(Block::paragraph(Tone::Plain, text));
    }
}

/// The way to the page, its first part leading to the index.
fn trail_text(trail: &str) -> Text {
    match trail.split_once(" › ") {
        Some((first, rest)) => vec![
            Span::plain(first).quiet_link(Some(site::INDEX.to_owned())),
            Span::plain(format!(" › {rest}")),
        ],
        None => vec![Span::plain(trail)],
    }
}
