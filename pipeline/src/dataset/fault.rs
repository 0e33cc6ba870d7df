//! What can be wrong with a file of a dataset.

use super::files::LARGEST;
use artifacts::format::FormatError;
use artifacts::words::WordError;
use std::fmt;
use std::sync::Arc;

/// A file that cannot be taken as it is.
#[derive(Debug, Clone)]
pub struct Problem {
    /// Its path in the dataset.
    pub file: String,
    /// What is wrong with it.
    pub fault: Fault,
}

impl Problem {
    /// This fault of this file.
    pub fn new(file: &str, fault: Fault) -> Self {
        Problem {
            file: file.to_owned(),
            fault,
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.file, self.fault)
    }
}

/// See [`Problem::fault`]. Cheap to clone.
#[derive(Debug, Clone, thiserror::Error)]
pub enum Fault {
    /// Nothing of a dataset is there.
    #[error(
        "no dataset: neither campaign.json nor build.json is there; name the folder that holds them"
    )]
    NoDataset,
    /// It is not there.
    #[error("is missing")]
    Missing,
    /// It cannot be read.
    #[error("cannot be read: {0}")]
    Io(Arc<std::io::Error>),
    /// Its name is not UTF-8.
    #[error("has a name that is not UTF-8: no file of a dataset has")]
    Name,
    /// A link.
    #[error("is a symbolic link, which is not followed: a dataset holds its files themselves")]
    Link,
    /// A device, pipe or socket.
    #[error("is neither a file nor a folder")]
    NotAFile,
    /// Too large to be evidence.
    #[error("has {bytes} bytes; nothing in a dataset has more than {LARGEST}, so it was not read")]
    TooLarge {
        /// Its size.
        bytes: u64,
    },
    /// Too many files.
    #[error("the folder holds more than {0} files: it is no dataset, or not only one")]
    TooMany(usize),
    /// Not UTF-8.
    #[error("is not UTF-8 text: {0}")]
    Text(std::str::Utf8Error),
    /// Not the JSON it should be.
    #[error("field `{field}`: {source}")]
    Json {
        /// Where it stops being so.
        field: String,
        /// Why.
        source: Arc<serde_json::Error>,
    },
    /// Another schema.
    #[error("field `schema`: is {found}; this assay reads schema 2")]
    Schema {
        /// What it says.
        found: u32,
    },
    /// Another kind of file or a newer version.
    #[error("fields `kind` and `major`: {0}")]
    Format(#[from] FormatError),
    /// Something is named as it cannot be.
    #[error("{0}")]
    Word(WordError),
    /// The store.
    #[error("{0}")]
    Store(Arc<artifacts::store::StoreError>),
}

impl Fault {
    /// The field it is about, where it is about one.
    pub fn field(&self) -> &str {
        match self {
            Fault::Json { field, .. } => field,
            Fault::Schema { .. } => "schema",
            Fault::Format(_) => "kind",
            _ => "",
        }
    }
}

impl From<std::io::Error> for Fault {
    fn from(error: std::io::Error) -> Self {
        match error.kind() {
            std::io::ErrorKind::NotFound => Fault::Missing,
            _ => Fault::Io(Arc::new(error)),
        }
    }
}
