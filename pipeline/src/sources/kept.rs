//! Sources in the store: what [`add_source`] takes, kept under its candidate's id.
//!
//! `sources/<candidate>.json` in the store's folder is a [`SourceRecord`]; the tree it names and the
//! tree's files are artifacts. A record is replaced whole; what the former one named goes with the
//! next garbage collection.

use super::error::SourceError;
use super::import::{Import, add_source};
use super::limits::Limits;
use super::note::Note;
use crate::catalog::Candidate;
use artifacts::format::{Format, Header};
use artifacts::store::{Batch, Store, StoreError, write_atomically};
use artifacts::tree::{TREE, Tree, TreePath};
use artifacts::{ArtifactId, CandidateId};
use serde::{Deserialize, Serialize};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The version of source records this program writes. 1.0: first.
pub const SOURCE: Format = Format {
    kind: "assay-source",
    major: 1,
    minor: 0,
};

/// The folder in the store.
const FOLDER: &str = "sources";

/// Files up to this size are put from memory, which costs no temporary file where they are known.
const SMALL: u64 = 1 << 20;

/// What was added for one candidate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceRecord {
    /// Kind and version.
    #[serde(flatten)]
    pub header: Header,
    /// The candidate.
    pub candidate: CandidateId,
    /// The files as they lie in the archive or folder.
    pub tree: ArtifactId,
    /// The archive's or folder's own name, without the folders it was in.
    pub file: String,
    /// SHA-256 of the archive, 64 lower-case hex digits; absent for a folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    /// What people should know, one sentence each.
    #[serde(default)]
    pub notes: Vec<String>,
}

impl SourceRecord {
    /// Where the sources come from, for pages.
    pub fn origin(&self, candidate: &Candidate) -> String {
        let published = candidate
            .archive
            .as_ref()
            .and_then(|archive| archive.sha256.as_ref());
        match (&self.sha256, published) {
            (Some(ours), Some(theirs)) if ours == theirs.as_str() => {
                format!("archive {}, SHA-256 {ours}", self.file)
            }
            (Some(ours), _) => {
                format!(
                    "archive {}, SHA-256 {ours}, not checked against a published one",
                    self.file
                )
            }
            (None, _) => format!("a folder, tree {}, not a published archive", self.tree),
        }
    }
}

/// Takes an archive or a folder as a candidate's sources and keeps it in the store.
///
/// # Errors
/// As [`add_source`], and when the store cannot be written. The former sources then stay.
pub fn keep_source(
    store: &Store,
    candidate: &Candidate,
    path: &Path,
    limits: &Limits,
) -> Result<SourceRecord, SourceError> {
    let _lock = store.lock_shared()?;
    let mut batch = store.batch();
    let Import {
        tree,
        sha256,
        notes,
        ..
    } = add_source(candidate, path, limits, &mut |_, reader| {
        put(&mut batch, reader)
    })?;
    let tree = batch.put_json(&tree)?;
    batch.commit()?;
    let file = std::path::absolute(path)?;
    let record = SourceRecord {
        header: SOURCE.header(),
        candidate: candidate.id.clone(),
        tree,
        file: file
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned(),
        sha256,
        notes: notes.iter().map(Note::to_string).collect(),
    };
    let path = record_path(store, &candidate.id);
    fs_err::create_dir_all(store.root().join(FOLDER))?;
    let json = serde_json::to_vec(&record).map_err(|source| StoreError::Json {
        at: path.display().to_string(),
        source,
    })?;
    write_atomically(&path, &json)?;
    Ok(record)
}

/// What was added for a candidate; absent when nothing was.
///
/// # Errors
/// When the record cannot be read.
pub fn added(store: &Store, candidate: &CandidateId) -> Result<Option<SourceRecord>, SourceError> {
    read_record(&record_path(store, candidate))
}

/// The tree of what was added.
///
/// # Errors
/// When the store lacks it or cannot be read.
pub fn added_tree(store: &Store, record: &SourceRecord) -> Result<Tree, SourceError> {
    Ok(store.get_json(record.tree, TREE)?)
}

/// All trees that were added: what garbage collection keeps besides campaigns.
///
/// # Errors
/// When a record cannot be read: then it is not known what to keep.
pub fn added_trees(store: &Store) -> Result<Vec<ArtifactId>, SourceError> {
    let folder = store.root().join(FOLDER);
    let mut trees = Vec::new();
    if !folder.is_dir() {
        return Ok(trees);
    }
    for entry in fs_err::read_dir(folder)? {
        let path = entry?.path();
        if path
            .extension()
            .is_some_and(|extension| extension == "json")
        {
            trees.extend(read_record(&path)?.map(|record| record.tree));
        }
    }
    trees.sort();
    Ok(trees)
}

fn record_path(store: &Store, candidate: &CandidateId) -> PathBuf {
    store.root().join(FOLDER).join(format!("{candidate}.json"))
}

fn read_record(path: &Path) -> Result<Option<SourceRecord>, SourceError> {
    let bytes = match fs_err::read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        bytes => bytes?,
    };
    let at = || path.display().to_string();
    // The header first: a file of another version may have other fields.
    let json = |source| StoreError::Json { at: at(), source };
    let header: Header = serde_json::from_slice(&bytes).map_err(json)?;
    SOURCE
        .check(&header)
        .map_err(|source| StoreError::Format { at: at(), source })?;
    Ok(Some(serde_json::from_slice(&bytes).map_err(json)?))
}

/// Puts one file, however large.
pub(super) fn put(batch: &mut Batch<'_>, reader: &mut dyn Read) -> Result<ArtifactId, StoreError> {
    let mut start = Vec::new();
    reader.take(SMALL + 1).read_to_end(&mut start)?;
    match start.len() as u64 > SMALL {
        true => batch.put_reader(&mut start.chain(reader)),
        false => batch.put_bytes(&start),
    }
}

/// Reads what a control's instances need of its package's folder into the store.
///
/// # Errors
/// As [`super::read_control`], and when the store cannot be written.
pub fn keep_control(
    store: &Store,
    candidate: &Candidate,
    folder: &Path,
) -> Result<Tree, SourceError> {
    let mut batch = store.batch();
    let mut keep = |_: &TreePath, reader: &mut dyn Read| put(&mut batch, reader);
    let tree = super::read_control(candidate, folder, &Limits::default(), &mut keep)?;
    batch.commit()?;
    Ok(tree)
}
