//! The stage `render`: a candidate's page and its cells, or the index and the size audit.
//!
//! Pages are rendered without the campaign's root, which the site writer adds: a page depends on
//! what it shows, not on the whole campaign. Outputs of a candidate: `page.md`, `page.html`,
//! `cells.md`, `cells.html`, `cells` (JSON), `summary` (what the index needs). Outputs of the index:
//! `index.md`, `index.html`, `size-audit.md`, `size-audit.html`.

mod candidate;
mod host;
mod index;

use artifacts::Outcome;
use artifacts::format::{Format, Header};
use artifacts::store::{Store, StoreError};
use artifacts::words::WordError;
use contract::parameters::RenderParameters;
use contract::request::RequestError;
use contract::{Request, StageResult};
use reports::site::{IndexRow, SizeRow, YardstickRow};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The version of page summaries this program writes. 1.0: first.
pub const SUMMARY: Format = Format {
    kind: "assay-page-summary",
    major: 1,
    minor: 0,
};

/// What the index and the size audit say of a candidate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PageSummary {
    /// Kind and version.
    #[serde(flatten)]
    pub header: Header,
    /// Its row.
    pub row: IndexRow,
    /// Its figures, where it is a control.
    pub yardstick: Vec<YardstickRow>,
    /// Its sizes.
    pub sizes: Vec<SizeRow>,
}

/// Why a page has no receipt.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    /// The request is incomplete.
    #[error(transparent)]
    Request(#[from] RequestError),
    /// Store.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A role names no label or operation.
    #[error("the request's input `{role}`: {source}")]
    Role {
        /// The role.
        role: String,
        /// What is wrong with it.
        source: WordError,
    },
    /// A record is no record.
    #[error("the record of {role} cannot be read: {source}")]
    Record {
        /// The input's role.
        role: String,
        /// Why.
        source: serde_json::Error,
    },
    /// A template failed.
    #[error("the page cannot be written: {0}")]
    Template(String),
}

/// Does a render step.
///
/// # Errors
/// When evidence is missing or damaged.
pub fn run(request: &Request, store: &Store) -> Result<StageResult, RenderError> {
    let outputs = match request.parameters()? {
        RenderParameters::Candidate(page) => candidate::render(request, store, &page)?,
        RenderParameters::Index(page) => index::render(request, store, &page)?,
    };
    Ok(StageResult {
        outputs,
        outcome: Outcome::done(),
        observations: BTreeMap::new(),
        tools: BTreeMap::new(),
    })
}

fn template(error: impl std::fmt::Display) -> RenderError {
    RenderError::Template(error.to_string())
}
