//! Writing files and hashing them on the way.

use super::PublishError;
use super::manifest::{FileEntry, MANIFEST, MANIFEST_FILE, Manifest};
use artifacts::ArtifactId;
use artifacts::words::SystemId;
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// A publication being written.
pub struct Writer {
    folder: PathBuf,
    files: BTreeMap<String, FileEntry>,
}

impl Writer {
    /// Into this folder, which exists and is empty.
    pub fn new(folder: &Path) -> Self {
        Writer {
            folder: folder.to_owned(),
            files: BTreeMap::new(),
        }
    }

    /// Writes a file. `path` is relative and made of checked words.
    pub fn put(&mut self, path: &str, bytes: &[u8]) -> Result<(), PublishError> {
        let mut file = self.begin(path)?;
        file.write_all(bytes)?;
        self.end(file)
    }

    /// Writes a value as indented JSON.
    pub fn put_json<T: Serialize>(&mut self, path: &str, value: &T) -> Result<(), PublishError> {
        let mut bytes = serde_json::to_vec_pretty(value).map_err(|source| PublishError::Json {
            path: path.to_owned(),
            source,
        })?;
        bytes.push(b'\n');
        self.put(path, &bytes)
    }

    /// Begins a file that is written in pieces.
    pub fn begin(&self, path: &str) -> Result<Hashed, PublishError> {
        let target = self.folder.join(path);
        if let Some(parent) = target.parent() {
            fs_err::create_dir_all(parent)?;
        }
        Ok(Hashed {
            path: path.to_owned(),
            file: BufWriter::new(fs_err::File::create_new(target)?),
            bytes: 0,
            blake3: blake3::Hasher::new(),
            sha256: Sha256::new(),
        })
    }

    /// Ends it.
    pub fn end(&mut self, mut file: Hashed) -> Result<(), PublishError> {
        file.file.flush()?;
        let entry = FileEntry {
            bytes: file.bytes,
            blake3: file.blake3.finalize().to_hex().to_string(),
            sha256: hex(&file.sha256.finalize()),
        };
        self.files.insert(file.path, entry);
        Ok(())
    }

    /// What was written at this path.
    pub fn entry(&self, path: &str) -> Option<&FileEntry> {
        self.files.get(path)
    }

    /// Writes the manifest over all files.
    pub fn finish(self, system: &SystemId, root: ArtifactId) -> Result<Manifest, PublishError> {
        let manifest = Manifest {
            header: MANIFEST.header(),
            system: system.clone(),
            root,
            files: self.files,
        };
        let mut writer = Writer::new(&self.folder);
        writer.put_json(MANIFEST_FILE, &manifest)?;
        Ok(manifest)
    }
}

/// A file being written in pieces.
pub struct Hashed {
    path: String,
    file: BufWriter<fs_err::File>,
    bytes: u64,
    blake3: blake3::Hasher,
    sha256: Sha256,
}

impl Write for Hashed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.bytes += written as u64;
        self.blake3.update(&bytes[..written]);
        self.sha256.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Lower-case hex.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
