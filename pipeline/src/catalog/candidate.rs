//! A candidate as its TOML describes it. The field names here are those of the file.

use super::words::{InstanceName, KatMode, LabelPattern, LibraryName, Sha256Hex, Symbol, Variant};
use artifacts::format::Format;
use artifacts::tree::TreePath;
use artifacts::words::{CandidateId, Kind, Label};
use contract::parameters::{Glue, KatFormat, ManifestLine};
use reports::evidence::{CuratedSizes, KatAction, KatNote, Survey};
use serde::Deserialize;
use std::collections::BTreeMap;

/// The version of candidate files this program reads. 1.0: first.
pub const CANDIDATE: Format = Format {
    kind: "assay-candidate",
    major: 1,
    minor: 0,
};

/// Functions counted as hash share in the ICCS interface (NGCC.md section 6).
const ICCS_FUNCTIONS: [&str; 4] = ["pseudohash", "pseudoXOF", "sm3hash", "get_random_number"];

/// A submission, or a control.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Candidate {
    // The header, which is checked before the rest is read.
    #[serde(rename = "kind")]
    _kind: String,
    #[serde(rename = "major")]
    _major: u32,
    #[serde(rename = "minor")]
    _minor: u32,
    /// Its id, which is also the name of its file.
    pub id: CandidateId,
    /// The algorithm's name.
    pub name: String,
    /// What it is; in the file, `primitive`.
    #[serde(rename = "primitive")]
    pub kind: Kind,
    /// The programming interface of its sources.
    #[serde(default = "iccs")]
    pub glue: Glue,
    /// The archive a user brings; absent when none is known, or for a control.
    pub archive: Option<Archive>,
    /// The package that holds a control's sources.
    pub package: Option<Package>,
    /// What the survey of symmetric primitives says.
    pub survey: Option<Survey>,
    /// Functions counted as hash share, of which those are wrapped that the objects define.
    #[serde(default)]
    pub(super) wrap: Vec<Symbol>,
    /// Its instances, in the order of the file.
    #[serde(rename = "instance")]
    pub instances: Vec<Instance>,
    /// Curated rows on known-answer tests, in the order of the file.
    #[serde(default, rename = "kat-note")]
    pub kat_rows: Vec<KatRow>,
}

/// See [`Candidate::archive`].
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Archive {
    /// Its file name where it is published.
    pub file: String,
    /// Its digest; an archive that has another one is refused.
    pub sha256: Option<Sha256Hex>,
    /// Entries that are not kept, as they stand in the archive: for official archives that hold
    /// entries which would be refused.
    #[serde(default)]
    pub leave_out: Vec<String>,
}

/// See [`Candidate::package`].
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Package {
    /// Its name in the cargo registry.
    pub name: String,
    /// Its version, which Cargo.lock pins together with its hash.
    pub version: String,
}

/// One parameter set in one variant.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Instance {
    /// Its label.
    pub label: Label,
    instance: Option<InstanceName>,
    /// Which implementation it is.
    #[serde(default)]
    pub variant: Variant,
    /// Its folder, relative to the root that [`crate::sources`] finds.
    pub source_dir: TreePath,
    /// The header that defines `ALGORITHM_INSTANCE`, relative to an include folder; where absent,
    /// [`crate::sources`] looks for it.
    pub header: Option<TreePath>,
    /// The files to compile; empty for the published rule applied to the source folder.
    #[serde(default)]
    pub sources: Vec<TreePath>,
    /// Files to compile beside those of the rule.
    #[serde(default)]
    pub extra_sources: Vec<TreePath>,
    /// Files left out of the rule.
    #[serde(default)]
    pub exclude: Vec<TreePath>,
    /// Folders searched for headers after the source folder.
    #[serde(default)]
    pub include_dirs: Vec<TreePath>,
    /// Files and folders that the build may read besides.
    #[serde(default)]
    pub trees: Vec<TreePath>,
    /// Libraries to link.
    #[serde(default)]
    pub libraries: Vec<LibraryName>,
    /// Prefix of all names, for PQClean code.
    pub namespace: Option<Symbol>,
    /// External sizes in bytes from the literature, not from the API.
    #[serde(default)]
    pub sizes: CuratedSizes,
    /// What its known answers are compared with; empty: NOKAT.
    #[serde(default)]
    pub kat: Vec<KatReference>,
}

/// A reference of a known-answer test: a digest, or a file of the submission.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KatReference {
    /// The KAT file's name; with no digest, its path or the end of it in the sources.
    pub file: TreePath,
    /// The digest its text must have; absent where the file itself is compared with.
    pub digest: Option<Sha256Hex>,
    /// How the text is digested: by default `strict`, or `nistkat` for PQClean code.
    pub mode: Option<KatMode>,
}

/// A curated row on known-answer tests.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KatRow {
    /// The labels it is about.
    pub labels: LabelPattern,
    /// What follows from it.
    pub action: KatAction,
    /// Why the test ends as it does.
    pub cause: String,
}

fn iccs() -> Glue {
    Glue::Iccs
}

impl Candidate {
    /// Whether it is a control: a pinned public implementation measured beside the candidates.
    pub fn is_control(&self) -> bool {
        self.package.is_some()
    }

    /// The instance with this label.
    pub fn instance(&self, label: &Label) -> Option<&Instance> {
        self.instances
            .iter()
            .find(|instance| &instance.label == label)
    }

    /// Functions counted as hash share: those of the file, by default the four of the ICCS.
    pub fn wrapped_functions(&self) -> Vec<String> {
        match (self.wrap.is_empty(), self.glue) {
            (true, Glue::Iccs) => ICCS_FUNCTIONS.map(str::to_owned).to_vec(),
            _ => self
                .wrap
                .iter()
                .map(|name| name.as_str().to_owned())
                .collect(),
        }
    }

    /// Which KAT text its instances produce.
    pub fn kat_format(&self) -> KatFormat {
        match self.glue {
            Glue::Iccs => KatFormat::Iccs,
            Glue::Pqclean => KatFormat::Nist,
        }
    }

    /// The digests that an instance's KAT texts must have.
    pub fn manifest(&self, instance: &Instance) -> Vec<ManifestLine> {
        let default = match self.glue {
            Glue::Iccs => "strict",
            Glue::Pqclean => "nistkat",
        };
        instance
            .kat
            .iter()
            .filter_map(|reference| {
                Some(ManifestLine {
                    digest: reference.digest.as_ref()?.as_str().to_owned(),
                    mode: reference
                        .mode
                        .as_ref()
                        .map_or(default, KatMode::as_str)
                        .to_owned(),
                    file: reference.file.to_string(),
                })
            })
            .collect()
    }

    /// The curated rows with the labels each is about, as pages take them.
    pub fn kat_notes(&self) -> Vec<KatNote> {
        self.kat_rows
            .iter()
            .map(|row| KatNote {
                instances: self
                    .instances
                    .iter()
                    .map(|instance| instance.label.clone())
                    .filter(|label| row.labels.matches(label))
                    .collect(),
                action: row.action,
                cause: row.cause.clone(),
            })
            .collect()
    }

    /// Whether a curated row keeps the instance from being timed.
    pub fn is_excluded(&self, label: &Label) -> bool {
        self.kat_rows
            .iter()
            .any(|row| row.action == KatAction::Exclude && row.labels.matches(label))
    }
}

impl Instance {
    /// What the instance calls itself; by default its label.
    pub fn name(&self) -> &str {
        self.instance
            .as_ref()
            .map_or(self.label.as_str(), InstanceName::as_str)
    }

    /// The curated sizes in bytes by object: `pk`, `ct`, `sn`.
    pub fn curated(&self) -> BTreeMap<String, u64> {
        let CuratedSizes {
            public_key,
            ciphertext,
            signature,
        } = self.sizes;
        [("pk", public_key), ("ct", ciphertext), ("sn", signature)]
            .into_iter()
            .filter_map(|(object, size)| Some((object.to_owned(), size?)))
            .collect()
    }
}
