//! `campaign show CELL`: a figure, how it follows from its evidence, and the chain from there down to
//! library, flags, source and machine, every link with its hash.

mod chain;
mod raw;

use super::{CommandError, open_store, print};
use crate::cli::{Common, ShowArgs};
use crate::exit;
use crate::lookup::{Figure, campaign_of};
use artifacts::records::Fields;
use artifacts::{ArtifactId, Cell};
use chain::chain;
use raw::{Raw, raw};
use reports::cells::{Source, unit};
use serde::Serialize;
use serde_json::Value;
use std::fmt::Write;

#[derive(Debug, Serialize)]
struct ShowReport {
    cell: Cell,
    campaign: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    root: Option<ArtifactId>,
    shown: String,
    exact: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    unit: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    spread: Option<f64>,
    formula: String,
    evidence: Vec<Source>,
    chain: Vec<Link>,
    #[serde(skip_serializing_if = "Option::is_none")]
    raw: Option<Raw>,
}

/// One link of the chain: a thing, its hash, and what is known of it.
#[derive(Debug, Serialize)]
struct Link {
    what: &'static str,
    hash: String,
    facts: Fields,
}

impl Link {
    fn new(what: &'static str, hash: impl ToString) -> Self {
        Link {
            what,
            hash: hash.to_string(),
            facts: Fields::new(),
        }
    }

    /// Adds what is known; nothing is said of what is not.
    fn fact(mut self, name: &str, value: impl Into<Value>) -> Self {
        let value = value.into();
        let nothing = match &value {
            Value::Null => true,
            Value::String(text) => text.is_empty(),
            Value::Array(items) => items.is_empty(),
            Value::Object(fields) => fields.is_empty(),
            _ => false,
        };
        if !nothing {
            self.facts.insert(name.to_owned(), value);
        }
        self
    }
}

/// Shows a figure.
///
/// # Errors
/// When there is no such figure, or the store is damaged.
pub fn run(common: &Common, arguments: &ShowArgs) -> Result<u8, CommandError> {
    let store = open_store(common)?;
    let _lock = store.lock_shared()?;
    let name = campaign_of(&arguments.cell, common.campaign.as_deref())?;
    let figure = Figure::find(&store, &name, &arguments.cell)??;
    let report = ShowReport {
        cell: arguments.cell.clone(),
        campaign: name.to_string(),
        root: figure.campaign.view().root,
        chain: chain(&figure)?,
        raw: match arguments.evidence {
            true => raw(&figure)?,
            false => None,
        },
        shown: figure.value.shown,
        exact: figure.value.exact,
        unit: unit(&figure.value.cell.metric),
        spread: figure.value.spread,
        formula: figure.value.formula.into_owned(),
        evidence: figure.value.evidence,
    };
    print(common, &report, |report| text(report, arguments.evidence))?;
    Ok(exit::DONE)
}

fn text(report: &ShowReport, evidence: bool) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "{}", report.cell);
    let mut line = |name: &str, value: String| {
        let _ = writeln!(out, "  {name:<9} {value}");
    };
    line("shown", report.shown.clone());
    line(
        "exact",
        match report.unit {
            Some(unit) => format!("{} {unit}", report.exact),
            None => report.exact.clone(),
        },
    );
    if let Some(spread) = report.spread {
        line(
            "spread",
            format!(
                "{:.2} % of the mean (largest - smallest trial)",
                spread * 100.0
            ),
        );
    }
    line("formula", report.formula.clone());
    for source in &report.evidence {
        let hash = source.hash.as_deref().unwrap_or_default();
        line(
            "evidence",
            format!("{} {hash}", source.path).trim_end().to_owned(),
        );
    }
    match report.root {
        Some(root) => line("campaign", format!("{}, root {root}", report.campaign)),
        None => line("campaign", report.campaign.clone()),
    }
    for link in &report.chain {
        let _ = writeln!(out, "\n{} {}", link.what, link.hash);
        facts(&mut out, &link.facts);
    }
    match (&report.raw, evidence) {
        (Some(raw), _) => raw.text(&mut out),
        (None, true) => out.push_str("\nno raw trials: this figure does not come from any\n"),
        (None, false) => {}
    }
    out
}

/// A line a fact, values under each other.
fn facts(out: &mut String, facts: &Fields) {
    let width = facts.keys().map(|name| name.chars().count()).max();
    let width = width.unwrap_or_default();
    for (name, value) in facts {
        let lines: Vec<String> = match value {
            Value::Object(inner) => inner
                .iter()
                .map(|(name, value)| format!("{name} {}", plain(value)))
                .collect(),
            Value::Array(items) if items.iter().all(|item| item.as_str().is_some_and(long)) => {
                items.iter().map(plain).collect()
            }
            value => vec![plain(value)],
        };
        for (index, line) in lines.iter().enumerate() {
            let name = if index == 0 { name.as_str() } else { "" };
            let _ = writeln!(out, "  {name:<width$}  {line}");
        }
    }
}

/// Sentences stand on a line of their own, options share one.
fn long(text: &str) -> bool {
    text.contains(' ')
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(plain).collect();
            items.join(" ")
        }
        other => other.to_string(),
    }
}
