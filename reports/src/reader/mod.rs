//! Turns a published page back into the model: Markdown, our HTML, and the text forms in which pages
//! are handed on (tables with pipes, tabs or blanks; an instance on a line of its own; the first line
//! or the first section lost).
//!
//! What a writer wrote of a page is read as the same page. What does not stand where it may is an
//! error that names line and field: a page that was tampered with is not read as a shorter one.

mod html;
mod line;
mod section;
mod text;

use crate::model::{
    FACT_NAMES, Fact, FactRow, Kat, KemSizeRow, KexSizeRow, MessageRow, Page, PerfRow, Performance,
    SigSizeRow, SizeTable, Sizes, Symmetric, Titled,
};
use crate::rows::Row;
use crate::view;
use artifacts::{CandidateId, SystemId};
use line::{Line, Mark};
use regex::Regex;
use section::Section;

/// Why a text is not a page. Lines count from 1.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// No line is a page's title.
    #[error(
        "no title: expected a line `<candidate> <name> — performance on <architecture> (system <system>)`"
    )]
    NoTitle,
    /// The title names what cannot be a candidate or system.
    #[error("line {line}: in the title, {source}")]
    Title {
        /// Where.
        line: usize,
        /// What is wrong with the word.
        source: artifacts::words::WordError,
    },
    /// A section is absent, twice there, or out of order.
    #[error("section `{heading}` is not where it belongs: expected each section once, in order")]
    Section {
        /// Its heading.
        heading: &'static str,
    },
    /// A section holds no table with the titles it should have.
    #[error("section `{heading}` has no table with the columns {columns}")]
    NoTable {
        /// Its heading.
        heading: &'static str,
        /// The titles expected.
        columns: String,
    },
    /// A text that its column or place cannot hold.
    #[error("line {line}, field `{field}`: `{text}` cannot stand there")]
    Field {
        /// Where.
        line: usize,
        /// In which column or place.
        field: String,
        /// What stands there.
        text: String,
    },
    /// A row of the wrong length.
    #[error("line {line}: the row has {found} cells where {expected} belong")]
    RowLength {
        /// Where.
        line: usize,
        /// Cells there are.
        found: usize,
        /// Columns of the table.
        expected: usize,
    },
    /// A line that belongs nowhere.
    #[error("line {line}, section `{heading}`: `{text}` does not belong there")]
    Unexpected {
        /// Where.
        line: usize,
        /// In which section.
        heading: &'static str,
        /// The line.
        text: String,
    },
}

/// Reads a page in any of its forms.
///
/// # Errors
/// When the text is no page, or not all of it is.
pub fn read(page: &str) -> Result<Page, ReadError> {
    let head: String = page.trim_start().chars().take(16).collect();
    let head = head.to_ascii_lowercase();
    let lines = if head.starts_with("<!doctype") || head.starts_with("<html") {
        html::lines(page)
    } else {
        text::lines(page)
    };
    from_lines(&lines)
}

/// The headings in order, and which of them every page has.
const HEADINGS: [(&str, bool); 8] = [
    (view::BASIC, true),
    (view::ENVIRONMENT, true),
    (view::KAT, true),
    (view::PERFORMANCE, true),
    (view::RESOURCES, true),
    (view::SIZES, false),
    (view::SYMMETRIC, false),
    (view::EVIDENCE, true),
];

fn from_lines(lines: &[Line]) -> Result<Page, ReadError> {
    let (head, sections) = split(lines)?;
    let get = |heading: &'static str| {
        sections
            .iter()
            .copied()
            .find(|section| section.heading == heading)
            .ok_or(ReadError::Section { heading })
    };
    let head = Head::read(head)?;
    let last = get(view::EVIDENCE)?;
    let (evidence, after) = last.titled()?;
    let (scripts, root) = ending(&last, after)?;
    Ok(Page {
        brand: head.brand,
        trail: head.trail,
        candidate: head.candidate,
        name: head.name,
        architecture: head.architecture,
        system: head.system,
        banners: head.banners,
        intro: head.intro,
        basic: basic(&get(view::BASIC)?)?,
        environment: get(view::ENVIRONMENT)?.whole::<FactRow>()?.table,
        kat: kat(&get(view::KAT)?)?,
        performance: performance(&get(view::PERFORMANCE)?)?,
        resources: get(view::RESOURCES)?.whole()?,
        sizes: get(view::SIZES).ok().map(|s| sizes(&s)).transpose()?,
        symmetric: get(view::SYMMETRIC)
            .ok()
            .map(|s| symmetric(&s))
            .transpose()?,
        evidence,
        scripts,
        root,
    })
}

/// The lines before the first section, and the sections.
fn split(lines: &[Line]) -> Result<(&[Line], Vec<Section<'_>>), ReadError> {
    let mut starts: Vec<(usize, &'static str)> = Vec::new();
    for (heading, required) in HEADINGS {
        let mut found = lines
            .iter()
            .enumerate()
            .filter(|(_, line)| line.mark == Mark::Plain && line.text() == heading);
        let at = found.next().map(|(at, _)| at);
        let after_others = at.is_none_or(|at| starts.last().is_none_or(|(last, _)| *last < at));
        if (at.is_none() && required) || found.next().is_some() || !after_others {
            return Err(ReadError::Section { heading });
        }
        starts.extend(at.map(|at| (at, heading)));
    }
    let first = starts.first().map_or(0, |(at, _)| *at);
    let mut sections = Vec::new();
    for (index, (at, heading)) in starts.iter().enumerate() {
        let end = starts.get(index + 1).map_or(lines.len(), |(end, _)| *end);
        sections.push(Section {
            heading,
            lines: &lines[at + 1..end],
        });
    }
    Ok((&lines[..first], sections))
}

/// What stands before the first section.
struct Head {
    brand: Option<String>,
    trail: Option<String>,
    candidate: CandidateId,
    name: String,
    architecture: String,
    system: SystemId,
    banners: Vec<String>,
    intro: String,
}

impl Head {
    fn read(lines: &[Line]) -> Result<Head, ReadError> {
        let pattern = Regex::new(r"^(\S+) (.+) — performance on (\S+) \(system (\S+)\)$")
            .map_err(|_| ReadError::NoTitle)?;
        let (at, title) = lines
            .iter()
            .enumerate()
            .filter(|(_, line)| line.mark == Mark::Plain)
            .find_map(|(at, line)| Some((at, pattern.captures(line.text())?)))
            .ok_or(ReadError::NoTitle)?;
        let word = |source| ReadError::Title {
            line: lines[at].number,
            source,
        };
        let mut head = Head {
            brand: None,
            trail: None,
            candidate: CandidateId::new(&title[1]).map_err(word)?,
            name: title[2].to_owned(),
            architecture: title[3].to_owned(),
            system: SystemId::new(&title[4]).map_err(word)?,
            banners: Vec::new(),
            intro: String::new(),
        };
        for line in &lines[..at] {
            let place = if line.text().starts_with("Performance measurements ›") {
                &mut head.trail
            } else {
                &mut head.brand
            };
            if line.mark != Mark::Plain || place.is_some() {
                return Err(line.unexpected("before the title"));
            }
            *place = Some(line.text().to_owned());
        }
        let mut intro = Vec::new();
        for line in &lines[at + 1..] {
            match line.mark {
                Mark::Banner => head.banners.push(line.text().to_owned()),
                Mark::Plain => intro.push(line.text()),
                Mark::Item | Mark::Row => return Err(line.unexpected("after the title")),
            }
        }
        head.intro = intro.join(" ");
        Ok(head)
    }
}

/// Section 1: a fact a line, or what became of it in a text extraction: a value on the next line,
/// with the next fact behind it.
fn basic(section: &Section) -> Result<Vec<Fact>, ReadError> {
    let mut facts: Vec<Fact> = Vec::new();
    let named = |text: &str| {
        FACT_NAMES.iter().find_map(|name| {
            let value = text.strip_prefix(name)?.strip_prefix(':')?;
            Some(Fact {
                name: (*name).to_owned(),
                value: value.trim().to_owned(),
            })
        })
    };
    for line in section.lines {
        let text = line.text();
        if let (Some(fact), Mark::Plain | Mark::Item) = (named(text), line.mark) {
            facts.push(fact);
            continue;
        }
        let Some(last) = facts.last_mut().filter(|_| line.mark == Mark::Plain) else {
            return Err(line.unexpected(section.heading));
        };
        let (rest, next) = match text
            .match_indices(" - ")
            .find_map(|(at, mark)| Some((&text[..at], named(&text[at + mark.len()..])?)))
        {
            Some((rest, next)) => (rest, Some(next)),
            None => (text, None),
        };
        last.value = format!("{} {rest}", last.value).trim().to_owned();
        facts.extend(next);
    }
    for fact in &mut facts {
        if fact.name == "Parameter sets" {
            let labels: Vec<&str> = fact.value.split(',').map(str::trim).collect();
            fact.value = labels.join(", ");
        }
    }
    Ok(facts)
}

/// Section 3: the table, then notes `[1] ..`, `[2] ..`.
fn kat(section: &Section) -> Result<Kat, ReadError> {
    let (titled, after) = section.titled()?;
    let mut notes: Vec<String> = Vec::new();
    for line in after {
        let mark = format!("[{}] ", notes.len() + 1);
        match (line.mark, line.text().strip_prefix(&mark), notes.last_mut()) {
            (Mark::Plain, Some(note), _) => notes.push(note.trim().to_owned()),
            // a note that an extraction broke into lines
            (Mark::Plain, None, Some(last)) if !line.text().starts_with('[') => {
                last.push(' ');
                last.push_str(line.text());
            }
            _ => return Err(line.unexpected(section.heading)),
        }
    }
    Ok(Kat {
        intro: titled.intro,
        table: titled.table,
        notes,
    })
}

fn performance(section: &Section) -> Result<Performance, ReadError> {
    if section.has_table::<MessageRow>() {
        Ok(Performance::Messages(section.whole()?.table))
    } else {
        Ok(Performance::Operations(section.whole::<PerfRow>()?.table))
    }
}

fn sizes(section: &Section) -> Result<Sizes, ReadError> {
    fn part<R: Row>(
        section: &Section,
        table: fn(crate::model::Table<R>) -> SizeTable,
    ) -> Result<Sizes, ReadError> {
        let Titled { intro, table: rows } = section.whole::<R>()?;
        Ok(Sizes {
            intro,
            table: table(rows),
        })
    }
    if section.has_table::<SigSizeRow>() {
        part(section, SizeTable::Sig)
    } else if section.has_table::<KexSizeRow>() {
        part(section, SizeTable::Kex)
    } else {
        part::<KemSizeRow>(section, SizeTable::Kem)
    }
}

fn symmetric(section: &Section) -> Result<Symmetric, ReadError> {
    let (survey, lines) = match section.lines.split_first() {
        Some((first, rest)) if first.mark == Mark::Plain => {
            match first.text().strip_prefix(view::SURVEY) {
                Some(survey) => (Some(survey.trim().to_owned()), rest),
                None => (None, section.lines),
            }
        }
        _ => (None, section.lines),
    };
    let Titled { intro, table } = Section {
        heading: section.heading,
        lines,
    }
    .whole()?;
    Ok(Symmetric {
        survey,
        intro,
        table,
    })
}

/// The last lines of a page: with what it was made, and the campaign's root.
fn ending(section: &Section, lines: &[Line]) -> Result<(String, Option<String>), ReadError> {
    let mut scripts: Vec<&str> = Vec::new();
    let mut root = None;
    for line in lines {
        let text = line.text();
        if line.mark != Mark::Plain || root.is_some() {
            return Err(line.unexpected(section.heading));
        }
        if let Some(hash) = text.strip_prefix(view::ROOT) {
            root = Some(hash.trim().to_owned());
        } else if scripts.is_empty() == text.starts_with("Scripts:") {
            scripts.push(text);
        } else {
            return Err(line.unexpected(section.heading));
        }
    }
    Ok((scripts.join(" "), root))
}
