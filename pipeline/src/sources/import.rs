//! A candidate's sources as a user brings them.

use super::archive::{self, Kind};
use super::collect::{Collector, Origin};
use super::error::SourceError;
use super::layout::instance_sources;
use super::limits::Limits;
use super::note::Note;
use super::{Put, folder};
use crate::catalog::Candidate;
use artifacts::tree::Tree;
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{self, Seek, SeekFrom};
use std::path::Path;

/// Sources that were taken.
#[derive(Debug, Clone)]
pub struct Import {
    /// The files as they lie in the archive or folder.
    pub tree: Tree,
    /// SHA-256 of the archive, 64 lower-case hex digits; absent for a folder.
    pub sha256: Option<String>,
    /// Whether that is the digest of the published archive.
    pub is_published: bool,
    /// What people should know, in order.
    pub notes: Vec<Note>,
}

/// Takes an archive or a folder as a candidate's sources, and checks that they hold what the catalog
/// names.
///
/// An archive is hashed before anything of it is read, and refused if the catalog has another
/// digest. A folder cannot be checked, and is said to be no published one.
///
/// # Errors
/// When the sources are another candidate's, cannot be read, are refused, or go beyond the limits.
pub fn add_source(
    candidate: &Candidate,
    path: &Path,
    limits: &Limits,
    put: &mut Put<'_>,
) -> Result<Import, SourceError> {
    if candidate.is_control() {
        return Err(SourceError::IsControl(candidate.id.to_string()));
    }
    let leave_out = candidate
        .archive
        .as_ref()
        .map_or(&[][..], |archive| &archive.leave_out);
    let mut import = if fs_err::metadata(path)?.is_dir() {
        let (tree, notes) = folder::read(path, None, limits, leave_out, put)?;
        Import {
            tree,
            sha256: None,
            is_published: false,
            notes,
        }
    } else {
        unpack(candidate, path, limits, leave_out, put)?
    };
    for sources in instance_sources(candidate, &import.tree)? {
        let label = &sources.instance.label;
        let missing = sources.missing_references.into_iter();
        import.notes.extend(missing.map(|file| Note::NoReference {
            label: label.to_string(),
            file,
        }));
    }
    Ok(import)
}

fn unpack(
    candidate: &Candidate,
    path: &Path,
    limits: &Limits,
    leave_out: &[String],
    put: &mut Put<'_>,
) -> Result<Import, SourceError> {
    let mut file = fs_err::File::open(path)?.into_file();
    let sha256 = sha256(&mut file)?;
    let expected = candidate
        .archive
        .as_ref()
        .and_then(|archive| archive.sha256.as_ref());
    if let Some(expected) = expected.filter(|expected| expected.as_str() != sha256) {
        return Err(SourceError::Digest {
            path: path.to_owned(),
            candidate: candidate.id.to_string(),
            expected: expected.to_string(),
            found: sha256,
        });
    }
    let refused = |found| SourceError::Kind {
        path: path.to_owned(),
        found,
    };
    let kind = Kind::of(&file)?.ok_or_else(|| refused("no archive"))?;
    if let Some(found) = kind.unread() {
        return Err(refused(found));
    }
    let shown = path.display().to_string();
    let origin = Origin {
        archive: &shown,
        prefix: None,
        depth: 0,
    };
    let mut collector = Collector::new(put, *limits, leave_out, Some(file.metadata()?.len()));
    archive::unpack(&mut collector, origin, kind, file)?;
    let (tree, notes) = collector.finish()?;
    if tree.files.is_empty() {
        return Err(SourceError::Empty(path.to_owned()));
    }
    Ok(Import {
        tree,
        sha256: Some(sha256),
        is_published: expected.is_some(),
        notes,
    })
}

/// The digest of the whole file, which is read from its beginning again afterwards.
fn sha256(file: &mut File) -> io::Result<String> {
    let mut hasher = Sha256::new();
    io::copy(file, &mut hasher)?;
    file.seek(SeekFrom::Start(0))?;
    Ok(hasher
        .finalize()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect())
}
