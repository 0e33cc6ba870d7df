//! What only publishing knows of a record, and the record without it.
//!
//! A record in the store says what a library did, not whose it is: so one measurement serves all
//! who share the library. Publishing fills in the rest, and names the artifact and the receipt. It
//! is undone exactly: [`TimingRecord::as_measured`] of a published own record has the bytes whose
//! hash its field `artifact` states.

use super::{Fields, ProfileRecord, TimingRecord};
use crate::id::ArtifactId;
use serde::Serialize;

/// The field of a published own record that names it as it was measured.
pub const ARTIFACT: &str = "artifact";
/// The field that names the receipt of the step that measured it.
pub const RECEIPT: &str = "receipt";

/// Facts of an instance that its published records state, as `build.json` does.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct InstanceFacts {
    /// The candidate.
    pub candidate: String,
    /// The instance's label.
    pub label: String,
    /// Which implementation.
    pub variant: Option<String>,
    /// Which set of build flags.
    pub flags: String,
    /// The verdict.
    pub kat: String,
    /// Whether that is other than PASS.
    pub kat_not_passed: bool,
    /// Path of the library.
    pub library: Option<String>,
    /// SHA-256 of the library.
    pub library_sha256: Option<String>,
    /// Path of the KAT log.
    pub kat_log: Option<String>,
    /// SHA-256 of the KAT log.
    pub kat_log_sha256: Option<String>,
    /// The compiler options in full.
    pub build_flags: Option<String>,
}

/// Where a published record comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Provenance {
    /// The record as it was measured.
    pub artifact: ArtifactId,
    /// The receipt of the step that measured it.
    pub receipt: ArtifactId,
}

impl Provenance {
    fn state_in(self, rest: &mut Fields) {
        rest.insert(ARTIFACT.to_owned(), self.artifact.to_string().into());
        rest.insert(RECEIPT.to_owned(), self.receipt.to_string().into());
    }
}

fn without_provenance(rest: &mut Fields) {
    // the order of what remains is part of the bytes
    rest.shift_remove(ARTIFACT);
    rest.shift_remove(RECEIPT);
}

/// The artifact that this record is in the store; absent when it has no JSON form.
fn artifact_of<T: Serialize>(record: &T) -> Option<ArtifactId> {
    serde_json::to_vec(record)
        .ok()
        .map(|bytes| ArtifactId::of(&bytes))
}

impl TimingRecord {
    /// The record as it is published.
    #[must_use]
    pub fn published(mut self, of: &InstanceFacts, from: Provenance) -> Self {
        let of = of.clone();
        self.candidate = Some(of.candidate);
        self.label = Some(of.label);
        self.variant = of.variant;
        self.flags = Some(of.flags);
        self.kat = Some(of.kat);
        self.kat_not_passed = Some(of.kat_not_passed);
        self.library = of.library;
        self.library_sha256 = of.library_sha256;
        self.kat_log = of.kat_log;
        self.kat_log_sha256 = of.kat_log_sha256;
        self.build_flags = of.build_flags;
        from.state_in(&mut self.rest);
        self
    }

    /// A published own record as it was measured.
    #[must_use]
    pub fn as_measured(&self) -> Self {
        let mut rest = self.rest.clone();
        without_provenance(&mut rest);
        TimingRecord {
            candidate: None,
            label: None,
            variant: None,
            flags: None,
            kat: None,
            kat_not_passed: None,
            library: None,
            library_sha256: None,
            kat_log: None,
            kat_log_sha256: None,
            build_flags: None,
            rest,
            ..self.clone()
        }
    }

    /// The artifact that a published own record was in the store: what its field `artifact` must
    /// say. Absent only when it has no JSON form.
    pub fn measured_artifact(&self) -> Option<ArtifactId> {
        artifact_of(&self.as_measured())
    }
}

impl ProfileRecord {
    /// The profile as it is published.
    #[must_use]
    pub fn published(mut self, of: &InstanceFacts, from: Provenance) -> Self {
        self.candidate = Some(of.candidate.clone());
        self.label = Some(of.label.clone());
        from.state_in(&mut self.rest);
        self
    }

    /// A published own profile as it was measured.
    #[must_use]
    pub fn as_measured(&self) -> Self {
        let mut rest = self.rest.clone();
        without_provenance(&mut rest);
        ProfileRecord {
            candidate: None,
            label: None,
            rest,
            ..self.clone()
        }
    }

    /// As [`TimingRecord::measured_artifact`].
    pub fn measured_artifact(&self) -> Option<ArtifactId> {
        artifact_of(&self.as_measured())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts() -> InstanceFacts {
        InstanceFacts {
            candidate: "kem-11".to_owned(),
            label: "X".to_owned(),
            library: Some("kem-11/lib/libX.so".to_owned()),
            kat: "PASS".to_owned(),
            ..InstanceFacts::default()
        }
    }

    /// The stored bytes are written here by hand, with a field of a later minor version.
    #[test]
    fn publishing_is_undone_to_the_byte() {
        let stored = br#"{"schema":2,"status":"complete","operation":"enc","input_bytes":0,"environment":{"z":1,"a":null},"processes":[],"trials":[{"measurements":3,"seconds":1.1e-7,"cycles":null}],"measurements":3,"mean_seconds":0.1,"median_trial_seconds":null,"min_trial_seconds":null,"max_trial_seconds":null,"mean_cycles":null,"median_trial_cycles":null,"operations_per_second":null,"throughput_MB_per_second":null,"sizes":{},"kex":{},"later":[1],"again":2}"#;
        let artifact = ArtifactId::of(stored);
        let record: TimingRecord = serde_json::from_slice(stored).unwrap();
        let receipt = ArtifactId::of(b"receipt");
        let published = record.published(&facts(), Provenance { artifact, receipt });
        let text = serde_json::to_string_pretty(&published).unwrap();
        let read: TimingRecord = serde_json::from_str(&text).unwrap();
        assert_eq!(read.library.as_deref(), Some("kem-11/lib/libX.so"));
        assert_eq!(read.rest[ARTIFACT], artifact.to_string());
        assert_eq!(read.rest[RECEIPT], receipt.to_string());
        assert_eq!(read.measured_artifact(), Some(artifact));
    }
}
