//! The store's folder: made, opened, locked.

use super::error::StoreError;
use super::files::{parent, sync_folder, write_atomically_by_way_of};
use super::lock::{ExclusiveLock, LOCK_TIMEOUT, SharedLock};
use crate::format::{Format, Header};
use fs_err as fs;
use serde::de::DeserializeOwned;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// The version of stores this program writes. 1.0: first.
///
/// A change of layout raises major and comes with a function that moves the old layout to the new
/// one under the exclusive lock.
pub const STORE: Format = Format {
    kind: "assay-store",
    major: 1,
    minor: 0,
};

/// What a store's folder may hold before its `format.json` is written, which comes last.
const FOLDERS: [&str; 5] = ["blobs", "receipts", "campaigns", "locks", "tmp"];

/// Temporary files of this age belong to nobody any more.
const STALE: Duration = Duration::from_secs(24 * 3600);

/// A content-addressed store in a folder; see the [module](super) for what is where.
///
/// Cheap to clone; all methods may be used from many threads and processes at once. Who puts and
/// records holds [`Store::lock_shared`] from the first put until what it put is recorded and named
/// by a campaign, so that no [`Store::gc`] comes in between.
#[derive(Debug, Clone)]
pub struct Store {
    root: PathBuf,
    /// The minor version in `format.json`.
    minor: u32,
}

impl Store {
    /// Opens a store that exists; writes nothing.
    ///
    /// # Errors
    /// When nothing or something else is there, or its major version is not known.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        match Self::open_if_there(path)? {
            Some(store) => Ok(store),
            None if is_free(path)? => Err(StoreError::Absent(path.to_owned())),
            None => Err(StoreError::NotAStore(path.to_owned())),
        }
    }

    /// Opens a store, and makes one where there is nothing or an empty folder.
    ///
    /// # Errors
    /// When something else is there, it cannot be written, or its major version is not known.
    pub fn create_or_open(path: &Path) -> Result<Self, StoreError> {
        if let Some(store) = Self::open_if_there(path)? {
            store.remove_stale(STALE)?;
            return Ok(store);
        }
        if !is_free(path)? {
            return Err(StoreError::NotAStore(path.to_owned()));
        }
        let store = Store {
            root: path.to_owned(),
            minor: STORE.minor,
        };
        for folder in FOLDERS {
            fs::create_dir_all(path.join(folder)).map_err(StoreError::writing)?;
        }
        // The file is there from the beginning, so that who may only read can lock too.
        drop(store.lock_shared()?);
        store.replace("format.json", &STORE.header())?;
        sync_folder(parent(path))?;
        Ok(store)
    }

    fn open_if_there(path: &Path) -> Result<Option<Self>, StoreError> {
        let file = path.join("format.json");
        let bytes = match fs::read(&file) {
            Ok(bytes) => bytes,
            Err(e)
                if matches!(
                    e.kind(),
                    io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
                ) =>
            {
                return Ok(None);
            }
            Err(e) => return Err(e.into()),
        };
        let header: Header = parse(&file.display().to_string(), &bytes, STORE)?;
        Ok(Some(Store {
            root: path.to_owned(),
            minor: header.minor,
        }))
    }

    /// The store's folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Keeps garbage collection out while the guard lives; others may hold it too.
    ///
    /// # Errors
    /// When a garbage collection runs for longer than [`LOCK_TIMEOUT`].
    pub fn lock_shared(&self) -> Result<SharedLock, StoreError> {
        Ok(SharedLock::acquire(&self.lock_file("store"), LOCK_TIMEOUT)?)
    }

    /// Keeps everybody else out while the guard lives. [`Store::gc`] takes it itself.
    ///
    /// # Errors
    /// When others use the store for longer than [`LOCK_TIMEOUT`].
    pub fn lock_exclusive(&self) -> Result<ExclusiveLock, StoreError> {
        Ok(ExclusiveLock::acquire(
            &self.lock_file("store"),
            LOCK_TIMEOUT,
        )?)
    }

    /// The file of a lock by its name.
    pub(super) fn lock_file(&self, name: &str) -> PathBuf {
        self.root.join("locks").join(name)
    }

    /// Where temporary files are.
    pub(super) fn tmp(&self) -> PathBuf {
        self.root.join("tmp")
    }

    /// Refuses to write to a store of a newer minor version.
    pub(super) fn check_writable(&self) -> Result<(), StoreError> {
        if self.minor > STORE.minor {
            return Err(StoreError::NewerMinor {
                path: self.root.join("format.json"),
                found: self.minor,
                known: STORE.minor,
            });
        }
        Ok(())
    }

    /// Replaces a small JSON file of the store, by its path in it.
    pub(super) fn replace<T: serde::Serialize>(
        &self,
        path: &str,
        value: &T,
    ) -> Result<(), StoreError> {
        self.check_writable()?;
        let path = self.root.join(path);
        let mut bytes = serde_json::to_vec(value).map_err(|source| StoreError::Json {
            at: path.display().to_string(),
            source,
        })?;
        bytes.push(b'\n');
        write_atomically_by_way_of(&self.tmp(), &path, &bytes).map_err(StoreError::writing)
    }

    /// Removes temporary files of at least this age that killed processes left; returns how many.
    /// Age zero needs the exclusive lock.
    pub(super) fn remove_stale(&self, age: Duration) -> Result<u64, StoreError> {
        let now = SystemTime::now();
        let mut removed = 0;
        for path in self.temporary_files()? {
            let modified = fs::symlink_metadata(&path).and_then(|m| m.modified());
            let old = modified.is_ok_and(|m| now.duration_since(m).unwrap_or_default() >= age);
            if old && fs::remove_file(&path).is_ok() {
                removed += 1;
            }
        }
        Ok(removed)
    }

    /// The files in `tmp`.
    pub(super) fn temporary_files(&self) -> Result<Vec<PathBuf>, StoreError> {
        match fs::read_dir(self.tmp()) {
            Ok(entries) => Ok(entries
                .map(|e| e.map(|e| e.path()))
                .collect::<Result<_, _>>()?),
            Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
            Err(e) => Err(e.into()),
        }
    }
}

/// Whether a store may be made here: nothing, an empty folder, or a store whose making was cut off.
fn is_free(path: &Path) -> Result<bool, StoreError> {
    let entries = match fs::read_dir(path) {
        Ok(entries) => entries,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(true),
        Err(e) if e.kind() == io::ErrorKind::NotADirectory => return Ok(false),
        Err(e) => return Err(e.into()),
    };
    for entry in entries {
        let name = entry?.file_name();
        if !FOLDERS.iter().any(|folder| name == *folder) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Reads JSON that opens with a header of this format; the header is checked first, so that a
/// newer version is told as such and not as a missing field.
pub(super) fn parse<T: DeserializeOwned>(
    at: &str,
    bytes: &[u8],
    format: Format,
) -> Result<T, StoreError> {
    let json = |source| StoreError::Json {
        at: at.to_owned(),
        source,
    };
    let header: Header = serde_json::from_slice(bytes).map_err(json)?;
    format.check(&header).map_err(|source| StoreError::Format {
        at: at.to_owned(),
        source,
    })?;
    serde_json::from_slice(bytes).map_err(json)
}
