//! Everything the planner needs to know, gathered beforehand so that planning is a pure function.

use super::step::{Step, StepName};
use artifacts::ArtifactId;
use artifacts::key::Facet;
use artifacts::words::{CandidateId, Label, Operation, Stage, SystemId};
use contract::parameters::{
    CandidatePage, IndexPage, InstanceBuild, KatParameters, Planning, ProbeBuild, ProfileParameters,
};
use std::collections::{BTreeMap, BTreeSet};

/// One system's campaign, as far as it decides keys.
#[derive(Debug, Clone)]
pub struct World {
    /// The system.
    pub system: SystemId,
    /// Our C sources as a tree.
    pub glue: ArtifactId,
    /// How the probe is built.
    pub probe: ProbeBuild,
    /// See DESIGN.md, facets.
    pub toolchain: Facet,
    /// See DESIGN.md, facets.
    pub runtime: Facet,
    /// See DESIGN.md, facets.
    pub machine: Facet,
    /// Which registered system is measured, and whether its host must be fixed; absent for a machine
    /// that is not registered. A record of a host that was not checked, or not found fit, must not be
    /// taken for one of the registered machine.
    pub registration: Option<Facet>,
    /// The architecture alone, which is all that known answers depend on.
    pub architecture: Facet,
    /// Planning constants.
    pub planning: Planning,
    /// How profiles are bounded.
    pub profile_target_ns: u64,
    /// The counter asked for.
    pub event: String,
    /// Stages wanted.
    pub stages: BTreeSet<Stage>,
    /// What is to be measured.
    pub candidates: Vec<Candidate>,
    /// What the index says beside the candidates.
    pub index: IndexPage,
}

/// A candidate with sources.
#[derive(Debug, Clone)]
pub struct Candidate {
    /// Its id.
    pub id: CandidateId,
    /// Its instances in natural order.
    pub instances: Vec<Instance>,
    /// What its page says beside its records; the instances are filled in by the planner.
    pub page: CandidatePage,
}

/// An instance, ready to be built.
#[derive(Debug, Clone)]
pub struct Instance {
    /// Its label.
    pub label: Label,
    /// Whether `--only` names it; others only stand on their candidate's page.
    pub selected: bool,
    /// Its source tree, restricted to what its build may read.
    pub source: ArtifactId,
    /// How it is built with the guide flags.
    pub build: InstanceBuild,
    /// How it is built when that does not work.
    pub fallback: InstanceBuild,
    /// What it is checked against.
    pub kat: KatParameters,
    /// Submitted KAT files by name.
    pub references: BTreeMap<String, ArtifactId>,
    /// Curated external sizes in bytes by object.
    pub curated: BTreeMap<String, u64>,
    /// What is timed, in table order; empty where a curated row excludes the instance.
    pub operations: Vec<Operation>,
    /// What is profiled.
    pub profiled: Vec<Operation>,
}

impl Candidate {
    /// The instances that `--only` names.
    pub fn selected(&self) -> impl Iterator<Item = &Instance> {
        self.instances.iter().filter(|instance| instance.selected)
    }
}

impl World {
    /// The times and profiles that are taken of what builds and passes.
    pub fn measuring(&self) -> impl Iterator<Item = StepName> {
        let name =
            |candidate: &Candidate, instance: &Instance, operation: &Operation, stage| StepName {
                candidate: Some(candidate.id.clone()),
                instance: Some(instance.label.clone()),
                operation: Some(operation.clone()),
                stage,
            };
        self.candidates.iter().flat_map(move |candidate| {
            candidate.selected().flat_map(move |instance| {
                let times = instance.operations.iter().map(|o| (o, Step::Time));
                let profiles = instance.profiled.iter().map(|o| (o, Step::Profile));
                times
                    .chain(profiles)
                    .filter(|(_, step)| self.stages.contains(&step.stage()))
                    .map(move |(operation, step)| name(candidate, instance, operation, step))
            })
        })
    }

    /// The parameters of a profile.
    pub fn profile(&self, operation: &Operation) -> ProfileParameters {
        ProfileParameters {
            operation: operation.clone(),
            max_operations: 1000,
            target_ns: self.profile_target_ns,
        }
    }
}
