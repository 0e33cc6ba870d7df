//! Publishing: a campaign's evidence and pages as files that others can read and check.
//!
//! # Layout
//!
//! ```text
//! manifest.json                                 every other file's size, BLAKE3 and SHA-256; the root
//! campaign.json, build.json                     the campaign and its builds; NGCC.md section 7
//! records/<candidate>/<label>__<operation>.json timing records
//! profile/<candidate>/<label>__<operation>.json hash profiles
//! kat/<candidate>/<label>.log                   logs of known-answer tests
//! cells.json                                    every figure: value, formula, spread, evidence
//! receipts.jsonl                                the Merkle tree under the root, and the pages' receipts
//! index, size-audit, <candidate>, <candidate>.cells  pages, each as .html and .md
//! ```
//!
//! # Invariants
//!
//! - It follows from the campaign in the store alone: no sources, toolchain, machine or clock is
//!   looked at. The same campaign gives the same bytes.
//! - What a page shows is what is published: evidence is taken from the pages' own inputs, and each
//!   piece must be an output of the receipt that the campaign holds for its step.
//! - It is written into a folder beside the target, which it then replaces as a whole. Nothing but
//!   an earlier publication without foreign files is ever replaced.

mod builds;
mod campaign_file;
mod cells;
mod evidence;
mod folder;
mod manifest;
mod pages;
mod receipts;
mod writer;

pub use cells::{CELLS, CellsHead, PublishedCell, PublishedSource};
pub use manifest::{FileEntry, MANIFEST, MANIFEST_FILE, Manifest};
pub use receipts::RECEIPTS;

use crate::campaign::{Campaign, CampaignError};
use artifacts::ArtifactId;
use artifacts::records::BuildFile;
use artifacts::store::{CampaignName, Store, StoreError};
use artifacts::words::CandidateId;
use campaign_file::Circumstances;
use serde::Serialize;
use std::path::{Path, PathBuf};
use writer::Writer;

/// Why a campaign could not be published. What was in the target before is still there.
#[derive(Debug, thiserror::Error)]
pub enum PublishError {
    /// Reading the campaign.
    #[error(transparent)]
    Campaign(#[from] CampaignError),
    /// A file could not be written.
    #[error("cannot publish: {0}")]
    Io(#[from] std::io::Error),
    /// A value has no JSON form, or an artifact is not the JSON it should be.
    #[error("cannot publish {path}: {source}")]
    Json {
        /// The file to be written.
        path: String,
        /// Why.
        source: serde_json::Error,
    },
    /// Something else is in the target.
    #[error(
        "{folder} holds {found}, which is no part of a publication of assay: name another folder, \
         or remove it yourself"
    )]
    Foreign {
        /// The target.
        folder: PathBuf,
        /// What is there.
        found: String,
    },
    /// Nothing was rendered yet.
    #[error("campaign {0} has no pages: `campaign run` renders them when every step has a receipt")]
    NoPages(CampaignName),
    /// The root does not cover everything.
    #[error(
        "campaign {0} has steps recorded since its last root: a run is under way or was cut off; \
         `campaign run` finishes it"
    )]
    Open(CampaignName),
    /// A page does not show what the campaign holds.
    #[error(
        "the page of {candidate} shows another {what} than the campaign holds: a run was cut off \
         before it rendered the page; `campaign run --only {candidate}/` renders it anew"
    )]
    Stale {
        /// The candidate.
        candidate: CandidateId,
        /// The evidence, by the page's input.
        what: String,
    },
    /// A cell names evidence that is not published.
    #[error(
        "cell {cell} names {path} as evidence, which is not published: this is a fault of assay"
    )]
    BrokenLink {
        /// The cell.
        cell: String,
        /// The path.
        path: String,
    },
}

impl From<StoreError> for PublishError {
    fn from(error: StoreError) -> Self {
        PublishError::Campaign(error.into())
    }
}

/// What was published.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Published {
    /// The campaign.
    pub campaign: CampaignName,
    /// Its root.
    pub root: ArtifactId,
    /// Where.
    pub folder: PathBuf,
    /// Files, the manifest included.
    pub files: usize,
    /// Bytes, without the manifest.
    pub bytes: u64,
}

/// Whether a publication may be written here: nothing, an empty folder, or an earlier one.
///
/// # Errors
/// When something else is there.
pub fn check_target(folder: &Path) -> Result<(), PublishError> {
    folder::check(folder)
}

/// Publishes the campaign as of its root into `folder`, which must not exist, be empty, or hold an
/// earlier publication and nothing else.
///
/// # Errors
/// When evidence is missing, damaged or not what the pages show, or a file cannot be written;
/// `folder` is then what it was.
pub fn write(store: &Store, name: &CampaignName, folder: &Path) -> Result<Published, PublishError> {
    let campaign = Campaign::of_root(store, name)?;
    let pages = campaign.candidates();
    let Some(root) = campaign.view().root.filter(|_| !pages.is_empty()) else {
        return Err(PublishError::NoPages(name.clone()));
    };
    let (folder, manifest) = folder::replace(folder, |fresh| {
        let mut writer = Writer::new(fresh);
        write_all(&campaign, root, &pages, &mut writer)?;
        writer.finish(&campaign.view().system, root)
    })?;
    Ok(Published {
        campaign: name.clone(),
        root,
        folder,
        files: manifest.files.len() + 1,
        bytes: manifest.files.values().map(|file| file.bytes).sum(),
    })
}

/// Everything but the manifest. One candidate at a time, so that a campaign of thousands of steps
/// is never in memory as a whole.
fn write_all(
    campaign: &Campaign<'_>,
    root: ArtifactId,
    candidates: &[CandidateId],
    writer: &mut Writer,
) -> Result<(), PublishError> {
    let mut circumstances = Circumstances::default();
    let mut builds = BuildFile::default();
    for candidate in candidates {
        let Some(page) = campaign.page(candidate)? else {
            continue;
        };
        evidence::write(campaign, &page, &mut builds, &mut circumstances, writer)?;
        pages::write_candidate(campaign.store(), &page, root, writer)?;
    }
    pages::write_index(campaign, root, writer)?;
    circumstances.note_builds(&builds);
    builds::write(builds, writer)?;
    circumstances.write(campaign.view().system.as_str(), writer)?;
    cells::write(campaign, root, candidates, writer)?;
    receipts::write(campaign, root, writer)
}
