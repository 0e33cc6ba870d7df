//! Folders on disk. Links are handled as in archives: never followed, resolved among what was read.

use super::Put;
use super::collect::{Collector, Origin};
use super::error::{SourceError, Special};
use super::limits::Limits;
use super::note::Note;
use artifacts::tree::{Tree, TreePath};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::FileTypeExt;
use std::path::Path;
use walkdir::{DirEntry, WalkDir};

/// Folders of version control, which are no sources and change with every commit.
const VERSION_CONTROL: &[&str] = &[".git", ".hg", ".svn"];

/// Reads a folder, or those files and folders below it that `only` names.
///
/// # Errors
/// When something of it cannot be read, is refused, or goes beyond the limits.
pub fn read_folder(
    folder: &Path,
    only: Option<&[TreePath]>,
    limits: &Limits,
    put: &mut Put<'_>,
) -> Result<Tree, SourceError> {
    let (tree, _) = read(folder, only, limits, &[], put)?;
    Ok(tree)
}

pub(super) fn read(
    folder: &Path,
    only: Option<&[TreePath]>,
    limits: &Limits,
    leave_out: &[String],
    put: &mut Put<'_>,
) -> Result<(Tree, Vec<Note>), SourceError> {
    let shown = folder.display().to_string();
    let origin = Origin {
        archive: &shown,
        prefix: None,
        depth: 0,
    };
    let mut collector = Collector::new(put, *limits, leave_out, None);
    match only {
        None => walk(&mut collector, origin, folder, folder)?,
        Some(paths) => {
            for path in without_nested(paths) {
                let start = folder.join(OsStr::from_bytes(path.as_bytes()));
                walk(&mut collector, origin, folder, &start)?;
            }
        }
    }
    let (tree, notes) = collector.finish()?;
    if tree.files.is_empty() {
        return Err(SourceError::Empty(folder.to_owned()));
    }
    Ok((tree, notes))
}

/// The paths that lie below no other one.
fn without_nested(paths: &[TreePath]) -> Vec<&TreePath> {
    let mut sorted: Vec<&TreePath> = paths.iter().collect();
    sorted.sort();
    sorted.dedup();
    let all = sorted.clone();
    sorted.retain(|path| {
        !all.iter()
            .any(|other| other != path && path.is_under(other))
    });
    sorted
}

fn walk(
    collector: &mut Collector<'_>,
    origin: Origin<'_>,
    folder: &Path,
    start: &Path,
) -> Result<(), SourceError> {
    let wanted = |entry: &DirEntry| {
        entry.depth() == 0
            || !VERSION_CONTROL
                .iter()
                .any(|name| entry.file_name() == *name)
    };
    let entries = WalkDir::new(start)
        .sort_by_file_name()
        .into_iter()
        .filter_entry(wanted);
    for entry in entries {
        let entry = entry.map_err(std::io::Error::from)?;
        let below = entry.path().strip_prefix(folder).unwrap_or(entry.path());
        let raw = below.as_os_str().as_bytes();
        let kind = entry.file_type();
        if kind.is_dir() {
            collector.admit(origin, raw)?;
        } else if kind.is_symlink() {
            let target = fs_err::read_link(entry.path())?;
            if let Some(path) = collector.admit(origin, raw)? {
                collector.symbolic_link(origin, path, target.as_os_str().as_bytes())?;
            }
        } else if kind.is_file() {
            if let Some(path) = collector.admit(origin, raw)? {
                collector.keep(origin, path, &mut fs_err::File::open(entry.path())?)?;
            }
        } else {
            let what = if kind.is_fifo() {
                Special::Pipe
            } else if kind.is_socket() {
                Special::Socket
            } else {
                Special::Device
            };
            return Err(SourceError::Special {
                entry: origin.shown(raw),
                what,
            });
        }
    }
    Ok(())
}
