//! What was measured, as a record of the published schema.

use super::TimeError;
use super::plan::{Plan, SECOND_NS};
use crate::probe::ProbeRun;
use artifacts::records::{
    COMPLETE, Fields, Plan as PublishedPlan, ProcessRun, SCHEMA, TIMING_RECORD, TimingRecord, Trial,
};
use chrono::{DateTime, SecondsFormat, Utc};
use contract::Request;
use contract::parameters::TimeParameters;
use std::collections::BTreeMap;

/// Trials that differ by more than this share of the mean are pointed out.
const SPREAD_LIMIT: f64 = 0.05;
/// Facts of the probe that published records carry in `meta`, and those we add.
const META: [&str; 9] = [
    "baseline_rss_bytes",
    "peak_rss_bytes",
    "setup_ns",
    "warmups",
    "sign_failures_retried",
    "verify_rejections",
    "signature_excess_bytes",
    "message_changes",
    "dec_mismatch",
];

/// What has been measured so far.
pub struct Measured {
    started_utc: DateTime<Utc>,
    /// Load averages at the start.
    pub load: Vec<f64>,
    /// The plan, once there is one.
    pub plan: Option<Plan>,
    /// The calibration call.
    pub calibration_ns: u64,
    /// Trials repeated.
    pub disturbed_retries: u64,
    instance: Option<String>,
    sizes: BTreeMap<String, u64>,
    processes: Vec<ProcessRun>,
    trials: Vec<Trial>,
    baseline: Option<u64>,
    peak: Option<u64>,
    event_error: Option<String>,
    warnings: Vec<String>,
}

impl Measured {
    /// Nothing yet.
    pub fn start() -> Self {
        Measured {
            started_utc: Utc::now(),
            load: load(),
            plan: None,
            calibration_ns: 0,
            disturbed_retries: 0,
            instance: None,
            sizes: BTreeMap::new(),
            processes: Vec::new(),
            trials: Vec::new(),
            baseline: None,
            peak: None,
            event_error: None,
            warnings: Vec::new(),
        }
    }

    /// Takes a process that came to its end.
    pub fn take(&mut self, run: ProbeRun, retries: u64) {
        self.keep(run, COMPLETE, retries);
    }

    /// Takes a process that failed: kept as evidence, its trials are no figures.
    pub fn take_failed(&mut self, run: ProbeRun) {
        self.keep(run, "failed", 0);
    }

    fn keep(&mut self, run: ProbeRun, status: &str, retries: u64) {
        let report = &run.report;
        if self.instance.is_none() {
            self.instance.clone_from(&report.instance);
        }
        self.sizes.extend(
            report
                .sizes
                .iter()
                .map(|(object, bytes)| (object.clone(), *bytes)),
        );
        let largest = |old: Option<u64>, key| old.max(report.number(key));
        self.baseline = largest(self.baseline, "baseline_rss_bytes");
        self.peak = largest(self.peak, "peak_rss_bytes");
        if self.event_error.is_none() {
            self.event_error.clone_from(&report.event_error);
        }
        for complaint in &report.complaints {
            if !self.warnings.contains(complaint) {
                self.warnings.push(complaint.clone());
            }
        }
        self.disturbed_retries += retries;
        let trials: Vec<Trial> = report
            .trials
            .iter()
            .map(|t| Trial::from_nanoseconds(t.iterations, t.ns, t.cycles))
            .collect();
        if status == COMPLETE {
            self.trials.extend(trials.iter().cloned());
        }
        let mut meta = Fields::new();
        for key in META {
            if let Some(value) = report.facts.get(key) {
                meta.insert(key.to_owned(), value.clone().into());
            }
        }
        let usage = [
            ("user_ns", run.usage.user_ns),
            ("system_ns", run.usage.system_ns),
        ];
        meta.extend(usage.map(|(key, ns)| (key.to_owned(), ns.to_string().into())));
        self.processes.push(ProcessRun {
            status: status.to_owned(),
            exit_code: run.exit_code.map(i64::from),
            meta,
            trials,
            stderr: run.stderr,
            command: run.command,
            wall_s: Some(run.usage.wall_ns as f64 / 1e9),
            disturbed_retries: Some(retries),
            rest: Fields::new(),
        });
    }

    /// The record.
    ///
    /// # Errors
    /// When a complete measurement's trials give no figures.
    pub fn record(
        &self,
        request: &Request,
        parameters: &TimeParameters,
        complete: bool,
    ) -> Result<TimingRecord, TimeError> {
        let input_bytes = parameters.operation.input_bytes();
        let statistics = match complete {
            true => artifacts::records::statistics(&self.trials, input_bytes)?,
            false => artifacts::records::Statistics::default(),
        };
        let mut warnings = self.warnings.clone();
        if let Some(spread) = statistics.spread()
            && spread > SPREAD_LIMIT
        {
            warnings.push(format!(
                "trials differ by {:.1} % of the mean",
                spread * 100.0
            ));
        }
        if let Some(error) = &self.event_error {
            warnings.push(format!("no cycle counts: {error}"));
        }
        let counted = statistics.mean_cycles.is_some();
        Ok(TimingRecord {
            kind: Some(TIMING_RECORD.kind.to_owned()),
            major: Some(TIMING_RECORD.major),
            minor: Some(TIMING_RECORD.minor),
            schema: SCHEMA,
            status: if complete { COMPLETE } else { "failed" }.to_owned(),
            instance: self.instance.clone(),
            operation: parameters.operation.record_name(),
            input_bytes,
            plan: self.plan.as_ref().map(published_plan),
            disturbed_retries: Some(self.disturbed_retries),
            started_utc: Some(utc(self.started_utc)),
            ended_utc: Some(utc(Utc::now())),
            load_average_start: self.load.clone(),
            load_average_end: load(),
            environment: request.conditions.environment.clone(),
            processes: self.processes.clone(),
            trials: self.trials.clone(),
            guide_100_measurements_met: statistics.measurements.map(|n| n >= 100),
            statistics,
            sizes: sizes(&self.sizes, input_bytes),
            baseline_rss_bytes: self.baseline,
            peak_rss_bytes: self.peak,
            timing_scope: Some("loop".to_owned()),
            host_problems: request.conditions.host_problems.clone(),
            event: counted.then(|| parameters.event.clone()),
            warnings,
            ..TimingRecord::default()
        })
    }
}

fn utc(time: DateTime<Utc>) -> String {
    time.to_rfc3339_opts(SecondsFormat::Micros, false)
}

fn load() -> Vec<f64> {
    let load = sysinfo::System::load_average();
    vec![load.one, load.five, load.fifteen]
}

fn published_plan(plan: &Plan) -> PublishedPlan {
    PublishedPlan {
        iterations_per_trial: plan.iterations,
        warmups: u64::from(plan.warmups),
        trials: u64::from(plan.trials),
        separate_processes: plan.separate_processes,
        estimated_s: Some(plan.estimated_ns as f64 / SECOND_NS as f64),
        timeout_per_process_s: Some(plan.timeout_ns as f64 / SECOND_NS as f64),
        rest: Fields::new(),
    }
}

/// Sizes by their published names.
fn sizes(by_object: &BTreeMap<String, u64>, input_bytes: u64) -> Fields {
    let names = [
        ("pk", "pk_bytes"),
        ("sk", "sk_bytes"),
        ("ct", "ct_bytes"),
        ("ss", "ss_bytes"),
        ("sn", "signature_bytes"),
        ("digest", "digest_bytes"),
    ];
    let mut fields = Fields::new();
    fields.insert("input_bytes".to_owned(), input_bytes.into());
    for (object, name) in names {
        let bytes = by_object.get(object).copied().unwrap_or_default();
        fields.insert(name.to_owned(), bytes.into());
    }
    fields
}
