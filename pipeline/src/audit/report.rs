//! What an audit found, for the terminal, as JSON and as a page.

use super::book::{Book, Finding, Open};
use super::check::Check;
use artifacts::ArtifactId;
use artifacts::format::{Format, Header};
use reports::document::{Block, Document, Grid, Setting, Span, Tone};
use serde::Serialize;
use std::fmt::Write;

/// The version of audit reports this program writes. 1.0: first.
pub const AUDIT: Format = Format {
    kind: "assay-audit",
    major: 1,
    minor: 0,
};

/// How a check, or an audit as a whole, came out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Something is not as it should be.
    Wrong,
    /// Nothing was compared.
    NotChecked,
    /// All that was compared agrees.
    Ok,
}

impl Verdict {
    /// As people read it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Verdict::Wrong => "WRONG",
            Verdict::NotChecked => "not checked",
            Verdict::Ok => "ok",
        }
    }
}

/// One check and how it came out.
#[derive(Debug, Clone, Serialize)]
pub struct CheckReport {
    /// Its id.
    pub check: Check,
    /// Its level.
    pub level: u8,
    /// Its name.
    pub name: &'static str,
    /// What it compares with what.
    pub compares: &'static str,
    /// How it came out.
    pub verdict: Verdict,
    /// Comparisons made.
    pub compared: u64,
    /// How many of them came out wrong.
    pub wrong: u64,
}

/// What was not checked, and in how many files.
#[derive(Debug, Clone, Serialize)]
pub struct NotChecked {
    /// What.
    #[serde(flatten)]
    pub what: Open,
    /// In how many files or places.
    pub times: u64,
}

/// See the module.
#[derive(Debug, Clone, Serialize)]
pub struct Report {
    /// Kind and version.
    #[serde(flatten)]
    pub header: Header,
    /// What was audited.
    pub target: String,
    /// Of which system.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub system: Option<String>,
    /// The root of the campaign, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub root: Option<ArtifactId>,
    /// Up to which level was asked.
    pub level: u8,
    /// The whole.
    pub verdict: Verdict,
    /// What is wrong, by check and file.
    pub findings: Vec<Finding>,
    /// What was not checked, or only within bounds, and why.
    pub not_checked: Vec<NotChecked>,
    /// Every check of these levels.
    pub checks: Vec<CheckReport>,
}

impl Report {
    /// The report of a book.
    pub fn of(mut book: Book, target: &str, level: u8) -> Self {
        book.judge_customs();
        let findings = book.findings();
        let checks: Vec<CheckReport> = Check::ALL
            .iter()
            .filter(|check| check.level() <= level)
            .map(|check| {
                let compared = book.compared().get(check).copied().unwrap_or_default();
                let wrong = findings.iter().filter(|f| f.check == *check).count() as u64;
                CheckReport {
                    check: *check,
                    level: check.level(),
                    name: check.name(),
                    compares: check.compares(),
                    verdict: match (wrong, compared) {
                        (1.., _) => Verdict::Wrong,
                        (0, 0) => Verdict::NotChecked,
                        (0, _) => Verdict::Ok,
                    },
                    compared,
                    wrong,
                }
            })
            .collect();
        let any = checks.iter().any(|check| check.verdict == Verdict::Ok);
        Report {
            header: AUDIT.header(),
            target: target.to_owned(),
            system: None,
            root: None,
            level,
            verdict: match (findings.is_empty(), any) {
                (false, _) => Verdict::Wrong,
                (true, true) => Verdict::Ok,
                (true, false) => Verdict::NotChecked,
            },
            findings,
            not_checked: book
                .unchecked()
                .iter()
                .map(|(what, times)| NotChecked {
                    what: what.clone(),
                    times: *times,
                })
                .collect(),
            checks,
        }
    }

    /// Whether something is wrong.
    pub fn is_wrong(&self) -> bool {
        self.verdict == Verdict::Wrong
    }

    /// A line a finding, then what was not checked, then the checks.
    pub fn text(&self) -> String {
        let mut out = String::new();
        for finding in &self.findings {
            let _ = writeln!(out, "WRONG        {}  {finding}", finding.check);
        }
        for open in &self.not_checked {
            let Open { file, field, why } = &open.what;
            let place = [file.as_str(), field.as_str()].join(" ");
            let _ = writeln!(
                out,
                "not checked  {}: {why}{}",
                place.trim(),
                match open.times {
                    1 => String::new(),
                    n => format!(" ({n} times)"),
                }
            );
        }
        for check in self.checks.iter().filter(|c| c.verdict == Verdict::NotChecked) {
            let _ = writeln!(
                out,
                "not checked  {}: nothing here to compare {}",
                check.check, check.compares
            );
        }
        for check in self.checks.iter().filter(|c| c.verdict == Verdict::Ok) {
            let _ = writeln!(
                out,
                "ok           {}: {} comparisons of {}",
                check.check, check.compared, check.compares
            );
        }
        let compared: u64 = self.checks.iter().map(|check| check.compared).sum();
        let _ = writeln!(
            out,
            "{}: {}; {compared} comparisons, {} wrong, {} things not checked",
            self.target,
            self.verdict.as_str(),
            self.findings.len(),
            self.not_checked.len()
        );
        out
    }

    /// The report as a page.
    pub fn document(&self) -> Document {
        let title = format!("Audit of {}", self.target);
        let mut blocks = vec![
            Block::paragraph(Tone::Brand, "assay"),
            Block::Heading(1, title.clone()),
        ];
        let verdict = match self.verdict {
            Verdict::Wrong => format!("Wrong: {} findings.", self.findings.len()),
            Verdict::NotChecked => "Nothing could be checked.".to_owned(),
            Verdict::Ok => "All that was compared agrees.".to_owned(),
        };
        let tone = match self.verdict {
            Verdict::Ok => Tone::Plain,
            _ => Tone::Banner,
        };
        blocks.push(Block::paragraph(tone, verdict));
        let mut facts = vec![format!("Levels checked: 1 to {}", self.level)];
        facts.extend(self.system.iter().map(|system| format!("System: {system}")));
        facts.extend(self.root.iter().map(|root| format!("Campaign root: {root}")));
        let items = facts.into_iter().map(|fact| vec![Span::plain(fact)]);
        blocks.push(Block::Items(items.collect()));
        if !self.findings.is_empty() {
            blocks.push(Block::Heading(2, "What is wrong".to_owned()));
            let mut grid = Grid::titled(&["check", "file", "field", "found", "expected"])
                .set(Setting::Prose, &[1, 2, 3, 4]);
            for finding in &self.findings {
                grid.rows.push(vec![
                    vec![Span::plain(finding.check.to_string())],
                    vec![Span::code(&finding.file)],
                    vec![Span::plain(&finding.field)],
                    vec![Span::plain(&finding.said)],
                    vec![Span::plain(&finding.expected)],
                ]);
            }
            blocks.push(Block::Table(grid));
        }
        blocks.push(Block::Heading(2, "What was not checked".to_owned()));
        let mut grid = Grid::titled(&["file", "field", "why", "times"])
            .set(Setting::Prose, &[0, 1, 2])
            .set(Setting::Figures, &[3]);
        for open in &self.not_checked {
            grid.rows.push(vec![
                vec![Span::code(&open.what.file)],
                vec![Span::plain(&open.what.field)],
                vec![Span::plain(&open.what.why)],
                vec![Span::plain(open.times.to_string())],
            ]);
        }
        blocks.push(Block::Table(grid));
        blocks.push(Block::Heading(2, "Checks".to_owned()));
        let mut grid = Grid::titled(&["check", "level", "compares", "verdict", "compared", "wrong"])
            .set(Setting::Prose, &[2])
            .set(Setting::Figures, &[1, 4, 5]);
        for check in &self.checks {
            grid.rows.push(vec![
                vec![Span::plain(check.check.to_string())],
                vec![Span::plain(check.level.to_string())],
                vec![Span::plain(check.compares)],
                vec![Span::plain(check.verdict.as_str())],
                vec![Span::plain(check.compared.to_string())],
                vec![Span::plain(check.wrong.to_string())],
            ]);
        }
        blocks.push(Block::Table(grid));
        Document { title, blocks }
    }
}
