//! A scratch folder in which a stage works, and source trees laid out in it.

use artifacts::ArtifactId;
use artifacts::store::{Store, StoreError};
use artifacts::tree::{TREE, Tree, TreePath};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

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

/// A folder that is removed when dropped.
#[derive(Debug)]
pub struct Scratch(tempfile::TempDir);

impl Scratch {
    /// A new empty folder under `TMPDIR`.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn new() -> Result<Self, ScratchError> {
        tempfile::Builder::new()
            .prefix("assay-")
            .tempdir()
            .map(Scratch)
            .map_err(ScratchError::Create)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.0.path()
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
