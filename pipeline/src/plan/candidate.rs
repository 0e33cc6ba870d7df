//! The chain of steps of one candidate.

use super::step::{Step, StepName};
use super::world::{Instance, World};
use super::{Lookup, PlanError, Planned, State};
use artifacts::key::Facet;
use artifacts::words::{CandidateId, Flags, Operation, Stage, Verdict};
use artifacts::{ArtifactId, KeyMaterial};
use contract::parameters::{BuildParameters, SizeAuditParameters, TimeParameters, canonical};
use contract::version::version;
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The probe's build.
///
/// # Errors
/// Only on an error of this program.
pub fn plan_probe(world: &World, lookup: &impl Lookup) -> Result<Planned, PlanError> {
    let name = StepName {
        candidate: None,
        instance: None,
        operation: None,
        stage: Step::Probe,
    };
    let parameters = BuildParameters::Probe(world.probe.clone());
    let inputs = [("glue", world.glue)];
    resolve(
        name,
        &parameters,
        &inputs,
        &[("toolchain", &world.toolchain)],
        lookup,
    )
}

/// The steps of an instance, and which of its builds counts.
#[derive(Debug, Clone, Default)]
pub struct InstancePlan {
    /// All its steps, in order.
    pub steps: Vec<Planned>,
    /// The build that is measured and shown; absent while that is not settled.
    pub chosen: Option<Chosen>,
}

/// See [`InstancePlan::chosen`].
#[derive(Debug, Clone)]
pub struct Chosen {
    /// With which options it is built.
    pub flags: Flags,
    /// Its verdict; absent where known answers are not asked for.
    pub verdict: Option<Verdict>,
    /// Its build.
    pub build: Planned,
    /// Its known answers.
    pub kat: Option<Planned>,
}

/// Plans one instance.
///
/// # Errors
/// Only on an error of this program.
pub fn instance_steps(
    world: &World,
    candidate: &CandidateId,
    instance: &Instance,
    probe: Option<ArtifactId>,
    lookup: &impl Lookup,
) -> Result<InstancePlan, PlanError> {
    let chain = Chain {
        world,
        candidate,
        instance,
        probe,
        lookup,
    };
    let mut steps = Vec::new();
    if !world.stages.contains(&Stage::Build) {
        return Ok(InstancePlan::default());
    }
    let guide = chain.build_and_kat(Step::Build, Step::Kat)?;
    let verdict = guide.verdict();
    let mut chosen = guide.clone();
    let mut flags = Flags::Guide;
    steps.extend(guide.steps());
    if verdict.is_some_and(Verdict::demands_fallback) {
        let fallback = chain.build_and_kat(Step::FallbackBuild, Step::FallbackKat)?;
        steps.extend(fallback.steps());
        chosen = match (fallback.settled(world), fallback.verdict()) {
            // The fallback is kept unless it is worse than what it should mend.
            (true, Some(second)) if verdict.is_some_and(|first| second > first) => guide,
            (true, _) => {
                flags = Flags::HarnessDefault;
                fallback
            }
            (false, _) => Attempt::unsettled(),
        };
    }
    if !chosen.settled(world) {
        chosen = Attempt::unsettled();
    }
    steps.extend(chain.measure(&chosen)?);
    let verdict = chosen.verdict();
    let chosen = chosen.build.map(|build| Chosen {
        flags,
        verdict,
        build,
        kat: chosen.kat,
    });
    Ok(InstancePlan { steps, chosen })
}

struct Chain<'a, L> {
    world: &'a World,
    candidate: &'a CandidateId,
    instance: &'a Instance,
    probe: Option<ArtifactId>,
    lookup: &'a L,
}

/// A build and the known answers of what it built.
#[derive(Clone)]
struct Attempt {
    build: Option<Planned>,
    kat: Option<Planned>,
}

impl Attempt {
    fn unsettled() -> Self {
        Attempt {
            build: None,
            kat: None,
        }
    }

    fn steps(&self) -> Vec<Planned> {
        self.build.iter().chain(&self.kat).cloned().collect()
    }

    fn verdict(&self) -> Option<Verdict> {
        let built = self.build.as_ref()?.summary()?;
        match &self.kat {
            Some(kat) => kat.summary()?.outcome.verdict,
            None => built.outcome.verdict,
        }
    }

    /// Whether nothing of it has yet to run.
    fn settled(&self, world: &World) -> bool {
        self.build.as_ref().is_some_and(|b| b.summary().is_some())
            && (self.verdict().is_some() || !world.stages.contains(&Stage::Kat))
    }

    fn output(&self, role: &str) -> Option<ArtifactId> {
        self.build.as_ref()?.output(role)
    }
}

impl<L: Lookup> Chain<'_, L> {
    fn name(&self, stage: Step, operation: Option<&Operation>) -> StepName {
        StepName {
            candidate: Some(self.candidate.clone()),
            instance: Some(self.instance.label.clone()),
            operation: operation.cloned(),
            stage,
        }
    }

    fn build_and_kat(&self, build: Step, kat: Step) -> Result<Attempt, PlanError> {
        let with = match build {
            Step::FallbackBuild => &self.instance.fallback,
            _ => &self.instance.build,
        };
        let built = resolve(
            self.name(build, None),
            &BuildParameters::Instance(Box::new(with.clone())),
            &[("source", self.instance.source), ("glue", self.world.glue)],
            &[("toolchain", &self.world.toolchain)],
            self.lookup,
        )?;
        let failed = built.summary().is_some_and(|s| !s.outcome.is_done());
        if failed || !self.world.stages.contains(&Stage::Kat) {
            return Ok(Attempt {
                build: Some(built),
                kat: None,
            });
        }
        let name = self.name(kat, None);
        let kat = match (built.output("library"), self.probe) {
            (Some(library), Some(probe)) => {
                let references: Vec<(String, ArtifactId)> = self
                    .instance
                    .references
                    .iter()
                    .map(|(file, id)| (format!("reference:{file}"), *id))
                    .collect();
                let mut inputs = vec![("library", library), ("probe", probe)];
                inputs.extend(references.iter().map(|(role, id)| (role.as_str(), *id)));
                resolve(
                    name,
                    &self.instance.kat,
                    &inputs,
                    &[
                        ("runtime", &self.world.runtime),
                        ("architecture", &self.world.architecture),
                    ],
                    self.lookup,
                )?
            }
            _ => Planned {
                name,
                state: State::Waiting,
            },
        };
        Ok(Attempt {
            build: Some(built),
            kat: Some(kat),
        })
    }

    /// Times, profiles and the size audit of the chosen build.
    fn measure(&self, chosen: &Attempt) -> Result<Vec<Planned>, PlanError> {
        let verdict = chosen.verdict();
        let mut steps = Vec::new();
        if verdict.is_some_and(|v| !v.is_timed()) {
            return Ok(steps);
        }
        let waiting = |name| Planned {
            name,
            state: State::Waiting,
        };
        for operation in &self.instance.operations {
            let name = self.name(Step::Time, Some(operation));
            steps.push(match (chosen.output("library"), self.probe) {
                (Some(library), Some(probe)) => resolve(
                    name,
                    &TimeParameters {
                        operation: operation.clone(),
                        planning: self.world.planning,
                        event: self.world.event.clone(),
                    },
                    &[("library", library), ("probe", probe)],
                    &self.host_facets(),
                    self.lookup,
                )?,
                _ => waiting(name),
            });
        }
        for operation in &self.instance.profiled {
            let name = self.name(Step::Profile, Some(operation));
            steps.push(match (chosen.output("wrapped"), self.probe) {
                (Some(wrapped), Some(probe)) => resolve(
                    name,
                    &self.world.profile(operation),
                    &[("wrapped", wrapped), ("probe", probe)],
                    &self.host_facets(),
                    self.lookup,
                )?,
                _ => waiting(name),
            });
        }
        let name = self.name(Step::SizeAudit, None);
        let report = chosen.kat.as_ref().and_then(|kat| kat.output("report"));
        steps.push(match report {
            Some(report) => resolve(
                name,
                &SizeAuditParameters {
                    kind: self.instance.build.kind,
                    curated: self.instance.curated.clone(),
                },
                &[("kat", report)],
                &[],
                self.lookup,
            )?,
            None => waiting(name),
        });
        // What is there already stands on the page also where its stage is not asked for.
        let wanted = |step: &Planned| self.world.stages.contains(&step.name.stage.stage());
        steps.retain(|step| wanted(step) || step.summary().is_some());
        Ok(steps)
    }

    fn host_facets(&self) -> Vec<(&'static str, &Facet)> {
        let registration = self.world.registration.as_ref();
        [
            ("runtime", &self.world.runtime),
            ("machine", &self.world.machine),
        ]
        .into_iter()
        .chain(registration.map(|facet| ("registration", facet)))
        .collect()
    }
}

/// Gives a step whose inputs are known its key, and looks that up.
pub(super) fn resolve<P: Serialize>(
    name: StepName,
    parameters: &P,
    inputs: &[(&str, ArtifactId)],
    facets: &[(&str, &Facet)],
    lookup: &impl Lookup,
) -> Result<Planned, PlanError> {
    let stage = name.stage.stage();
    let parameters = canonical(parameters).map_err(|source| PlanError::Parameters {
        step: name.to_string(),
        source,
    })?;
    let material = KeyMaterial {
        stage,
        stage_version: version(stage),
        inputs: inputs
            .iter()
            .map(|(role, id)| ((*role).to_owned(), *id))
            .collect(),
        parameters,
        facets: facets
            .iter()
            .map(|(name, facet)| ((*name).to_owned(), (*facet).clone()))
            .collect::<BTreeMap<_, _>>(),
    };
    let state = match lookup.find(&name, &material.key()) {
        Some(summary) => State::Reused {
            material: Arc::new(material),
            summary: Arc::new(summary.clone()),
        },
        None => State::Ready(Arc::new(material)),
    };
    Ok(Planned { name, state })
}
