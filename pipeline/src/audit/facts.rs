//! What a whole dataset says of its campaign, which each record is held to.

use super::timing::instant;
use crate::dataset::{Dataset, environment};
use artifacts::records::{CampaignFile, Fields, PublishedPlanning};
use chrono::{DateTime, Utc};
use std::collections::BTreeSet;
use systems::flags::{GuideVersion, HARNESS_ADDITIONS};
use systems::{Architecture, Planning, System};

/// What a machine is: the same in all records of a campaign.
const MACHINE: [&str; 12] = [
    "hostname",
    "architecture",
    "cpu_model",
    "machine",
    "logical_cpus_online",
    "virtualized",
    "memory_total_kib",
    "os",
    "kernel",
    "compiler",
    "cmake",
    "python",
];
/// How it is set: as the page claims.
const STATE: [&str; 8] = [
    "perf_event_paranoid",
    "cpufreq_governor",
    "cpufreq_driver",
    "cpufreq_min_khz",
    "cpufreq_max_khz",
    "intel_pstate_no_turbo",
    "cpufreq_boost",
    "smt_control",
];

/// See the module.
pub struct Facts<'a> {
    /// Whether it is a publication of assay.
    pub own: bool,
    /// The registered system, where it is one.
    pub system: Option<System>,
    /// The planning constants; several where parts were measured with others.
    pub plannings: Vec<PublishedPlanning>,
    /// The fixed clock, Hz.
    pub fixed_clock_hz: Option<f64>,
    /// The guide's options and the additions to them.
    pub guide_options: Option<String>,
    /// The machine at the end and at the start.
    pub machine: Vec<&'a Fields>,
    /// When the campaign began.
    pub started: Option<DateTime<Utc>>,
    /// When it ended.
    pub ended: Option<DateTime<Utc>>,
    /// What was not fixed.
    pub host_problems: BTreeSet<&'a str>,
    /// Cores that were checked before measuring.
    pub cores: BTreeSet<u64>,
    /// When each core was last looked at before measuring: (core, instant).
    pub looks: Vec<(u64, DateTime<Utc>)>,
}

impl<'a> Facts<'a> {
    /// Those of a dataset.
    pub fn of(dataset: &'a Dataset<'_>) -> Self {
        let campaign = dataset.campaign.as_ref();
        let id = campaign.map_or("", |campaign| campaign.system_id.as_str());
        let system = System::registered()
            .unwrap_or_default()
            .into_iter()
            .find(|system| system.id == id);
        let checks = || campaign.iter().flat_map(|campaign| &campaign.host_checks);
        let looks: Vec<(u64, DateTime<Utc>)> = checks()
            .filter(|check| check.phase == "measure")
            .filter_map(|check| Some((check.cpu, instant(Some(&check.utc))?)))
            .collect();
        let machine: Vec<&Fields> = campaign
            .iter()
            .flat_map(|c| [&c.environment_at_end, &c.environment_at_start])
            .filter(|fields| !fields.is_empty())
            .collect();
        let architecture = machine
            .first()
            .and_then(|fields| environment(fields).architecture);
        Facts {
            own: dataset.is_own(),
            plannings: plannings(campaign, system.as_ref()),
            fixed_clock_hz: fixed_clock(campaign, system.as_ref()),
            guide_options: architecture
                .and_then(|word| Architecture::named(&word))
                .map(guide_options),
            machine,
            started: campaign.and_then(|c| instant(c.started_utc.as_deref())),
            ended: campaign.and_then(|c| instant(c.ended_utc.as_deref())),
            host_problems: campaign
                .iter()
                .flat_map(|c| c.host_problems.iter().map(String::as_str))
                .collect(),
            cores: looks.iter().map(|(core, _)| *core).collect(),
            looks,
            system,
        }
    }

    /// The environment's fields that must be the campaign's, with the places they may come from.
    pub fn machine_facts(&self) -> impl Iterator<Item = (&'static str, &[&'a Fields])> {
        let all = self.machine.as_slice();
        // The start may have been before the host was set up.
        let end = if self.own { all } else { all.get(..1).unwrap_or_default() };
        let machine = MACHINE.into_iter().map(move |field| (field, all));
        machine.chain(STATE.into_iter().map(move |field| (field, end)))
    }
}

/// The options of guide builds of the reference version.
pub fn guide_options(architecture: Architecture) -> String {
    format!(
        "{} {HARNESS_ADDITIONS}",
        architecture.guide(GuideVersion::Reference)
    )
}

/// The fixed clock: a registered system's, unless the campaign says that it was not fixed; of
/// others, the one clock that the governor could choose.
fn fixed_clock(campaign: Option<&CampaignFile>, system: Option<&System>) -> Option<f64> {
    let campaign = campaign?;
    if !campaign.host_problems.is_empty() {
        return None;
    }
    if let Some(system) = system {
        return system.fixed_clock_hz.map(|hz| hz as f64);
    }
    let machine = environment(&campaign.environment_at_end);
    let (low, high) = (machine.cpufreq_min_khz?, machine.cpufreq_max_khz?);
    let khz: f64 = high.parse().ok()?;
    (low == high).then_some(khz * 1e3)
}

fn plannings(campaign: Option<&CampaignFile>, system: Option<&System>) -> Vec<PublishedPlanning> {
    if let Some(stated) = campaign.and_then(|campaign| campaign.planning.clone()) {
        return vec![stated];
    }
    let several = campaign.and_then(|campaign| campaign.rest.get("plannings"));
    if let Some(several) = several
        && let Ok(several) = serde_json::from_value(several.clone())
    {
        return several;
    }
    system
        .map(|system| in_seconds(&system.planning))
        .into_iter()
        .collect()
}

/// Planning constants as they are published.
pub fn in_seconds(planning: &Planning) -> PublishedPlanning {
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
