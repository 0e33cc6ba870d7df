//! Archives as real submitters and attackers make them, written by the tests themselves.

mod archives;
mod controls;
mod folders;
mod hostile;
mod kept;
mod layout;

use super::{Import, Limits, Put, SourceError, add_source};
use crate::catalog::{Candidate, Catalog};
use artifacts::ArtifactId;
use artifacts::store::StoreError;
use artifacts::tree::{Tree, TreePath};
use artifacts::words::CandidateId;
use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

/// Contents by id, in place of a store.
#[derive(Default)]
struct Vault(BTreeMap<ArtifactId, Vec<u8>>);

impl Vault {
    fn put(&mut self, reader: &mut dyn Read) -> Result<ArtifactId, StoreError> {
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes)?;
        let id = ArtifactId::of(&bytes);
        self.0.insert(id, bytes);
        Ok(id)
    }

    fn with<T>(&mut self, run: impl FnOnce(&mut Put<'_>) -> T) -> T {
        run(&mut |_, reader| self.put(reader))
    }
}

fn path(text: &str) -> TreePath {
    TreePath::new(text).unwrap()
}

/// The paths of a tree.
fn paths(tree: &Tree) -> Vec<String> {
    tree.files.keys().map(TreePath::to_string).collect()
}

/// A candidate with these lines before its instances, and an instance in each folder.
fn candidate(lines: &str, instances: &[(&str, &str)]) -> Candidate {
    let mut text = format!(
        "kind = \"assay-candidate\"\nmajor = 1\nminor = 0\nid = \"mine\"\nname = \"Mine\"\n\
         primitive = \"kem\"\n{lines}\n"
    );
    for (source_dir, more) in instances {
        let label = source_dir.rsplit('/').next().unwrap();
        text +=
            &format!("[[instance]]\nlabel = \"{label}\"\nsource_dir = \"{source_dir}\"\n{more}\n");
    }
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("mine.toml"), text).unwrap();
    let catalog = Catalog::default().with_folder(folder.path()).unwrap();
    catalog
        .get(&CandidateId::new("mine").unwrap())
        .unwrap()
        .clone()
}

/// A candidate whose only instance is in the folder `k`.
fn simple() -> Candidate {
    candidate("", &[("k", "")])
}

/// A file named `a` with this content, kept as long as the folder.
struct Archive {
    _folder: tempfile::TempDir,
    path: PathBuf,
}

impl Archive {
    fn new(bytes: &[u8]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        std::fs::write(&path, bytes).unwrap();
        Archive {
            _folder: folder,
            path,
        }
    }
}

/// What adding the archive as the sources of `candidate` gives, with the contents kept.
fn add_within(
    candidate: &Candidate,
    archive: &Path,
    limits: &Limits,
) -> Result<(Import, Vault), SourceError> {
    let mut vault = Vault::default();
    let import = vault.with(|put| add_source(candidate, archive, limits, put))?;
    Ok((import, vault))
}

fn add(candidate: &Candidate, bytes: &[u8]) -> Result<(Import, Vault), SourceError> {
    add_within(candidate, &Archive::new(bytes).path, &Limits::default())
}

/// An entry of an archive to be written.
#[derive(Clone)]
struct Entry {
    name: Vec<u8>,
    mode: u32,
    content: Vec<u8>,
}

const FILE: u32 = 0o100_644;
const LINK: u32 = 0o120_777;

fn file(name: impl AsRef<[u8]>, content: impl AsRef<[u8]>) -> Entry {
    Entry {
        name: name.as_ref().to_vec(),
        mode: FILE,
        content: content.as_ref().to_vec(),
    }
}

fn link(name: &str, target: &str) -> Entry {
    Entry {
        mode: LINK,
        ..file(name, target)
    }
}

/// A zip archive of deflated entries.
fn zip(entries: &[Entry]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut archive = rawzip::ZipArchiveWriter::new(&mut bytes);
    for entry in entries {
        let (mut written, config) = archive
            .new_file(rawzip::path::EntryPath::verbatim(entry.name.clone()))
            .unix_permissions(entry.mode)
            .compression_method(rawzip::CompressionMethod::DEFLATE)
            .start()
            .unwrap();
        let level = flate2::Compression::default();
        let mut data = config.wrap(flate2::write::DeflateEncoder::new(&mut written, level));
        data.write_all(&entry.content).unwrap();
        let (encoder, descriptor) = data.finish().unwrap();
        encoder.finish().unwrap();
        written.finish(descriptor).unwrap();
    }
    archive.finish().unwrap();
    bytes
}

/// One tar entry, whatever its name.
fn tar_entry(kind: tar::EntryType, name: &[u8], target: &[u8], content: &[u8]) -> Vec<u8> {
    let mut header = tar::Header::new_ustar();
    header.as_old_mut().name[..name.len()].copy_from_slice(name);
    header.as_old_mut().linkname[..target.len()].copy_from_slice(target);
    header.set_entry_type(kind);
    header.set_size(content.len() as u64);
    header.set_mode(0o644);
    header.set_cksum();
    let mut bytes = header.as_bytes().to_vec();
    bytes.extend_from_slice(content);
    bytes.resize(bytes.len().next_multiple_of(512), 0);
    bytes
}

/// A tar archive.
fn tar(entries: &[Entry]) -> Vec<u8> {
    let mut bytes: Vec<u8> = entries
        .iter()
        .flat_map(|entry| match entry.mode {
            LINK => tar_entry(tar::EntryType::Symlink, &entry.name, &entry.content, b""),
            _ => tar_entry(tar::EntryType::Regular, &entry.name, b"", &entry.content),
        })
        .collect();
    bytes.resize(bytes.len() + 1024, 0);
    bytes
}

fn gz(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}
