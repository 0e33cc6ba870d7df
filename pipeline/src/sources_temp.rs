//! Temporary.
use crate::catalog::Package;
use artifacts::CandidateId;
use artifacts::store::Store;
use artifacts::tree::{Tree, TreePath};
use std::collections::BTreeMap;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
pub use crate::gather::GatherError as SourceErr;
/// Temporary.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// io
    #[error("{0}")]
    Io(#[from] std::io::Error),
    /// store
    #[error("{0}")]
    Store(#[from] artifacts::store::StoreError),
    /// other
    #[error("{0}")]
    Other(String),
}
/// Temporary.
pub fn control_folder(package: &Package, explicit: Option<&Path>) -> Result<PathBuf, SourceError> {
    if let Some(folder) = explicit { return Ok(folder.to_owned()); }
    let exe = std::env::current_exe()?;
    let manifest = exe.ancestors().map(|a| a.join("Cargo.toml")).find(|p| p.exists()).ok_or_else(|| SourceError::Other("no workspace".into()))?;
    let metadata = cargo_metadata::MetadataCommand::new().manifest_path(manifest).features(cargo_metadata::CargoOpt::AllFeatures).other_options(["--offline".to_owned(), "--locked".to_owned(), "--filter-platform".to_owned(), format!("{}-unknown-linux-gnu", std::env::consts::ARCH)]).exec().map_err(|e| SourceError::Other(e.to_string()))?;
    let found = metadata.packages.iter().find(|p| p.name.as_str() == package.name).ok_or_else(|| SourceError::Other("no package".into()))?;
    Ok(found.manifest_path.parent().map(|p| p.join("pqclean").into_std_path_buf()).unwrap_or_default())
}
/// Temporary.
pub fn read_parts(store: &Store, folder: &Path, wanted: &[TreePath]) -> Result<Tree, SourceError> {
    let mut files = BTreeMap::new();
    let mut batch = store.batch();
    for part in wanted {
        let path = folder.join(std::ffi::OsStr::from_bytes(part.as_bytes()));
        for entry in walkdir::WalkDir::new(&path) {
            let entry = entry.map_err(|e| SourceError::Other(e.to_string()))?;
            if entry.file_type().is_file() {
                let rel = entry.path().strip_prefix(folder).map_err(|e| SourceError::Other(e.to_string()))?;
                let tp = TreePath::new(rel.as_os_str().as_bytes()).map_err(|e| SourceError::Other(e.to_string()))?;
                files.insert(tp, batch.put_bytes(&fs_err::read(entry.path())?)?);
            }
        }
    }
    batch.commit()?;
    Ok(Tree::new(files))
}
/// Temporary.
pub fn added(_store: &Store, _id: &CandidateId) -> Result<Option<(Tree, String)>, SourceError> { Ok(None) }
/// Temporary.
pub fn instance_tree(tree: &Tree, wanted: &crate::catalog::Instance) -> Tree {
    let parts: Vec<TreePath> = std::iter::once(&wanted.source_dir).chain(&wanted.sources).chain(&wanted.extra_sources).chain(&wanted.include_dirs).chain(&wanted.trees).cloned().collect();
    tree.restricted_to(&parts)
}

/// Temporary.
pub fn added_trees(_store: &Store) -> Result<Vec<artifacts::ArtifactId>, SourceError> { Ok(Vec::new()) }
