//! Running a plan: builds and known answers in parallel on all cores, then timing alone on the
//! measuring core.
//!
//! Each finished step is in the store before the next event, so a killed run loses at most the steps
//! under way. A step without a receipt is reported and the run goes on: what stands behind it waits.

pub mod event;
pub mod progress;
pub mod stage;

use crate::plan::{
    Candidate, Instance, InstancePlan, Lookup, PlanError, Planned, State, Step, StepName, World,
    instance_steps, plan_probe,
};
use artifacts::receipt::Receipt;
use artifacts::store::{CampaignName, Index, Presence, Store, StoreError, Summary};
use artifacts::words::{CandidateId, Stage};
use artifacts::{ArtifactId, KeyMaterial, StepKey};
use contract::request::REQUEST;
use contract::{Conditions, Request};
use event::Event;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Why a run stops as a whole.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// Planning failed.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A stage could not be started.
    #[error(transparent)]
    Stage(#[from] stage::StageError),
}

/// What a run needs beside the world.
pub struct Settings {
    /// The campaign.
    pub campaign: CampaignName,
    /// The store's folder, for requests.
    pub store_path: PathBuf,
    /// The compiler command.
    pub compiler: String,
    /// Conditions of measuring steps; known when the host has been looked at.
    pub measuring: Conditions,
    /// Builds and known answers at a time.
    pub jobs: usize,
    /// Set by SIGINT and SIGTERM.
    pub stop: Arc<AtomicBool>,
}

/// What the store has, as the planner asks for it.
pub struct Known {
    index: Index,
    presence: Presence,
    recent: BTreeMap<StepKey, Summary>,
    done: HashSet<StepName>,
    again: Option<regex::Regex>,
}

impl Known {
    /// Reads the index and the list of artifacts.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn read(store: &Store, again: Option<regex::Regex>) -> Result<Self, StoreError> {
        Ok(Known {
            index: store.index()?,
            presence: store.presence()?,
            recent: BTreeMap::new(),
            done: HashSet::new(),
            again,
        })
    }

    /// Reads them again: other processes write to the store too.
    ///
    /// # Errors
    /// When the store cannot be read.
    fn refresh(&mut self, store: &Store) -> Result<(), StoreError> {
        self.index = store.index()?;
        self.presence = store.presence()?;
        Ok(())
    }

    fn add(&mut self, step: StepName, summary: Summary) {
        self.recent.insert(summary.key, summary);
        self.done.insert(step);
    }
}

impl Lookup for Known {
    fn find(&self, step: &StepName, key: &StepKey) -> Option<&Summary> {
        let measured = matches!(step.stage, Step::Time | Step::Profile);
        let anew = measured
            && !self.done.contains(step)
            && self
                .again
                .as_ref()
                .is_some_and(|again| again.is_match(&step.to_string()));
        if anew {
            return None;
        }
        self.recent
            .get(key)
            .or_else(|| self.index.find(key, &self.presence))
    }
}

/// Times of a run, for `--json` and for the share of overhead.
#[derive(Debug, Default, Clone, serde::Serialize)]
pub struct Times {
    /// Wall time of the whole, in nanoseconds.
    pub wall_ns: u64,
    /// Of which: the longest chain of builds and known answers a worker had, the processes of
    /// calibrations, trials and profiles, by what they themselves took.
    pub critical_ns: u64,
}

impl Times {
    /// The part of the wall time that is neither compiling, checking nor measuring, between 0 and 1.
    pub fn overhead(&self) -> f64 {
        if self.wall_ns == 0 {
            return 0.0;
        }
        1.0 - (self.critical_ns.min(self.wall_ns)) as f64 / self.wall_ns as f64
    }
}

/// A run under way.
pub struct Runner<'a> {
    world: &'a World,
    store: &'a Store,
    settings: &'a Settings,
    measuring: Conditions,
    known: Mutex<Known>,
    tell: &'a (dyn Fn(&Event) + Sync),
    steps: AtomicUsize,
    broken: Mutex<BTreeSet<StepName>>,
    critical_ns: Mutex<u64>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What a step would do, if it is a time or profile that can be taken now.
fn measuring(step: &Planned) -> Option<&KeyMaterial> {
    match &step.state {
        State::Ready(material) if matches!(material.stage, Stage::Time | Stage::Profile) => {
            Some(material)
        }
        _ => None,
    }
}

/// Nanoseconds a step spent in compilers or the probe: what it costs by itself.
fn working_ns(receipt: &Receipt) -> u64 {
    let working = receipt.observations.get("working_ns");
    working.and_then(|ns| ns.as_u64()).unwrap_or_default()
}

fn nanos(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

impl<'a> Runner<'a> {
    /// A run that has not begun; `tell` hears its events.
    pub fn new(
        world: &'a World,
        store: &'a Store,
        settings: &'a Settings,
        known: Known,
        tell: &'a (dyn Fn(&Event) + Sync),
    ) -> Self {
        Runner {
            world,
            store,
            settings,
            measuring: settings.measuring.clone(),
            known: Mutex::new(known),
            tell,
            steps: AtomicUsize::new(0),
            broken: Mutex::new(BTreeSet::new()),
            critical_ns: Mutex::new(0),
        }
    }

    /// Sets the conditions of measuring steps.
    pub fn set_measuring(&mut self, conditions: Conditions) {
        self.measuring = conditions;
    }

    /// Whether any time or profile is to be taken.
    ///
    /// # Errors
    /// Only on an error of this program.
    pub fn has_measuring(&self, probe: Option<ArtifactId>) -> Result<bool, RunError> {
        for candidate in &self.world.candidates {
            for instance in candidate.selected() {
                let plan = self.plan(&candidate.id, instance, probe)?;
                if plan.steps.iter().any(|step| measuring(step).is_some()) {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Whether a signal asked to stop.
    pub fn stopped(&self) -> bool {
        self.settings.stop.load(Ordering::Relaxed)
    }

    /// Steps that ended without a receipt.
    pub fn broken(&self) -> BTreeSet<StepName> {
        lock(&self.broken).clone()
    }

    /// Steps that ran, with or without a receipt.
    pub fn ran(&self) -> usize {
        self.steps.load(Ordering::Relaxed)
    }

    /// Nanoseconds so far that no scheduling could have saved.
    pub fn critical_ns(&self) -> u64 {
        *lock(&self.critical_ns)
    }

    /// The probe, built if need be; absent when it could not be built.
    ///
    /// # Errors
    /// When the store or the plan fails.
    pub fn probe(&self) -> Result<Option<ArtifactId>, RunError> {
        if !self.world.stages.contains(&Stage::Kat) {
            return Ok(None);
        }
        let mut planned = plan_probe(self.world, &*lock(&self.known))?;
        if let State::Ready(material) = &planned.state {
            if let Some(receipt) = self.step(&planned.name, material)? {
                *lock(&self.critical_ns) += working_ns(&receipt);
            }
            planned = plan_probe(self.world, &*lock(&self.known))?;
        }
        Ok(planned.output("probe"))
    }

    /// All steps of an instance as they stand.
    ///
    /// # Errors
    /// Only on an error of this program.
    pub fn plan(
        &self,
        candidate: &CandidateId,
        instance: &Instance,
        probe: Option<ArtifactId>,
    ) -> Result<InstancePlan, RunError> {
        Ok(instance_steps(
            self.world,
            candidate,
            instance,
            probe,
            &*lock(&self.known),
        )?)
    }

    /// Builds, checks and audits sizes of all instances, several at a time.
    ///
    /// # Errors
    /// When the store or the plan fails.
    pub fn prepare(&self, probe: Option<ArtifactId>) -> Result<(), RunError> {
        let queue: Vec<(&Candidate, &Instance)> = self
            .world
            .candidates
            .iter()
            .flat_map(|candidate| candidate.selected().map(move |i| (candidate, i)))
            .collect();
        let next = AtomicUsize::new(0);
        let started = Instant::now();
        let results: Vec<Result<u64, RunError>> = std::thread::scope(|scope| {
            let workers: Vec<_> = (0..self.settings.jobs.clamp(1, queue.len().max(1)))
                .map(|_| {
                    scope.spawn(|| {
                        let mut busy_ns = 0;
                        while let Some((candidate, instance)) =
                            queue.get(next.fetch_add(1, Ordering::Relaxed))
                        {
                            if self.stopped() {
                                break;
                            }
                            busy_ns += self.prepare_instance(&candidate.id, instance, probe)?;
                        }
                        Ok(busy_ns)
                    })
                })
                .collect();
            workers
                .into_iter()
                .map(|worker| worker.join().unwrap_or(Ok(0)))
                .collect()
        });
        let mut longest = 0;
        for result in results {
            longest = longest.max(result?);
        }
        *lock(&self.critical_ns) += longest.min(nanos(started.elapsed()));
        Ok(())
    }

    /// Takes one instance through its builds, known answers and size audit; nanoseconds in stages.
    fn prepare_instance(
        &self,
        candidate: &CandidateId,
        instance: &Instance,
        probe: Option<ArtifactId>,
    ) -> Result<u64, RunError> {
        let mut busy_ns = 0;
        loop {
            let steps = self.plan(candidate, instance, probe)?.steps;
            let broken = self.broken();
            let ready = steps.iter().find_map(|step| match &step.state {
                State::Ready(material)
                    if !matches!(material.stage, Stage::Time | Stage::Profile)
                        && !broken.contains(&step.name) =>
                {
                    Some((&step.name, material))
                }
                _ => None,
            });
            let Some((name, material)) = ready else {
                return Ok(busy_ns);
            };
            if self.stopped() {
                return Ok(busy_ns);
            }
            if let Some(receipt) = self.step(name, material)? {
                busy_ns += working_ns(&receipt);
            }
        }
    }

    /// Times and profiles one after the other on the measuring core, cheapest first.
    ///
    /// # Errors
    /// When the store or the plan fails.
    pub fn measure(&self, probe: Option<ArtifactId>) -> Result<(), RunError> {
        let mut ready = Vec::new();
        for candidate in &self.world.candidates {
            for instance in candidate.selected() {
                let steps = self.plan(&candidate.id, instance, probe)?.steps;
                let kat_ms = steps
                    .iter()
                    .filter(|s| matches!(s.name.stage, Step::Kat | Step::FallbackKat))
                    .filter_map(|s| s.summary().map(|summary| summary.elapsed_ms))
                    .max()
                    .unwrap_or_default();
                for step in &steps {
                    if let Some(material) = measuring(step) {
                        ready.push((kat_ms, step.name.clone(), material.clone()));
                    }
                }
            }
        }
        // What an operation costs is first known from its own calibration; how long the known
        // answers took tells which instances are cheap. Times before profiles.
        ready.sort_by(|(a_ms, a, _), (b_ms, b, _)| (a.stage, a_ms, a).cmp(&(b.stage, b_ms, b)));
        for (_, name, material) in ready {
            if self.stopped() {
                break;
            }
            if let Some(receipt) = self.step(&name, &material)? {
                *lock(&self.critical_ns) += working_ns(&receipt);
            }
        }
        Ok(())
    }

    /// Runs one step and records it with the campaign; absent when it has no receipt.
    ///
    /// # Errors
    /// When the store fails.
    pub fn step(
        &self,
        name: &StepName,
        material: &KeyMaterial,
    ) -> Result<Option<Receipt>, RunError> {
        let request = self.request(name, material);
        let started = Instant::now();
        let outcome = stage::run(&request);
        self.steps.fetch_add(1, Ordering::Relaxed);
        let receipt = match outcome {
            Ok(receipt) => receipt,
            Err(error) => {
                if self.stopped() {
                    return Ok(None);
                }
                lock(&self.broken).insert(name.clone());
                (self.tell)(&Event::Broken {
                    step: name.to_string(),
                    message: error.to_string(),
                });
                return Ok(None);
            }
        };
        let summary = Summary::of(&receipt)?;
        self.store
            .record_step(&self.settings.campaign, &name.stored()?, &summary)?;
        lock(&self.known).add(name.clone(), summary);
        (self.tell)(&Event::Finished {
            step: name.to_string(),
            status: receipt.outcome.status,
            verdict: receipt.outcome.verdict,
            why: receipt.outcome.why.clone(),
            elapsed_ms: nanos(started.elapsed()) / 1_000_000,
        });
        Ok(Some(receipt))
    }

    /// The request of a step.
    pub fn request(&self, name: &StepName, material: &KeyMaterial) -> Request {
        request(self.world, self.settings, &self.measuring, name, material)
    }

    /// Adds measuring that is no step: the look at the host's clock.
    pub fn worked(&self, time: Duration) {
        *lock(&self.critical_ns) += nanos(time);
    }

    /// Takes note of what other processes have recorded since.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn refresh(&self) -> Result<(), StoreError> {
        lock(&self.known).refresh(self.store)
    }

    /// What the store has by now.
    pub fn known(&self) -> MutexGuard<'_, Known> {
        lock(&self.known)
    }
}

/// The request of a step: what decides its outcome, and how to go about it.
pub fn request(
    world: &World,
    settings: &Settings,
    measuring: &Conditions,
    name: &StepName,
    material: &KeyMaterial,
) -> Request {
    let conditions = match material.stage {
        Stage::Build => Conditions {
            compiler: Some(settings.compiler.clone()),
            ..Conditions::default()
        },
        Stage::Time | Stage::Profile => measuring.clone(),
        Stage::Kat | Stage::SizeAudit | Stage::Render => Conditions::default(),
    };
    Request {
        header: REQUEST.header(),
        subject: name.subject(&world.system),
        material: material.clone(),
        store: settings.store_path.clone(),
        conditions,
    }
}
