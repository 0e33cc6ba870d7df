//! Zip archives. The central directory says what there is; local headers are not believed.

use super::archive;
use super::collect::{Collector, Origin};
use super::error::{SourceError, Special};
use flate2::read::DeflateDecoder;
use rawzip::{CompressionMethod, FileReader, ZipArchive, ZipEntry};
use std::fs::File;
use std::io::{self, Read};

/// The bits of a Unix mode that tell files from links, folders and devices.
const TYPE_MASK: u32 = 0o170_000;

/// A symbolic link's target is a path.
const MAX_TARGET: u64 = 4096;

/// Unpacks a zip archive.
pub(super) fn unpack(
    collector: &mut Collector<'_>,
    origin: Origin<'_>,
    file: File,
) -> Result<(), SourceError> {
    let damaged = |error| origin.damaged(None, io::Error::other(error));
    // One record of the directory always fits in.
    let mut buffer = vec![0; rawzip::MAX_CENTRAL_DIRECTORY_RECORD_SIZE];
    let archive = ZipArchive::from_file(file, &mut buffer).map_err(damaged)?;
    let promised = archive.entries_hint();
    let mut entries = archive.entries(&mut buffer);
    let mut seen: u64 = 0;
    while let Some(record) = entries.next_entry().map_err(damaged)? {
        seen += 1;
        let raw = record.file_path().as_bytes();
        let what = record.mode().value() & TYPE_MASK;
        if record.is_dir() || what == 0o040_000 {
            collector.admit(origin, raw)?;
            continue;
        }
        if record.flags().is_encrypted() {
            return Err(SourceError::Encrypted(origin.shown(raw)));
        }
        let special = |what| SourceError::Special {
            entry: origin.shown(raw),
            what,
        };
        let entry = archive.get_entry(record.wayfinder()).map_err(damaged)?;
        let mut reader = content(&entry, record.compression_method(), || origin.shown(raw))?;
        match what {
            0o120_000 => link(collector, origin, raw, &mut *reader)?,
            0o060_000 | 0o020_000 => return Err(special(Special::Device)),
            0o010_000 => return Err(special(Special::Pipe)),
            0o140_000 => return Err(special(Special::Socket)),
            // Writers on systems without modes leave them 0.
            _ => archive::file(collector, origin, raw, &mut *reader)?,
        }
    }
    // The field holds the number modulo 2^16 where a writer did not use the newer form.
    if seen % (1 << 16) != promised % (1 << 16) {
        let why = format!("its directory lists {seen} entries, its end says {promised}");
        return Err(damaged_by(origin, why));
    }
    Ok(())
}

fn damaged_by(origin: Origin<'_>, why: String) -> SourceError {
    origin.damaged(None, io::Error::new(io::ErrorKind::InvalidData, why))
}

/// The unpacked content of an entry, which fails at its end where length or CRC are wrong.
fn content<'e>(
    entry: &ZipEntry<'e, FileReader>,
    method: CompressionMethod,
    name: impl Fn() -> String,
) -> Result<Box<dyn Read + 'e>, SourceError> {
    let packed = entry.reader();
    Ok(match method {
        CompressionMethod::STORE => Box::new(entry.verifying_reader(packed)),
        CompressionMethod::DEFLATE => Box::new(entry.verifying_reader(DeflateDecoder::new(packed))),
        CompressionMethod::BZIP2 => {
            Box::new(entry.verifying_reader(bzip2::read::BzDecoder::new(packed)))
        }
        other => {
            let method = format!("{other:?}");
            return Err(SourceError::Method {
                entry: name(),
                method,
            });
        }
    })
}

fn link(
    collector: &mut Collector<'_>,
    origin: Origin<'_>,
    raw: &[u8],
    reader: &mut dyn Read,
) -> Result<(), SourceError> {
    let Some(path) = collector.admit(origin, raw)? else {
        return Ok(());
    };
    let mut target = Vec::new();
    collector.copy(origin, raw, &mut reader.take(MAX_TARGET), &mut target)?;
    collector.symbolic_link(origin, path, &target)
}
