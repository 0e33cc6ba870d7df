//! What each stage is asked, in types. All of it enters the step key, so it holds strings, integers,
//! lists and maps only; absent options are skipped.

use artifacts::key::{CanonicalError, Value};
use artifacts::tree::TreePath;
use artifacts::words::{CandidateId, Flags, Kind, Label, Operation};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

pub use systems::Planning;

/// The canonical form of a stage's parameters.
///
/// # Errors
/// When the type holds something that cannot enter a key.
pub fn canonical<T: Serialize>(parameters: &T) -> Result<BTreeMap<String, Value>, CanonicalError> {
    match Value::of(parameters)? {
        Value::Map(map) => Ok(map),
        other => Err(CanonicalError::NotCanonical {
            found: other.to_string(),
            at: "$".to_owned(),
        }),
    }
}

/// What a build step compiles.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "unit", rename_all = "kebab-case")]
pub enum BuildParameters {
    /// The probe, from input `glue`.
    Probe(ProbeBuild),
    /// An instance of a candidate, from inputs `source` and `glue`.
    Instance(Box<InstanceBuild>),
}

/// How the probe is compiled.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProbeBuild {
    /// Options of every compile.
    pub options: Vec<String>,
    /// Options of the link.
    pub link_options: Vec<String>,
}

/// How an instance is compiled and linked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InstanceBuild {
    /// What primitive it is.
    pub kind: Kind,
    /// Which programming interface the sources have.
    pub glue: Glue,
    /// The name of the set of options.
    pub flags: Flags,
    /// Options of every C and assembly compile.
    pub options: Vec<String>,
    /// Options of every C++ compile.
    pub cxx_options: Vec<String>,
    /// Options of the link, before libraries.
    pub link_options: Vec<String>,
    /// The instance's folder in the source tree.
    pub source_dir: TreePath,
    /// The files to compile; absent for the published rule applied to `source_dir`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<TreePath>,
    /// Files to compile beside those of the rule.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub extra_sources: Vec<TreePath>,
    /// Files left out of the rule.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exclude: Vec<TreePath>,
    /// Folders searched for headers after the file's own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub include_dirs: Vec<TreePath>,
    /// The header that defines `ALGORITHM_INSTANCE`, relative to an include folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub header: Option<String>,
    /// `ALGORITHM_INSTANCE` where no header defines it.
    pub instance: String,
    /// Prefix of all names, for PQClean code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
    /// Names of libraries to link, as after `-l`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub libraries: Vec<String>,
    /// Functions counted as hash share, of which those are wrapped that the objects define.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub wrap: Vec<String>,
}

/// See [`InstanceBuild::glue`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Glue {
    /// The ICCS interface of NGCC.md section 2.
    Iccs,
    /// PQClean's `api.h`.
    Pqclean,
}

/// What a kat step checks; inputs `library`, `probe`, and `reference:<file>` for submitted files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KatParameters {
    /// Named in the log's RESULT line.
    pub candidate: CandidateId,
    /// The label, which names the library in the log.
    pub label: Label,
    /// The algorithm's name.
    pub algorithm: String,
    /// What primitive it is.
    pub kind: Kind,
    /// Named in the log.
    pub variant: String,
    /// Which KAT text is produced.
    pub format: KatFormat,
    /// What the text is compared with besides submitted files; none: NOKAT.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub manifest: Vec<ManifestLine>,
    /// Seconds of wall time after which the run is a TIMEOUT.
    pub timeout_s: u32,
}

/// See [`KatParameters::format`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum KatFormat {
    /// NGCC.md section 4.
    Iccs,
    /// One record as PQClean's nistkat programs print it.
    Nist,
}

/// A digest that a KAT text must have; NGCC.md section 4.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ManifestLine {
    /// SHA-256 in lower hex: of the canonical text, or of the bytes for mode `nistkat`.
    pub digest: String,
    /// `strict`, `nolen`, each optionally `:N` for exactly N records, or `nistkat`.
    pub mode: String,
    /// The KAT file's name.
    pub file: String,
}

/// What a time step measures; inputs `library` and `probe`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TimeParameters {
    /// The operation, a hash with its message size.
    pub operation: Operation,
    /// How many calls in how many trials.
    pub planning: Planning,
    /// The counter: `cycles`, `cpu-clock` (tests) or `none`.
    pub event: String,
}

/// What a profile step measures; inputs `wrapped` and `probe`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProfileParameters {
    /// The operation.
    pub operation: Operation,
    /// Operations at most.
    pub max_operations: u64,
    /// Nanoseconds aimed at.
    pub target_ns: u64,
}

/// What a size audit compares; inputs `kat` (the kat report).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SizeAuditParameters {
    /// What primitive it is.
    pub kind: Kind,
    /// Curated external sizes in bytes by object (`pk`, `ct`, `sn`).
    pub curated: BTreeMap<String, u64>,
}

/// What a render step writes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "page", rename_all = "kebab-case")]
pub enum RenderParameters {
    /// A candidate's page and the page of its cells; inputs `timing:<label>/<operation>`,
    /// `profile:<label>/<operation>`, and `log:`, `kat:`, `build:` and `sizes:<label>`.
    Candidate(Box<CandidatePage>),
    /// The index and the size-audit page; inputs `summary:<candidate>`.
    Index(IndexPage),
}

/// What a candidate's page says beside its records.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CandidatePage {
    /// The candidate.
    pub candidate: CandidateId,
    /// Its name.
    pub name: String,
    /// What primitive it is.
    pub kind: Kind,
    /// Whether it is a control.
    pub role: Role,
    /// The implementations measured.
    pub variants: Vec<String>,
    /// Where the sources come from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sources: Option<String>,
    /// As `uname -m` says it.
    pub architecture: String,
    /// The compiler's version line, that of the builds shown.
    pub compiler: String,
    /// What drove the builds.
    pub build_tool: String,
    /// The core whose environment is shown; records of other cores are shown under it too.
    pub measuring_core: u32,
    /// The environment of this machine in the published form, for pages without timing records.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub host: BTreeMap<String, String>,
    /// Curated rows on known answers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<PageNote>,
    /// Verdict and remark of the survey of symmetric primitives.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub survey: Vec<String>,
    /// The instances.
    pub instances: Vec<PageInstance>,
}

/// See [`CandidatePage::role`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// A submission.
    Submission,
    /// A pinned public implementation measured beside them.
    Control,
}

/// A curated row on known answers, with the instances it applies to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PageNote {
    /// The instances.
    pub instances: Vec<Label>,
    /// `measure` or `exclude`.
    pub action: String,
    /// Why the known answers come out as they do.
    pub cause: String,
}

/// An instance on a page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PageInstance {
    /// Its label.
    pub label: Label,
    /// With which options its library is built.
    pub flags: Flags,
    /// Its verdict.
    pub verdict: artifacts::words::Verdict,
    /// The library.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub library: Option<artifacts::ArtifactId>,
    /// Curated external sizes in bytes by object.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub curated: BTreeMap<String, u64>,
}

/// What the index says beside the candidates' summaries.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IndexPage {
    /// What a reader must know before any figure.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub banners: Vec<String>,
    /// Candidates without sources: id, name, kind and the command that adds them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<[String; 4]>,
}
