//! Why sources could not be taken, in words that say where and what to do.

use artifacts::store::StoreError;
use artifacts::tree::{TreePath, TreePathError};
use std::fmt;
use std::io;
use std::path::PathBuf;

const LEAVE_OUT: &str =
    "if no build needs it, name it in `archive.leave_out` of the candidate's TOML";

/// Sources could not be taken. Nothing of them is kept but blobs that `gc` removes.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// A file or folder could not be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The store refused a file.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The archive is not the one published.
    #[error(
        "{path} is not the archive of {candidate}: its SHA-256 is {found}, the catalog says \
         {expected}; download it again, or give your own candidate a TOML of its own"
    )]
    Digest {
        /// The archive.
        path: PathBuf,
        /// The candidate.
        candidate: String,
        /// Its digest in the catalog.
        expected: String,
        /// Its digest.
        found: String,
    },
    /// Not an archive, or one of a kind that is not read.
    #[error(
        "{path} is {found}: zip, tar, tar.gz, tar.xz and tar.bz2 are read; unpack it yourself and \
         add the folder"
    )]
    Kind {
        /// The file.
        path: PathBuf,
        /// What it is.
        found: &'static str,
    },
    /// The archive's bytes are not what its format demands.
    #[error("{archive} is damaged or truncated{}: {source}; get it again", in_entry(.entry))]
    Damaged {
        /// The archive, a nested one by its path.
        archive: String,
        /// The entry, where it is one.
        entry: Option<String>,
        /// What the decoder says.
        #[source]
        source: io::Error,
    },
    /// A zip entry that needs a password.
    #[error("entry `{0}` is encrypted: unpack the archive yourself and add the folder")]
    Encrypted(String),
    /// A zip entry packed by a rare method.
    #[error(
        "entry `{entry}` is packed by zip method {method}; stored, deflated and bzip2 entries are \
         read: unpack the archive yourself and add the folder"
    )]
    Method {
        /// The entry.
        entry: String,
        /// The method's number.
        method: String,
    },
    /// The name leads out of the archive, or is no name.
    #[error("entry `{entry}` is refused: {why}; {LEAVE_OUT}")]
    Name {
        /// The entry.
        entry: String,
        /// What is wrong with its name.
        why: &'static str,
    },
    /// The name, put below the folder of its archive, is too long.
    #[error(transparent)]
    Path(#[from] TreePathError),
    /// Two contents under one name: which one counts would be chance.
    #[error("entry `{0}` is there twice with different content; {LEAVE_OUT}")]
    Duplicate(TreePath),
    /// One name is a file and a folder.
    #[error("`{0}` is both a file and a folder; {LEAVE_OUT}")]
    FileAndFolder(TreePath),
    /// The link's target is not in the archive.
    #[error("link `{link}` points outside, to `{target}`; {LEAVE_OUT}")]
    LinkOutside {
        /// The link.
        link: TreePath,
        /// Where it points to.
        target: String,
    },
    /// The link leads back to itself or to a folder it lies in.
    #[error("link `{0}` leads back to itself; {LEAVE_OUT}")]
    LinkLoop(TreePath),
    /// Neither a file nor a folder nor a link.
    #[error("entry `{entry}` is {what}, not a file or folder; {LEAVE_OUT}")]
    Special {
        /// The entry.
        entry: String,
        /// What it is.
        what: Special,
    },
    /// More bytes than allowed.
    #[error(
        "at entry `{entry}` more than {limit} bytes are unpacked from {packed} bytes; {LEAVE_OUT}"
    )]
    TooLarge {
        /// The entry.
        entry: String,
        /// The limit in bytes.
        limit: u64,
        /// The size of the archive in bytes.
        packed: u64,
    },
    /// More entries than allowed.
    #[error("more than {0} entries")]
    TooMany(u64),
    /// Longer names than allowed.
    #[error("the names alone are more than {0} bytes")]
    TooLongNames(u64),
    /// Nothing to measure.
    #[error("{0} holds no files")]
    Empty(PathBuf),
    /// The sources do not have the folder.
    #[error(
        "the sources of {candidate} have no folder `{missing}`, at the top or below one folder that \
         holds all source folders: these are not its sources, or its TOML is wrong"
    )]
    NoRoot {
        /// The candidate.
        candidate: String,
        /// The source folder that none or not the same root has.
        missing: TreePath,
    },
    /// The folders are there several times.
    #[error(
        "the sources of {candidate} hold its source folders several times, below {}: \
         give longer paths in its TOML, or leave some out", list(.roots)
    )]
    Roots {
        /// The candidate.
        candidate: String,
        /// The folders that could be the root.
        roots: Vec<TreePath>,
    },
    /// A file or folder that the catalog names is not there.
    #[error("instance `{label}`: the sources have no `{path}`, which `{field}` of its TOML names")]
    Missing {
        /// The instance.
        label: String,
        /// The field.
        field: &'static str,
        /// The path.
        path: TreePath,
    },
    /// Several files could be meant.
    #[error(
        "instance `{label}`: `{file}` in `kat` may be {}, which differ: give a longer path",
        list(.found)
    )]
    References {
        /// The instance.
        label: String,
        /// The file as the catalog gives it.
        file: TreePath,
        /// The files found.
        found: Vec<TreePath>,
    },
    /// The controls' package is nowhere.
    #[error(
        "the controls' sources (package {package}) were not found: {why}; in a checkout run `cargo \
         fetch --locked`, elsewhere name the folder `pqclean` of that package with --controls"
    )]
    NoControls {
        /// The package.
        package: String,
        /// Why.
        why: String,
    },
    /// A folder named for them does not hold the controls' sources.
    #[error("{0} does not hold PQClean: there is no folder `crypto_kem` in it or in its `pqclean`")]
    NotControls(PathBuf),
    /// The candidate's sources come from an archive.
    #[error("{0} is no control: its sources are added with `campaign add-source`")]
    NoPackage(String),
    /// The control's sources are pinned.
    #[error("{0} is a control: its sources are pinned and cannot be added")]
    IsControl(String),
}

/// See [`SourceError::Special`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Special {
    /// A block or character device.
    Device,
    /// A named pipe.
    Pipe,
    /// A socket.
    Socket,
    /// A kind of entry that is not known.
    Unknown,
}

impl fmt::Display for Special {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Special::Device => "a device",
            Special::Pipe => "a named pipe",
            Special::Socket => "a socket",
            Special::Unknown => "of an unknown kind",
        })
    }
}

fn in_entry(entry: &Option<String>) -> String {
    entry
        .as_ref()
        .map_or(String::new(), |entry| format!(" at entry `{entry}`"))
}

fn list(paths: &[TreePath]) -> String {
    paths
        .iter()
        .map(|path| format!("`{path}`"))
        .collect::<Vec<_>>()
        .join(", ")
}
