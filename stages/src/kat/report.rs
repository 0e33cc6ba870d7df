//! The result of a kat step, in types.

use crate::report::Report;
use artifacts::format::{Format, Header};
use artifacts::words::Verdict;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The version of kat reports this program writes. 1.0: first.
pub const KAT_REPORT: Format = Format {
    kind: "assay-kat-report",
    major: 1,
    minor: 0,
};

/// See the module.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KatReport {
    /// Kind and version.
    #[serde(flatten)]
    pub header: Header,
    /// The verdict of the instance: the worst of its files.
    pub verdict: Verdict,
    /// What failed and where; empty when all passed.
    pub why: String,
    /// `ALGORITHM_INSTANCE` as the library names itself.
    pub instance: Option<String>,
    /// Declared sizes in bytes by object.
    pub sizes: BTreeMap<String, u64>,
    /// Lengths really returned, least and greatest, by object.
    pub returned: BTreeMap<String, (u64, u64)>,
    /// One entry a KAT file.
    pub files: Vec<KatFile>,
}

/// One KAT file's result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KatFile {
    /// Its name.
    pub file: String,
    /// Its verdict.
    pub verdict: Verdict,
    /// What failed; empty on PASS.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub why: String,
    /// Bytes generated, where a text was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
    /// SHA-256 of the generated text in the reference's mode (`strict` without one).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    /// The reference: `<digest> <mode>` of a manifest, or `submitted file`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
}

impl KatFile {
    /// A run that gave no complete text.
    pub fn failed(file: String, verdict: Verdict, why: String) -> Self {
        KatFile {
            file,
            verdict,
            why,
            bytes: None,
            sha256: None,
            reference: None,
        }
    }
}

impl KatReport {
    pub(super) fn new() -> Self {
        KatReport {
            header: KAT_REPORT.header(),
            verdict: Verdict::NoKat,
            why: String::new(),
            instance: None,
            sizes: BTreeMap::new(),
            returned: BTreeMap::new(),
            files: Vec::new(),
        }
    }

    /// Takes over what a run of the probe told about the library.
    pub(super) fn take(&mut self, report: &Report) {
        if self.instance.is_none() {
            self.instance.clone_from(&report.instance);
        }
        self.sizes.extend(
            report
                .sizes
                .iter()
                .map(|(object, bytes)| (object.clone(), *bytes)),
        );
        for (object, (min, max)) in &report.returned {
            let range = self.returned.entry(object.clone()).or_insert((*min, *max));
            *range = (range.0.min(*min), range.1.max(*max));
        }
    }

    /// The instance's verdict from those of its files: the worst one, in the order PASS, MISMATCH,
    /// NOKAT, then everything that gave no text.
    pub(super) fn conclude(&mut self) {
        let rank = |verdict: Verdict| match verdict {
            Verdict::Pass => 0,
            Verdict::Mismatch => 1,
            Verdict::NoKat => 2,
            _ => 3,
        };
        if let Some(worst) = self.files.iter().max_by_key(|file| rank(file.verdict)) {
            self.verdict = worst.verdict;
            self.why = if worst.why.is_empty() {
                String::new()
            } else {
                format!("{}: {}", worst.file, worst.why)
            };
        }
    }
}
