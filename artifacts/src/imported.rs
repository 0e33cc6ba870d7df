//! Imported receipts: what evidence published by others says was measured.
//!
//! They name the dataset's files as they were, and have no key: nobody here saw the step run, so no
//! run ever reuses one. They hold no time of import, so importing again gives the same artifacts.

use crate::format::{Format, Header};
use crate::id::ArtifactId;
use crate::receipt::Subject;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The version of imported receipts this program writes. 1.0: first. The rules of
/// [`crate::receipt::RECEIPT`] hold.
pub const IMPORTED: Format = Format {
    kind: "assay-imported",
    major: 1,
    minor: 0,
};

/// The part of a dataset that tells of one step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Imported {
    /// Kind and version.
    #[serde(flatten)]
    pub header: Header,
    /// Of what it tells.
    pub subject: Subject,
    /// The files, byte for byte: path in the dataset to content.
    pub files: BTreeMap<String, ArtifactId>,
    /// Fields of newer minor versions, kept.
    #[serde(flatten)]
    pub unknown: BTreeMap<String, serde_json::Value>,
}

impl Imported {
    /// The receipt of these files.
    pub fn new(subject: Subject, files: BTreeMap<String, ArtifactId>) -> Self {
        Imported {
            header: IMPORTED.header(),
            subject,
            files,
            unknown: BTreeMap::new(),
        }
    }
}
