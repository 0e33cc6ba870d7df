//! A scratch folder in which a stage works, and source trees laid out in it.

use artifacts::ArtifactId;
use artifacts::store::{Store, StoreError};
use artifacts::tree::{TREE, Tree, TreePath};
use std::ffi::OsStr;
use std::fs::File;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// How scratch folders' names begin.
const PREFIX: &str = "assay-scratch-";
/// A folder younger than this may not be locked yet by its owner.
const YOUNG: Duration = Duration::from_secs(60);

/// A scratch folder or a tree in it could not be made.
#[derive(Debug, thiserror::Error)]
pub enum ScratchError {
    /// The folder for temporary files does not take any.
    #[error("could not make a scratch folder (set TMPDIR to a folder with space): {0}")]
    Create(#[source] std::io::Error),
    /// A file could not be written.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// The store does not hold what the tree names.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A folder that is removed when dropped, and locked until then. A stage that is killed cannot remove
/// its own; the next one does, as nobody holds the lock any more.
#[derive(Debug)]
pub struct Scratch {
    folder: tempfile::TempDir,
    #[expect(dead_code, reason = "held open, for that is the lock")]
    lock: File,
}

impl Scratch {
    /// A new empty folder under `TMPDIR`.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn new() -> Result<Self, ScratchError> {
        let parent = std::env::temp_dir();
        remove_abandoned(&parent);
        let made = tempfile::Builder::new().prefix(PREFIX).tempdir_in(&parent);
        let folder = made.map_err(ScratchError::Create)?;
        let lock = File::open(folder.path()).map_err(ScratchError::Create)?;
        // Where the file system knows no locks, a long job's folder must not look abandoned either:
        // then the attempt to lock it fails for everybody.
        let _ = lock.try_lock();
        Ok(Scratch { folder, lock })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// A folder in it, made.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn folder(&self, name: &str) -> Result<PathBuf, ScratchError> {
        let path = self.path().join(name);
        fs_err::create_dir_all(&path)?;
        Ok(path)
    }
}

/// Removes the scratch folders of killed stages. What cannot be removed is somebody else's, or the
/// next one's.
fn remove_abandoned(parent: &Path) {
    for entry in std::fs::read_dir(parent).into_iter().flatten().flatten() {
        let is_scratch = entry.file_name().as_bytes().starts_with(PREFIX.as_bytes());
        if is_scratch && is_abandoned(&entry.path()).unwrap_or(false) {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

fn is_abandoned(path: &Path) -> std::io::Result<bool> {
    let found = path.symlink_metadata()?;
    let age = SystemTime::now().duration_since(found.modified()?);
    if !found.is_dir() || age.unwrap_or_default() < YOUNG {
        return Ok(false);
    }
    Ok(File::open(path)?.try_lock().is_ok())
}

/// A tree path as a path of this system.
pub fn os_path(path: &TreePath) -> &Path {
    Path::new(OsStr::from_bytes(path.as_bytes()))
}

/// Reads the tree with this id.
///
/// # Errors
/// When the store does not hold it, or it is not a tree.
pub fn read_tree(store: &Store, id: ArtifactId) -> Result<Tree, ScratchError> {
    let tree: Tree = store.get_json(id, TREE)?;
    Ok(tree)
}

/// Lays out all files of a tree below `folder`.
///
/// # Errors
/// When the store lacks a file, or one cannot be written.
pub fn lay_out(store: &Store, tree: &Tree, folder: &Path) -> Result<(), ScratchError> {
    for (path, id) in &tree.files {
        let target = folder.join(os_path(path));
        if let Some(parent) = target.parent() {
            fs_err::create_dir_all(parent)?;
        }
        store.copy_to(*id, &target)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_folders_that_nobody_holds_and_that_are_not_young_are_removed() {
        let parent = tempfile::tempdir().unwrap();
        let old = SystemTime::now() - 2 * YOUNG;
        let make = |name: &str, modified: SystemTime| {
            let path = parent.path().join(name);
            std::fs::create_dir_all(path.join("run")).unwrap();
            std::fs::write(path.join("run/text"), "text").unwrap();
            let folder = File::open(&path).unwrap();
            folder.set_modified(modified).unwrap();
            (path, folder)
        };
        let (abandoned, _) = make("assay-scratch-a", old);
        let (young, _) = make("assay-scratch-b", SystemTime::now());
        let (foreign, _) = make("assay-thesis", old);
        let (held, lock) = make("assay-scratch-c", old);
        lock.lock().unwrap();
        remove_abandoned(parent.path());
        assert!(!abandoned.exists());
        assert!(young.exists() && foreign.exists() && held.exists());
    }
}
