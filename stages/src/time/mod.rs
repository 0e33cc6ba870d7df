//! The stage `time`: one operation of one instance, measured in fresh processes (NGCC.md section 5).
//!
//! Calibrate with one call, plan, then run the trials, each in a process of its own unless set-up is
//! long. Output: `record` ([`TimingRecord`], the published schema 2 and more), also when the
//! candidate failed half-way.

pub mod plan;
mod record;

use crate::kat::failure;
use crate::probe::{Job, ProbeError, ProbeRun};
use crate::report::End;
use artifacts::Outcome;
use artifacts::records::StatisticsError;
use artifacts::store::{Store, StoreError};
use artifacts::words::Verdict;
use contract::parameters::TimeParameters;
use contract::request::RequestError;
use contract::{Request, StageResult};
use plan::{Plan, SECOND_NS, plan};
use record::Measured;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// Nanoseconds of wall time after which a calibration is given up: a single operation may take over
/// 30 minutes, and set-up as much again.
const CALIBRATION_NS: u64 = 3 * 3600 * SECOND_NS;
/// A trial that ran longer than this and slower than [`DISTURBED`] of the clock lost the core.
const DISTURBED_FROM_NS: u64 = 10_000_000;
/// Share of the fixed clock, in percent.
const DISTURBED: u64 = 95;
/// Repetitions of a disturbed trial at most.
const RETRIES: u64 = 2;

/// Why a time step has no receipt.
#[derive(Debug, thiserror::Error)]
pub enum TimeError {
    /// The request is incomplete.
    #[error(transparent)]
    Request(#[from] RequestError),
    /// The probe could not be run.
    #[error(transparent)]
    Probe(#[from] ProbeError),
    /// Store.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The trials give no figure.
    #[error("the trials give no figure: {0}")]
    Statistics(#[from] StatisticsError),
    /// The counter was there and is gone: the machine changed under the measurement.
    #[error("the counter stopped working: {0}; see `campaign check`")]
    Counter(String),
}

/// Does a time step.
///
/// # Errors
/// When the machine, not the candidate, failed.
pub fn run(request: &Request, store: &Store) -> Result<StageResult, TimeError> {
    let parameters: TimeParameters = request.parameters()?;
    let library = request.input("library")?;
    let job = Job::new(request, store, library)?;
    let mut measuring = Measuring::new(request, &parameters, &job);
    let verdict = measuring.measure()?;
    let outcome = match &verdict {
        None => Outcome::done(),
        Some((verdict, why)) => Outcome::with_verdict(*verdict, why.clone()),
    };
    let record = measuring
        .measured
        .record(request, &parameters, verdict.is_none())?;
    let mut observations = measuring.observations();
    if let Some(spread) = record.statistics.spread() {
        observations.insert("spread".to_owned(), spread.into());
    }
    let mut outputs = BTreeMap::new();
    // An operation whose calibration failed has no record, and no row on its page.
    if record.plan.is_some() {
        outputs.insert("record".to_owned(), store.put_json(&record)?);
    }
    Ok(StageResult {
        outputs,
        outcome,
        observations,
        tools: BTreeMap::new(),
    })
}

/// A measurement under way.
struct Measuring<'a> {
    request: &'a Request,
    parameters: &'a TimeParameters,
    job: &'a Job,
    measured: Measured,
    containment: serde_json::Value,
    /// Nanoseconds in processes of the probe: what the planned measuring costs by itself.
    probing_ns: u64,
}

type Failure = Option<(Verdict, String)>;

impl<'a> Measuring<'a> {
    fn new(request: &'a Request, parameters: &'a TimeParameters, job: &'a Job) -> Self {
        Measuring {
            request,
            parameters,
            job,
            measured: Measured::start(),
            containment: serde_json::Value::Null,
            probing_ns: 0,
        }
    }

    fn measure(&mut self) -> Result<Failure, TimeError> {
        let calibration = self.probe(1, 1, 0, CALIBRATION_NS)?;
        if let Some(failed) = failed(&calibration, 1, CALIBRATION_NS) {
            return Ok(Some(failed));
        }
        let Some(call) = calibration.report.trials.first().copied() else {
            return Ok(Some((Verdict::Crash, "reported no trial".to_owned())));
        };
        let setup_ns = calibration.report.number("setup_ns").unwrap_or_default();
        let plan = plan(&self.parameters.planning, call.ns, setup_ns);
        self.measured.plan = Some(plan.clone());
        self.measured.calibration_ns = call.ns;
        if plan.reuse_calibration {
            self.measured.take(calibration, 0);
            return Ok(None);
        }
        let processes = if plan.separate_processes {
            plan.trials
        } else {
            1
        };
        for _ in 0..processes {
            if let Some(failed) = self.process(&plan)? {
                return Ok(Some(failed));
            }
        }
        Ok(None)
    }

    /// One process of the plan, repeated while it was disturbed.
    fn process(&mut self, plan: &Plan) -> Result<Failure, TimeError> {
        let trials = if plan.separate_processes {
            1
        } else {
            plan.trials
        };
        let mut retries = 0;
        loop {
            let run = self.probe(trials, plan.iterations, plan.warmups, plan.timeout_ns)?;
            if let Some(failed) = failed(&run, trials, plan.timeout_ns) {
                self.measured.take_failed(run);
                return Ok(Some(failed));
            }
            if retries < RETRIES && self.disturbed(&run) {
                retries += 1;
                continue;
            }
            self.measured.take(run, retries);
            return Ok(None);
        }
    }

    /// Whether the core was taken away during a trial, by the counter against the fixed clock.
    fn disturbed(&self, run: &ProbeRun) -> bool {
        let Some(clock) = self.request.conditions.fixed_clock_hz else {
            return false;
        };
        run.report.trials.iter().any(|trial| match trial.cycles {
            Some(cycles) if trial.ns > DISTURBED_FROM_NS => {
                let hz = u128::from(cycles) * u128::from(SECOND_NS) / u128::from(trial.ns);
                hz * 100 < u128::from(clock) * u128::from(DISTURBED)
            }
            _ => false,
        })
    }

    fn probe(
        &mut self,
        trials: u32,
        iterations: u64,
        warmups: u32,
        timeout_ns: u64,
    ) -> Result<ProbeRun, TimeError> {
        let mut arguments = vec![
            "time".to_owned(),
            self.parameters.operation.record_name(),
            self.parameters.operation.input_bytes().to_string(),
            warmups.to_string(),
            iterations.to_string(),
            self.parameters.event.clone(),
        ];
        if trials != 1 {
            arguments.push(trials.to_string());
        }
        let started = Instant::now();
        let timeout = Duration::from_nanos(timeout_ns);
        let run = self
            .job
            .run(&arguments, timeout, self.request.conditions.cpu)?;
        let elapsed = u64::try_from(started.elapsed().as_nanos()).unwrap_or(u64::MAX);
        self.probing_ns = self
            .probing_ns
            .saturating_add(elapsed.min(run.usage.wall_ns));
        self.containment = run.containment();
        if run
            .report
            .trials
            .iter()
            .any(|trial| trial.cycles == Some(0))
        {
            return Err(TimeError::Counter("a trial counted 0 cycles".to_owned()));
        }
        Ok(run)
    }

    fn observations(&self) -> BTreeMap<String, serde_json::Value> {
        let mut seen = BTreeMap::from([
            ("containment".to_owned(), self.containment.clone()),
            ("working_ns".to_owned(), self.probing_ns.into()),
            (
                "calibration_ns".to_owned(),
                self.measured.calibration_ns.into(),
            ),
            (
                "disturbed_retries".to_owned(),
                self.measured.disturbed_retries.into(),
            ),
            ("load_average".to_owned(), self.measured.load.clone().into()),
        ]);
        if let Some(cpu) = self.request.conditions.cpu {
            seen.insert("cpu".to_owned(), cpu.into());
        }
        if let Some(shard) = &self.request.conditions.shard {
            seen.insert("shard".to_owned(), shard.clone().into());
        }
        seen
    }
}

/// What a run that gave no figures means. A candidate that broke its interface on the way is timed
/// all the same (NGCC.md section 4): its complaints are in the record.
fn failed(run: &ProbeRun, trials: u32, timeout_ns: u64) -> Failure {
    let complete = run.report.trials.len() == usize::try_from(trials).unwrap_or(usize::MAX);
    if complete && matches!(run.report.end, End::CryptoFail | End::Overflow) {
        return None;
    }
    failure(
        run,
        u32::try_from(timeout_ns / SECOND_NS).unwrap_or(u32::MAX),
    )
}
