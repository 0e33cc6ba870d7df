//! Writing the site: the pages of the campaign with its root as their last line.
//!
//! The whole site is made in a folder beside the old one and takes its place at the end, so that a
//! reader never sees half of it.

use crate::plan::{Planned, Step};
use artifacts::ArtifactId;
use artifacts::store::{Store, StoreError};
use std::path::{Path, PathBuf};

/// Why the site could not be written.
#[derive(Debug, thiserror::Error)]
pub enum SiteError {
    /// A page could not be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A file could not be written.
    #[error("cannot write the site: {0}")]
    Io(#[from] std::io::Error),
    /// Something else is there.
    #[error(
        "{0} exists and is no site of assay: name another folder with --out, or remove it yourself"
    )]
    Foreign(PathBuf),
}

/// By this file a folder is known as a site of ours, which may be replaced.
const MARK: &str = ".assay-site";

/// Every page's file name and artifact.
fn files(pages: &[Planned]) -> Vec<(String, ArtifactId)> {
    let mut files = Vec::new();
    for page in pages {
        let Some(summary) = page.summary() else {
            continue;
        };
        for (role, id) in &summary.outputs {
            let candidate = page.name.candidate.as_ref();
            let name = match (page.name.stage, candidate, role.as_str()) {
                (Step::Index, _, role) => role.to_owned(),
                (_, Some(candidate), "page.md") => format!("{candidate}.md"),
                (_, Some(candidate), "page.html") => format!("{candidate}.html"),
                (_, Some(candidate), "cells.md") => format!("{candidate}.cells.md"),
                (_, Some(candidate), "cells.html") => format!("{candidate}.cells.html"),
                _ => continue,
            };
            files.push((name, *id));
        }
    }
    files
}

/// Writes the pages into `folder`, which must not hold anything but an earlier site.
///
/// # Errors
/// When a page is missing from the store or a file cannot be written; the old site then stays.
pub fn write(
    store: &Store,
    pages: &[Planned],
    root: ArtifactId,
    folder: &Path,
) -> Result<usize, SiteError> {
    let folder = std::path::absolute(folder)?;
    let parent = folder.parent().map(PathBuf::from).unwrap_or_default();
    if folder.exists() && !folder.join(MARK).exists() {
        let empty = fs_err::read_dir(&folder)?.next().is_none();
        if !empty {
            return Err(SiteError::Foreign(folder));
        }
    }
    fs_err::create_dir_all(&parent)?;
    let fresh = tempfile::Builder::new()
        .prefix(".assay-site-")
        .tempdir_in(&parent)?;
    let files = write_pages(store, pages, root, fresh.path())?;
    fs_err::write(
        fresh.path().join(MARK),
        "This folder is replaced by every `campaign run`.\n",
    )?;
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs_err::set_permissions(fresh.path(), mode)?;
    if folder.exists() {
        fs_err::remove_dir_all(&folder)?;
    }
    fs_err::rename(fresh.keep(), &folder)?;
    Ok(files)
}

/// Writes the pages into a folder that exists; how many there are.
///
/// # Errors
/// As [`write`].
pub fn write_pages(
    store: &Store,
    pages: &[Planned],
    root: ArtifactId,
    folder: &Path,
) -> Result<usize, SiteError> {
    let files = files(pages);
    let root = root.to_string();
    for (name, id) in &files {
        let body = String::from_utf8_lossy(&store.get(*id)?).into_owned();
        let text = match name.ends_with(".html") {
            true => reports::html::with_root(&body, &root),
            false => reports::markdown::with_root(&body, &root),
        };
        fs_err::write(folder.join(name), text)?;
    }
    Ok(files.len())
}
