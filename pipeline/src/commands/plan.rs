//! `campaign plan`: what would run, and why.

use super::{CommandError, create_store, print};
use crate::cli::{Common, Selection};
use crate::exit;
use crate::gather::{Gathered, gather, pattern};
use crate::plan::{
    Lookup, Planned, State, Step, StepName, World, instance_steps, plan_index, plan_page,
    plan_probe,
};
use crate::runner::{Known, RunError};
use artifacts::store::{Store, Summary};
use artifacts::words::Stage;
use serde::Serialize;
use std::collections::BTreeSet;
use std::sync::Arc;

/// KiB a step leaves in the store on average; measured on the controls, whose 58 steps leave 2.7 MB.
const STEP_KIB: u64 = 46;

/// How many steps stand how.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct Counts {
    /// Will run.
    pub run: usize,
    /// Behind those.
    pub waiting: usize,
    /// Have receipts.
    pub reused: usize,
    /// Candidates without sources.
    pub without_source: usize,
}

impl Counts {
    /// Counts these steps.
    pub fn of(steps: &[Planned], without_source: usize) -> Self {
        let mut counts = Counts {
            without_source,
            ..Counts::default()
        };
        for step in steps {
            match step.state {
                State::Reused { .. } => counts.reused += 1,
                State::Ready(_) => counts.run += 1,
                State::Waiting => counts.waiting += 1,
            }
        }
        counts
    }
}

/// The campaign's pages of candidates that this run does not cover, as they are.
///
/// # Errors
/// When a page's receipt cannot be read.
pub fn other_pages(store: &Store, gathered: &Gathered) -> Result<Vec<Planned>, CommandError> {
    let Some(view) = store.campaign(&gathered.campaign)? else {
        return Ok(Vec::new());
    };
    let covered: BTreeSet<_> = gathered.world.candidates.iter().map(|c| &c.id).collect();
    let mut pages = Vec::new();
    for (step, receipt) in &view.pages {
        let Some(candidate) = step.candidate().filter(|id| !covered.contains(id)) else {
            continue;
        };
        let receipt = store.receipt(*receipt)?;
        pages.push(Planned {
            name: StepName {
                candidate: Some(candidate),
                instance: None,
                operation: None,
                stage: Step::Page,
            },
            state: State::Reused {
                summary: Arc::new(Summary::of(&receipt)?),
                material: Arc::new(receipt.material),
            },
        });
    }
    Ok(pages)
}

/// Every step of a world as it stands; `others` are the pages the world does not cover.
///
/// # Errors
/// Only on an error of this program.
pub fn all_steps(
    world: &World,
    known: &impl Lookup,
    others: &[Planned],
) -> Result<Vec<Planned>, RunError> {
    let mut steps = Vec::new();
    let mut probe = None;
    if world.stages.contains(&Stage::Kat) {
        let planned = plan_probe(world, known)?;
        probe = planned.output("probe");
        steps.push(planned);
    }
    let mut pages = Vec::new();
    for candidate in &world.candidates {
        let mut instances = Vec::new();
        let mut settled = true;
        for instance in &candidate.instances {
            let plan = instance_steps(world, &candidate.id, instance, probe, known)?;
            if instance.selected {
                settled &= plan.steps.iter().all(|step| step.summary().is_some());
            }
            instances.push((instance, plan));
        }
        if world.stages.contains(&Stage::Render) {
            let mut page = plan_page(candidate, &instances, known)?;
            if !settled {
                page.state = State::Waiting;
            }
            pages.push(page);
        }
        let selected = instances.into_iter().filter(|(i, _)| i.selected);
        steps.extend(selected.flat_map(|(_, plan)| plan.steps));
    }
    if world.stages.contains(&Stage::Render) {
        let shown: Vec<Planned> = pages.iter().chain(others).cloned().collect();
        let mut index = plan_index(world, &shown, known)?;
        if pages.iter().any(|page| page.summary().is_none()) {
            index.state = State::Waiting;
        }
        steps.extend(pages);
        steps.push(index);
    }
    Ok(steps)
}

#[derive(Debug, Serialize)]
struct PlanReport {
    campaign: String,
    counts: Counts,
    steps: Vec<PlanLine>,
    without_source: Vec<String>,
    estimated_s: u64,
    disk_mib: u64,
}

#[derive(Debug, Serialize)]
struct PlanLine {
    step: String,
    state: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
}

/// Prints the plan.
///
/// # Errors
/// When it cannot be made.
pub fn run(common: &Common, selection: &Selection) -> Result<u8, CommandError> {
    let store = create_store(common)?;
    let _lock = store.lock_shared()?;
    let gathered = gather(common, selection, &store)?;
    let known = Known::read(&store, pattern("--again", selection.again.as_deref())?)?;
    let view = store.campaign(&gathered.campaign)?;
    let others = other_pages(&store, &gathered)?;
    let steps = all_steps(&gathered.world, &known, &others)?;
    let counts = Counts::of(&steps, gathered.without_source.len());
    let mut lines = Vec::new();
    let mut estimated_ns: u64 = 0;
    for step in &steps {
        let (state, why) = match &step.state {
            State::Reused { .. } => continue,
            State::Waiting => ("waits", None),
            State::Ready(material) => {
                let earlier = view
                    .as_ref()
                    .and_then(|view| view.receipt(&step.name.stored().ok()?));
                let why = match earlier {
                    None => "never done".to_owned(),
                    Some(id) => {
                        let differences = material.differences(&store.receipt(id)?.material);
                        match differences.len() {
                            0 => "asked for again, or its outputs are gone".to_owned(),
                            _ => differences
                                .iter()
                                .map(|difference| difference.field.as_str())
                                .collect::<Vec<_>>()
                                .join(", "),
                        }
                    }
                };
                ("runs", Some(why))
            }
        };
        estimated_ns += estimate(&gathered.world, step);
        lines.push(PlanLine {
            step: step.name.to_string(),
            state,
            why,
        });
    }
    let report = PlanReport {
        campaign: gathered.campaign.to_string(),
        counts,
        disk_mib: (lines.len() as u64 * STEP_KIB).div_ceil(1024),
        steps: lines,
        without_source: gathered
            .without_source
            .iter()
            .map(|entry| entry.id.to_string())
            .collect(),
        estimated_s: estimated_ns / 1_000_000_000,
    };
    print(common, &report, text)?;
    Ok(exit::DONE)
}

/// Nanoseconds a step is expected to take at least: planned measuring, else a second.
fn estimate(world: &World, step: &Planned) -> u64 {
    match step.name.stage.stage() {
        Stage::Time => u64::from(world.planning.trials) * world.planning.trial_target_ns,
        Stage::Profile => world.profile_target_ns,
        Stage::Build | Stage::Kat => 1_000_000_000,
        Stage::SizeAudit | Stage::Render => 10_000_000,
    }
}

fn text(report: &PlanReport) -> String {
    use std::fmt::Write;
    let mut out = String::new();
    for line in &report.steps {
        let why = line
            .why
            .as_deref()
            .map(|why| format!("  ({why})"))
            .unwrap_or_default();
        let _ = writeln!(out, "{:<6} {}{why}", line.state, line.step);
    }
    if !report.without_source.is_empty() {
        let _ = writeln!(
            out,
            "without source (campaign add-source ID ARCHIVE): {}",
            report.without_source.join(", ")
        );
    }
    let Counts {
        run,
        waiting,
        reused,
        without_source,
    } = report.counts;
    let _ = writeln!(
        out,
        "{run} to run, {waiting} behind them, {reused} reused, {without_source} candidates without \
         source; at least {} s, about {} MiB",
        report.estimated_s, report.disk_mib
    );
    out
}
