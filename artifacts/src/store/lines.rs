//! Files of JSON lines that are only ever appended to: the index and the journals.
//!
//! The first line is the header. A line counts once its line feed is written: what stands after the
//! last one is a write that was cut off, ignored by readers and removed by the next writer. Writers
//! hold the file's exclusive lock; readers need none.

use super::error::StoreError;
use super::files::{parent, sync_folder};
use crate::format::{Format, Header};
use fs_err as fs;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// What an append-only file holds.
#[derive(Debug)]
pub(super) struct Lines<T> {
    /// The lines that could be read, with their numbers, counted from 1.
    pub items: Vec<(usize, T)>,
    /// The numbers of lines that are not what they should be.
    pub unreadable: Vec<usize>,
}

/// Reads all whole lines; a file that is not there has none.
///
/// # Errors
/// When the file cannot be read, or its header is not of a version known here.
pub(super) fn read<T: DeserializeOwned>(
    path: &Path,
    format: Format,
) -> Result<Lines<T>, StoreError> {
    let mut lines = Lines {
        items: Vec::new(),
        unreadable: Vec::new(),
    };
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(lines),
        Err(e) => return Err(e.into()),
    };
    for (index, line) in whole_lines(&bytes).enumerate() {
        if index == 0 {
            check_header(path, line, format)?;
            continue;
        }
        match serde_json::from_slice(line) {
            Ok(item) => lines.items.push((index + 1, item)),
            Err(_) => lines.unreadable.push(index + 1),
        }
    }
    Ok(lines)
}

/// Appends lines and makes them durable. The caller holds the file's exclusive lock.
///
/// # Errors
/// When the file cannot be written (it then holds what it held), or a newer assay wrote it.
pub(super) fn append<T: Serialize>(
    path: &Path,
    format: Format,
    items: &[T],
) -> Result<(), StoreError> {
    let mut file = fs::OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)
        .map_err(StoreError::writing)?;
    let end = end_of_whole_lines(&mut file)?;
    if end > 0 {
        let header = check_header(path, &first_line(&mut file)?, format)?;
        if !format.may_rewrite(&header) {
            return Err(StoreError::NewerMinor {
                path: path.to_owned(),
                found: header.minor,
                known: format.minor,
            });
        }
    }
    let bytes =
        to_lines((end == 0).then_some(format), items).map_err(|source| StoreError::Json {
            at: path.display().to_string(),
            source,
        })?;
    let written = file
        .set_len(end)
        .and_then(|()| file.seek(SeekFrom::Start(end)))
        .and_then(|_| file.write_all(&bytes))
        .and_then(|()| file.sync_data());
    if let Err(error) = written {
        // What was written of the lines would be ignored anyway; do not keep a full disk full.
        let _ = file.set_len(end);
        return Err(StoreError::writing(error));
    }
    if end == 0 {
        sync_folder(parent(path))?;
    }
    Ok(())
}

/// The bytes of these lines, opened by a header where one is given.
pub(super) fn to_lines<T: Serialize>(
    header: Option<Format>,
    items: &[T],
) -> Result<Vec<u8>, serde_json::Error> {
    let mut bytes = Vec::new();
    if let Some(format) = header {
        serde_json::to_writer(&mut bytes, &format.header())?;
        bytes.push(b'\n');
    }
    for item in items {
        serde_json::to_writer(&mut bytes, item)?;
        bytes.push(b'\n');
    }
    Ok(bytes)
}

/// The header of an append-only file; absent when it has no whole line yet.
pub(super) fn header(path: &Path, format: Format) -> Result<Option<Header>, StoreError> {
    let mut file = match fs::File::open(path) {
        Ok(file) => file,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(e) => return Err(e.into()),
    };
    if end_of_whole_lines(&mut file)? == 0 {
        return Ok(None);
    }
    check_header(path, &first_line(&mut file)?, format).map(Some)
}

fn check_header(path: &Path, line: &[u8], format: Format) -> Result<Header, StoreError> {
    let at = || path.display().to_string();
    let header: Header =
        serde_json::from_slice(line).map_err(|source| StoreError::Json { at: at(), source })?;
    format
        .check(&header)
        .map_err(|source| StoreError::Format { at: at(), source })?;
    Ok(header)
}

fn whole_lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    bytes
        .split_inclusive(|b| *b == b'\n')
        .filter_map(|line| line.strip_suffix(b"\n"))
}

/// Headers are short; anything longer is no header.
fn first_line(file: &mut fs::File) -> io::Result<Vec<u8>> {
    let mut head = vec![];
    file.seek(SeekFrom::Start(0))?;
    Read::by_ref(file).take(4096).read_to_end(&mut head)?;
    Ok(whole_lines(&head).next().unwrap_or_default().to_vec())
}

/// The position after the last line feed, found from the end.
fn end_of_whole_lines(file: &mut fs::File) -> io::Result<u64> {
    const STEP: u64 = 4096;
    let mut end = file.metadata()?.len();
    let mut piece = Vec::new();
    while end > 0 {
        let start = end.saturating_sub(STEP);
        piece.clear();
        file.seek(SeekFrom::Start(start))?;
        Read::by_ref(file)
            .take(end - start)
            .read_to_end(&mut piece)?;
        if let Some(at) = piece.iter().rposition(|b| *b == b'\n') {
            return Ok(start + at as u64 + 1);
        }
        end = start;
    }
    Ok(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const FORMAT: Format = Format {
        kind: "assay-test",
        major: 1,
        minor: 0,
    };

    fn items(path: &Path) -> (Vec<String>, usize) {
        let lines = read::<String>(path, FORMAT).unwrap();
        (
            lines.items.into_iter().map(|(_, item)| item).collect(),
            lines.unreadable.len(),
        )
    }

    proptest! {
        /// Cut anywhere: what remains is a prefix, and the next append follows it.
        #[test]
        fn a_torn_write_costs_only_what_was_not_whole(
            old in prop::collection::vec("\\PC{0,5000}", 0..6),
            new in prop::collection::vec("\\PC{0,20}", 1..4),
            cut in any::<prop::sample::Index>(),
        ) {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("lines");
            append(&path, FORMAT, &old).unwrap();
            let bytes = fs::read(&path).unwrap();
            let cut = cut.index(bytes.len() + 1);
            fs::write(&path, &bytes[..cut]).unwrap();

            // the oracle: line feeds written so far, less the header's
            let whole = bytes[..cut].iter().filter(|b| **b == b'\n').count().saturating_sub(1);
            prop_assert_eq!(items(&path), (old[..whole].to_vec(), 0));
            append(&path, FORMAT, &new).unwrap();
            let both: Vec<String> = old[..whole].iter().chain(&new).cloned().collect();
            prop_assert_eq!(items(&path), (both, 0));
        }
    }

    #[test]
    fn damaged_lines_are_told_and_versions_kept_apart() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lines");
        let head =
            |major, minor| format!(r#"{{"kind":"assay-test","major":{major},"minor":{minor}}}"#);
        fs::write(&path, format!("{}\n\"a\"\nrubbish\n\"b\"\n", head(1, 0))).unwrap();
        let lines = read::<String>(&path, FORMAT).unwrap();
        assert_eq!(lines.unreadable, [3]);
        assert_eq!(lines.items, [(2, "a".to_owned()), (4, "b".to_owned())]);

        let newer = format!("{}\n\"a\"\n", head(1, 1));
        fs::write(&path, &newer).unwrap();
        assert_eq!(items(&path), (vec!["a".to_owned()], 0));
        let error = append(&path, FORMAT, &["b"]).unwrap_err();
        assert!(
            matches!(error, StoreError::NewerMinor { found: 1, .. }),
            "{error}"
        );
        assert_eq!(fs::read_to_string(&path).unwrap(), newer);

        fs::write(&path, format!("{}\n", head(2, 0))).unwrap();
        assert!(matches!(
            read::<String>(&path, FORMAT),
            Err(StoreError::Format { .. })
        ));
        assert!(matches!(
            append(&path, FORMAT, &["b"]),
            Err(StoreError::Format { .. })
        ));
    }
}
