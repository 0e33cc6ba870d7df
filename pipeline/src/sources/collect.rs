//! Gathers the entries of one import into a tree, within the limits.

use super::Put;
use super::error::SourceError;
use super::limits::Limits;
use super::links::{self, Link};
use super::metered::Metered;
use super::names::{entry_path, link_target, shown};
use super::note::{Note, prebuilt};
use artifacts::ArtifactId;
use artifacts::tree::{Tree, TreePath};
use std::collections::BTreeMap;
use std::io::{self, Read};

/// Where an entry stands: the archive it comes from, and the folder that archive is unpacked to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Origin<'a> {
    /// The archive's name for messages.
    pub(super) archive: &'a str,
    /// The folder; absent for the outermost archive.
    pub(super) prefix: Option<&'a TreePath>,
    /// How many archives are around this one.
    pub(super) depth: u32,
}

impl Origin<'_> {
    /// The entry's name as messages and `leave_out` give it.
    pub(super) fn shown(&self, raw: &[u8]) -> String {
        match self.prefix {
            Some(prefix) => format!("{prefix}/{}", shown(raw)),
            None => shown(raw),
        }
    }

    /// A failure to read the archive.
    pub(super) fn damaged(&self, entry: Option<&[u8]>, source: io::Error) -> SourceError {
        SourceError::Damaged {
            archive: self.archive.to_owned(),
            entry: entry.map(|raw| self.shown(raw)),
            source,
        }
    }
}

/// See the module.
pub(super) struct Collector<'a> {
    put: &'a mut Put<'a>,
    pub(super) limits: Limits,
    leave_out: &'a [String],
    packed_bytes: u64,
    allowed_bytes: u64,
    bytes: u64,
    entries: u64,
    name_bytes: u64,
    files: BTreeMap<TreePath, ArtifactId>,
    links: BTreeMap<TreePath, Link>,
    pub(super) notes: Vec<Note>,
}

impl<'a> Collector<'a> {
    /// For an archive of this many bytes, or a folder.
    pub(super) fn new(
        put: &'a mut Put<'a>,
        limits: Limits,
        leave_out: &'a [String],
        archive_bytes: Option<u64>,
    ) -> Self {
        Collector {
            put,
            limits,
            leave_out,
            packed_bytes: archive_bytes.unwrap_or_default(),
            allowed_bytes: archive_bytes.map_or(limits.total_bytes, |n| limits.bytes_for(n)),
            bytes: 0,
            entries: 0,
            name_bytes: 0,
            files: BTreeMap::new(),
            links: BTreeMap::new(),
            notes: Vec::new(),
        }
    }

    /// Counts an entry and checks its name. `None`: nothing to keep.
    pub(super) fn admit(
        &mut self,
        origin: Origin<'_>,
        raw: &[u8],
    ) -> Result<Option<TreePath>, SourceError> {
        self.entries += 1;
        if self.entries > self.limits.entries {
            return Err(SourceError::TooMany(self.limits.entries));
        }
        let name = origin.shown(raw);
        self.name_bytes += name.len() as u64;
        if self.name_bytes > self.limits.name_bytes {
            return Err(SourceError::TooLongNames(self.limits.name_bytes));
        }
        let left_out = |entry: &String| {
            let rest = name.strip_prefix(entry.trim_end_matches('/'));
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        if self.leave_out.iter().any(left_out) {
            self.notes.push(Note::LeftOut(name));
            return Ok(None);
        }
        entry_path(origin.prefix, raw)
    }

    /// Keeps a regular file.
    pub(super) fn keep(
        &mut self,
        origin: Origin<'_>,
        path: TreePath,
        reader: &mut dyn Read,
    ) -> Result<(), SourceError> {
        let mut metered = Metered::new(reader, self.allowed_bytes - self.bytes);
        let result = (self.put)(&path, &mut metered);
        let Metered {
            passed,
            head,
            over,
            failure,
            ..
        } = metered;
        self.settle(origin, path.to_string(), passed, over, failure)?;
        let id = result?;
        if let Some(what) = prebuilt(&head) {
            self.notes.push(Note::Prebuilt {
                path: path.clone(),
                what,
            });
        }
        self.insert(path, id)
    }

    /// Copies what the collector must see twice, or not at all, to `sink`, within the limits.
    pub(super) fn copy(
        &mut self,
        origin: Origin<'_>,
        raw: &[u8],
        reader: &mut dyn Read,
        sink: &mut dyn io::Write,
    ) -> Result<(), SourceError> {
        let mut metered = Metered::new(reader, self.allowed_bytes - self.bytes);
        let result = io::copy(&mut metered, sink);
        let Metered {
            passed,
            over,
            failure,
            ..
        } = metered;
        self.settle(origin, origin.shown(raw), passed, over, failure)?;
        result?;
        Ok(())
    }

    fn settle(
        &mut self,
        origin: Origin<'_>,
        entry: String,
        passed: u64,
        over: bool,
        failure: Option<io::Error>,
    ) -> Result<(), SourceError> {
        if over {
            let (limit, packed) = (self.allowed_bytes, self.packed_bytes);
            return Err(SourceError::TooLarge {
                entry,
                limit,
                packed,
            });
        }
        if let Some(source) = failure {
            let archive = origin.archive.to_owned();
            return Err(SourceError::Damaged {
                archive,
                entry: Some(entry),
                source,
            });
        }
        self.bytes += passed;
        Ok(())
    }

    /// Files are told apart by content, so that one entry given twice does no harm.
    fn insert(&mut self, path: TreePath, id: ArtifactId) -> Result<(), SourceError> {
        if self.links.contains_key(&path) {
            return Err(SourceError::Duplicate(path));
        }
        match self.files.insert(path.clone(), id) {
            Some(other) if other != id => Err(SourceError::Duplicate(path)),
            _ => Ok(()),
        }
    }

    /// Notes a symbolic link, to be resolved when all entries are known.
    pub(super) fn symbolic_link(
        &mut self,
        origin: Origin<'_>,
        path: TreePath,
        target: &[u8],
    ) -> Result<(), SourceError> {
        match link_target(origin.prefix, &path, target) {
            Some(to) => self.link(path, to),
            None => Err(SourceError::LinkOutside {
                link: path,
                target: shown(target),
            }),
        }
    }

    /// Notes a hard link, whose target is named from the top of the archive.
    pub(super) fn hard_link(
        &mut self,
        origin: Origin<'_>,
        path: TreePath,
        target: &[u8],
    ) -> Result<(), SourceError> {
        match entry_path(origin.prefix, target) {
            Ok(to) => self.link(path, to),
            Err(_) => Err(SourceError::LinkOutside {
                link: path,
                target: shown(target),
            }),
        }
    }

    fn link(&mut self, path: TreePath, to: Option<TreePath>) -> Result<(), SourceError> {
        if self.files.contains_key(&path) {
            return Err(SourceError::Duplicate(path));
        }
        match self.links.insert(path.clone(), to.clone()) {
            Some(other) if other != to => Err(SourceError::Duplicate(path)),
            _ => Ok(()),
        }
    }

    /// The tree, with links resolved.
    pub(super) fn finish(mut self) -> Result<(Tree, Vec<Note>), SourceError> {
        let budget = self.limits.entries.saturating_sub(self.entries);
        let resolved = links::resolve(&self.files, &self.links, budget)
            .map_err(|e| e.unwrap_or(SourceError::TooMany(self.limits.entries)))?;
        self.notes
            .extend(resolved.dangling.into_iter().map(Note::Dangling));
        for (path, id) in resolved.copies {
            self.insert_copy(path, id)?;
        }
        if let Some(path) = file_and_folder(&self.files) {
            return Err(SourceError::FileAndFolder(path));
        }
        self.notes.sort();
        Ok((Tree::new(self.files), self.notes))
    }

    fn insert_copy(&mut self, path: TreePath, id: ArtifactId) -> Result<(), SourceError> {
        match self.files.insert(path.clone(), id) {
            Some(other) if other != id => Err(SourceError::Duplicate(path)),
            _ => Ok(()),
        }
    }
}

/// A file that other files lie below: such a tree could not be laid out on disk.
fn file_and_folder(files: &BTreeMap<TreePath, ArtifactId>) -> Option<TreePath> {
    files.keys().find_map(|path| {
        let mut folder = path.parent();
        while let Some(above) = folder {
            if files.contains_key(&above) {
                return Some(above);
            }
            folder = above.parent();
        }
        None
    })
}
