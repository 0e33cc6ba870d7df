//! `campaign.json`: one system's campaign as a whole.

use super::Fields;
use serde::{Deserialize, Serialize};

/// `campaign.json`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct CampaignFile {
    /// Kind of file, in own datasets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// Major version of own files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub major: Option<u32>,
    /// Minor version of own files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minor: Option<u32>,
    /// The system.
    pub system_id: String,
    /// When it began, RFC 3339.
    #[serde(default)]
    pub started_utc: Option<String>,
    /// When it ended, RFC 3339; `null` while it goes on.
    #[serde(default)]
    pub ended_utc: Option<String>,
    /// The machine at the start; the crate systems gives the form.
    #[serde(default)]
    pub environment_at_start: Fields,
    /// The machine at the end.
    #[serde(default)]
    pub environment_at_end: Fields,
    /// Each time the host was checked.
    #[serde(default)]
    pub host_checks: Vec<HostCheck>,
    /// What was not fixed at the end, one sentence each.
    #[serde(default)]
    pub host_problems: Vec<String>,
    /// The planning constants.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub planning: Option<PublishedPlanning>,
    /// The guide's build flags for the architecture.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arch_config: Option<Fields>,
    /// What was added to them for every build.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub harness_additions: Option<String>,
    /// Over how many cores or machines it was split.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shards: Option<u64>,
    /// Fields of others.
    #[serde(flatten)]
    pub rest: Fields,
}

/// One look at the host.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct HostCheck {
    /// Before what.
    pub phase: String,
    /// Of which core.
    pub cpu: u64,
    /// When, RFC 3339.
    pub utc: String,
    /// What was not fixed, one sentence each.
    #[serde(default)]
    pub problems: Vec<String>,
    /// Fields of others.
    #[serde(flatten)]
    pub rest: Fields,
}

/// The planning constants as published, times in seconds; NGCC.md section 5.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PublishedPlanning {
    /// Trials of an operation.
    pub trials: u64,
    /// How long a trial is meant to take.
    pub trial_target_s: f64,
    /// Calls over all trials at least.
    pub min_total: u64,
    /// Calls in a trial at most.
    pub max_iters_per_trial: u64,
    /// How long an operation may take.
    pub op_budget_s: f64,
    /// From which set-up time on all trials share a process.
    pub separate_process_setup_s: f64,
    /// Fields of others.
    #[serde(flatten)]
    pub rest: Fields,
}
