//! `manifest.json`: every other file of a publication with its size and hashes, and the root.

use artifacts::ArtifactId;
use artifacts::format::{Format, Header};
use artifacts::words::SystemId;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The manifest's file name; by this file a folder is known as a publication.
pub const MANIFEST_FILE: &str = "manifest.json";

/// The version of manifests this program writes. 1.0: first. A change of meaning raises major, an
/// added optional field minor.
pub const MANIFEST: Format = Format {
    kind: "assay-manifest",
    major: 1,
    minor: 0,
};

/// See the module.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// Kind and version.
    #[serde(flatten)]
    pub header: Header,
    /// The system measured.
    pub system: SystemId,
    /// The campaign's root, which covers the receipts of all steps but pages.
    pub root: ArtifactId,
    /// By path, sorted; all files but the manifest.
    pub files: BTreeMap<String, FileEntry>,
}

/// A file, as `b3sum` and `sha256sum` see it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileEntry {
    /// Its size.
    pub bytes: u64,
    /// BLAKE3, 64 lower-case hex digits.
    pub blake3: String,
    /// SHA-256, 64 lower-case hex digits.
    pub sha256: String,
}
