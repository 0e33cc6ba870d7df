//! A published dataset, read: `campaign.json`, `build.json`, `records/`, `profile/`, `kat/`
//! (NGCC.md section 7), from a folder or from what was imported of one.
//!
//! Nothing in it is trusted: links are not followed, nothing large is read, and whatever cannot be
//! read is a [`Problem`] of one file, so that the rest can still be looked at.

mod evidence;
mod fault;
mod files;
mod place;

pub use evidence::{CatalogFacts, page_evidence, trail_systems};
pub use fault::{Fault, Problem};
pub use files::{Files, LARGEST};
pub use place::Place;

use artifacts::format::Format;
use artifacts::records::{
    BUILD_FILE, BuildEntry, BuildFile, CAMPAIGN_FILE, CampaignFile, KatLog, PROFILE_RECORD,
    ProfileRecord, SCHEMA, TIMING_RECORD, TimingRecord,
};
use artifacts::{ArtifactId, CandidateId, Label, Operation};
use serde::de::DeserializeOwned;
use std::collections::{BTreeMap, BTreeSet};

/// The file of the campaign as a whole.
pub const CAMPAIGN: &str = "campaign.json";
/// The file of all builds.
pub const BUILDS: &str = "build.json";

/// A dataset, its two common files read.
pub struct Dataset<'a> {
    /// Its files.
    pub files: Files<'a>,
    /// `campaign.json`, where it can be read.
    pub campaign: Option<CampaignFile>,
    /// `build.json`, where it can be read.
    pub builds: Option<BuildFile>,
    /// What is wrong with these two, or with no file of a candidate.
    pub problems: Vec<Problem>,
    /// The files of each candidate.
    candidates: BTreeMap<CandidateId, Vec<String>>,
    /// Files that have no place in a dataset.
    pub others: Vec<String>,
}

/// A file and what it says.
#[derive(Debug, Clone)]
pub struct Piece<T> {
    /// Its path in the dataset.
    pub path: String,
    /// Its bytes.
    pub id: ArtifactId,
    /// What it says.
    pub content: T,
}

/// A KAT log and its SHA-256.
#[derive(Debug, Clone)]
pub struct Log {
    /// What it says.
    pub log: KatLog,
    /// SHA-256 of its bytes, 64 lower-case hex digits.
    pub sha256: String,
}

/// All that a dataset has of one candidate.
#[derive(Debug, Clone)]
pub struct Loaded {
    /// The candidate.
    pub candidate: CandidateId,
    /// Its instances by label.
    pub instances: BTreeMap<Label, Instance>,
    /// What cannot be read.
    pub problems: Vec<Problem>,
}

/// All that a dataset has of one instance.
#[derive(Debug, Clone, Default)]
pub struct Instance {
    /// Its entry in `build.json`.
    pub entry: Option<BuildEntry>,
    /// Its KAT log.
    pub log: Option<Piece<Log>>,
    /// Timing records by operation.
    pub timings: BTreeMap<Operation, Piece<TimingRecord>>,
    /// Profiles by operation.
    pub profiles: BTreeMap<Operation, Piece<ProfileRecord>>,
}

impl<'a> Dataset<'a> {
    /// Reads the common files and sorts the others by candidate.
    ///
    /// # Errors
    /// When neither of the common files is there: this is no dataset.
    pub fn open(files: Files<'a>) -> Result<Self, Fault> {
        if !files.has(CAMPAIGN) && !files.has(BUILDS) {
            return Err(Fault::NoDataset);
        }
        let mut problems = files.problems().to_vec();
        let campaign: Option<CampaignFile> = keep(read(&files, CAMPAIGN), &mut problems);
        let campaign = campaign.filter(|file| {
            let header = (file.kind.as_deref(), file.major);
            accept(known(CAMPAIGN_FILE, header), CAMPAIGN, &mut problems)
        });
        let builds: Option<BuildFile> = keep(read(&files, BUILDS), &mut problems);
        let builds = builds.filter(|file| {
            let header = (file.kind.as_deref(), file.major);
            accept(known(BUILD_FILE, header), BUILDS, &mut problems)
        });
        let mut candidates: BTreeMap<CandidateId, Vec<String>> = BTreeMap::new();
        let mut others = Vec::new();
        for path in files.paths() {
            match Place::of(path) {
                Some(Place::Campaign | Place::Builds) => {}
                Some(
                    Place::Record(candidate, ..)
                    | Place::Profile(candidate, ..)
                    | Place::Log(candidate, _),
                ) => candidates
                    .entry(candidate)
                    .or_default()
                    .push(path.to_owned()),
                None => others.push(path.to_owned()),
            }
        }
        for entry in builds.iter().flat_map(|builds| builds.instances.values()) {
            match CandidateId::new(entry.candidate.as_str()) {
                Ok(id) => drop(candidates.entry(id).or_default()),
                Err(source) => problems.push(Problem::new(BUILDS, Fault::Word(source))),
            }
        }
        Ok(Dataset {
            files,
            campaign,
            builds,
            problems,
            candidates,
            others,
        })
    }

    /// Whether it was published by assay, in the wording and with the receipts of its own campaigns.
    pub fn is_own(&self) -> bool {
        let kind = self.campaign.as_ref().and_then(|file| file.kind.as_deref());
        kind == Some(CAMPAIGN_FILE.kind)
    }

    /// All candidates that a file or a build names.
    pub fn candidates(&self) -> impl Iterator<Item = &CandidateId> {
        self.candidates.keys()
    }

    /// The files of a candidate.
    pub fn files_of(&self, candidate: &CandidateId) -> &[String] {
        self.candidates
            .get(candidate)
            .map(Vec::as_slice)
            .unwrap_or_default()
    }

    /// Reads all files of a candidate; `seen` gets the bytes of each that can be read.
    pub fn load(&self, candidate: &CandidateId, mut seen: impl FnMut(&str, &[u8])) -> Loaded {
        let mut loaded = Loaded {
            candidate: candidate.clone(),
            instances: BTreeMap::new(),
            problems: Vec::new(),
        };
        let entries = self.builds.iter().flat_map(|b| b.instances.values());
        for entry in entries.filter(|entry| entry.candidate == candidate.as_str()) {
            match Label::new(entry.label.as_str()) {
                Ok(label) => loaded.instances.entry(label).or_default().entry = Some(entry.clone()),
                Err(source) => loaded
                    .problems
                    .push(Problem::new(BUILDS, Fault::Word(source))),
            }
        }
        for path in self.files_of(candidate) {
            let bytes = match self.files.read(path) {
                Ok(bytes) => bytes,
                Err(fault) => {
                    loaded.problems.push(Problem::new(path, fault));
                    continue;
                }
            };
            seen(path, &bytes);
            if let Err(fault) = loaded.take(path, &bytes) {
                loaded.problems.push(Problem::new(path, fault));
            }
        }
        loaded
    }

    /// The labels that `build.json` has of a candidate.
    pub fn labels(&self, candidate: &CandidateId) -> BTreeSet<&str> {
        let entries = self.builds.iter().flat_map(|b| b.instances.values());
        entries
            .filter(|entry| entry.candidate == candidate.as_str())
            .map(|entry| entry.label.as_str())
            .collect()
    }
}

impl Loaded {
    fn take(&mut self, path: &str, bytes: &[u8]) -> Result<(), Fault> {
        match Place::of(path) {
            Some(Place::Record(_, label, operation)) => {
                let content: TimingRecord = parse(bytes)?;
                known(TIMING_RECORD, (content.kind.as_deref(), content.major))?;
                schema(content.schema)?;
                let instance = self.instances.entry(label).or_default();
                instance
                    .timings
                    .insert(operation, piece(path, bytes, content));
            }
            Some(Place::Profile(_, label, operation)) => {
                let content: ProfileRecord = parse(bytes)?;
                known(PROFILE_RECORD, (content.kind.as_deref(), content.major))?;
                schema(content.schema)?;
                let instance = self.instances.entry(label).or_default();
                instance
                    .profiles
                    .insert(operation, piece(path, bytes, content));
            }
            Some(Place::Log(_, label)) => {
                let text = std::str::from_utf8(bytes).map_err(Fault::Text)?;
                let content = Log {
                    log: KatLog::parse(text),
                    sha256: sha256(bytes),
                };
                let instance = self.instances.entry(label).or_default();
                instance.log = Some(piece(path, bytes, content));
            }
            Some(Place::Campaign | Place::Builds) | None => {}
        }
        Ok(())
    }
}

fn piece<T>(path: &str, bytes: &[u8], content: T) -> Piece<T> {
    Piece {
        path: path.to_owned(),
        id: ArtifactId::of(bytes),
        content,
    }
}

/// SHA-256 of bytes, 64 lower-case hex digits.
pub fn sha256(bytes: &[u8]) -> String {
    use sha2::{Digest, Sha256};
    Sha256::digest(bytes)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// Parses JSON; what does not fit its type is told by its field.
pub fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Fault> {
    let mut json = serde_json::Deserializer::from_slice(bytes);
    let value = serde_path_to_error::deserialize(&mut json).map_err(|error| Fault::Json {
        field: error.path().to_string(),
        source: error.into_inner().into(),
    })?;
    json.end().map_err(|source| Fault::Json {
        field: ".".to_owned(),
        source: source.into(),
    })?;
    Ok(value)
}

fn read<T: DeserializeOwned>(files: &Files<'_>, path: &str) -> Result<T, Problem> {
    files
        .read(path)
        .and_then(|bytes| parse(&bytes))
        .map_err(|fault| Problem::new(path, fault))
}

fn keep<T>(read: Result<T, Problem>, problems: &mut Vec<Problem>) -> Option<T> {
    read.map_err(|problem| problems.push(problem)).ok()
}

fn accept(known: Result<(), Fault>, path: &str, problems: &mut Vec<Problem>) -> bool {
    known
        .map_err(|fault| problems.push(Problem::new(path, fault)))
        .is_ok()
}

/// Whether a file without a head, or with this one, may be read.
fn known(format: Format, (kind, major): (Option<&str>, Option<u32>)) -> Result<(), Fault> {
    let Some(kind) = kind else { return Ok(()) };
    let header = artifacts::format::Header {
        kind: kind.to_owned(),
        major: major.unwrap_or_default(),
        minor: 0,
    };
    Ok(format.check(&header)?)
}

fn schema(found: u32) -> Result<(), Fault> {
    match found == SCHEMA {
        true => Ok(()),
        false => Err(Fault::Schema { found }),
    }
}
