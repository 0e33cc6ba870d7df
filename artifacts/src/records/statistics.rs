//! The figures of a timing record, from its raw trials.

use super::timing::Trial;
use serde::{Deserialize, Serialize};

/// The figures of a timing record. Sums of floats are exactly rounded, as those of the published
/// records are; compare with a relative tolerance of 1e-9 nevertheless.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Statistics {
    /// Calls over all trials.
    #[serde(default)]
    pub measurements: Option<u64>,
    /// Total seconds / total calls.
    #[serde(default)]
    pub mean_seconds: Option<f64>,
    /// Median of the trials' means, in seconds a call.
    #[serde(default)]
    pub median_trial_seconds: Option<f64>,
    /// Smallest of the trials' means, in seconds a call.
    #[serde(default)]
    pub min_trial_seconds: Option<f64>,
    /// Largest of the trials' means, in seconds a call.
    #[serde(default)]
    pub max_trial_seconds: Option<f64>,
    /// Total cycles / total calls; absent unless every trial counted cycles.
    #[serde(default)]
    pub mean_cycles: Option<f64>,
    /// Median of the trials' mean cycles.
    #[serde(default)]
    pub median_trial_cycles: Option<f64>,
    /// Total calls / total seconds.
    #[serde(default)]
    pub operations_per_second: Option<f64>,
    /// Bytes hashed / total seconds / 10^6; hashes only.
    #[serde(default, rename = "throughput_MB_per_second")]
    pub throughput_mb_per_second: Option<f64>,
}

impl Statistics {
    /// How far trials differ: (largest - smallest trial mean) / mean; 0 for a single trial.
    pub fn spread(&self) -> Option<f64> {
        Some((self.max_trial_seconds? - self.min_trial_seconds?) / self.mean_seconds?)
    }
}

/// Trials that give no figure. `trial` counts from 1.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum StatisticsError {
    /// There are none.
    #[error("there are no trials")]
    NoTrials,
    /// A trial of no calls.
    #[error("trial {trial} holds no calls")]
    NoCalls {
        /// Which.
        trial: usize,
    },
    /// A time that is not a positive number.
    #[error("trial {trial} took {seconds} s, which is not a positive time")]
    Time {
        /// Which.
        trial: usize,
        /// What it says.
        seconds: f64,
    },
    /// A counter that did not count: an error, never a figure.
    #[error("trial {trial} counted 0 cycles: the counter did not run")]
    ZeroCycles {
        /// Which.
        trial: usize,
    },
    /// More calls or cycles than 64 bits hold.
    #[error("the calls or cycles of all trials together exceed 2^64")]
    TooLarge,
}

/// The figures of these trials; `input_bytes` is the message size of a hash operation, else 0.
///
/// # Errors
/// No trials, or a trial without calls, with a time that is not positive, or with 0 cycles.
pub fn statistics(trials: &[Trial], input_bytes: u64) -> Result<Statistics, StatisticsError> {
    if trials.is_empty() {
        return Err(StatisticsError::NoTrials);
    }
    for (index, trial) in trials.iter().enumerate() {
        let number = index + 1;
        if trial.measurements == 0 {
            return Err(StatisticsError::NoCalls { trial: number });
        }
        if !(trial.seconds.is_finite() && trial.seconds > 0.0) {
            return Err(StatisticsError::Time {
                trial: number,
                seconds: trial.seconds,
            });
        }
        if trial.cycles == Some(0) {
            return Err(StatisticsError::ZeroCycles { trial: number });
        }
    }
    let calls = trials
        .iter()
        .try_fold(0u64, |sum, trial| sum.checked_add(trial.measurements))
        .ok_or(StatisticsError::TooLarge)?;
    let seconds = exact_sum(trials.iter().map(|trial| trial.seconds));
    let means = sorted(trials.iter().map(|t| t.seconds / t.measurements as f64));

    // one trial without cycles makes the total meaningless
    let cycles: Option<Vec<u64>> = trials.iter().map(|trial| trial.cycles).collect();
    let (mean_cycles, median_trial_cycles) = match cycles {
        None => (None, None),
        Some(cycles) => {
            let total = cycles
                .iter()
                .try_fold(0u64, |sum, cycles| sum.checked_add(*cycles))
                .ok_or(StatisticsError::TooLarge)?;
            let means = sorted(
                trials
                    .iter()
                    .zip(&cycles)
                    .map(|(trial, cycles)| *cycles as f64 / trial.measurements as f64),
            );
            (Some(total as f64 / calls as f64), Some(median(&means)))
        }
    };
    Ok(Statistics {
        measurements: Some(calls),
        mean_seconds: Some(seconds / calls as f64),
        median_trial_seconds: Some(median(&means)),
        min_trial_seconds: means.first().copied(),
        max_trial_seconds: means.last().copied(),
        mean_cycles,
        median_trial_cycles,
        operations_per_second: Some(calls as f64 / seconds),
        throughput_mb_per_second: (input_bytes > 0)
            .then(|| input_bytes as f64 * calls as f64 / seconds / 1e6),
    })
}

/// The sum, rounded once.
fn exact_sum(values: impl Iterator<Item = f64>) -> f64 {
    use xsum::{Xsum, XsumSmall};
    let mut sum = XsumSmall::new();
    values.for_each(|value| sum.add(value));
    sum.sum()
}

fn sorted(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values
}

/// The middle of sorted values, or the mean of the middle two; 0 of none.
fn median(sorted: &[f64]) -> f64 {
    let middle = sorted.len() / 2;
    match (sorted.get(middle), sorted.get(middle.wrapping_sub(1))) {
        (Some(upper), Some(lower)) if sorted.len().is_multiple_of(2) => (lower + upper) / 2.0,
        (Some(value), _) => *value,
        (None, _) => 0.0,
    }
}
