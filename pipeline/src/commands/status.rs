//! `campaign status`: what the campaign holds, and what the catalog has beside it.

use super::{CommandError, campaign_name, open_store, print};
use crate::cli::{Common, StatusArgs};
use crate::exit;
use crate::gather::catalog;
use artifacts::ArtifactId;
use artifacts::store::Store;
use serde::Serialize;
use std::collections::BTreeMap;
use std::time::Duration;

/// Between two looks with `--watch`.
const WATCH: Duration = Duration::from_secs(2);

#[derive(Debug, PartialEq, Serialize)]
struct StatusReport {
    campaign: String,
    system: Option<String>,
    root: Option<ArtifactId>,
    open: bool,
    other_campaigns: Vec<String>,
    candidates: BTreeMap<String, BTreeMap<String, usize>>,
    without_receipts: Vec<String>,
}

/// Prints the status, again and again with `--watch`.
///
/// # Errors
/// When there is no store.
pub fn run(common: &Common, arguments: &StatusArgs) -> Result<u8, CommandError> {
    let store = open_store(common)?;
    let mut report = look(common, &store)?;
    print(common, &report, text)?;
    if !arguments.watch {
        return Ok(exit::DONE);
    }
    loop {
        std::thread::sleep(WATCH);
        let again = look(common, &store)?;
        if again != report {
            report = again;
            print(common, &report, text)?;
        }
    }
}

fn look(common: &Common, store: &Store) -> Result<StatusReport, CommandError> {
    let name = campaign_name(common)?;
    let view = store.campaign(&name)?;
    let mut candidates: BTreeMap<String, BTreeMap<String, usize>> = BTreeMap::new();
    if let Some(view) = &view {
        for step in view.steps.keys().chain(view.pages.keys()) {
            let kind = step
                .as_str()
                .rsplit('/')
                .next()
                .unwrap_or_default()
                .to_owned();
            let candidate = step.candidate().map_or("-".to_owned(), |c| c.to_string());
            *candidates
                .entry(candidate)
                .or_default()
                .entry(kind)
                .or_default() += 1;
        }
    }
    let catalog = catalog(common)?;
    let without_receipts = catalog
        .iter()
        .filter(|entry| !candidates.contains_key(entry.id.as_str()))
        .map(|entry| entry.id.to_string())
        .collect();
    Ok(StatusReport {
        other_campaigns: store
            .list_campaigns()?
            .into_iter()
            .filter(|other| *other != name)
            .map(|other| other.to_string())
            .collect(),
        system: view.as_ref().map(|view| view.system.to_string()),
        root: view.as_ref().and_then(|view| view.root),
        open: view.as_ref().is_some_and(|view| view.open),
        campaign: name.to_string(),
        candidates,
        without_receipts,
    })
}

fn text(report: &StatusReport) -> String {
    use std::fmt::Write;
    let mut out = String::new();
    let root = report
        .root
        .map_or("none yet".to_owned(), |root| root.to_string());
    let _ = writeln!(
        out,
        "campaign {} (system {}), root {root}{}",
        report.campaign,
        report.system.as_deref().unwrap_or("-"),
        if report.open {
            "; steps recorded since"
        } else {
            ""
        }
    );
    for (candidate, kinds) in &report.candidates {
        let kinds: Vec<String> = kinds
            .iter()
            .map(|(kind, n)| format!("{n} {kind}"))
            .collect();
        let _ = writeln!(out, "{candidate:<10} {}", kinds.join(", "));
    }
    if !report.without_receipts.is_empty() {
        let _ = writeln!(
            out,
            "in the catalog without receipts: {} (add sources with campaign add-source ID ARCHIVE)",
            report.without_receipts.join(", ")
        );
    }
    if !report.other_campaigns.is_empty() {
        let _ = writeln!(
            out,
            "other campaigns: {}",
            report.other_campaigns.join(", ")
        );
    }
    out
}
