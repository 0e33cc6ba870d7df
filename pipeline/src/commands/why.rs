//! `campaign why CELL`: what made a figure stale or current, by the fields of the keys behind it.

use super::{CommandError, create_store, print};
use crate::campaign::{Campaign, Done};
use crate::cli::{CellArgs, Common, Selection};
use crate::exit;
use crate::gather::{Gathered, gather};
use crate::lookup::{Origin, campaign_of, no_instance};
use crate::plan::{Planned, State, Step, StepName, instance_steps, plan_probe};
use crate::runner::Known;
use artifacts::key::Difference;
use artifacts::store::Store;
use artifacts::words::Flags;
use artifacts::{ArtifactId, Cell};
use chrono::{DateTime, Utc};
use serde::Serialize;
use std::time::Duration;

/// What would be done now for one cell.
pub struct Now {
    /// Everything gathered, restricted to the cell's instance.
    pub gathered: Gathered,
    /// The step of the cell's figure.
    pub target: StepName,
    /// The probe's step, builds and known answers, and the cell's step.
    pub steps: Vec<Planned>,
    /// The probe, where it is built.
    pub probe: Option<ArtifactId>,
}

/// Gathers and plans for one cell.
///
/// # Errors
/// When there is no such figure, or no plan can be made.
pub fn gather_cell(
    common: &Common,
    arguments: &CellArgs,
    store: &Store,
) -> Result<Now, CommandError> {
    let cell = &arguments.cell;
    let origin = Origin::of(cell)?;
    let common = Common {
        system: cell.system.to_string(),
        campaign: Some(campaign_of(cell, common.campaign.as_deref())?.to_string()),
        ..common.clone()
    };
    let catalog = crate::gather::catalog(&common)?;
    let entry = catalog.get(&cell.candidate)?;
    if !entry.instances.iter().any(|i| i.label == cell.instance) {
        let labels = entry.instances.iter().map(|instance| &instance.label);
        return Err(no_instance(cell, labels).into());
    }
    let name = format!("{}/{}", cell.candidate, cell.instance);
    let selection = Selection {
        only: Some(format!("^{}$", regex::escape(&name))),
        stages: Vec::new(),
        cpu: arguments.cpu,
        quick: arguments.quick,
        allow_unfixed_host: arguments.allow_unfixed_host,
        again: None,
    };
    let gathered = gather(&common, &selection, store)?;
    let known = Known::read(store, None)?;
    let world = &gathered.world;
    let candidate = world.candidates.first().ok_or_else(|| {
        CommandError::Missing(format!(
            "{0} has no sources here: `campaign add-source {0} ARCHIVE` adds them",
            cell.candidate
        ))
    })?;
    let instance = candidate.selected().next().ok_or_else(|| {
        CommandError::Missing(format!("{name} has no sources in what was added for it"))
    })?;
    let probe_step = plan_probe(world, &known)?;
    let probe = probe_step.output("probe");
    let plan = instance_steps(world, &cell.candidate, instance, probe, &known)?;
    let flags = plan.chosen.as_ref().map(|chosen| chosen.flags);
    let flags = flags.unwrap_or(Flags::Guide);
    let mut target = origin.step(cell, flags);
    let build = Origin::Build.step(cell, flags);
    let has = |name: &StepName| plan.steps.iter().any(|step| step.name == *name);
    // The verdict of what did not build is its build's.
    if origin == Origin::Kat && !has(&target) && has(&build) {
        target = build;
    }
    let before = |step: Step| {
        matches!(
            step,
            Step::Build | Step::Kat | Step::FallbackBuild | Step::FallbackKat
        )
    };
    let mut steps: Vec<Planned> = match origin {
        Origin::Build => Vec::new(),
        _ => vec![probe_step],
    };
    let of_cell = |step: &Planned| before(step.name.stage) || step.name == target;
    steps.extend(plan.steps.into_iter().filter(of_cell));
    // What comes after the cell's own step does not decide it.
    if let Some(place) = steps.iter().position(|step| step.name == target) {
        steps.truncate(place + 1);
    }
    Ok(Now {
        gathered,
        target,
        steps,
        probe,
    })
}

/// How a step stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Standing {
    /// A receipt has the key that the step has now.
    Current,
    /// The key has changed.
    Stale,
    /// There never was a receipt.
    New,
    /// The key depends on a step that has yet to run.
    Waiting,
}

#[derive(Debug, Serialize)]
struct WhyReport {
    cell: Cell,
    campaign: String,
    standing: Standing,
    steps: Vec<StepReport>,
}

#[derive(Debug, Serialize)]
struct StepReport {
    step: String,
    standing: Standing,
    why: String,
    /// The campaign's receipt.
    #[serde(skip_serializing_if = "Option::is_none")]
    receipt: Option<ArtifactId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ended_utc: Option<DateTime<Utc>>,
    /// Between the campaign's receipt and now.
    differences: Vec<Difference>,
}

/// Prints why.
///
/// # Errors
/// When there is no such figure, or no plan can be made.
pub fn run(common: &Common, arguments: &CellArgs) -> Result<u8, CommandError> {
    let store = create_store(common)?;
    let _lock = store.lock_shared()?;
    let now = gather_cell(common, arguments, &store)?;
    let name = &now.gathered.campaign;
    let campaign = match store.campaign(name)? {
        Some(_) => Some(Campaign::open(&store, name)?),
        None => None,
    };
    let mut steps = Vec::new();
    let mut builds: Vec<(StepName, DateTime<Utc>)> = Vec::new();
    for step in &now.steps {
        let held = match &campaign {
            Some(campaign) => campaign.step(&step.name)?,
            None => None,
        };
        let report = report(step, held.as_ref(), &builds, &now.steps);
        if let (Some(held), Step::Build | Step::FallbackBuild) = (&held, step.name.stage) {
            builds.push((step.name.clone(), held.receipt.started_utc));
        }
        steps.push(report);
    }
    let whole = steps
        .last()
        .filter(|last| last.step == now.target.to_string())
        .map_or(Standing::Waiting, |last| last.standing);
    let report = WhyReport {
        cell: arguments.cell.clone(),
        campaign: name.to_string(),
        standing: whole,
        steps,
    };
    print(common, &report, text)?;
    Ok(exit::DONE)
}

fn report(
    step: &Planned,
    held: Option<&Done>,
    builds: &[(StepName, DateTime<Utc>)],
    all: &[Planned],
) -> StepReport {
    let mut differences = Vec::new();
    let (standing, why) = match (&step.state, held) {
        (State::Reused { summary, .. }, Some(held)) if summary.receipt == held.id => {
            (Standing::Current, current(step, held, builds))
        }
        (State::Reused { material, summary }, held) => {
            if let Some(held) = held {
                differences = material.differences(&held.receipt.material);
            }
            let receipt = summary.receipt;
            let why = format!(
                "receipt {receipt} has this key, though the campaign does not hold it: the next \
                 run takes it and runs nothing"
            );
            (Standing::Current, why)
        }
        (State::Ready(material), Some(held)) => {
            differences = material.differences(&held.receipt.material);
            let why = match differences.len() {
                0 => "same key, but outputs of its receipt are gone from the store".to_owned(),
                1 => "1 field of the key differs".to_owned(),
                n => format!("{n} fields of the key differ"),
            };
            (Standing::Stale, why)
        }
        (State::Ready(_), None) => (Standing::New, "never done".to_owned()),
        (State::Waiting, held) => {
            let runs = all.iter().find(|s| matches!(s.state, State::Ready(_)));
            let first = runs.map_or_else(|| "a step".to_owned(), |step| step.name.to_string());
            let then = match held {
                Some(_) => {
                    ": if that gives what it gave before, the receipt stays (early cutoff), else \
                     this runs anew"
                }
                None => "",
            };
            (
                Standing::Waiting,
                format!("stands behind {first}, which has yet to run{then}"),
            )
        }
    };
    StepReport {
        step: step.name.to_string(),
        standing,
        why,
        receipt: held.map(|held| held.id),
        ended_utc: held.map(|held| held.receipt.ended_utc),
        differences,
    }
}

/// Why a step is current, and whether by early cutoff.
fn current(step: &Planned, held: &Done, builds: &[(StepName, DateTime<Utc>)]) -> String {
    let mut why = format!("same key, done {} ago", ago(held.receipt.ended_utc));
    let built = builds
        .last()
        .filter(|(_, started)| *started > held.receipt.ended_utc && step.name.stage != Step::Probe);
    if let Some((build, _)) = built {
        why.push_str(&format!(
            "; {build} ran after it and its output came out the same (early cutoff)"
        ));
    }
    why
}

/// How long ago, in at most two units.
fn ago(time: DateTime<Utc>) -> String {
    let seconds = u64::try_from((Utc::now() - time).num_seconds()).unwrap_or(0);
    let unit = match seconds {
        0..3600 => 1,
        3600..86400 => 60,
        _ => 3600,
    };
    humantime::format_duration(Duration::from_secs(seconds / unit * unit)).to_string()
}

fn text(report: &WhyReport) -> String {
    use std::fmt::Write;
    let word = |standing: Standing| match standing {
        Standing::Current => "current",
        Standing::Stale => "stale",
        Standing::New => "new",
        Standing::Waiting => "waiting",
    };
    let mut out = String::new();
    let _ = writeln!(out, "{}: {}", report.cell, word(report.standing));
    for step in &report.steps {
        let _ = writeln!(out, "{}: {}: {}", step.step, word(step.standing), step.why);
        if let Some(receipt) = &step.receipt {
            let _ = writeln!(out, "    receipt {receipt}");
        }
        let absent = || "(absent)".to_owned();
        for difference in &step.differences {
            let _ = writeln!(out, "    {}", difference.field);
            let was = difference.was.clone().unwrap_or_else(absent);
            let is = difference.is.clone().unwrap_or_else(absent);
            let _ = writeln!(out, "      was {was}\n      is  {is}");
        }
    }
    out
}
