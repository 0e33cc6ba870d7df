//! Bytes on their way between memory, files and hashes; large ones in pieces on all cores.
//!
//! Files are read, not mapped: a failing disk or a file cut short by somebody else is then an error
//! and not the death of the process.

use crate::id::ArtifactId;
use blake3::Hasher;
use std::fs::File;
use std::io::{self, Read, Write};

/// How much is in memory at once, twice.
const PIECE: usize = 1 << 19;

/// Below this, spreading the work over cores costs more than it gains (BLAKE3's documentation).
const ALONE: usize = 128 << 10;

fn update(hasher: &mut Hasher, bytes: &[u8]) {
    if bytes.len() < ALONE {
        hasher.update(bytes);
    } else {
        hasher.update_rayon(bytes);
    }
}

fn id(hasher: &Hasher) -> ArtifactId {
    ArtifactId::from_bytes(*hasher.finalize().as_bytes())
}

/// The id of bytes in memory.
pub(super) fn hash_bytes(bytes: &[u8]) -> ArtifactId {
    let mut hasher = Hasher::new();
    update(&mut hasher, bytes);
    id(&hasher)
}

/// The id of a file from where it stands to its end, on one core.
pub(super) fn hash_alone(file: &mut File, size: u64) -> io::Result<ArtifactId> {
    let mut hasher = Hasher::new();
    let mut piece = vec![0; piece_size(size)];
    loop {
        let read = fill(file, &mut piece)?;
        hasher.update(&piece[..read]);
        if read < piece.len() {
            return Ok(id(&hasher));
        }
    }
}

/// The id of a file from where it stands to its end, on all cores.
pub(super) fn hash_file(file: &mut File, size: u64) -> io::Result<ArtifactId> {
    if size < ALONE as u64 {
        return hash_alone(file, size);
    }
    copy(file, &mut io::sink()).map(|(_, id)| id)
}

/// A file from where it stands to its end, and its id. `size` is what it is expected to have.
pub(super) fn read_file(file: &mut File, size: u64) -> io::Result<(Vec<u8>, ArtifactId)> {
    let too_large = |_| io::Error::from(io::ErrorKind::OutOfMemory);
    let mut bytes = vec![0; usize::try_from(size).map_err(too_large)?];
    let mut hasher = Hasher::new();
    let mut done: &[u8] = &[];
    let mut total = 0;
    for piece in bytes.chunks_mut(PIECE) {
        let read = while_hashing(&mut hasher, done, || fill(file, piece))?;
        total += read;
        done = &piece[..read];
    }
    update(&mut hasher, done);
    bytes.truncate(total);
    Ok((bytes, id(&hasher)))
}

/// Copies everything from `from` to `to`; returns the size and id of what was copied. One piece is
/// hashed while it is written and the next one read.
pub(super) fn copy(from: &mut dyn Read, to: &mut dyn Write) -> io::Result<(u64, ArtifactId)> {
    let mut hasher = Hasher::new();
    // Most artifacts are small: they need none of the large buffers below.
    let mut piece = Vec::new();
    from.take(ALONE as u64).read_to_end(&mut piece)?;
    let mut read = piece.len();
    if read < ALONE {
        hasher.update(&piece);
        to.write_all(&piece)?;
        return Ok((read as u64, id(&hasher)));
    }
    piece.resize(PIECE, 0);
    let mut next = vec![0; PIECE];
    let mut size = 0;
    while read > 0 {
        size += read as u64;
        read = while_hashing(&mut hasher, &piece[..read], || {
            to.write_all(&piece[..read])?;
            fill(from, &mut next)
        })?;
        std::mem::swap(&mut piece, &mut next);
    }
    Ok((size, id(&hasher)))
}

/// Does some input or output on this thread while others hash the bytes.
fn while_hashing<T>(hasher: &mut Hasher, bytes: &[u8], work: impl FnOnce() -> T) -> T {
    if bytes.len() < ALONE {
        hasher.update(bytes);
        return work();
    }
    rayon::in_place_scope(|scope| {
        scope.spawn(|_| update(hasher, bytes));
        work()
    })
}

fn piece_size(size: u64) -> usize {
    // One byte more than the file, so that one read sees its end.
    usize::try_from(size).map_or(PIECE, |size| (size + 1).min(PIECE))
}

/// Reads until the buffer is full or the source ends.
fn fill<R: Read + ?Sized>(from: &mut R, piece: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < piece.len() {
        match from.read(&mut piece[filled..]) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
    Ok(filled)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Seek, SeekFrom};

    /// All ways to hash agree with BLAKE3 in one go, around every size where a path changes.
    #[test]
    fn pieces_make_no_difference() {
        let edges = [
            0,
            1,
            ALONE - 1,
            ALONE,
            PIECE - 1,
            PIECE,
            PIECE + 1,
            2 * PIECE,
            3 * PIECE + 7,
        ];
        for size in edges {
            let bytes: Vec<u8> = (0..size).map(|i| (i % 251) as u8).collect();
            let expected = ArtifactId::from_bytes(*blake3::hash(&bytes).as_bytes());
            let mut file = tempfile::tempfile().unwrap();
            assert_eq!(
                copy(&mut &bytes[..], &mut file).unwrap(),
                (size as u64, expected)
            );
            assert_eq!(hash_bytes(&bytes), expected, "{size}");
            for hash in [hash_file, hash_alone] {
                file.seek(SeekFrom::Start(0)).unwrap();
                assert_eq!(hash(&mut file, size as u64).unwrap(), expected, "{size}");
            }
            file.seek(SeekFrom::Start(0)).unwrap();
            assert!(
                read_file(&mut file, size as u64).unwrap() == (bytes, expected),
                "{size}"
            );
        }
    }
}
