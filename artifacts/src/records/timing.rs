//! Timing records: the raw trials of one operation of one instance, and their figures.

use super::statistics::{Statistics, StatisticsError, statistics};
use super::{COMPLETE, Fields};
use serde::{Deserialize, Serialize};

/// One timed loop: `measurements` calls in `seconds`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Trial {
    /// Calls in the loop.
    pub measurements: u64,
    /// Wall time of the whole loop in seconds.
    pub seconds: f64,
    /// CPU cycles of the whole loop in user mode; absent where there is no counter.
    #[serde(default)]
    pub cycles: Option<u64>,
    /// Fields of others.
    #[serde(flatten)]
    pub rest: Fields,
}

impl Trial {
    /// A trial as the probe reports it, in whole nanoseconds.
    pub fn from_nanoseconds(measurements: u64, nanoseconds: u64, cycles: Option<u64>) -> Self {
        Trial {
            measurements,
            seconds: nanoseconds as f64 / 1e9,
            cycles,
            rest: Fields::new(),
        }
    }
}

/// How a measurement was planned; NGCC.md section 5.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// Calls in one timed loop.
    pub iterations_per_trial: u64,
    /// Untimed calls before the loop.
    pub warmups: u64,
    /// Timed loops.
    pub trials: u64,
    /// Whether each trial runs in its own process.
    pub separate_processes: bool,
    /// Work foreseen, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub estimated_s: Option<f64>,
    /// When a process is given up, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout_per_process_s: Option<f64>,
    /// Fields of others.
    #[serde(flatten)]
    pub rest: Fields,
}

/// One process of the probe and what it said.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ProcessRun {
    /// [`COMPLETE`], or how it failed.
    pub status: String,
    /// Its exit code; absent when a signal ended it.
    #[serde(default)]
    pub exit_code: Option<i64>,
    /// What the probe said beside the trials; values are texts.
    #[serde(default)]
    pub meta: Fields,
    /// Its trials.
    #[serde(default)]
    pub trials: Vec<Trial>,
    /// What it printed on standard error.
    #[serde(default)]
    pub stderr: String,
    /// Its command line, without absolute paths.
    #[serde(default)]
    pub command: Vec<String>,
    /// Wall time of the whole process in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wall_s: Option<f64>,
    /// How often it was run again because the core was taken away from it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disturbed_retries: Option<u64>,
    /// Fields of others.
    #[serde(flatten)]
    pub rest: Fields,
}

/// A timing record, `records/<candidate>/<label>__<operation>.json`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct TimingRecord {
    /// Kind of file, in own records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// Major version of own records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub major: Option<u32>,
    /// Minor version of own records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minor: Option<u32>,
    /// The published schema's version: 2.
    pub schema: u32,
    /// [`COMPLETE`], or how the measurement failed.
    pub status: String,
    /// The candidate; filled when published.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub candidate: Option<String>,
    /// The instance's label; filled when published.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// The instance as its own code names it (`ALGORITHM_INSTANCE`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instance: Option<String>,
    /// Which implementation, such as `reference`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variant: Option<String>,
    /// Which set of build flags.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flags: Option<String>,
    /// The operation without a message size; see [`crate::Operation::record_name`].
    pub operation: String,
    /// Bytes of message of a hash operation, else 0.
    #[serde(default)]
    pub input_bytes: u64,
    /// How it was planned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<Plan>,
    /// The verdict of the known-answer test; filled when published.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kat: Option<String>,
    /// Whether that verdict is other than PASS; filled when published.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kat_not_passed: Option<bool>,
    /// Trials run again because the core was taken away.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disturbed_retries: Option<u64>,
    /// Path of the library; filled when published.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub library: Option<String>,
    /// SHA-256 of the library.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub library_sha256: Option<String>,
    /// Path of the KAT log; filled when published.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kat_log: Option<String>,
    /// SHA-256 of the KAT log; filled when published.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kat_log_sha256: Option<String>,
    /// When measuring began, RFC 3339.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started_utc: Option<String>,
    /// When measuring ended, RFC 3339.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended_utc: Option<String>,
    /// Load averages over 1, 5 and 15 minutes before.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub load_average_start: Vec<f64>,
    /// Load averages over 1, 5 and 15 minutes after.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub load_average_end: Vec<f64>,
    /// The machine as it was; the crate systems gives the form.
    #[serde(default)]
    pub environment: Fields,
    /// The processes run.
    #[serde(default)]
    pub processes: Vec<ProcessRun>,
    /// The raw trials, of all processes in order.
    #[serde(default)]
    pub trials: Vec<Trial>,
    /// Whether there were at least 100 calls, as the guide recommends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guide_100_measurements_met: Option<bool>,
    /// The figures; [`statistics`] of the trials.
    #[serde(flatten)]
    pub statistics: Statistics,
    /// Sizes that the API declares, in bytes, by name (`pk_bytes`).
    #[serde(default)]
    pub sizes: Fields,
    /// Facts of a key exchange; else empty.
    #[serde(default)]
    pub kex: Fields,
    /// The compiler options in full.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub build_flags: Option<String>,
    /// Largest resident set before the timed part over the processes, in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline_rss_bytes: Option<u64>,
    /// Largest resident set at any time over the processes (VmHWM), in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub peak_rss_bytes: Option<u64>,
    /// `loop`, or `per_call_step` for the steps of a key exchange.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timing_scope: Option<String>,
    /// Own records: why the host was not fixed, one sentence each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub host_problems: Vec<String>,
    /// Own records: which counter event gave the cycles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event: Option<String>,
    /// Own records: what a reader of the figures should know (outliers, lost counters).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// Fields of others.
    #[serde(flatten)]
    pub rest: Fields,
}

impl TimingRecord {
    /// Whether the measurement came to its end.
    pub fn is_complete(&self) -> bool {
        self.status == COMPLETE
    }

    /// The figures computed anew from the raw trials.
    ///
    /// # Errors
    /// When the trials allow none.
    pub fn recompute(&self) -> Result<Statistics, StatisticsError> {
        statistics(&self.trials, self.input_bytes)
    }

    /// A size that the API declares, in bytes, by its name in `sizes`.
    pub fn size(&self, name: &str) -> Option<u64> {
        self.sizes.get(name)?.as_u64()
    }

    /// The sum over all processes of a count that the probe reports by this name.
    pub fn count(&self, name: &str) -> u64 {
        self.processes
            .iter()
            .filter_map(|process| match process.meta.get(name)? {
                serde_json::Value::String(text) => text.parse().ok(),
                other => other.as_u64(),
            })
            .sum()
    }
}
