//! From a catalog entry and its sources to what the planner needs.

use super::GatherError;
use super::source::Sourced;
use crate::catalog::Candidate as Entry;
use crate::plan::Instance;
use crate::sources::InstanceSources;
use artifacts::store::Store;
use artifacts::words::{Flags, Kind};
use contract::parameters::{CandidatePage, InstanceBuild, KatParameters, PageNote, Role};
use reports::evidence::KatAction;
use std::collections::BTreeMap;
use systems::flags::{GuideVersion, split};
use systems::{Architecture, Environment, Machine, flags};

/// Seconds a KAT run may take; NGCC.md section 4.
const KAT_TIMEOUT_S: u32 = 900;

/// What all instances of a campaign have in common.
pub struct Options<'a> {
    /// The architecture built for.
    pub architecture: Architecture,
    /// The compiler's version line.
    pub compiler: &'a str,
    /// This machine.
    pub machine: &'a Machine,
    /// The core whose environment pages show.
    pub measuring_core: u32,
}

impl Options<'_> {
    /// An instance, ready to be planned; its source tree is put into the store.
    pub fn instance(
        &self,
        store: &Store,
        entry: &Entry,
        sources: &InstanceSources<'_>,
        selected: bool,
    ) -> Result<Instance, GatherError> {
        let wanted = sources.instance;
        let build = InstanceBuild {
            kind: entry.kind,
            glue: entry.glue,
            flags: Flags::Guide,
            options: flags::guide(self.architecture, GuideVersion::Reference),
            cxx_options: split(flags::FALLBACK_CXX),
            link_options: split(flags::LINK),
            source_dir: wanted.source_dir.clone(),
            sources: wanted.sources.clone(),
            extra_sources: wanted.extra_sources.clone(),
            exclude: wanted.exclude.clone(),
            include_dirs: wanted.include_dirs.clone(),
            header: sources.header.clone(),
            instance: wanted.name().to_owned(),
            namespace: wanted
                .namespace
                .as_ref()
                .map(|name| name.as_str().to_owned()),
            libraries: wanted
                .libraries
                .iter()
                .map(|l| l.as_str().to_owned())
                .collect(),
            wrap: match entry.kind {
                Kind::Hash => Vec::new(),
                _ => entry.wrapped_functions(),
            },
        };
        let fallback = InstanceBuild {
            flags: Flags::HarnessDefault,
            options: split(flags::FALLBACK),
            ..build.clone()
        };
        let excluded = entry.is_excluded(&wanted.label);
        let operations = if excluded {
            Vec::new()
        } else {
            entry.kind.operations()
        };
        let profiled = match entry.kind {
            Kind::Kem | Kind::Sig => operations.clone(),
            Kind::Hash | Kind::Kex => Vec::new(),
        };
        Ok(Instance {
            label: wanted.label.clone(),
            selected,
            source: store.put_json(&sources.tree)?,
            build,
            fallback,
            kat: KatParameters {
                candidate: entry.id.clone(),
                label: wanted.label.clone(),
                algorithm: entry.name.clone(),
                kind: entry.kind,
                variant: wanted.variant.to_string(),
                format: entry.kat_format(),
                manifest: entry.manifest(wanted),
                timeout_s: KAT_TIMEOUT_S,
            },
            references: sources.references.clone(),
            curated: wanted.curated(),
            operations,
            profiled,
        })
    }

    /// What the candidate's page says beside its records.
    pub fn page(&self, entry: &Entry, sourced: &Sourced) -> CandidatePage {
        let mut variants: Vec<String> = entry
            .instances
            .iter()
            .map(|instance| instance.variant.to_string())
            .collect();
        variants.dedup();
        let survey = entry.survey.as_ref();
        CandidatePage {
            candidate: entry.id.clone(),
            name: entry.name.clone(),
            kind: entry.kind,
            role: if entry.is_control() {
                Role::Control
            } else {
                Role::Submission
            },
            variants,
            sources: Some(sourced.origin.clone()),
            architecture: self.architecture.to_string(),
            compiler: self.compiler.to_owned(),
            build_tool: format!("assay {}", env!("CARGO_PKG_VERSION")),
            measuring_core: self.measuring_core,
            host: self.host(),
            notes: entry
                .kat_notes()
                .into_iter()
                .map(|note| PageNote {
                    instances: note.instances,
                    action: match note.action {
                        KatAction::Measure => "measure",
                        KatAction::Exclude => "exclude",
                    }
                    .to_owned(),
                    cause: note.cause,
                })
                .collect(),
            survey: survey
                .map(|s| {
                    std::iter::once(s.verdict.clone())
                        .chain(s.note.clone())
                        .collect()
                })
                .unwrap_or_default(),
            instances: Vec::new(),
        }
    }

    /// This machine's environment table, for pages without timing records.
    fn host(&self) -> BTreeMap<String, String> {
        let environment = Environment::of(self.machine, Some(self.compiler));
        let clock = environment.clock_line();
        [
            ("cpu_model", environment.cpu_model),
            ("cpu_number", environment.cpu_number.map(|n| n.to_string())),
            ("machine", environment.machine),
            ("clock", Some(clock)),
            (
                "memory_kib",
                environment.memory_total_kib.map(|n| n.to_string()),
            ),
            ("os", environment.os),
            ("kernel", environment.kernel),
        ]
        .into_iter()
        .filter_map(|(name, value)| Some((name.to_owned(), value?)))
        .collect()
    }
}
