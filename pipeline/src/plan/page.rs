//! The render steps: a page a candidate, then the index over them.

use super::candidate::resolve;
use super::step::{Step, StepName};
use super::world::{Candidate, Instance, World};
use super::{InstancePlan, Lookup, PlanError, Planned, State};
use artifacts::ArtifactId;
use artifacts::words::{Label, Stage, Verdict};
use contract::parameters::{CandidatePage, IndexPage, PageInstance, RenderParameters};

/// The step that renders a candidate's page from what its instances have by now.
///
/// A step that has yet to run leaves its figures out; `run` renders when all is done.
///
/// # Errors
/// Only on an error of this program.
pub fn plan_page(
    candidate: &Candidate,
    instances: &[(&Instance, InstancePlan)],
    lookup: &impl Lookup,
) -> Result<Planned, PlanError> {
    let name = StepName {
        candidate: Some(candidate.id.clone()),
        instance: None,
        operation: None,
        stage: Step::Page,
    };
    let mut inputs: Vec<(String, ArtifactId)> = Vec::new();
    let mut page = CandidatePage {
        instances: Vec::new(),
        ..candidate.page.clone()
    };
    for (instance, plan) in instances {
        let Some(chosen) = &plan.chosen else {
            if instance.selected {
                return Ok(Planned {
                    name,
                    state: State::Waiting,
                });
            }
            continue;
        };
        let label = &instance.label;
        let built = chosen.build.output("library");
        page.instances.push(PageInstance {
            label: label.clone(),
            flags: chosen.flags,
            verdict: match (chosen.verdict, built) {
                (Some(verdict), _) => verdict,
                // Built, and known answers were not asked for.
                (None, Some(_)) => Verdict::NoKat,
                (None, None) => Verdict::BuildFail,
            },
            library: built,
            curated: instance.curated.clone(),
        });
        let of_instance = |role: &str, planned: &Planned, output: &str| {
            planned
                .output(output)
                .map(|id| (format!("{role}:{label}"), id))
        };
        inputs.extend(of_instance("build", &chosen.build, "report"));
        if let Some(kat) = &chosen.kat {
            inputs.extend(of_instance("kat", kat, "report"));
            inputs.extend(of_instance("log", kat, "log"));
        }
        for step in &plan.steps {
            match step.name.stage {
                Step::SizeAudit => inputs.extend(of_instance("sizes", step, "report")),
                Step::Time => inputs.extend(record("timing", label, step)),
                Step::Profile => inputs.extend(record("profile", label, step)),
                _ => {}
            }
        }
    }
    if inputs.iter().any(|(role, _)| role.starts_with("timing:")) {
        page.host.clear();
    }
    let inputs: Vec<(&str, ArtifactId)> = inputs
        .iter()
        .map(|(role, id)| (role.as_str(), *id))
        .collect();
    resolve(
        name,
        &RenderParameters::Candidate(Box::new(page)),
        &inputs,
        &[],
        lookup,
    )
}

fn record(prefix: &str, label: &Label, step: &Planned) -> Option<(String, ArtifactId)> {
    let operation = step.name.operation.as_ref()?;
    Some((
        format!("{prefix}:{label}/{operation}"),
        step.output("record")?,
    ))
}

/// The step that renders the index and the size audit.
///
/// # Errors
/// Only on an error of this program.
pub fn plan_index(
    world: &World,
    pages: &[Planned],
    lookup: &impl Lookup,
) -> Result<Planned, PlanError> {
    let name = StepName {
        candidate: None,
        instance: None,
        operation: None,
        stage: Step::Index,
    };
    let summaries: Vec<(String, ArtifactId)> = pages
        .iter()
        .filter_map(|page| {
            let candidate = page.name.candidate.as_ref()?;
            Some((format!("summary:{candidate}"), page.output("summary")?))
        })
        .collect();
    let inputs: Vec<(&str, ArtifactId)> = summaries
        .iter()
        .map(|(role, id)| (role.as_str(), *id))
        .collect();
    let page: IndexPage = world.index.clone();
    if !world.stages.contains(&Stage::Render) {
        return Ok(Planned {
            name,
            state: State::Waiting,
        });
    }
    resolve(name, &RenderParameters::Index(page), &inputs, &[], lookup)
}
