//! `cells.json`: every figure of every page, one a line.

use super::PublishError;
use super::writer::Writer;
use crate::campaign::Campaign;
use artifacts::format::{Format, Header};
use artifacts::words::{CandidateId, SystemId};
use artifacts::{ArtifactId, Cell};
use reports::CellValue;
use reports::cells::unit;
use serde::{Deserialize, Serialize};
use std::io::Write;

/// The version of cell files this program writes. 1.0: first. A change of meaning raises major, an
/// added optional field minor.
pub const CELLS: Format = Format {
    kind: "assay-cells",
    major: 1,
    minor: 0,
};

/// The file's name.
pub const FILE: &str = "cells.json";

/// The evidence of curated figures, which is no file.
const CATALOG: &str = "catalog";

/// `cells.json` but for its field `cells`, a list of [`PublishedCell`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CellsHead {
    /// Kind and version.
    #[serde(flatten)]
    pub header: Header,
    /// The system measured.
    pub system: SystemId,
    /// The campaign's root.
    pub root: ArtifactId,
}

/// A figure.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PublishedCell {
    /// Its address.
    pub cell: Cell,
    /// As the page shows it.
    pub shown: String,
    /// Unrounded, or all of a text.
    pub exact: String,
    /// The unit of `exact`, where it is a number of something.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// (largest - smallest trial) / mean, for figures that come from trials.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spread: Option<f64>,
    /// How it follows from the evidence.
    pub formula: String,
    /// From what it follows.
    pub evidence: Vec<PublishedSource>,
}

/// A piece of evidence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PublishedSource {
    /// Its path in the publication; `catalog` for what the catalog states.
    pub path: String,
    /// SHA-256 of the published file; absent for the catalog.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    /// What it is in the store: the record as it was measured, or the library that a build names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub artifact: Option<ArtifactId>,
}

/// Writes the file; all evidence must have been written.
pub fn write(
    campaign: &Campaign<'_>,
    root: ArtifactId,
    candidates: &[CandidateId],
    writer: &mut Writer,
) -> Result<(), PublishError> {
    let json = |source| PublishError::Json {
        path: FILE.to_owned(),
        source,
    };
    let head = CellsHead {
        header: CELLS.header(),
        system: campaign.view().system.clone(),
        root,
    };
    let head = serde_json::to_string(&head).map_err(json)?;
    let mut file = writer.begin(FILE)?;
    write!(file, "{},\"cells\":[", head.trim_end_matches('}'))?;
    let mut separator = "\n";
    for candidate in candidates {
        let Some(page) = campaign.page(candidate)? else {
            continue;
        };
        for value in campaign.cells(&page)? {
            let cell = published(value, writer)?;
            let line = serde_json::to_string(&cell).map_err(json)?;
            write!(file, "{separator}{line}")?;
            separator = ",\n";
        }
    }
    file.write_all(b"\n]}\n")?;
    writer.end(file)
}

fn published(value: CellValue, writer: &Writer) -> Result<PublishedCell, PublishError> {
    let mut evidence = Vec::new();
    for source in value.evidence {
        let entry = writer.entry(&source.path);
        if entry.is_none() && source.path != CATALOG {
            return Err(PublishError::BrokenLink {
                cell: value.cell.to_string(),
                path: source.path,
            });
        }
        evidence.push(PublishedSource {
            sha256: entry.map(|entry| entry.sha256.clone()),
            artifact: source.hash.and_then(|hash| hash.parse().ok()),
            path: source.path,
        });
    }
    Ok(PublishedCell {
        unit: unit(&value.cell.metric).map(str::to_owned),
        cell: value.cell,
        shown: value.shown,
        exact: value.exact,
        spread: value.spread,
        formula: value.formula.into_owned(),
        evidence,
    })
}
