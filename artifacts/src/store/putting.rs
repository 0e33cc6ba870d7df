//! Writing artifacts: temporary file, sync, rename, sync of the folder; read-only from then on.
//!
//! The name is the content, so two writers of one artifact do each other no harm, and what is there
//! already is not written again: its bytes are read, and a damaged file is replaced. Many small
//! artifacts are put as a [`Batch`], which makes all of them durable with two calls.

use super::blobs::Area;
use super::error::StoreError;
use super::files::{parent, sync_folder, temporary};
use super::hashing;
use super::opening::Store;
use crate::id::ArtifactId;
use fs_err as fs;
use rustix::fs::{Advice, fadvise};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, Read, Write};
use std::num::NonZeroU64;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use tempfile::TempPath;

/// From this number on, one sync of the file system is cheaper than one of each file.
const MANY: usize = 16;

impl Store {
    /// Puts bytes that are in memory.
    ///
    /// # Errors
    /// When they cannot be written; nothing then bears their name.
    pub fn put_bytes(&self, bytes: &[u8]) -> Result<ArtifactId, StoreError> {
        let mut batch = self.batch();
        let id = batch.put_bytes(bytes)?;
        batch.commit()?;
        Ok(id)
    }

    /// Puts all that a reader gives, however much, without holding it in memory.
    ///
    /// # Errors
    /// As [`Store::put_bytes`], and when the reader fails.
    pub fn put_reader(&self, mut reader: impl Read) -> Result<ArtifactId, StoreError> {
        let mut batch = self.batch();
        let id = batch.put_reader(&mut reader)?;
        batch.commit()?;
        Ok(id)
    }

    /// Puts a file's content.
    ///
    /// # Errors
    /// As [`Store::put_bytes`], and when the file cannot be read.
    pub fn put_file(&self, path: &Path) -> Result<ArtifactId, StoreError> {
        self.put_reader(fs::File::open(path)?)
    }

    /// Puts a value as JSON on one line, as its type writes it.
    ///
    /// # Errors
    /// As [`Store::put_bytes`], and when the value has no JSON form.
    pub fn put_json<T: Serialize>(&self, value: &T) -> Result<ArtifactId, StoreError> {
        let mut batch = self.batch();
        let id = batch.put_json(value)?;
        batch.commit()?;
        Ok(id)
    }

    /// Begins a batch. Its artifacts are in the store once it is committed, and not before.
    pub fn batch(&self) -> Batch<'_> {
        self.batch_in(Area::Blobs)
    }

    pub(super) fn batch_in(&self, area: Area) -> Batch<'_> {
        Batch {
            store: self,
            area,
            pending: BTreeMap::new(),
        }
    }

    pub(super) fn sync_file_system(&self) -> Result<(), StoreError> {
        let root = fs::File::open(self.root())?;
        rustix::fs::syncfs(&root).map_err(|errno| StoreError::writing(errno.into()))
    }
}

/// Artifacts to be published together; see [`Store::batch`]. Dropped without a commit, it leaves
/// nothing behind.
#[derive(Debug)]
pub struct Batch<'store> {
    store: &'store Store,
    area: Area,
    pending: BTreeMap<ArtifactId, TempPath>,
}

impl Batch<'_> {
    /// As [`Store::put_bytes`], effective with the commit.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn put_bytes(&mut self, bytes: &[u8]) -> Result<ArtifactId, StoreError> {
        let id = hashing::hash_bytes(bytes);
        if !self.is_there(id, bytes.len() as u64)? {
            let mut file = self.temporary()?;
            file.write_all(bytes).map_err(StoreError::writing)?;
            self.keep(id, file)?;
        }
        Ok(id)
    }

    /// As [`Store::put_reader`], effective with the commit.
    ///
    /// # Errors
    /// When the reader fails, or its bytes cannot be written.
    pub fn put_reader(&mut self, reader: &mut dyn Read) -> Result<ArtifactId, StoreError> {
        let mut file = self.temporary()?;
        let (size, id) = hashing::copy(reader, &mut Outgoing::new(file.as_file_mut()))?;
        if !self.is_there(id, size)? {
            self.keep(id, file)?;
        }
        Ok(id)
    }

    /// As [`Store::put_json`], effective with the commit.
    ///
    /// # Errors
    /// When the value has no JSON form, or cannot be written.
    pub fn put_json<T: Serialize>(&mut self, value: &T) -> Result<ArtifactId, StoreError> {
        let bytes = serde_json::to_vec(value).map_err(|source| StoreError::Json {
            at: std::any::type_name::<T>().to_owned(),
            source,
        })?;
        self.put_bytes(&bytes)
    }

    /// Makes the artifacts durable and gives them their names.
    ///
    /// # Errors
    /// When the file system refuses; some may then be there, each of them whole.
    pub fn commit(self) -> Result<(), StoreError> {
        let many = self.pending.len() >= MANY;
        if many {
            self.store.sync_file_system()?;
        } else {
            for file in self.pending.values() {
                // Syncing needs no right to write.
                fs::File::open(file)?.sync_all()?;
            }
        }
        let mut folders = BTreeSet::new();
        for (id, file) in self.pending {
            let path = self.store.place(self.area, id);
            let folder = parent(&path);
            if folders.insert(folder.to_owned()) && !folder.is_dir() {
                fs::create_dir_all(folder).map_err(StoreError::writing)?;
                folders.insert(parent(folder).to_owned());
            }
            file.persist(&path).map_err(|e| match e.error.kind() {
                io::ErrorKind::IsADirectory => StoreError::NotAFile(path.clone()),
                _ => StoreError::writing(e.error),
            })?;
        }
        if many {
            return self.store.sync_file_system();
        }
        for folder in &folders {
            sync_folder(folder)?;
        }
        Ok(())
    }

    fn temporary(&self) -> Result<tempfile::NamedTempFile, StoreError> {
        self.store.check_writable()?;
        temporary(&self.store.tmp()).map_err(StoreError::writing)
    }

    fn keep(&mut self, id: ArtifactId, file: tempfile::NamedTempFile) -> Result<(), StoreError> {
        let read_only = std::fs::Permissions::from_mode(0o444);
        file.as_file()
            .set_permissions(read_only)
            .map_err(StoreError::writing)?;
        self.pending.insert(id, file.into_temp_path());
        Ok(())
    }

    /// Whether nothing needs to be written. A recorded receipt serves as a blob, not the reverse.
    fn is_there(&self, id: ArtifactId, size: u64) -> Result<bool, StoreError> {
        Ok(self.pending.contains_key(&id)
            || self.store.holds(self.area, id, size)?
            || (self.area == Area::Blobs && self.store.holds(Area::Receipts, id, size)?))
    }
}

/// A file whose bytes go to the disk while more are written, so that the sync at the end finds
/// little left to do.
struct Outgoing<'file> {
    file: &'file mut File,
    written: u64,
    sent: u64,
}

impl<'file> Outgoing<'file> {
    /// As much as is sent at once.
    const LOAD: u64 = 8 << 20;

    fn new(file: &'file mut File) -> Self {
        Outgoing {
            file,
            written: 0,
            sent: 0,
        }
    }
}

impl Write for Outgoing<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.written += written as u64;
        if let Some(length) = NonZeroU64::new(self.written - self.sent)
            && length.get() >= Self::LOAD
        {
            // "Not needed" makes Linux begin to write without waiting for it; pages on their way
            // stay in memory. It is only advice, so a refusal changes nothing.
            let _ = fadvise(&*self.file, self.sent, Some(length), Advice::DontNeed);
            self.sent = self.written;
        }
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
