//! Level 3 with evidence: a page against the page that evidence, catalog and system make.
//!
//! The expected page is made from recomputed figures, not from those that the records state.

use super::book::{Book, Notes};
use super::check::Check;
use crate::dataset::Files;
use artifacts::Cell;
use artifacts::records::{ProfileRecord, TimingRecord, shares};
use reports::evidence::{Evidence, Filed};
use reports::model::{Page, Performance, Role, Row, SizeTable, Table};
use reports::view;
use std::collections::BTreeMap;

/// The evidence with every figure computed anew from raw trials and calls. What cannot be is absent.
pub fn recomputed(mut evidence: Evidence) -> Evidence {
    for instance in &mut evidence.instances {
        instance.timings.values_mut().for_each(timing);
        instance.profiles.values_mut().for_each(profile);
    }
    evidence
}

fn timing(filed: &mut Filed<TimingRecord>) {
    let record = &mut filed.content;
    if record.is_complete() {
        record.statistics = record.recompute().unwrap_or_default();
    }
    let largest = |name: &str| {
        let values = record.processes.iter().filter_map(|process| {
            match process.meta.get(name)? {
                serde_json::Value::String(text) => text.parse::<u64>().ok(),
                other => other.as_u64(),
            }
        });
        values.max()
    };
    let (baseline, peak) = (largest("baseline_rss_bytes"), largest("peak_rss_bytes"));
    record.baseline_rss_bytes = baseline.or(record.baseline_rss_bytes);
    record.peak_rss_bytes = peak.or(record.peak_rss_bytes);
}

fn profile(filed: &mut Filed<ProfileRecord>) {
    let record = &mut filed.content;
    if let Some(total) = record.total.as_ref().filter(|_| record.is_complete()) {
        record.shares = shares(&record.calls, total).unwrap_or_default();
    }
}

/// Compares a page with the expected one.
pub fn compare(book: &mut Book, file: &str, page: &Page, expected: &Page) {
    let subject = page.candidate.to_string();
    figures(book, file, page, expected);
    let mut notes = book.at(file, &subject);
    let said = texts(page);
    let should = texts(expected);
    let lost = lost(&mut notes, page, expected);
    for (place, text) in &should {
        if lost.iter().any(|lost| place.starts_with(lost)) {
            continue;
        }
        notes.same(Check::Wording, place, said.get(place), Some(text));
    }
    for (place, text) in &said {
        if !should.contains_key(place) {
            notes.wrong(Check::Wording, place, text.clone(), "nothing there");
        }
    }
}

/// Parts that text extractions are known to have lost: the first line, and the facts of section 1.
fn lost(notes: &mut Notes<'_>, page: &Page, expected: &Page) -> Vec<&'static str> {
    let mut lost = Vec::new();
    if page.brand.is_none() && expected.brand.is_some() {
        notes.open("brand", "the page's first line is not there");
        lost.push("brand");
    }
    if page.trail.is_none() && expected.trail.is_some() {
        notes.open("trail", "the way to the page is not there");
        lost.push("trail");
    }
    if page.basic.is_empty() && !expected.basic.is_empty() {
        notes.open(view::BASIC, "the section is empty: a text extraction lost it");
        lost.push(view::BASIC);
    }
    lost
}

/// Each figure by its address; one that stands several times must be the same each time.
fn figures(book: &mut Book, file: &str, page: &Page, expected: &Page) {
    let by_cell = |page: &Page| {
        let mut cells: BTreeMap<Cell, Vec<String>> = BTreeMap::new();
        for figure in page.figures() {
            cells.entry(figure.cell).or_default().push(figure.shown);
        }
        cells
    };
    let said = by_cell(page);
    let should = by_cell(expected);
    let none = Vec::new();
    for (cell, should) in &should {
        let subject = subject(cell);
        let mut notes = book.at(file, &subject);
        let said = said.get(cell).unwrap_or(&none);
        let field = cell.to_string();
        if said.len() != should.len() {
            let times = |n: usize| format!("stands {n} times");
            notes.wrong(Check::Figures, &field, times(said.len()), times(should.len()));
            continue;
        }
        for (said, should) in said.iter().zip(should) {
            notes.same(Check::Figures, &field, said, should);
        }
    }
    for (cell, said) in &said {
        if !should.contains_key(cell) {
            let subject = subject(cell);
            let mut notes = book.at(file, &subject);
            let field = cell.to_string();
            notes.wrong(
                Check::Figures,
                &field,
                said.join(", "),
                "no such figure: there is no evidence of it",
            );
        }
    }
}

fn subject(cell: &Cell) -> String {
    match &cell.operation {
        Some(operation) => format!("{}/{}/{operation}", cell.candidate, cell.instance),
        None => format!("{}/{}", cell.candidate, cell.instance),
    }
}

/// All that a page says but for its figures, by place.
pub fn texts(page: &Page) -> BTreeMap<String, String> {
    let mut texts = BTreeMap::new();
    let mut say = |place: &str, text: &str| {
        texts.insert(place.to_owned(), text.to_owned());
    };
    if let Some(brand) = &page.brand {
        say("brand", brand);
    }
    if let Some(trail) = &page.trail {
        say("trail", trail);
    }
    say("title", &page.title());
    for (index, banner) in page.banners.iter().enumerate() {
        say(&format!("banner {}", index + 1), banner);
    }
    say("intro", &page.intro);
    for (index, fact) in page.basic.iter().enumerate() {
        let place = format!("{}, line {}", view::BASIC, index + 1);
        say(&place, &format!("{}: {}", fact.name, fact.value));
    }
    say(&format!("{}, intro", view::KAT), &page.kat.intro);
    for (index, note) in page.kat.notes.iter().enumerate() {
        say(&format!("{}, note [{}]", view::KAT, index + 1), note);
    }
    say(
        &format!("{}, intro", view::RESOURCES),
        &page.resources.intro,
    );
    if let Some(sizes) = &page.sizes {
        say(&format!("{}, intro", view::SIZES), &sizes.intro);
    }
    if let Some(symmetric) = &page.symmetric {
        let survey = symmetric.survey.as_deref().unwrap_or_default();
        say(&format!("{}, survey", view::SYMMETRIC), survey);
        say(&format!("{}, intro", view::SYMMETRIC), &symmetric.intro);
    }
    say(&format!("{}, intro", view::EVIDENCE), &page.evidence.intro);
    say("scripts", &page.scripts);
    table(&mut texts, view::ENVIRONMENT, &page.environment);
    table(&mut texts, view::KAT, &page.kat.table);
    match &page.performance {
        Performance::Operations(rows) => table(&mut texts, view::PERFORMANCE, rows),
        Performance::Messages(rows) => table(&mut texts, view::PERFORMANCE, rows),
    }
    table(&mut texts, view::RESOURCES, &page.resources.table);
    match page.sizes.as_ref().map(|sizes| &sizes.table) {
        Some(SizeTable::Kem(rows)) => table(&mut texts, view::SIZES, rows),
        Some(SizeTable::Sig(rows)) => table(&mut texts, view::SIZES, rows),
        Some(SizeTable::Kex(rows)) => table(&mut texts, view::SIZES, rows),
        None => {}
    }
    if let Some(symmetric) = &page.symmetric {
        table(&mut texts, view::SYMMETRIC, &symmetric.table);
    }
    table(&mut texts, view::EVIDENCE, &page.evidence.table);
    texts
}

/// The titles of a table, and of each row what is no figure: so also the order of rows.
fn table<R: Row>(texts: &mut BTreeMap<String, String>, section: &str, table: &Table<R>) {
    texts.insert(format!("{section}, titles"), table.head.join(" | "));
    for (index, row) in table.rows.iter().enumerate() {
        let cells = row.cells();
        let columns = R::COLUMNS.iter().zip(&cells);
        let keys: Vec<&str> = columns
            .filter(|(column, _)| !matches!(column.role, Role::Figure(_) | Role::InstanceFigure(_)))
            .map(|(_, cell)| cell.as_str())
            .collect();
        texts.insert(format!("{section}, row {}", index + 1), keys.join(" | "));
    }
}

/// That every file a page cites is there.
pub fn cited(book: &mut Book, file: &str, page: &Page, files: &Files<'_>) {
    for row in &page.evidence.table.rows {
        let subject = format!("{}/{}", page.candidate, row.instance);
        let mut notes = book.at(file, &subject);
        let there = files.has(&row.file);
        notes.holds(Check::Index, &row.item, there, || {
            (
                format!("cites {}, which is missing", row.file),
                "a file of the dataset".to_owned(),
            )
        });
    }
}
