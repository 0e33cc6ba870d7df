//! `build.json`: what was built, how, and with which verdict.

use super::Fields;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// `build.json`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct BuildFile {
    /// Kind of file, in own datasets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// Major version of own files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub major: Option<u32>,
    /// Minor version of own files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minor: Option<u32>,
    /// By `<candidate>/<label>`.
    pub instances: BTreeMap<String, BuildEntry>,
    /// Fields of others.
    #[serde(flatten)]
    pub rest: Fields,
}

/// One instance in `build.json`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct BuildEntry {
    /// The candidate.
    pub candidate: String,
    /// The instance's label.
    pub label: String,
    /// The instance as its own code names it; `null` where it did not build.
    #[serde(default)]
    pub instance: Option<String>,
    /// Which implementation, such as `reference`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variant: Option<String>,
    /// Which set of build flags.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flags: Option<String>,
    /// The verdict.
    pub kat: String,
    /// The verdict with the guide's flags, where the fallback was tried.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guide_result: Option<String>,
    /// Path of the library.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub library: Option<String>,
    /// SHA-256 of the library.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub library_sha256: Option<String>,
    /// Sum of the memory sizes of the library's PT_LOAD segments, in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elf_load_bytes: Option<u64>,
    /// Path of the KAT log.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kat_log: Option<String>,
    /// SHA-256 of the KAT log.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kat_log_sha256: Option<String>,
    /// Fields of others.
    #[serde(flatten)]
    pub rest: Fields,
}
