//! Profiles: where one operation's time goes; NGCC.md section 6.

use super::{COMPLETE, Fields};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The functions that draw random numbers: all others count towards the hash share.
const DRNG: [&str; 2] = ["drng", "randombytes"];

/// All outermost calls of one wrapped function with the same input and output lengths.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Call {
    /// The function; `drng` is `get_random_number`.
    #[serde(rename = "fn")]
    pub function: String,
    /// Input length in bits.
    pub in_bits: u64,
    /// Output length in bits.
    pub out_bits: u64,
    /// How often it was called.
    pub calls: u64,
    /// Ticks of `tick_source` spent in it.
    pub ticks: u64,
    /// Fields of others.
    #[serde(flatten)]
    pub rest: Fields,
}

/// All operations profiled together.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProfileTotal {
    /// How many.
    pub operations: u64,
    /// Ticks they took.
    pub ticks: u64,
    /// Fields of others.
    #[serde(flatten)]
    pub rest: Fields,
}

/// A hash profile, `profile/<candidate>/<label>__<operation>.json`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ProfileRecord {
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
    /// The candidate; filled when published.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub candidate: Option<String>,
    /// The instance's label; filled when published.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// The operation without a message size.
    pub operation: String,
    /// Bytes of message; 0, as hashes are not profiled.
    #[serde(default)]
    pub input_bytes: u64,
    /// [`COMPLETE`], or how it failed.
    pub status: String,
    /// The command line, without absolute paths.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub command: Vec<String>,
    /// What it printed on standard error.
    #[serde(default)]
    pub stderr: String,
    /// What the probe said (`tick_source`, `tick_hz`, `warmups`); values are texts.
    #[serde(default)]
    pub meta: Fields,
    /// All operations together; absent when none came to its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total: Option<ProfileTotal>,
    /// The calls, by function and lengths.
    #[serde(default)]
    pub calls: Vec<Call>,
    /// What [`shares`] gives.
    #[serde(flatten)]
    pub shares: Shares,
    /// Own records: why the host was not fixed, one sentence each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub host_problems: Vec<String>,
    /// Fields of others.
    #[serde(flatten)]
    pub rest: Fields,
}

/// Which part of the operations' time each wrapped function took, between 0 and 1.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Shares {
    /// Its ticks / ticks of the operations, by function.
    #[serde(default)]
    pub share: BTreeMap<String, f64>,
    /// That of all functions but the random number generator.
    #[serde(default)]
    pub hash_share: f64,
}

impl Shares {
    /// The share of the random number generator; 0 when it was not called.
    pub fn drng_share(&self) -> f64 {
        // from 0.0, as the sum of no floats would be -0.0
        DRNG.iter()
            .filter_map(|name| self.share.get(*name))
            .fold(0.0, |sum, share| sum + share)
    }
}

/// Calls that give no shares.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ShareError {
    /// Nothing to divide by.
    #[error("the operations took 0 ticks: the tick counter did not run")]
    NoTicks,
    /// More ticks than 64 bits hold.
    #[error("the ticks of `{function}` together exceed 2^64")]
    TooLarge {
        /// Whose.
        function: String,
    },
}

/// The share of each function in the operations' time.
///
/// # Errors
/// When the operations took no ticks.
pub fn shares(calls: &[Call], total: &ProfileTotal) -> Result<Shares, ShareError> {
    if total.ticks == 0 {
        return Err(ShareError::NoTicks);
    }
    let mut ticks: BTreeMap<&str, u64> = BTreeMap::new();
    for call in calls {
        let sum = ticks.entry(&call.function).or_default();
        *sum = sum
            .checked_add(call.ticks)
            .ok_or_else(|| ShareError::TooLarge {
                function: call.function.clone(),
            })?;
    }
    let all = total.ticks as f64;
    let hash: u128 = ticks
        .iter()
        .filter(|(function, _)| !DRNG.contains(function))
        .map(|(_, ticks)| u128::from(*ticks))
        .sum();
    Ok(Shares {
        share: ticks
            .iter()
            .map(|(function, ticks)| ((*function).to_owned(), *ticks as f64 / all))
            .collect(),
        hash_share: hash as f64 / all,
    })
}

impl ProfileRecord {
    /// Whether the profile came to its end.
    pub fn is_complete(&self) -> bool {
        self.status == COMPLETE
    }

    /// Calls of each function in one operation, functions in ASCII order.
    pub fn calls_per_operation(&self) -> BTreeMap<&str, f64> {
        let operations = self.total.as_ref().map_or(0, |total| total.operations);
        let mut calls: BTreeMap<&str, f64> = BTreeMap::new();
        if operations > 0 {
            for call in &self.calls {
                // whole numbers below 2^53 add exactly
                *calls.entry(&call.function).or_default() += call.calls as f64;
            }
            calls.values_mut().for_each(|n| *n /= operations as f64);
        }
        calls
    }
}
