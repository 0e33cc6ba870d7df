//! The files of a dataset: those of a folder, or those that an import kept.

use super::fault::{Fault, Problem};
use artifacts::ArtifactId;
use artifacts::store::Store;
use std::collections::BTreeMap;
use std::io::Read;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use walkdir::WalkDir;

/// No file of a dataset comes near this size in bytes; what is larger is not read.
pub const LARGEST: u64 = 256 << 20;

/// Nor does a dataset have this many files.
const MANY: usize = 1_000_000;

/// See the module.
pub struct Files<'a> {
    from: From<'a>,
    problems: Vec<Problem>,
}

enum From<'a> {
    /// A folder and the size of each file in it.
    Folder(PathBuf, BTreeMap<String, u64>),
    /// Artifacts of a store.
    Kept(&'a Store, BTreeMap<String, ArtifactId>),
}

impl<'a> Files<'a> {
    /// Those of a folder. Links are not followed.
    ///
    /// # Errors
    /// When it is no folder, cannot be read, or holds far too much.
    pub fn of_folder(folder: &Path) -> Result<Files<'static>, Fault> {
        if !fs_err::metadata(folder)?.is_dir() {
            return Err(Fault::NoDataset);
        }
        let mut sizes = BTreeMap::new();
        let mut problems = Vec::new();
        // The folder itself may be named by a link; what is in it may be none.
        for entry in WalkDir::new(folder).min_depth(1).follow_root_links(true) {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    let path = error.path().map(|path| inside(folder, path));
                    let name = path.unwrap_or_else(|| ".".to_owned());
                    problems.push(Problem::new(&name, std::io::Error::from(error).into()));
                    continue;
                }
            };
            let name = inside(folder, entry.path());
            let mut wrong = |fault| problems.push(Problem::new(&name, fault));
            let kind = entry.file_type();
            if kind.is_dir() {
                continue;
            }
            if entry.path().to_str().is_none() {
                wrong(Fault::Name);
            } else if kind.is_symlink() {
                wrong(Fault::Link);
            } else if !kind.is_file() {
                wrong(Fault::NotAFile);
            } else {
                match entry.metadata() {
                    Ok(metadata) if metadata.len() > LARGEST => wrong(Fault::TooLarge {
                        bytes: metadata.len(),
                    }),
                    Ok(metadata) => drop(sizes.insert(name, metadata.len())),
                    Err(error) => wrong(std::io::Error::from(error).into()),
                }
            }
            if sizes.len() + problems.len() > MANY {
                return Err(Fault::TooMany(MANY));
            }
        }
        problems.sort_by(|a, b| a.file.cmp(&b.file));
        Ok(Files {
            from: From::Folder(folder.to_owned(), sizes),
            problems,
        })
    }

    /// Those of a store, by their path.
    pub fn kept(store: &'a Store, files: BTreeMap<String, ArtifactId>) -> Self {
        Files {
            from: From::Kept(store, files),
            problems: Vec::new(),
        }
    }

    /// What stands among the files and is none.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// The paths of all files, sorted.
    pub fn paths(&self) -> Box<dyn Iterator<Item = &str> + '_> {
        match &self.from {
            From::Folder(_, sizes) => Box::new(sizes.keys().map(String::as_str)),
            From::Kept(_, files) => Box::new(files.keys().map(String::as_str)),
        }
    }

    /// Whether there is a file at this path.
    pub fn has(&self, path: &str) -> bool {
        match &self.from {
            From::Folder(_, sizes) => sizes.contains_key(path),
            From::Kept(_, files) => files.contains_key(path),
        }
    }

    /// A file's bytes.
    ///
    /// # Errors
    /// When it is missing, became another thing meanwhile, or cannot be read.
    pub fn read(&self, path: &str) -> Result<Vec<u8>, Fault> {
        match &self.from {
            From::Folder(folder, sizes) => {
                let size = sizes.get(path).ok_or(Fault::Missing)?;
                let flags = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
                let file = std::fs::OpenOptions::new()
                    .read(true)
                    .custom_flags(flags.bits() as i32)
                    .open(folder.join(path))?;
                let mut bytes = Vec::with_capacity(usize::try_from(*size).unwrap_or_default());
                // It may grow while it is read.
                let read = file.take(LARGEST + 1).read_to_end(&mut bytes)? as u64;
                match read > LARGEST {
                    true => Err(Fault::TooLarge { bytes: read }),
                    false => Ok(bytes),
                }
            }
            From::Kept(store, files) => {
                let id = files.get(path).ok_or(Fault::Missing)?;
                store
                    .get(*id)
                    .map_err(|error| Fault::Store(std::sync::Arc::new(error)))
            }
        }
    }
}

fn inside(folder: &Path, path: &Path) -> String {
    path.strip_prefix(folder)
        .unwrap_or(path)
        .to_string_lossy()
        .into_owned()
}
