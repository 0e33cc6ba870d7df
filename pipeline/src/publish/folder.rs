//! Replacing a folder as a whole, so that a reader never sees half of it, and nothing of anybody
//! else's is lost.

use super::PublishError;
use super::manifest::{MANIFEST, MANIFEST_FILE, Manifest};
use rustix::fs::{CWD, RenameFlags, renameat_with};
use std::collections::BTreeSet;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;
use walkdir::WalkDir;

/// Temporary folders beside the target; a killed process leaves one.
const TEMPORARY: &str = ".assay-publish-";

/// Temporary folders of this age belong to nobody any more: publishing takes seconds.
const STALE: Duration = Duration::from_secs(24 * 3600);

/// Lets `write` fill a new folder and puts it in the place of `target`; returns where that is.
pub fn replace<T>(
    target: &Path,
    write: impl FnOnce(&Path) -> Result<T, PublishError>,
) -> Result<(PathBuf, T), PublishError> {
    // A link to the folder stays one.
    let target = match target.canonicalize() {
        Ok(real) => real,
        Err(_) => std::path::absolute(target)?,
    };
    check(&target)?;
    let parent = target.parent().map(PathBuf::from).unwrap_or_default();
    fs_err::create_dir_all(&parent)?;
    remove_stale(&parent)?;
    let fresh = tempfile::Builder::new()
        .prefix(TEMPORARY)
        .tempdir_in(&parent)?;
    let written = write(fresh.path())?;
    fs_err::set_permissions(fresh.path(), std::fs::Permissions::from_mode(0o755))?;
    if !target.exists() {
        fs_err::rename(fresh.keep(), &target)?;
        return Ok((target, written));
    }
    // What was there meanwhile must still be ours; it is removed when it has the temporary name.
    check(&target)?;
    if renameat_with(CWD, fresh.path(), CWD, &target, RenameFlags::EXCHANGE).is_err() {
        // Not every file system can exchange two folders at once.
        let aside = tempfile::Builder::new()
            .prefix(TEMPORARY)
            .tempdir_in(&parent)?;
        fs_err::rename(&target, aside.path().join("old"))?;
        fs_err::rename(fresh.keep(), &target)?;
    }
    Ok((target, written))
}

/// Removes what killed processes left long ago.
fn remove_stale(parent: &Path) -> Result<(), PublishError> {
    for entry in fs_err::read_dir(parent)? {
        let entry = entry?;
        let ours = entry.file_name().to_string_lossy().starts_with(TEMPORARY);
        if ours && entry.file_type()?.is_dir() {
            let age = entry.metadata()?.modified()?.elapsed().unwrap_or_default();
            if age > STALE {
                fs_err::remove_dir_all(entry.path())?;
            }
        }
    }
    Ok(())
}

/// Whether the folder may be replaced: nothing, an empty folder, or an earlier publication whose
/// manifest names every file.
pub fn check(folder: &Path) -> Result<(), PublishError> {
    let foreign = |found: String| {
        Err(PublishError::Foreign {
            folder: folder.to_owned(),
            found,
        })
    };
    let first = match fs_err::read_dir(folder) {
        Ok(mut entries) => entries.next().transpose()?,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(e) if e.kind() == io::ErrorKind::NotADirectory => {
            return foreign("a file of that name".to_owned());
        }
        Err(e) => return Err(e.into()),
    };
    let Some(first) = first else { return Ok(()) };
    let Some(ours) = manifest(folder) else {
        return foreign(format!("`{}`", first.file_name().to_string_lossy()));
    };
    for entry in WalkDir::new(folder).min_depth(1) {
        let entry = entry.map_err(io::Error::from)?;
        let path = entry.path().strip_prefix(folder).unwrap_or(entry.path());
        let known = path.to_str().is_some_and(|path| ours.contains(path));
        if !entry.file_type().is_dir() && !known {
            return foreign(format!("`{}`", path.display()));
        }
    }
    Ok(())
}

/// The files that a publication in this folder says it has; absent where there is none.
fn manifest(folder: &Path) -> Option<BTreeSet<String>> {
    let bytes = fs_err::read(folder.join(MANIFEST_FILE)).ok()?;
    let manifest: Manifest = serde_json::from_slice(&bytes).ok()?;
    MANIFEST.check(&manifest.header).ok()?;
    let mut files: BTreeSet<String> = manifest.files.into_keys().collect();
    files.insert(MANIFEST_FILE.to_owned());
    Some(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fill(folder: &Path, text: &str) -> Result<(), PublishError> {
        let file = format!(
            r#"{{"kind":"assay-manifest","major":1,"minor":0,"system":"local","root":"blob:{}",
               "files":{{"a/b":{{"bytes":1,"blake3":"","sha256":""}}}}}}"#,
            "0".repeat(64)
        );
        fs_err::write(folder.join(MANIFEST_FILE), file)?;
        fs_err::create_dir(folder.join("a"))?;
        fs_err::write(folder.join("a/b"), text)?;
        Ok(())
    }

    #[test]
    fn an_earlier_publication_is_replaced_and_nothing_else() {
        let parent = tempfile::tempdir().unwrap();
        let target = parent.path().join("deep/site");
        replace(&target, |fresh| fill(fresh, "1")).unwrap();
        replace(&target, |fresh| fill(fresh, "2")).unwrap();
        assert_eq!(fs_err::read(target.join("a/b")).unwrap(), b"2");
        let beside = fs_err::read_dir(parent.path().join("deep"))
            .unwrap()
            .count();
        assert_eq!(beside, 1, "nothing is left beside it");

        // one file of somebody else's, and nothing is touched
        fs_err::write(target.join("a/notes"), "mine").unwrap();
        let refused = replace(&target, |fresh| fill(fresh, "3")).unwrap_err();
        assert!(refused.to_string().contains("`a/notes`"), "{refused}");
        assert_eq!(fs_err::read(target.join("a/b")).unwrap(), b"2");

        let foreign = parent.path().join("foreign");
        fs_err::create_dir(&foreign).unwrap();
        replace(&foreign, |fresh| fill(fresh, "1")).unwrap();
        fs_err::write(foreign.join(MANIFEST_FILE), "{}").unwrap();
        assert!(replace(&foreign, |fresh| fill(fresh, "2")).is_err());
        let file = parent.path().join("file");
        fs_err::write(&file, "x").unwrap();
        assert!(replace(&file, |fresh| fill(fresh, "2")).is_err());
    }

    #[test]
    fn a_failure_leaves_what_was() {
        let parent = tempfile::tempdir().unwrap();
        let target = parent.path().join("site");
        replace(&target, |fresh| fill(fresh, "1")).unwrap();
        let failed = replace(&target, |fresh| {
            fill(fresh, "2")?;
            Err::<(), _>(PublishError::Io(io::Error::other("disk full")))
        });
        assert!(failed.is_err());
        assert_eq!(fs_err::read(target.join("a/b")).unwrap(), b"1");
        assert_eq!(fs_err::read_dir(parent.path()).unwrap().count(), 1);
    }
}
