//! Reading artifacts: every read hashes the bytes again.

use super::error::StoreError;
use super::hashing;
use super::opening::{Store, parse};
use crate::format::Format;
use crate::id::ArtifactId;
use crate::receipt::{RECEIPT, Receipt};
use fs_err as fs;
use rustix::fs::OFlags;
use rustix::io::Errno;
use serde::de::DeserializeOwned;
use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Seek, SeekFrom};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

/// Where an artifact is kept.
///
/// Receipts are artifacts too, but have a folder of their own, which only [`Store::record`] writes
/// to: so nothing that a candidate prints or a submission contains, and that becomes an artifact,
/// can be taken for a receipt when the index is rebuilt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Area {
    Blobs,
    Receipts,
}

impl Area {
    pub const ALL: [Area; 2] = [Area::Blobs, Area::Receipts];

    pub const fn folder(self) -> &'static str {
        match self {
            Area::Blobs => "blobs",
            Area::Receipts => "receipts",
        }
    }
}

/// An artifact's open file.
#[derive(Debug)]
pub(super) struct Opened {
    pub path: PathBuf,
    pub file: File,
    pub size: u64,
}

/// Which artifacts were in the store when it was listed, without a look at their bytes.
#[derive(Debug, Clone, Default)]
pub struct Presence {
    pub(super) blobs: HashSet<ArtifactId>,
    pub(super) receipts: HashSet<ArtifactId>,
}

impl Presence {
    /// Whether the artifact was there.
    pub fn has(&self, id: &ArtifactId) -> bool {
        self.blobs.contains(id) || self.receipts.contains(id)
    }

    /// Whether the artifact was there as a receipt.
    pub fn has_receipt(&self, id: &ArtifactId) -> bool {
        self.receipts.contains(id)
    }

    /// How many files were there.
    pub fn len(&self) -> usize {
        self.blobs.len() + self.receipts.len()
    }

    /// Whether there was none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// What stands in an area: artifacts by name, and what has no business there.
#[derive(Debug, Default)]
pub(super) struct Listing {
    pub ids: Vec<ArtifactId>,
    pub strangers: Vec<PathBuf>,
}

impl Store {
    /// The file that holds, or would hold, this artifact.
    pub(super) fn place(&self, area: Area, id: ArtifactId) -> PathBuf {
        let hex = id.hex();
        let (folder, name) = hex.split_at(2);
        self.root().join(area.folder()).join(folder).join(name)
    }

    /// Opens an artifact of an area; links are not followed.
    pub(super) fn open_in(&self, area: Area, id: ArtifactId) -> Result<Opened, StoreError> {
        let path = self.place(area, id);
        let mut options = std::fs::OpenOptions::new();
        let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
        options.read(true).custom_flags(flags.bits() as i32);
        let file = match options.open(&path) {
            Ok(file) => file,
            Err(e) if e.kind() == io::ErrorKind::NotFound => {
                return Err(StoreError::NoArtifact(id));
            }
            Err(e) if Errno::from_io_error(&e) == Some(Errno::LOOP) => {
                return Err(StoreError::NotAFile(path));
            }
            Err(e) => return Err(at(&path, e).into()),
        };
        let metadata = file.metadata()?;
        if !metadata.is_file() {
            return Err(StoreError::NotAFile(path));
        }
        Ok(Opened {
            path,
            file,
            size: metadata.len(),
        })
    }

    /// Opens an artifact wherever it is.
    pub(super) fn open_any(&self, id: ArtifactId) -> Result<Opened, StoreError> {
        match self.open_in(Area::Blobs, id) {
            Err(StoreError::NoArtifact(_)) => self.open_in(Area::Receipts, id),
            other => other,
        }
    }

    /// Whether the store has a file for this artifact. Its bytes are checked when they are read.
    pub fn has(&self, id: ArtifactId) -> bool {
        Area::ALL.iter().any(|area| {
            fs::symlink_metadata(self.place(*area, id)).is_ok_and(|metadata| metadata.is_file())
        })
    }

    /// Lists the whole store once, so that thousands of steps can be looked up.
    ///
    /// # Errors
    /// When a folder cannot be read.
    pub fn presence(&self) -> Result<Presence, StoreError> {
        Ok(Presence {
            blobs: self.list(Area::Blobs)?.ids.into_iter().collect(),
            receipts: self.list(Area::Receipts)?.ids.into_iter().collect(),
        })
    }

    /// All names in an area.
    pub(super) fn list(&self, area: Area) -> Result<Listing, StoreError> {
        let mut listing = Listing::default();
        // A copy made by a tool that passes over empty folders may lack one.
        for folder in entries(&self.root().join(area.folder()))? {
            let prefix = folder.file_name();
            if !folder.file_type()?.is_dir() {
                listing.strangers.push(folder.path());
                continue;
            }
            for file in entries(&folder.path())? {
                let name = file.file_name();
                let id = prefix
                    .to_str()
                    .zip(name.to_str())
                    .filter(|(prefix, _)| prefix.len() == 2)
                    .and_then(|(prefix, name)| {
                        ArtifactId::from_hex(&format!("{prefix}{name}")).ok()
                    });
                match id {
                    Some(id) if file.file_type()?.is_file() => listing.ids.push(id),
                    _ => listing.strangers.push(file.path()),
                }
            }
        }
        Ok(listing)
    }

    /// The artifact's bytes, in memory.
    ///
    /// # Errors
    /// When it is not there, or its bytes are not those its id names.
    pub fn get(&self, id: ArtifactId) -> Result<Vec<u8>, StoreError> {
        read_verified(self.open_any(id)?, id)
    }

    /// A JSON artifact of this format.
    ///
    /// # Errors
    /// As [`Store::get`], and when it is of another kind, of a newer major version, or not a `T`.
    pub fn get_json<T: DeserializeOwned>(
        &self,
        id: ArtifactId,
        format: Format,
    ) -> Result<T, StoreError> {
        parse(&id.to_string(), &self.get(id)?, format)
    }

    /// A recorded receipt. What was put but not recorded is never taken for one.
    ///
    /// # Errors
    /// As [`Store::get_json`].
    pub fn receipt(&self, id: ArtifactId) -> Result<Receipt, StoreError> {
        parse(&id.to_string(), &self.read_in(Area::Receipts, id)?, RECEIPT)
    }

    /// An artifact's bytes where it is in this area.
    pub(super) fn read_in(&self, area: Area, id: ArtifactId) -> Result<Vec<u8>, StoreError> {
        read_verified(self.open_in(area, id)?, id)
    }

    /// The artifact's file, its bytes checked, positioned at its start.
    ///
    /// # Errors
    /// As [`Store::get`].
    pub fn open_verified(&self, id: ArtifactId) -> Result<File, StoreError> {
        let mut opened = self.open_any(id)?;
        let found = hashing::hash_file(&mut opened.file, opened.size)?;
        check(&opened.path, id, found)?;
        opened.file.seek(SeekFrom::Start(0))?;
        Ok(opened.file)
    }

    /// Copies the artifact's bytes into a file, which is created or replaced.
    ///
    /// # Errors
    /// As [`Store::get`], and when the file cannot be written. A file with wrong bytes is removed.
    pub fn copy_to(&self, id: ArtifactId, target: &Path) -> Result<(), StoreError> {
        let mut opened = self.open_any(id)?;
        let mut file = fs::File::create(target)?;
        let (_, found) = hashing::copy(&mut opened.file, &mut file)?;
        check(&opened.path, id, found).inspect_err(|_| {
            let _ = fs::remove_file(target);
        })
    }

    /// Whether an area holds the artifact with the right bytes.
    pub(super) fn holds(&self, area: Area, id: ArtifactId, size: u64) -> Result<bool, StoreError> {
        match self.open_in(area, id) {
            Ok(opened) if opened.size != size => Ok(false),
            Ok(mut opened) => Ok(hashing::hash_file(&mut opened.file, size)? == id),
            Err(StoreError::NoArtifact(_) | StoreError::NotAFile(_)) => Ok(false),
            Err(e) => Err(e),
        }
    }
}

fn read_verified(mut opened: Opened, id: ArtifactId) -> Result<Vec<u8>, StoreError> {
    let (bytes, found) = hashing::read_file(&mut opened.file, opened.size)?;
    check(&opened.path, id, found)?;
    Ok(bytes)
}

fn check(path: &Path, id: ArtifactId, found: ArtifactId) -> Result<(), StoreError> {
    if found == id {
        return Ok(());
    }
    Err(StoreError::Damaged {
        path: path.to_owned(),
        found,
    })
}

/// A folder's entries; none where there is no folder.
fn entries(folder: &Path) -> Result<Vec<std::fs::DirEntry>, StoreError> {
    match std::fs::read_dir(folder) {
        Ok(entries) => Ok(entries.collect::<Result<_, _>>()?),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(e) => Err(at(folder, e).into()),
    }
}

/// The error with its path, where the plain functions of the standard library are needed.
fn at(path: &Path, error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}
