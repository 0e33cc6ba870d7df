//! What a page is made of. Whoever makes a page fills an [`Evidence`]: records as they are, facts of
//! the catalog, and lines that other crates word.

use artifacts::records::{ProfileRecord, TimingRecord};
use artifacts::words::{Flags, Kind, Verdict};
use artifacts::{ArtifactId, CandidateId, Label, Operation, SystemId};
use serde::Deserialize;
use std::collections::BTreeMap;

/// Whose campaign it is: pages say what is true of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// Evidence published by others, in the wording of their pages (the seeds).
    Published,
    /// A campaign of assay.
    Own,
}

/// All that a candidate's page on one system says.
#[derive(Debug, Clone)]
pub struct Evidence {
    /// Whose campaign it is.
    pub origin: Origin,
    /// The system.
    pub system: SystemId,
    /// The systems of which there are pages of this candidate, in order.
    pub systems: Vec<SystemId>,
    /// The architecture as the machine says it: `x86_64`, `aarch64`.
    pub architecture: String,
    /// The candidate.
    pub candidate: CandidateId,
    /// The candidate's name.
    pub name: String,
    /// What it is.
    pub kind: Kind,
    /// Whether it is a control.
    pub control: bool,
    /// The implementations measured, such as `reference`.
    pub variants: Vec<String>,
    /// Where the sources come from, for own pages: a package or archive and its hash.
    pub sources: Option<String>,
    /// The environment table.
    pub environment: HostTable,
    /// Start of the campaign's first measuring step, RFC 3339.
    pub started_utc: Option<String>,
    /// End of its last one, RFC 3339.
    pub ended_utc: Option<String>,
    /// Why the host is not fixed, one sentence each; empty when it is.
    pub host_problems: Vec<String>,
    /// The instances, in any order.
    pub instances: Vec<InstanceEvidence>,
    /// The curated rows on known-answer tests, in the catalog's order.
    pub kat_notes: Vec<KatNote>,
    /// What the survey of symmetric primitives says.
    pub survey: Option<Survey>,
}

/// The lines of the environment table: the campaign's, as recorded on the system's declared
/// measuring core, not those of a record's own core.
#[derive(Debug, Clone, Default)]
pub struct HostTable {
    /// The CPU's model.
    pub cpu_model: String,
    /// The core's number.
    pub cpu_number: Option<u64>,
    /// The machine's name, only where its firmware gives one.
    pub machine: Option<String>,
    /// The clock line, as the crate systems words it.
    pub clock: String,
    /// MemTotal.
    pub memory_kib: Option<u64>,
    /// The operating system's name.
    pub os: String,
    /// The kernel's release.
    pub kernel: String,
    /// The compiler's version line.
    pub compiler: String,
    /// The build tool's version line.
    pub build_tool: String,
}

/// What there is about one instance.
#[derive(Debug, Clone)]
pub struct InstanceEvidence {
    /// Its label.
    pub label: Label,
    /// With which flags its library is built.
    pub flags: Flags,
    /// The verdict.
    pub verdict: Verdict,
    /// The log of the known-answer test, where it ran.
    pub kat_log: Option<KatLogFile>,
    /// Memory of the library's loadable segments, in bytes.
    pub elf_load_bytes: Option<u64>,
    /// The library, where known.
    pub library: Option<ArtifactId>,
    /// Sizes that the API declares.
    pub api: Option<ApiSizes>,
    /// Sizes from the catalog.
    pub curated: CuratedSizes,
    /// Timing records by operation.
    pub timings: BTreeMap<Operation, Filed<TimingRecord>>,
    /// Profiles by operation.
    pub profiles: BTreeMap<Operation, Filed<ProfileRecord>>,
}

/// A piece of evidence and where it is filed.
#[derive(Debug, Clone)]
pub struct Filed<T> {
    /// Its path in the dataset.
    pub path: String,
    /// Its artifact, where it is one.
    pub id: Option<ArtifactId>,
    /// What it says.
    pub content: T,
}

/// A KAT log by its path in the dataset and its hash.
#[derive(Debug, Clone)]
pub struct KatLogFile {
    /// Its path in the dataset.
    pub path: String,
    /// SHA-256 of its bytes, 64 lower-case hex digits.
    pub sha256: String,
}

/// Sizes in bytes that the API declares; those of another kind of candidate are absent.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ApiSizes {
    /// Public key.
    pub public_key: Option<u64>,
    /// Secret key.
    pub secret_key: Option<u64>,
    /// Ciphertext.
    pub ciphertext: Option<u64>,
    /// Shared secret.
    pub shared_secret: Option<u64>,
    /// Signature.
    pub signature: Option<u64>,
    /// Passes of a key exchange.
    pub passes: Option<u64>,
    /// Messages of a key exchange, in order.
    pub messages: Vec<u64>,
    /// All messages of a key exchange together.
    pub protocol: Option<u64>,
}

/// Sizes in bytes from the curated catalog.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CuratedSizes {
    /// Public key.
    pub public_key: Option<u64>,
    /// Ciphertext.
    pub ciphertext: Option<u64>,
    /// Signature.
    pub signature: Option<u64>,
}

/// A curated row on known-answer tests, with the instances to which its label pattern applies.
#[derive(Debug, Clone)]
pub struct KatNote {
    /// The instances.
    pub instances: Vec<Label>,
    /// What follows from it.
    pub action: KatAction,
    /// Why the test ends as it does.
    pub cause: String,
}

/// See [`KatNote::action`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum KatAction {
    /// Timed all the same; the page says that its output is not validated.
    Measure,
    /// Not timed.
    Exclude,
}

/// The survey of symmetric primitives on one candidate.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Survey {
    /// Such as `ICCS-only`.
    pub verdict: String,
    /// A remark.
    pub note: Option<String>,
}

impl ApiSizes {
    /// The sizes a timing record holds; a size of 0 is one that the candidate has not.
    pub fn from_record(record: &TimingRecord) -> Self {
        let size = |name: &str| record.size(name).filter(|bytes| *bytes > 0);
        ApiSizes {
            public_key: size("pk_bytes"),
            secret_key: size("sk_bytes"),
            ciphertext: size("ct_bytes"),
            shared_secret: size("ss_bytes"),
            signature: size("signature_bytes"),
            passes: record.kex.get("kex_passes").and_then(|n| n.as_u64()),
            messages: (1..)
                .map_while(|pass| record.size(&format!("msg{pass}_bytes")))
                .collect(),
            protocol: size("total_msg_bytes"),
        }
    }
}

impl InstanceEvidence {
    /// The sizes the API declares: those given, else those of any timing record.
    pub fn api_sizes(&self) -> Option<ApiSizes> {
        self.api.clone().or_else(|| {
            let record = self.timings.values().next()?;
            Some(ApiSizes::from_record(&record.content))
        })
    }
}
