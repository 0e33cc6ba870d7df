//! Files that are there whole or not at all: temporary file, sync, rename, sync of the folder.

use fs_err as fs;
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use tempfile::{Builder, NamedTempFile};

/// Replaces `path` by these bytes: after a crash at any instant it holds the old content or the
/// new, never a part. The parent folder must exist; a kill leaves at most a file `.assay-*` in it.
///
/// # Errors
/// When the file system refuses any of it; `path` is then what it was.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_atomically_by_way_of(parent(path), path, bytes)
}

/// The same, with the temporary file in a folder of the same file system.
pub(super) fn write_atomically_by_way_of(tmp: &Path, path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = temporary(tmp)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|e| e.error)?;
    sync_folder(parent(path))
}

/// A new temporary file, readable by whom the umask allows, removed when dropped.
pub(super) fn temporary(folder: &Path) -> io::Result<NamedTempFile> {
    Builder::new()
        .prefix(".assay-")
        .permissions(std::fs::Permissions::from_mode(0o666))
        .tempfile_in(folder)
}

/// Makes the names in a folder durable.
pub(super) fn sync_folder(folder: &Path) -> io::Result<()> {
    fs::File::open(folder)?.sync_all()
}

/// The folder a path is in; the current one for a bare name.
pub(super) fn parent(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_whole_and_nothing_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x");
        write_atomically(&path, b"one").unwrap();
        write_atomically(&path, b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        assert!(write_atomically(&folder.path().join("no/x"), b"").is_err());
        // a folder in the way: refused, and no temporary file stays behind
        fs::create_dir(folder.path().join("d")).unwrap();
        assert!(write_atomically(&folder.path().join("d"), b"").is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }
}
