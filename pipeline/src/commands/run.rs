//! `campaign run`: the main job.

use super::measuring::{self, Asked};
use super::{CommandError, create_store, print, shard};
use crate::cli::{Common, RunArgs};
use crate::commands::plan::{Counts, all_steps, other_pages};
use crate::exit;
use crate::gather::{Gathered, gather, pattern};
use crate::plan::{InstancePlan, Planned, State, plan_index, plan_page, plan_probe};
use crate::publish::{self, PublishError};
use crate::runner::event::Event;
use crate::runner::progress::Progress;
use crate::runner::{Known, Runner, Settings, Times};
use artifacts::ArtifactId;
use artifacts::store::{ExclusiveLock, Store, StoreError};
use artifacts::words::Stage;
use contract::Conditions;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// Seconds to wait for the measuring core.
const CORE_PATIENCE: Duration = Duration::from_secs(5);

/// What a run came to, for `--json`.
#[derive(Debug, Serialize)]
struct RunReport {
    campaign: String,
    root: Option<ArtifactId>,
    plan: Counts,
    ran: usize,
    broken: Vec<String>,
    interrupted: bool,
    candidates: Vec<CandidateLine>,
    site: Option<PathBuf>,
    times: Times,
    overhead: f64,
    host_problems: Vec<String>,
}

/// One line a candidate.
#[derive(Debug, Serialize)]
struct CandidateLine {
    candidate: String,
    name: String,
    instances: usize,
    verdicts: BTreeMap<String, usize>,
    timed: usize,
    failed: Vec<String>,
}

/// Runs the campaign.
///
/// # Errors
/// When it cannot begin; steps that fail on the way are reported and make the exit code 1.
pub fn run(common: &Common, arguments: &RunArgs) -> Result<u8, CommandError> {
    let started = Instant::now();
    let shard = shard::parse(arguments.shard.as_deref())?;
    // Better now than after days of measuring.
    publish::check_target(&arguments.out)?;
    let store = create_store(common)?;
    let _lock = store.lock_shared()?;
    super::take::take(&store, &arguments.take)?;
    let mut gathered = gather(common, &arguments.selection, &store)?;
    shard::keep(&mut gathered.world.candidates, shard)?;
    store.create_campaign(&gathered.campaign, &gathered.world.system)?;
    let progress = Progress::new();
    let tell = |event: &Event| progress.show(event);
    let settings = settings(arguments, &gathered, &store)?;
    let again = pattern("--again", arguments.selection.again.as_deref())?;
    let known = Known::read(&store, again)?;
    let others = other_pages(&store, &gathered)?;
    let counts = Counts::of(
        &all_steps(&gathered.world, &known, &others)?,
        gathered.without_source.len(),
    );
    tell(&Event::Planned {
        run: counts.run,
        waiting: counts.waiting,
        reused: counts.reused,
        without_source: counts.without_source,
    });
    tell(&Event::Total {
        steps: counts.run + counts.waiting,
    });

    let mut runner = Runner::new(&gathered.world, &store, &settings, known, &tell);
    let probe = runner.probe()?;
    runner.prepare(probe)?;
    let (host_problems, _core) = match runner.has_measuring(probe)? && !runner.stopped() {
        false => (Vec::new(), None),
        true => {
            let core = lock_core(gathered.cpu)?;
            let asked = Asked {
                allow_unfixed_host: arguments.selection.allow_unfixed_host,
                quick: arguments.selection.quick,
                shard: arguments.shard.as_deref(),
            };
            let looked = Instant::now();
            let host = measuring::look(&gathered, asked, &store, probe)?;
            runner.worked(looked.elapsed());
            let problems = measuring::problems(&gathered, &host);
            runner.set_measuring(measuring::conditions(&gathered, asked, &host)?);
            runner.measure(probe)?;
            (problems, Some(core))
        }
    };
    let interrupted = runner.stopped();
    let broken = runner.broken();
    // Another shard may have gone on meanwhile.
    runner.refresh()?;
    let plans = all_plans(&runner, &gathered, probe)?;
    let mut pages = Vec::new();
    if gathered.world.stages.contains(&Stage::Render) && !interrupted {
        let others = other_pages(&store, &gathered)?;
        pages = render(&runner, &gathered, &plans, others)?;
    }
    let probe = probe
        .map(|_| plan_probe(&gathered.world, &*runner.known()))
        .transpose()?;
    let whole: Vec<Planned> = pages.iter().cloned().chain(probe).collect();
    let root = fold(
        &store,
        &gathered,
        &plans,
        &whole,
        broken.is_empty() && !interrupted,
    )?;
    let site = match pages.iter().all(|page| page.summary().is_some()) && !pages.is_empty() {
        true => Some(publish::write(&store, &gathered.campaign, &arguments.out)),
        false => None,
    };
    progress.finish();
    let site = match site {
        // The page of a candidate that this run does not cover is behind: no fault of this run.
        Some(Err(behind @ PublishError::Stale { .. })) => {
            eprintln!("{behind}");
            None
        }
        site => site.transpose()?.map(|site| site.folder),
    };
    let times = Times {
        wall_ns: u64::try_from(started.elapsed().as_nanos()).unwrap_or(u64::MAX),
        critical_ns: runner.critical_ns(),
    };
    let report = RunReport {
        campaign: gathered.campaign.to_string(),
        root: Some(root),
        plan: counts,
        ran: runner.ran(),
        broken: runner.broken().iter().map(ToString::to_string).collect(),
        interrupted,
        candidates: candidate_lines(&gathered, &plans),
        site,
        overhead: times.overhead(),
        times,
        host_problems,
    };
    print(common, &report, text)?;
    Ok(match (interrupted, report.broken.is_empty()) {
        (true, _) => exit::INTERRUPTED,
        (false, false) => exit::FOUND,
        (false, true) => exit::DONE,
    })
}

fn settings(
    arguments: &RunArgs,
    gathered: &Gathered,
    store: &Store,
) -> Result<Settings, CommandError> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
        // The second one kills at once.
        signal_hook::flag::register_conditional_shutdown(signal, 130, Arc::clone(&stop))?;
        signal_hook::flag::register(signal, Arc::clone(&stop))?;
    }
    Ok(Settings {
        campaign: gathered.campaign.clone(),
        store_path: store.root().to_owned(),
        compiler: gathered.compiler.clone(),
        measuring: Conditions::default(),
        jobs: arguments.jobs.map_or(cores, usize::from),
        stop,
    })
}

/// Nobody else of ours may measure on this core, whatever store they use.
fn lock_core(cpu: u32) -> Result<ExclusiveLock, CommandError> {
    let path = std::env::temp_dir().join(format!("assay-core-{cpu}.lock"));
    ExclusiveLock::acquire(&path, CORE_PATIENCE).map_err(|e| CommandError::Store(e.into()))
}

type Plans<'a> = Vec<(
    &'a crate::plan::Candidate,
    Vec<(&'a crate::plan::Instance, InstancePlan)>,
)>;

fn all_plans<'a>(
    runner: &Runner<'_>,
    gathered: &'a Gathered,
    probe: Option<ArtifactId>,
) -> Result<Plans<'a>, CommandError> {
    let mut plans = Vec::new();
    for candidate in &gathered.world.candidates {
        let mut instances = Vec::new();
        for instance in &candidate.instances {
            instances.push((instance, runner.plan(&candidate.id, instance, probe)?));
        }
        plans.push((candidate, instances));
    }
    Ok(plans)
}

/// Renders what is not rendered yet; all pages, the index last.
fn render(
    runner: &Runner<'_>,
    gathered: &Gathered,
    plans: &Plans<'_>,
    others: Vec<Planned>,
) -> Result<Vec<Planned>, CommandError> {
    let world = &gathered.world;
    let mut pages = Vec::new();
    for (candidate, instances) in plans {
        let plan = || plan_page(candidate, instances, &*runner.known());
        let planned = plan()?;
        pages.push(match &planned.state {
            State::Ready(material) => {
                runner.step(&planned.name, material)?;
                plan()?
            }
            _ => planned,
        });
    }
    pages.extend(others);
    let plan = || plan_index(world, &pages, &*runner.known());
    let index = plan()?;
    let index = match &index.state {
        State::Ready(material) => {
            runner.step(&index.name, material)?;
            plan()?
        }
        _ => index,
    };
    pages.push(index);
    Ok(pages)
}

/// Makes the campaign hold exactly the receipts of these plans, for the instances they cover, and
/// gives it its root. Of other instances it comes to hold what their candidate's page shows. `whole` are
/// the steps that are not of one instance.
fn fold(
    store: &Store,
    gathered: &Gathered,
    plans: &Plans<'_>,
    whole: &[Planned],
    complete: bool,
) -> Result<ArtifactId, StoreError> {
    let name = &gathered.campaign;
    let view = store.create_campaign(name, &gathered.world.system)?;
    let mut wanted = BTreeMap::new();
    let rendered: BTreeSet<_> = whole
        .iter()
        .filter(|step| step.summary().is_some())
        .filter_map(|step| step.name.candidate.as_ref())
        .collect();
    let mut prefixes = BTreeSet::new();
    for (candidate, instances) in plans {
        for (instance, plan) in instances {
            if instance.selected {
                prefixes.insert(format!("{}/{}/", candidate.id, instance.label));
            } else if !rendered.contains(&candidate.id) || plan.chosen.is_none() {
                continue;
            }
            for step in &plan.steps {
                if let Some(summary) = step.summary() {
                    wanted.insert(step.name.stored()?, summary);
                }
            }
        }
    }
    for step in whole {
        if let Some(summary) = step.summary() {
            wanted.insert(step.name.stored()?, summary);
        }
    }
    let changed: Vec<_> = wanted
        .iter()
        .filter(|(step, summary)| view.receipt(step) != Some(summary.receipt))
        .map(|(step, summary)| (step, *summary))
        .collect();
    if !changed.is_empty() {
        store.record_steps(name, changed)?;
    }
    // What a covered instance no longer has (an operation dropped, a fallback not needed any more)
    // leaves the campaign, unless this run only saw a part of it.
    let all_stages = gathered.world.stages.len() == Stage::ALL.len();
    if complete && all_stages {
        let gone: Vec<_> = view
            .steps
            .keys()
            .filter(|step| {
                prefixes
                    .iter()
                    .any(|prefix| step.as_str().starts_with(prefix.as_str()))
                    && !wanted.contains_key(*step)
            })
            .collect();
        if !gone.is_empty() {
            store.forget_steps(name, gone)?;
        }
    }
    store.close(name)
}

fn candidate_lines(gathered: &Gathered, plans: &Plans<'_>) -> Vec<CandidateLine> {
    plans
        .iter()
        .map(|(candidate, instances)| {
            let mut line = CandidateLine {
                candidate: candidate.id.to_string(),
                name: gathered
                    .catalog
                    .get(&candidate.id)
                    .map_or_else(|_| String::new(), |entry| entry.name.clone()),
                instances: candidate.selected().count(),
                verdicts: BTreeMap::new(),
                timed: 0,
                failed: Vec::new(),
            };
            for (_, plan) in instances.iter().filter(|(instance, _)| instance.selected) {
                if let Some(verdict) = plan.chosen.as_ref().and_then(|chosen| chosen.verdict) {
                    *line.verdicts.entry(verdict.to_string()).or_default() += 1;
                }
                for step in &plan.steps {
                    let Some(summary) = step.summary() else {
                        continue;
                    };
                    let timed = step.name.stage.stage() == Stage::Time;
                    match summary.outcome.is_done() {
                        true if timed => line.timed += 1,
                        true => {}
                        false => line
                            .failed
                            .push(format!("{}: {}", step.name, summary.outcome.why)),
                    }
                }
            }
            line
        })
        .collect()
}

fn text(report: &RunReport) -> String {
    use std::fmt::Write;
    let mut out = String::new();
    for line in &report.candidates {
        let verdicts: Vec<String> = line
            .verdicts
            .iter()
            .map(|(verdict, n)| format!("{n} {verdict}"))
            .collect();
        let _ = writeln!(
            out,
            "{:<10} {:<14} {} instances: {}; {} operations timed",
            line.candidate,
            line.name,
            line.instances,
            verdicts.join(", "),
            line.timed
        );
        for failed in &line.failed {
            let _ = writeln!(out, "           {failed}");
        }
    }
    for step in &report.broken {
        let _ = writeln!(out, "no receipt: {step}; run again to try it again");
    }
    if report.interrupted {
        out.push_str("interrupted: what was finished is kept; run again to go on\n");
    }
    if let Some(root) = &report.root {
        let _ = writeln!(out, "campaign {} root {root}", report.campaign);
    }
    match &report.site {
        Some(site) => {
            let _ = writeln!(out, "site: {}", site.join("index.html").display());
        }
        None => out.push_str(
            "site: not written (that needs every page, and every page what the campaign holds)\n",
        ),
    }
    let _ = writeln!(
        out,
        "{} steps ran in {:.1} s; {:.1} % of that neither compiling, checking nor measuring",
        report.ran,
        Duration::from_nanos(report.times.wall_ns).as_secs_f64(),
        report.overhead * 100.0
    );
    out
}

/// The probe of the toolchain asked for, built if need be, and what was gathered for it.
pub(super) fn build_probe(
    common: &Common,
    cpu: Option<usize>,
    store: &Store,
) -> Result<(Gathered, Option<ArtifactId>), CommandError> {
    let mut arguments = RunArgs::default();
    arguments.selection.cpu = cpu;
    let gathered = gather(common, &arguments.selection, store)?;
    store.create_campaign(&gathered.campaign, &gathered.world.system)?;
    let settings = settings(&arguments, &gathered, store)?;
    let tell = |_: &Event| {};
    let known = Known::read(store, None)?;
    let runner = Runner::new(&gathered.world, store, &settings, known, &tell);
    let probe = runner.probe()?;
    Ok((gathered, probe))
}
