//! What can go wrong with a store, in words that say what to do next.

use super::lock::LockError;
use crate::format::FormatError;
use crate::id::{ArtifactId, StepKey};
use std::io;
use std::path::PathBuf;

/// The store could not do what was asked.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Nothing is there.
    #[error(
        "there is no store at `{0}`: name another with --store, or let `campaign run` create one"
    )]
    Absent(PathBuf),
    /// Something else is there.
    #[error(
        "`{0}` is not a store, and not empty: name another folder with --store; \
         nothing in it was touched"
    )]
    NotAStore(PathBuf),
    /// A file is of another kind, or of a newer major version.
    #[error("cannot read `{at}`: {source}")]
    Format {
        /// The file or artifact.
        at: String,
        /// What is wrong with its header.
        #[source]
        source: FormatError,
    },
    /// A newer assay wrote the file; this one reads it, but would drop what it does not know.
    #[error(
        "`{path}` was written by a newer assay (minor version {found}, this one writes {known}): \
         it can be read but not changed; use the newer assay"
    )]
    NewerMinor {
        /// The file.
        path: PathBuf,
        /// Its minor version.
        found: u32,
        /// The minor version this program writes.
        known: u32,
    },
    /// A file or artifact is not the JSON it should be.
    #[error("`{at}` is not valid: {source}")]
    Json {
        /// The file or artifact.
        at: String,
        /// Where it stops being valid.
        #[source]
        source: serde_json::Error,
    },
    /// The artifact is not in the store.
    #[error(
        "{0} is not in the store: run the step that makes it again (`campaign run`), \
         or copy it from another store"
    )]
    NoArtifact(ArtifactId),
    /// The bytes are not those the name promises.
    #[error(
        "`{path}` is damaged: its bytes hash to {found}; remove the file and run the campaign \
         again, then only the steps that need it are run anew"
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The artifact its bytes are now.
        found: ArtifactId,
    },
    /// A link, folder or device stands where an artifact should.
    #[error("`{0}` is not a regular file: remove it and run the campaign again")]
    NotAFile(PathBuf),
    /// The receipt's key is not that of its material.
    #[error(
        "the receipt says it is for {said}, but its inputs, parameters and facets give {computed}"
    )]
    WrongKey {
        /// The key in the receipt.
        said: StepKey,
        /// The key of what the receipt says was done.
        computed: StepKey,
    },
    /// A receipt may be recorded only when everything it names is in the store.
    #[error("the receipt names {id} as {role}, which is not in the store: put it before recording")]
    Unresolved {
        /// `inputs.<role>` or `outputs.<role>`.
        role: String,
        /// What is missing.
        id: ArtifactId,
    },
    /// A text that cannot name a campaign or step.
    #[error("`{text}` cannot name a {what}: {rule}")]
    Name {
        /// What it should name.
        what: &'static str,
        /// The text.
        text: String,
        /// What is allowed.
        rule: &'static str,
    },
    /// The store holds no such campaign.
    #[error("there is no campaign `{0}` in the store: `campaign status` lists them")]
    NoCampaign(String),
    /// A campaign belongs to one system.
    #[error(
        "campaign `{name}` is one of system {system}, not of {asked}: \
         choose another name with --campaign"
    )]
    OtherSystem {
        /// The campaign.
        name: String,
        /// Its system.
        system: String,
        /// The system asked for.
        asked: String,
    },
    /// Someone else holds a lock.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// The disk or quota is full.
    #[error(
        "no space left for the store: {0}; free some (`campaign gc` shows what nothing needs) and \
         run again, nothing is lost"
    )]
    Full(#[source] io::Error),
    /// The store may not be written by this user, or its file system is read-only.
    #[error("the store cannot be written: {0}; give this user the right, or use another --store")]
    NotWritable(#[source] io::Error),
    /// Any other failure of the file system.
    #[error(transparent)]
    Io(io::Error),
}

impl From<io::Error> for StoreError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => StoreError::Full(error),
            io::ErrorKind::ReadOnlyFilesystem => StoreError::NotWritable(error),
            _ => StoreError::Io(error),
        }
    }
}

impl StoreError {
    /// A failure of writing: there, a refused permission means that the store is not ours to change.
    pub(super) fn writing(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::PermissionDenied => StoreError::NotWritable(error),
            _ => error.into(),
        }
    }
}
