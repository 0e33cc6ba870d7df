//! Gathering what a plan needs: the system, the toolchain, the catalog and the sources.

pub mod host;
mod instance;
mod source;

pub use source::{Finder, Sourced};

use crate::catalog::{Candidate as Entry, Catalog, CatalogError};
use crate::cli::{Common, Selection};
use crate::plan::{Candidate, World};
use crate::sources::{SourceError, instance_sources};
use artifacts::key::{CanonicalError, Facet};
use artifacts::store::{CampaignName, Store, StoreError};
use artifacts::tree::{Tree, TreePath, TreePathError};
use artifacts::words::{Stage, SystemId, WordError};
use contract::PROBE_SOURCES;
use contract::parameters::{IndexPage, ProbeBuild};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use systems::{Architecture, FileHashes, Machine, Root, System, Toolchain, facets, flags};

/// Nanoseconds that a profile aims at; NGCC.md section 6.
const PROFILE_NS: u64 = 1_000_000_000;
/// The same with `--quick`.
const QUICK_PROFILE_NS: u64 = 50_000_000;

/// Why a plan cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum GatherError {
    /// System, machine or toolchain.
    #[error(transparent)]
    Systems(#[from] systems::Error),
    /// Store.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Catalog.
    #[error(transparent)]
    Catalog(#[from] CatalogError),
    /// Sources.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// A word of ours.
    #[error(transparent)]
    Word(#[from] WordError),
    /// A path of ours.
    #[error(transparent)]
    Path(#[from] TreePathError),
    /// A parameter of ours.
    #[error(transparent)]
    Canonical(#[from] CanonicalError),
    /// A file of ours.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// `--only` or `--again` is no regular expression.
    #[error("{option} {text}: {source}")]
    Regex {
        /// The option.
        option: &'static str,
        /// What was given.
        text: String,
        /// What is wrong with it.
        source: regex::Error,
    },
    /// `--again` matches nothing.
    #[error(
        "--again {0} matches the name of no step that would be measured, such as \
         ml-kem/ML-KEM-512/enc/time"
    )]
    NothingAgain(String),
    /// `--only` matches nothing.
    #[error(
        "--only {0} matches no candidate/instance of the catalog: `campaign status` lists them"
    )]
    NothingMatches(String),
    /// A system of another architecture.
    #[error(
        "this machine is {machine}, system {system} is {expected}: run on the registered machine, \
         or as --system local"
    )]
    Architecture {
        /// This machine's.
        machine: String,
        /// The system.
        system: String,
        /// The system's.
        expected: String,
    },
    /// An architecture without compiler options.
    #[error("the guide has no compiler options for {0}")]
    UnknownArchitecture(String),
}

/// All that a command knows about its campaign.
pub struct Gathered {
    /// What the planner needs.
    pub world: World,
    /// The system.
    pub system: System,
    /// The campaign's name.
    pub campaign: CampaignName,
    /// The measuring core.
    pub cpu: u32,
    /// The compiler command.
    pub compiler: String,
    /// The compiler's version line.
    pub compiler_version: String,
    /// Whether the compiler is not the registered one.
    pub compiler_mismatch: Option<systems::Mismatch>,
    /// The catalog.
    pub catalog: Catalog,
    /// Selected candidates without sources.
    pub without_source: Vec<Entry>,
}

/// Where file hashes are remembered between runs; nothing depends on it.
fn hash_cache() -> Option<PathBuf> {
    use etcetera::BaseStrategy;
    let folder = etcetera::choose_base_strategy()
        .ok()?
        .cache_dir()
        .join("assay");
    fs_err::create_dir_all(&folder).ok()?;
    Some(folder.join("file-hashes.json"))
}

/// The store's default place.
pub fn default_store() -> PathBuf {
    use etcetera::BaseStrategy;
    let state = etcetera::choose_base_strategy()
        .ok()
        .and_then(|dirs| dirs.state_dir());
    state.map_or_else(
        || PathBuf::from("assay-store"),
        |dir| dir.join("assay/store"),
    )
}

/// Compiles a regular expression of the command line.
///
/// # Errors
/// When it is none.
pub fn pattern(
    option: &'static str,
    text: Option<&str>,
) -> Result<Option<regex::Regex>, GatherError> {
    text.map(|text| {
        regex::Regex::new(text).map_err(|source| GatherError::Regex {
            option,
            text: text.to_owned(),
            source,
        })
    })
    .transpose()
}

/// The stages asked for and those they need.
fn stages(asked: &[String]) -> Result<BTreeSet<Stage>, GatherError> {
    if asked.is_empty() {
        return Ok(Stage::ALL.iter().copied().collect());
    }
    let mut stages = BTreeSet::new();
    for word in asked {
        let stage: Stage = word.trim().parse()?;
        stages.insert(stage);
        stages.insert(Stage::Build);
        if stage != Stage::Build {
            stages.insert(Stage::Kat);
        }
    }
    Ok(stages)
}

/// The embedded catalog and the user's.
///
/// # Errors
/// When a file is malformed.
pub fn catalog(common: &Common) -> Result<Catalog, GatherError> {
    let catalog = Catalog::embedded()?;
    Ok(match &common.candidates {
        Some(folder) => catalog.with_folder(folder)?,
        None => catalog,
    })
}

/// Our own C sources as a tree in the store.
fn glue_tree(store: &Store) -> Result<artifacts::ArtifactId, GatherError> {
    let mut files = BTreeMap::new();
    let mut batch = store.batch();
    for folder in ["src", "iccs", "glue"] {
        let Some(folder) = PROBE_SOURCES.get_dir(folder) else {
            continue;
        };
        for file in folder.files() {
            let path = TreePath::new(file.path().to_string_lossy().into_owned())?;
            files.insert(path, batch.put_bytes(file.contents())?);
        }
    }
    let id = batch.put_json(&Tree::new(files))?;
    batch.commit()?;
    Ok(id)
}

/// Gathers everything.
///
/// # Errors
/// When something named on the command line does not exist, or something cannot be read.
pub fn gather(
    common: &Common,
    selection: &Selection,
    store: &Store,
) -> Result<Gathered, GatherError> {
    let system = System::named(&common.system)?;
    let system_id = SystemId::new(&system.id)?;
    let campaign = CampaignName::new(common.campaign.as_deref().unwrap_or(&system.id))?;
    let cpu = match selection.cpu {
        Some(cpu) => u32::try_from(cpu).unwrap_or(u32::MAX),
        None => system.measuring_core,
    };
    let compiler = common
        .cc
        .clone()
        .unwrap_or_else(|| system.toolchain.compiler.clone());
    let toolchain = Toolchain::locate(&compiler)?;
    let machine = Machine::read(&Root::host(), cpu)?;
    if let Some(expected) = system.architecture
        && expected.as_str() != machine.architecture
    {
        return Err(GatherError::Architecture {
            machine: machine.architecture,
            system: system.id,
            expected: expected.to_string(),
        });
    }
    let architecture = Architecture::named(&machine.architecture)
        .ok_or_else(|| GatherError::UnknownArchitecture(machine.architecture.clone()))?;

    let hashes = FileHashes::new(hash_cache().as_deref());
    let toolchain_facet = toolchain.facet(&hashes)?;
    let runtime_facet = toolchain.runtime(&hashes)?;
    // Without the cache the next run hashes again; nothing else depends on it.
    let _ = hashes.save();

    let catalog = catalog(common)?;
    let only = pattern("--only", selection.only.as_deref())?;
    let mut candidates = Vec::new();
    let mut without_source = Vec::new();
    let mut missing = Vec::new();
    let mut finder = Finder::new(store, common.controls.as_deref());
    let mut matched = false;
    let options = instance::Options {
        architecture,
        compiler: toolchain.version_line(),
        machine: &machine,
        measuring_core: system.measuring_core,
    };
    for entry in catalog.iter() {
        let wanted: Vec<_> = entry
            .instances
            .iter()
            .map(|instance| &instance.label)
            .filter(|label| {
                only.as_ref()
                    .is_none_or(|only| only.is_match(&format!("{}/{label}", entry.id)))
            })
            .collect();
        if wanted.is_empty() {
            if !finder.is_there(entry)? {
                missing.push(entry.clone());
            }
            continue;
        }
        matched = true;
        match finder.find(entry)? {
            Some(sourced) => {
                let instances = instance_sources(entry, &sourced.tree)?
                    .iter()
                    .map(|sources| {
                        let selected = wanted.contains(&&sources.instance.label);
                        options.instance(store, entry, sources, selected)
                    })
                    .collect::<Result<Vec<_>, _>>()?;
                let page = options.page(entry, &sourced);
                candidates.push(Candidate {
                    id: entry.id.clone(),
                    instances,
                    page,
                });
            }
            None => {
                missing.push(entry.clone());
                without_source.push(entry.clone());
            }
        }
    }
    if !matched {
        return Err(GatherError::NothingMatches(
            selection.only.clone().unwrap_or_default(),
        ));
    }
    let planning = match selection.quick {
        true => system.planning.quick(),
        false => system.planning,
    };
    let world = World {
        system: system_id,
        glue: glue_tree(store)?,
        probe: probe_build(),
        toolchain: Facet::from(toolchain_facet),
        runtime: Facet::from(runtime_facet),
        machine: Facet::from(facets::machine(&machine)),
        registration: registration(&system, selection.allow_unfixed_host),
        architecture: Facet::from(BTreeMap::from([(
            "architecture".to_owned(),
            machine.architecture.clone(),
        )])),
        planning,
        profile_target_ns: if selection.quick {
            QUICK_PROFILE_NS
        } else {
            PROFILE_NS
        },
        event: "cycles".to_owned(),
        stages: stages(&selection.stages)?,
        candidates,
        index: index_page(&system, &missing),
    };
    if let Some(again) = pattern("--again", selection.again.as_deref())?
        && !world
            .measuring()
            .any(|step| again.is_match(&step.to_string()))
    {
        return Err(GatherError::NothingAgain(again.to_string()));
    }
    Ok(Gathered {
        world,
        compiler_mismatch: system.compiler_mismatch(toolchain.version()),
        system,
        campaign,
        cpu,
        compiler,
        compiler_version: toolchain.version_line().to_owned(),
        catalog,
        without_source,
    })
}

/// See [`World::registration`].
fn registration(system: &System, allow_unfixed_host: bool) -> Option<Facet> {
    let unfixed = match allow_unfixed_host {
        true => "allowed",
        false => "refused",
    };
    system.is_registered().then(|| {
        Facet::from(BTreeMap::from([
            ("system".to_owned(), system.id.clone()),
            ("unfixed-host".to_owned(), unfixed.to_owned()),
        ]))
    })
}

fn index_page(system: &System, missing: &[Entry]) -> IndexPage {
    let banners = match system.is_registered() {
        true => Vec::new(),
        false => vec![
            "This machine is not a registered system: its figures compare with nothing but \
             themselves."
                .to_owned(),
        ],
    };
    let missing = missing
        .iter()
        .map(|entry| {
            let file = entry
                .archive
                .as_ref()
                .map_or("ARCHIVE", |archive| archive.file.as_str());
            [
                entry.id.to_string(),
                entry.name.clone(),
                entry.kind.to_string(),
                format!("campaign add-source {} {file}", entry.id),
            ]
        })
        .collect();
    IndexPage { banners, missing }
}

/// The probe is built with the guide's reference options as an ordinary position-independent program
/// that exports nothing a candidate could take the place of.
fn probe_build() -> ProbeBuild {
    let options = "-std=c99 -Wpedantic -Wall -Wextra -O2 -fPIE -fvisibility=hidden -D_GNU_SOURCE";
    ProbeBuild {
        options: flags::split(options),
        link_options: flags::split("-pie -Wl,-z,now -Wl,-z,relro -Wl,-z,noexecstack"),
    }
}
