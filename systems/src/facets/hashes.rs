//! Content hashes of files and folders, with an optional cache.
//!
//! A compiler is 30 MB and its headers thousands of files: hashing them at each run would cost more
//! than planning does. The cache remembers a hash under the file's *stamp*: BLAKE3 over its path, size,
//! inode and times of modification and of status change (ns). A folder has one stamp over those of all
//! its files. An equal stamp gives the remembered hash without reading a byte. The time of status change
//! can't be set by a program, so a file that was replaced and dated back is read again. What changed in
//! the last two seconds is not remembered: it might change again within the clock's resolution.
//!
//! On disk: one JSON file, `{"kind": "assay-file-hashes", "major": 1, "minor": 0, "entries":
//! {PATH: {"stamp": HEX, "hash": HEX}}}`, replaced by rename. It may be deleted at any time; one that
//! cannot be read counts as empty. It is local to a machine and never published.

use crate::Error;
use blake3::{Hash, Hasher};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::Metadata;
use std::io::Write;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

const KIND: &str = "assay-file-hashes";
const MAJOR: u32 = 1;
const MINOR: u32 = 0;

/// Files whose status changed less than this ago are not remembered.
const TOO_FRESH: Duration = Duration::from_secs(2);

/// Hashes files and folders, remembering what it may.
#[derive(Debug)]
pub struct FileHashes {
    cache: Option<PathBuf>,
    loaded: BTreeMap<String, Entry>,
    added: Mutex<BTreeMap<String, Entry>>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Entry {
    #[serde(with = "hex")]
    stamp: Hash,
    #[serde(with = "hex")]
    hash: Hash,
}

/// Hashes as lower hex.
mod hex {
    use blake3::Hash;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(hash: &Hash, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&hash.to_hex())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Hash, D::Error> {
        Hash::from_hex(String::deserialize(from)?).map_err(D::Error::custom)
    }
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct CacheFile {
    kind: String,
    major: u32,
    minor: u32,
    entries: BTreeMap<String, Entry>,
}

/// One file of a folder.
struct Member {
    path: PathBuf,
    /// Relative to its folder, with the folder's number before it.
    name: String,
    metadata: Metadata,
}

impl FileHashes {
    /// With the cache in this file, or without a cache.
    pub fn new(cache: Option<&Path>) -> FileHashes {
        let loaded = cache
            .and_then(|path| fs_err::read(path).ok())
            .and_then(|bytes| serde_json::from_slice::<CacheFile>(&bytes).ok())
            .filter(|file| file.kind == KIND && file.major == MAJOR)
            .map(|file| file.entries)
            .unwrap_or_default();
        FileHashes {
            cache: cache.map(Path::to_owned),
            loaded,
            added: Mutex::default(),
        }
    }

    /// BLAKE3 of the file's bytes; links are followed.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn file(&self, path: &Path) -> Result<Hash, Error> {
        let metadata = fs_err::metadata(path).map_err(Error::Hash)?;
        let key = path.to_string_lossy();
        let mut stamp = Hasher::new();
        add_stamp(&mut stamp, &key, &metadata);
        self.remembered(&key, stamp.finalize(), is_old([&metadata]), || {
            read_and_hash(path)
        })
    }

    /// One hash over the relative path and content of every file below these folders, in this order;
    /// links are followed. Folders that do not exist and links that lead nowhere or back are passed
    /// over; a folder within another one of the list is hashed with that one.
    ///
    /// # Errors
    /// When a file or folder cannot be read.
    pub fn tree(&self, folders: &[PathBuf]) -> Result<Hash, Error> {
        let mut members = Vec::new();
        for (number, folder) in folders.iter().enumerate() {
            let inner = folders
                .iter()
                .any(|other| other != folder && folder.starts_with(other));
            if !inner && folder.is_dir() {
                members.extend(members_of(folder, number)?);
            }
        }
        let key = folders
            .iter()
            .map(|f| f.to_string_lossy())
            .collect::<Vec<_>>()
            .join("\n");
        let mut stamp = Hasher::new();
        for member in &members {
            add_stamp(&mut stamp, &member.name, &member.metadata);
        }
        let old = is_old(members.iter().map(|member| &member.metadata));
        self.remembered(&key, stamp.finalize(), old, || {
            let hashes: Vec<Hash> = members
                .par_iter()
                .map(|member| read_and_hash(&member.path))
                .collect::<Result<_, _>>()?;
            let mut whole = Hasher::new();
            for (member, hash) in members.iter().zip(&hashes) {
                add_text(&mut whole, &member.name);
                whole.update(hash.as_bytes());
            }
            Ok(whole.finalize())
        })
    }

    /// Writes what was learnt into the cache, if there is one and there is something to write.
    ///
    /// # Errors
    /// When the file cannot be written. Nothing depends on it: the caller may go on.
    pub fn save(&self) -> Result<(), Error> {
        let added = self
            .added
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        let Some(path) = self.cache.as_deref().filter(|_| !added.is_empty()) else {
            return Ok(());
        };
        let mut entries = self.loaded.clone();
        entries.extend(added);
        let file = CacheFile {
            kind: KIND.to_owned(),
            major: MAJOR,
            minor: MINOR,
            entries,
        };
        let write = || -> std::io::Result<()> {
            let folder = path
                .parent()
                .filter(|p| !p.as_os_str().is_empty())
                .unwrap_or(Path::new("."));
            fs_err::create_dir_all(folder)?;
            let mut temporary = tempfile::NamedTempFile::new_in(folder)?;
            temporary.write_all(&serde_json::to_vec(&file)?)?;
            temporary.persist(path).map_err(|error| error.error)?;
            Ok(())
        };
        write().map_err(|source| Error::Cache {
            path: path.to_owned(),
            source,
        })
    }

    fn remembered(
        &self,
        key: &str,
        stamp: Hash,
        old: bool,
        read: impl FnOnce() -> Result<Hash, Error>,
    ) -> Result<Hash, Error> {
        if let Some(entry) = self.loaded.get(key).filter(|entry| entry.stamp == stamp) {
            return Ok(entry.hash);
        }
        let hash = read()?;
        if old {
            let mut added = self.added.lock().unwrap_or_else(PoisonError::into_inner);
            added.insert(key.to_owned(), Entry { stamp, hash });
        }
        Ok(hash)
    }
}

fn members_of(folder: &Path, number: usize) -> Result<Vec<Member>, Error> {
    let mut members = Vec::new();
    for entry in walkdir::WalkDir::new(folder)
        .follow_links(true)
        .sort_by_file_name()
    {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) if leads_nowhere(&error) => continue,
            Err(error) => return Err(Error::Headers(error)),
        };
        if entry.file_type().is_file() {
            let name = entry.path().strip_prefix(folder).unwrap_or(entry.path());
            members.push(Member {
                name: format!("{number}:{}", name.to_string_lossy()),
                metadata: entry.metadata().map_err(Error::Headers)?,
                path: entry.into_path(),
            });
        }
    }
    Ok(members)
}

fn leads_nowhere(error: &walkdir::Error) -> bool {
    error.loop_ancestor().is_some()
        || error
            .io_error()
            .is_some_and(|io| io.kind() == std::io::ErrorKind::NotFound)
}

fn read_and_hash(path: &Path) -> Result<Hash, Error> {
    let mut hasher = Hasher::new();
    hasher.update_mmap_rayon(path).map_err(|source| {
        Error::Hash(std::io::Error::new(
            source.kind(),
            format!("{}: {source}", path.display()),
        ))
    })?;
    Ok(hasher.finalize())
}

/// Length first, so that two texts can't run into each other.
fn add_text(hasher: &mut Hasher, text: &str) {
    hasher.update(&(text.len() as u64).to_le_bytes());
    hasher.update(text.as_bytes());
}

fn add_stamp(hasher: &mut Hasher, name: &str, metadata: &Metadata) {
    add_text(hasher, name);
    for number in [
        metadata.len(),
        metadata.dev(),
        metadata.ino(),
        metadata.mtime().cast_unsigned(),
        metadata.mtime_nsec().cast_unsigned(),
        metadata.ctime().cast_unsigned(),
        metadata.ctime_nsec().cast_unsigned(),
    ] {
        hasher.update(&number.to_le_bytes());
    }
}

fn is_old<'a>(files: impl IntoIterator<Item = &'a Metadata>) -> bool {
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    let limit = now.saturating_sub(TOO_FRESH).as_secs().cast_signed();
    files
        .into_iter()
        .all(|metadata| metadata.ctime() < limit && metadata.mtime() < limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    // `printf abc | b3sum`
    const ABC: &str = "6437b3ac38465133ffb63b75273a8db548c558465d79db03fd359c6cd5bd9d85";

    #[test]
    fn a_file_hash_is_blake3_and_a_fresh_file_is_not_remembered() {
        let folder = tempfile::tempdir().unwrap();
        let cache = folder.path().join("cache/hashes.json");
        let file = folder.path().join("f");
        fs_err::write(&file, "abc").unwrap();
        let hashes = FileHashes::new(Some(&cache));
        assert_eq!(hashes.file(&file).unwrap().to_hex().as_str(), ABC);
        hashes.save().unwrap();
        assert!(!cache.exists());
    }

    #[test]
    fn an_old_file_is_remembered_until_its_stamp_changes() {
        let folder = tempfile::tempdir().unwrap();
        let cache = folder.path().join("hashes.json");
        let old = Path::new("/etc/passwd");
        let hashes = FileHashes::new(Some(&cache));
        let hash = hashes.file(old).unwrap();
        hashes.save().unwrap();
        let entry = |text: &str| text.contains(hash.to_hex().as_str());
        if !cache.exists() {
            println!("skipped: /etc/passwd changed within the last two seconds");
            return;
        }
        let text = fs_err::read_to_string(&cache).unwrap();
        assert!(entry(&text));
        // a hit does not read the file: a planted hash comes back
        fs_err::write(&cache, text.replace(hash.to_hex().as_str(), ABC)).unwrap();
        let planted = FileHashes::new(Some(&cache)).file(old).unwrap();
        assert_eq!(planted.to_hex().as_str(), ABC);
        // another stamp does
        let mut file: CacheFile = serde_json::from_slice(&fs_err::read(&cache).unwrap()).unwrap();
        for entry in file.entries.values_mut() {
            entry.stamp = blake3::hash(b"other");
        }
        fs_err::write(&cache, serde_json::to_vec(&file).unwrap()).unwrap();
        assert_eq!(FileHashes::new(Some(&cache)).file(old).unwrap(), hash);
        // and a broken cache is an empty one
        fs_err::write(&cache, "{").unwrap();
        assert_eq!(FileHashes::new(Some(&cache)).file(old).unwrap(), hash);
    }

    #[test]
    fn a_tree_hash_sees_names_contents_and_order_but_not_place() {
        let make = |files: &[(&str, &str)]| {
            let folder = tempfile::tempdir().unwrap();
            for (name, text) in files {
                let path = folder.path().join(name);
                fs_err::create_dir_all(path.parent().unwrap()).unwrap();
                fs_err::write(path, text).unwrap();
            }
            folder
        };
        let hashes = FileHashes::new(None);
        let tree = |folder: &tempfile::TempDir| {
            let path = folder.path().to_owned();
            hashes
                .tree(&[path.join("sub"), path.clone(), path.join("absent")])
                .unwrap()
        };
        let one = make(&[("a.h", "1"), ("sub/b.h", "2")]);
        assert_eq!(tree(&one), tree(&make(&[("sub/b.h", "2"), ("a.h", "1")])));
        assert_ne!(tree(&one), tree(&make(&[("a.h", "1"), ("sub/b.h", "3")])));
        assert_ne!(tree(&one), tree(&make(&[("a.h", "1"), ("sub/c.h", "2")])));
        std::os::unix::fs::symlink("..", one.path().join("sub/loop")).unwrap();
        std::os::unix::fs::symlink("gone", one.path().join("dangling.h")).unwrap();
        tree(&one);
    }
}
