//! Which kind of archive a file is, by its first bytes, and archives within archives.
//!
//! An entry whose name ends like an archive's and that is one is unpacked to the folder of its name
//! without the ending, beside where it stands, and not kept itself.

use super::collect::{Collector, Origin};
use super::error::SourceError;
use super::note::Note;
use super::{tar, zip};
use artifacts::tree::TreePath;
use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::os::unix::fs::FileExt;

/// Memory for unpacking xz in KiB: its strongest preset has a dictionary of 64 MiB.
const XZ_MEMORY_KIB: u32 = 128 << 10;

/// Endings of archives, by which nested ones are found; longer ones first.
const ENDINGS: &[&[u8]] = &[
    b".tar.gz",
    b".tar.xz",
    b".tar.bz2",
    b".zip",
    b".tar",
    b".tgz",
    b".txz",
    b".tbz2",
    b".tbz",
    b".rar",
    b".7z",
];

/// A kind of archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Zip,
    Tar,
    TarGz,
    TarXz,
    TarBz2,
    Rar,
    SevenZip,
}

impl Kind {
    /// By the first bytes of the file.
    pub(super) fn of(file: &File) -> std::io::Result<Option<Kind>> {
        let mut head = [0; 512];
        let mut filled = 0;
        while filled < head.len() {
            match file.read_at(&mut head[filled..], filled as u64)? {
                0 => break,
                n => filled += n,
            }
        }
        let begins = |magic: &[u8]| head.starts_with(magic);
        Ok(if begins(b"PK\x03\x04") || begins(b"PK\x05\x06") {
            Some(Kind::Zip)
        } else if begins(b"\x1f\x8b") {
            Some(Kind::TarGz)
        } else if begins(b"\xfd7zXZ\0") {
            Some(Kind::TarXz)
        } else if begins(b"BZh") {
            Some(Kind::TarBz2)
        } else if begins(b"Rar!\x1a\x07") {
            Some(Kind::Rar)
        } else if begins(b"7z\xbc\xaf\x27\x1c") {
            Some(Kind::SevenZip)
        } else if head[257..].starts_with(b"ustar") {
            Some(Kind::Tar)
        } else {
            None
        })
    }

    /// The name of a kind that is not unpacked.
    pub(super) fn unread(self) -> Option<&'static str> {
        match self {
            Kind::Rar => Some("a RAR archive"),
            Kind::SevenZip => Some("a 7z archive"),
            _ => None,
        }
    }
}

/// Unpacks an archive of a kind that is read.
pub(super) fn unpack(
    collector: &mut Collector<'_>,
    origin: Origin<'_>,
    kind: Kind,
    file: File,
) -> Result<(), SourceError> {
    let buffered = |file| BufReader::with_capacity(1 << 16, file);
    match kind {
        Kind::Zip => zip::unpack(collector, origin, file),
        Kind::Tar => tar::unpack(collector, origin, &mut buffered(file)),
        Kind::TarGz => {
            let mut reader = flate2::bufread::MultiGzDecoder::new(buffered(file));
            tar::unpack(collector, origin, &mut reader)
        }
        Kind::TarXz => {
            let file = buffered(file);
            let mut reader = lzma_rust2::XzReader::new_mem_limit(file, true, XZ_MEMORY_KIB);
            tar::unpack(collector, origin, &mut reader)
        }
        Kind::TarBz2 => {
            let mut reader = bzip2::bufread::MultiBzDecoder::new(buffered(file));
            tar::unpack(collector, origin, &mut reader)
        }
        Kind::Rar | Kind::SevenZip => Ok(()),
    }
}

/// Takes a regular file of an archive: keeps it, or unpacks it where it is an archive itself.
pub(super) fn file(
    collector: &mut Collector<'_>,
    origin: Origin<'_>,
    raw: &[u8],
    reader: &mut dyn Read,
) -> Result<(), SourceError> {
    let Some(path) = collector.admit(origin, raw)? else {
        return collector.copy(origin, raw, reader, &mut std::io::sink());
    };
    let Some(folder) = folder_of_nested(&path) else {
        return collector.keep(origin, path, reader);
    };
    let mut spool = tempfile::tempfile()?;
    collector.copy(origin, raw, reader, &mut spool)?;
    spool.seek(SeekFrom::Start(0))?;
    let kind = Kind::of(&spool)?;
    let why = match kind {
        Some(kind) => kind.unread().or_else(|| {
            (origin.depth >= collector.limits.nesting).then_some("too many archives around it")
        }),
        None => Some("it is no archive, whatever its name says"),
    };
    match (kind, why) {
        (Some(kind), None) => {
            let (archive, depth) = (path.to_string(), origin.depth + 1);
            let nested = Origin {
                archive: &archive,
                prefix: Some(&folder),
                depth,
            };
            unpack(collector, nested, kind, spool)
        }
        (_, why) => {
            let why = why.unwrap_or_default();
            collector.notes.push(Note::NotUnpacked {
                path: path.clone(),
                why,
            });
            collector.keep(origin, path, &mut spool)
        }
    }
}

/// The folder a nested archive is unpacked to; `None` for what is not named like an archive.
fn folder_of_nested(path: &TreePath) -> Option<TreePath> {
    let lower = path.as_bytes().to_ascii_lowercase();
    let ending = ENDINGS.iter().find(|ending| lower.ends_with(ending))?;
    let kept = path.as_bytes().len() - ending.len();
    TreePath::new(&path.as_bytes()[..kept]).ok()
}
