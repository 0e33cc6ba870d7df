//! From a dataset's candidate to what its page is made of.
//!
//! Own publications say in the receipt of each page what the page was asked to show; evidence of
//! others is completed from the catalog (names, curated sizes and causes, the survey).

use super::{Dataset, Instance, Loaded, Piece};
use crate::catalog::Candidate as Entry;
use artifacts::records::{CampaignFile, Fields, ProfileRecord, TimingRecord};
use artifacts::words::{Flags, Kind, Verdict};
use artifacts::{CandidateId, Label, Operation, SystemId};
use contract::parameters::{CandidatePage, Role};
use reports::Evidence;
use reports::evidence::{
    ApiSizes, CuratedSizes, Filed, HostTable, InstanceEvidence, KatAction, KatLogFile, KatNote,
    Origin, Survey,
};
use std::collections::{BTreeMap, BTreeSet};
use systems::{Architecture, Environment, System};

/// What the dataset itself does not say of a candidate.
#[derive(Debug, Clone, Copy)]
pub enum CatalogFacts<'a> {
    /// What the page's own receipt says was asked.
    Asked(&'a CandidatePage),
    /// What the catalog knows.
    Known(&'a Entry),
    /// Nothing: the candidate is not in the catalog.
    Unknown,
}

impl CatalogFacts<'_> {
    /// What the candidate is.
    pub fn kind(self, loaded: &Loaded) -> Kind {
        match self {
            CatalogFacts::Asked(asked) => asked.kind,
            CatalogFacts::Known(entry) => entry.kind,
            CatalogFacts::Unknown => guessed_kind(loaded),
        }
    }
}

/// What the page of this candidate is made of.
pub fn page_evidence(
    dataset: &Dataset<'_>,
    loaded: &Loaded,
    facts: CatalogFacts<'_>,
    system: &SystemId,
) -> Evidence {
    let campaign = dataset.campaign.clone().unwrap_or_default();
    match facts {
        CatalogFacts::Asked(asked) => own(loaded, asked, system),
        CatalogFacts::Known(entry) => published(loaded, Some(entry), system, &campaign),
        CatalogFacts::Unknown => published(loaded, None, system, &campaign),
    }
}

fn own(loaded: &Loaded, asked: &CandidatePage, system: &SystemId) -> Evidence {
    let nothing = Instance::default();
    let instances: Vec<InstanceEvidence> = asked
        .instances
        .iter()
        .map(|shown| {
            let read = loaded.instances.get(&shown.label).unwrap_or(&nothing);
            let size = |object: &str| shown.curated.get(object).copied();
            InstanceEvidence {
                flags: shown.flags,
                library: shown.library,
                curated: CuratedSizes {
                    public_key: size("pk"),
                    ciphertext: size("ct"),
                    signature: size("sn"),
                },
                ..instance(&shown.label, read, CuratedSizes::default())
            }
        })
        .collect();
    let records = || {
        loaded
            .instances
            .values()
            .flat_map(|i| i.timings.values().map(|piece| &piece.content))
    };
    let problems: BTreeSet<String> = records()
        .flat_map(|record| record.host_problems.iter().cloned())
        .collect();
    Evidence {
        origin: Origin::Own,
        system: system.clone(),
        systems: vec![system.clone()],
        architecture: asked.architecture.clone(),
        candidate: asked.candidate.clone(),
        name: asked.name.clone(),
        kind: asked.kind,
        control: asked.role == Role::Control,
        variants: asked.variants.clone(),
        sources: asked.sources.clone(),
        environment: own_host(asked, &instances),
        started_utc: records().filter_map(|r| r.started_utc.clone()).min(),
        ended_utc: records().filter_map(|r| r.ended_utc.clone()).max(),
        host_problems: problems.into_iter().collect(),
        kat_notes: asked
            .notes
            .iter()
            .map(|note| KatNote {
                instances: note.instances.clone(),
                action: match note.action.as_str() {
                    "exclude" => KatAction::Exclude,
                    _ => KatAction::Measure,
                },
                cause: note.cause.clone(),
            })
            .collect(),
        survey: asked.survey.first().map(|verdict| Survey {
            verdict: verdict.clone(),
            note: asked.survey.get(1).cloned(),
        }),
        instances,
    }
}

fn published(
    loaded: &Loaded,
    entry: Option<&Entry>,
    system: &SystemId,
    campaign: &CampaignFile,
) -> Evidence {
    let environment = environment(&campaign.environment_at_end);
    let registered = System::named(system.as_str()).ok();
    let built = || loaded.instances.values().filter_map(|i| i.entry.as_ref());
    let mut variants: Vec<String> = built().filter_map(|e| e.variant.clone()).collect();
    variants.dedup();
    let algorithm = || {
        let mut logs = loaded.instances.values().filter_map(|i| i.log.as_ref());
        logs.find_map(|log| log.content.log.field("algorithm"))
    };
    let name = match entry {
        Some(entry) => entry.name.clone(),
        None => algorithm().unwrap_or(loaded.candidate.as_str()).to_owned(),
    };
    Evidence {
        origin: Origin::Published,
        system: system.clone(),
        systems: trail_systems(system),
        architecture: environment.architecture.clone().unwrap_or_default(),
        candidate: loaded.candidate.clone(),
        name,
        kind: entry.map_or_else(|| guessed_kind(loaded), |entry| entry.kind),
        control: false,
        variants,
        sources: None,
        environment: HostTable {
            clock: environment.clock_line(),
            cpu_number: registered
                .map(|system| u64::from(system.measuring_core))
                .or(environment.cpu_number.map(u64::from)),
            cpu_model: environment.cpu_model.unwrap_or_default(),
            machine: environment.machine,
            memory_kib: environment.memory_total_kib,
            os: environment.os.unwrap_or_default(),
            kernel: environment.kernel.unwrap_or_default(),
            compiler: environment.compiler.unwrap_or_default(),
            build_tool: environment.cmake.unwrap_or_default(),
        },
        started_utc: campaign.started_utc.clone(),
        ended_utc: campaign.ended_utc.clone(),
        host_problems: campaign.host_problems.clone(),
        instances: loaded
            .instances
            .iter()
            .filter(|(_, read)| read.entry.is_some())
            .map(|(label, read)| instance(label, read, curated(entry, label)))
            .collect(),
        kat_notes: entry.map(Entry::kat_notes).unwrap_or_default(),
        survey: entry.and_then(|entry| entry.survey.clone()),
    }
}

fn curated(entry: Option<&Entry>, label: &Label) -> CuratedSizes {
    entry
        .and_then(|entry| entry.instance(label))
        .map(|instance| instance.sizes.clone())
        .unwrap_or_default()
}

/// The systems whose pages a published page leads to, x86 first, as the published pages have them.
pub fn trail_systems(system: &SystemId) -> Vec<SystemId> {
    let mut all = System::registered().unwrap_or_default();
    all.sort_by_key(|s| (s.architecture != Some(Architecture::X86_64), s.id.clone()));
    let mut ids: Vec<SystemId> = all
        .into_iter()
        .filter_map(|system| SystemId::new(system.id).ok())
        .collect();
    if !ids.contains(system) {
        ids.push(system.clone());
    }
    ids
}

/// What a candidate that is not in the catalog is, by what was done with it.
fn guessed_kind(loaded: &Loaded) -> Kind {
    let mut logs = loaded.instances.values().filter_map(|i| i.log.as_ref());
    let told = logs.find_map(|log| log.content.log.field("type")?.parse().ok());
    let mut operations = loaded.instances.values().flat_map(|i| i.timings.keys());
    told.unwrap_or_else(|| {
        match operations.find(|operation| !matches!(operation, Operation::Keygen)) {
            Some(Operation::Hash(_)) => Kind::Hash,
            Some(Operation::Exchange(_)) => Kind::Kex,
            Some(Operation::Sign | Operation::Verify) => Kind::Sig,
            _ => kind_of_id(&loaded.candidate),
        }
    })
}

fn kind_of_id(candidate: &CandidateId) -> Kind {
    match candidate.as_str().split('-').next() {
        Some("sign") => Kind::Sig,
        Some("hash") => Kind::Hash,
        Some("kex") => Kind::Kex,
        _ => Kind::Kem,
    }
}

fn instance(label: &Label, read: &Instance, curated: CuratedSizes) -> InstanceEvidence {
    let entry = read.entry.as_ref();
    let flags = entry.and_then(|entry| entry.flags.as_deref()?.parse().ok());
    // The log is the evidence of the verdict; what was not built has none.
    let logged = read.log.as_ref().and_then(|log| log.content.log.result());
    let built = entry.and_then(|entry| entry.kat.parse().ok());
    InstanceEvidence {
        label: label.clone(),
        flags: flags.unwrap_or(Flags::Guide),
        verdict: logged
            .map(|result| result.verdict)
            .or(built)
            .unwrap_or(Verdict::BuildFail),
        kat_log: read.log.as_ref().map(|log| KatLogFile {
            path: log.path.clone(),
            sha256: log.content.sha256.clone(),
        }),
        elf_load_bytes: entry.and_then(|entry| entry.elf_load_bytes),
        library: None,
        api: declared(read),
        curated,
        timings: filed(&read.timings, |record| &record.rest),
        profiles: filed(&read.profiles, |record: &ProfileRecord| &record.rest),
    }
}

/// The sizes that the API declares: as timing records state them, else as the KAT log does.
fn declared(read: &Instance) -> Option<ApiSizes> {
    if let Some(record) = read.timings.values().next() {
        return Some(ApiSizes::from_record(&record.content));
    }
    let log = &read.log.as_ref()?.content.log;
    let size = |object: &str| log.field(&format!("{object}_len"))?.parse().ok();
    let sizes = ApiSizes {
        public_key: size("pk"),
        secret_key: size("sk"),
        ciphertext: size("ct"),
        shared_secret: size("ss"),
        signature: size("sn"),
        ..ApiSizes::default()
    };
    (sizes != ApiSizes::default()).then_some(sizes)
}

/// Records as a page files them: own ones by the artifact that was measured.
fn filed<T: Clone>(
    read: &BTreeMap<Operation, Piece<T>>,
    rest: impl Fn(&T) -> &Fields,
) -> BTreeMap<Operation, Filed<T>> {
    let file = |piece: &Piece<T>| {
        let measured = rest(&piece.content).get(artifacts::records::ARTIFACT);
        let measured = measured.and_then(|id| id.as_str()?.parse().ok());
        Filed {
            path: piece.path.clone(),
            id: Some(measured.unwrap_or(piece.id)),
            content: piece.content.clone(),
        }
    };
    read.iter()
        .map(|(operation, piece)| (operation.clone(), file(piece)))
        .collect()
}

/// The machine as a file states it; what cannot be read is not known.
pub fn environment(fields: &Fields) -> Environment {
    serde_json::from_value(serde_json::Value::Object(fields.clone())).unwrap_or_default()
}

/// The environment of own pages: as recorded on the measuring core, else on any; without records,
/// as the page was told.
fn own_host(asked: &CandidatePage, instances: &[InstanceEvidence]) -> HostTable {
    let recorded = || {
        let records = instances.iter().flat_map(|i| i.timings.values());
        records.map(|filed: &Filed<TimingRecord>| environment(&filed.content.environment))
    };
    let of_core = |environment: &Environment| environment.cpu_number == Some(asked.measuring_core);
    let fact = |name: &str| asked.host.get(name).cloned();
    let number = |name: &str| fact(name).and_then(|text| text.parse().ok());
    let common = HostTable {
        compiler: asked.compiler.clone(),
        build_tool: asked.build_tool.clone(),
        ..HostTable::default()
    };
    match recorded().find(of_core).or_else(|| recorded().next()) {
        Some(environment) => HostTable {
            clock: environment.clock_line(),
            cpu_model: environment.cpu_model.unwrap_or_default(),
            cpu_number: environment.cpu_number.map(u64::from),
            machine: environment.machine,
            memory_kib: environment.memory_total_kib,
            os: environment.os.unwrap_or_default(),
            kernel: environment.kernel.unwrap_or_default(),
            ..common
        },
        None => HostTable {
            clock: fact("clock").unwrap_or_default(),
            cpu_model: fact("cpu_model").unwrap_or_default(),
            cpu_number: number("cpu_number"),
            machine: fact("machine"),
            memory_kib: number("memory_kib"),
            os: fact("os").unwrap_or_default(),
            kernel: fact("kernel").unwrap_or_default(),
            ..common
        },
    }
}
