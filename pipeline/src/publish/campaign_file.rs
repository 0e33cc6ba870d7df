//! `campaign.json`: under which circumstances the campaign was measured, as its records and
//! measuring receipts state them. Nothing of it is asked of the machine that publishes.

use super::PublishError;
use super::writer::Writer;
use crate::campaign::Done;
use artifacts::records::{
    BuildFile, CAMPAIGN_FILE, CampaignFile, Fields, HostCheck, PublishedPlanning,
};
use artifacts::words::Flags;
use chrono::{DateTime, SecondsFormat, Utc};
use contract::parameters::Planning;
use std::collections::{BTreeMap, BTreeSet};
use systems::flags::HARNESS_ADDITIONS;

/// The file's name.
const FILE: &str = "campaign.json";

/// What the measuring receipts of a campaign say together.
#[derive(Debug, Default)]
pub struct Circumstances {
    first: Option<(DateTime<Utc>, Fields)>,
    last: Option<(DateTime<Utc>, Fields)>,
    started: Option<DateTime<Utc>>,
    ended: Option<DateTime<Utc>>,
    /// When each state of the host was first seen.
    states: BTreeMap<HostState, DateTime<Utc>>,
    problems: BTreeSet<String>,
    plannings: Vec<Planning>,
    guide: Option<String>,
}

/// What a look at the host found, but for the time.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct HostState {
    phase: &'static str,
    cpu: u64,
    problems: Vec<String>,
    shard: Option<String>,
}

/// How the host was when a step measured.
pub struct Look<'a> {
    /// `measure` or `profile`.
    pub phase: &'static str,
    /// The step.
    pub done: &'a Done,
    /// What was not fixed, as its record states it.
    pub problems: &'a [String],
    /// Its command line, which names the core.
    pub command: &'a [String],
}

impl Circumstances {
    /// Notes a measuring step.
    pub fn note(&mut self, look: Look<'_>) {
        let receipt = &look.done.receipt;
        let (started, ended) = (receipt.started_utc, receipt.ended_utc);
        self.started = Some(self.started.map_or(started, |first| first.min(started)));
        self.ended = Some(self.ended.map_or(ended, |last| last.max(ended)));
        self.problems.extend(look.problems.iter().cloned());
        if let Some(cpu) = core(look.command) {
            let shard = receipt.observations.get("shard");
            let state = HostState {
                phase: look.phase,
                cpu,
                problems: look.problems.to_vec(),
                shard: shard.and_then(|shard| shard.as_str()).map(str::to_owned),
            };
            let seen = self.states.entry(state).or_insert(started);
            *seen = started.min(*seen);
        }
    }

    /// Notes the machine as a timing record states it.
    pub fn note_environment(&mut self, done: &Done, environment: &Fields) {
        let (started, ended) = (done.receipt.started_utc, done.receipt.ended_utc);
        if self
            .first
            .as_ref()
            .is_none_or(|(first, _)| started < *first)
        {
            self.first = Some((started, environment.clone()));
        }
        if self.last.as_ref().is_none_or(|(last, _)| ended > *last) {
            self.last = Some((ended, environment.clone()));
        }
    }

    /// Notes the planning constants of a timing record.
    pub fn note_planning(&mut self, planning: &Planning) {
        if !self.plannings.contains(planning) {
            self.plannings.push(*planning);
        }
    }

    /// Notes with which guide options libraries were built.
    pub fn note_builds(&mut self, builds: &BuildFile) {
        let guide = Flags::Guide.as_str();
        self.guide = builds
            .instances
            .values()
            .filter(|entry| entry.flags.as_deref() == Some(guide))
            .find_map(|entry| Some(entry.rest.get("build_flags")?.as_str()?.to_owned()));
    }

    /// Writes the file.
    pub fn write(self, system: &str, writer: &mut Writer) -> Result<(), PublishError> {
        let header = CAMPAIGN_FILE.header();
        let mut rest = Fields::new();
        // One for all is published in its place; several have none.
        let planning = match self.plannings.as_slice() {
            [only] => Some(published(only)),
            [] => None,
            several => {
                let all: Vec<PublishedPlanning> = several.iter().map(published).collect();
                let all = serde_json::to_value(all).map_err(|source| PublishError::Json {
                    path: FILE.to_owned(),
                    source,
                })?;
                rest.insert("plannings".to_owned(), all);
                None
            }
        };
        let shards = self
            .states
            .keys()
            .filter_map(|state| state.shard.as_deref());
        let shards = shards.filter_map(|shard| shard.split_once('/')?.1.parse().ok());
        let reference = self.guide.as_deref().and_then(|guide| {
            let reference = guide.strip_suffix(HARNESS_ADDITIONS)?.trim_end();
            Some(Fields::from_iter([(
                "reference".to_owned(),
                reference.into(),
            )]))
        });
        writer.put_json(
            FILE,
            &CampaignFile {
                kind: Some(header.kind),
                major: Some(header.major),
                minor: Some(header.minor),
                system_id: system.to_owned(),
                started_utc: self.started.map(utc),
                ended_utc: self.ended.map(utc),
                environment_at_start: self.first.map(|(_, fields)| fields).unwrap_or_default(),
                environment_at_end: self.last.map(|(_, fields)| fields).unwrap_or_default(),
                shards: Some(shards.max().unwrap_or(1)),
                host_checks: checks(self.states),
                host_problems: self.problems.into_iter().collect(),
                planning,
                harness_additions: reference.is_some().then(|| HARNESS_ADDITIONS.to_owned()),
                arch_config: reference,
                rest,
            },
        )
    }
}

/// The states of the host in the order in which they were first seen.
fn checks(states: BTreeMap<HostState, DateTime<Utc>>) -> Vec<HostCheck> {
    let mut states: Vec<_> = states.into_iter().collect();
    states.sort_by_key(|(_, seen)| *seen);
    states
        .into_iter()
        .map(|(state, seen)| HostCheck {
            phase: state.phase.to_owned(),
            cpu: state.cpu,
            utc: utc(seen),
            problems: state.problems,
            rest: state
                .shard
                .map(|shard| ("shard".to_owned(), shard.into()))
                .into_iter()
                .collect(),
        })
        .collect()
}

/// The core that a command line of the launcher names.
fn core(command: &[String]) -> Option<u64> {
    let option = command.iter().position(|word| word == "--cpu")?;
    command.get(option + 1)?.parse().ok()
}

fn published(planning: &Planning) -> PublishedPlanning {
    let seconds = |ns: u64| ns as f64 / 1e9;
    PublishedPlanning {
        trials: u64::from(planning.trials),
        trial_target_s: seconds(planning.trial_target_ns),
        min_total: planning.min_total,
        max_iters_per_trial: planning.max_iterations,
        op_budget_s: seconds(planning.op_budget_ns),
        separate_process_setup_s: seconds(planning.separate_process_setup_ns),
        rest: Fields::new(),
    }
}

fn utc(time: DateTime<Utc>) -> String {
    time.to_rfc3339_opts(SecondsFormat::Micros, false)
}
