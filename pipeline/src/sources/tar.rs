//! Tar archives, in the old, ustar, GNU and pax forms.

use super::archive;
use super::collect::{Collector, Origin};
use super::error::{SourceError, Special};
use ::tar::EntryType;
use std::cell::Cell;
use std::io::{self, Read};

/// Bytes that may stand between the contents of two entries. Long names, pax records and maps of
/// sparse files stand there, and the tar reader holds them in memory.
const MAX_HEADERS: u64 = 256 << 10;

/// Unpacks a tar archive.
pub(super) fn unpack(
    collector: &mut Collector<'_>,
    origin: Origin<'_>,
    reader: &mut dyn Read,
) -> Result<(), SourceError> {
    let headers_left = Cell::new(Some(MAX_HEADERS));
    let at_end = Cell::new(false);
    let guarded = Guarded {
        inner: reader,
        headers_left: &headers_left,
        at_end: &at_end,
    };
    let mut archive = ::tar::Archive::new(guarded);
    for entry in archive.entries().map_err(|e| origin.damaged(None, e))? {
        let mut entry = entry.map_err(|e| origin.damaged(None, e))?;
        headers_left.set(None);
        take(collector, origin, &mut entry)?;
        // What is left of the content is not to be counted as headers.
        let raw = entry.path_bytes().into_owned();
        collector.copy(origin, &raw, &mut entry, &mut io::sink())?;
        headers_left.set(Some(MAX_HEADERS));
    }
    if at_end.get() {
        let why = "it ends without the two empty blocks that mark a tar archive's end";
        return Err(origin.damaged(None, io::Error::new(io::ErrorKind::UnexpectedEof, why)));
    }
    Ok(())
}

fn take(
    collector: &mut Collector<'_>,
    origin: Origin<'_>,
    entry: &mut ::tar::Entry<'_, impl Read>,
) -> Result<(), SourceError> {
    let raw = entry.path_bytes().into_owned();
    let special = |what| {
        Err(SourceError::Special {
            entry: origin.shown(&raw),
            what,
        })
    };
    match entry.header().entry_type() {
        // Old archives write folders as files whose name ends with a slash.
        EntryType::Regular | EntryType::Continuous if raw.ends_with(b"/") => {
            collector.admit(origin, &raw).map(|_| ())
        }
        EntryType::Regular | EntryType::Continuous | EntryType::GNUSparse => {
            archive::file(collector, origin, &raw, entry)
        }
        EntryType::Directory => collector.admit(origin, &raw).map(|_| ()),
        kind @ (EntryType::Symlink | EntryType::Link) => {
            let target = entry.link_name_bytes().unwrap_or_default().into_owned();
            match collector.admit(origin, &raw)? {
                None => Ok(()),
                Some(path) if kind == EntryType::Symlink => {
                    collector.symbolic_link(origin, path, &target)
                }
                Some(path) => collector.hard_link(origin, path, &target),
            }
        }
        EntryType::Char | EntryType::Block => special(Special::Device),
        EntryType::Fifo => special(Special::Pipe),
        // Notes of the writer about the archive as a whole, such as git's.
        EntryType::XGlobalHeader => Ok(()),
        _ => special(Special::Unknown),
    }
}

/// Bounds what the tar reader takes for headers, and sees whether the archive breaks off.
struct Guarded<'a> {
    inner: &'a mut dyn Read,
    /// `None` while content is read, which others count.
    headers_left: &'a Cell<Option<u64>>,
    at_end: &'a Cell<bool>,
}

impl Read for Guarded<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.inner.read(buffer)?;
        self.at_end.set(n == 0 && !buffer.is_empty());
        if let Some(left) = self.headers_left.get() {
            let left = left.checked_sub(n as u64).ok_or_else(|| {
                let why = format!("headers of more than {MAX_HEADERS} bytes between two entries");
                io::Error::new(io::ErrorKind::InvalidData, why)
            })?;
            self.headers_left.set(Some(left));
        }
        Ok(n)
    }
}
