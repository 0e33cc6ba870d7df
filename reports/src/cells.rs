//! Cells: for each figure of a page its exact value, formula, spread and evidence.

use crate::assemble::sizes::{bandwidth, public_keys};
use crate::evidence::{ApiSizes, Evidence, Filed, InstanceEvidence};
use crate::format::MISSING;
use crate::model::{Figure, Page};
use artifacts::Cell;
use artifacts::records::{ProfileRecord, TimingRecord};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// What is known of one figure.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CellValue {
    /// Its address.
    pub cell: Cell,
    /// As the page shows it.
    pub shown: String,
    /// Unrounded, or all of a text.
    pub exact: String,
    /// (largest - smallest trial) / mean, for figures that come from trials.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spread: Option<f64>,
    /// How it follows from the evidence.
    pub formula: Cow<'static, str>,
    /// From what it follows.
    pub evidence: Vec<Source>,
}

/// A piece of evidence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// Its path in the dataset; or `catalog`.
    pub path: String,
    /// Its hash, where it has one: `blob:..` or `sha256:..`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hash: Option<String>,
}

/// The unit of a metric's exact value; absent for texts, numbers of things, and several numbers.
pub fn unit(metric: &str) -> Option<&'static str> {
    Some(match metric {
        "mean_cycles" => "cycles",
        "cycles_per_byte" => "cycles/byte",
        "operations_per_second" => "1/s",
        "throughput_MB_per_second" => "10^6 bytes/s",
        "measurements" => "calls",
        "hash_share" | "drng_share" => "of the operation's ticks, 0 to 1",
        _ if metric.ends_with("_seconds") => "s",
        "message_bytes" => return None,
        _ if metric.ends_with("_bytes") => "bytes",
        _ => return None,
    })
}

/// Every figure of the page that this evidence gives, each once, in page order. `page` must be
/// [`Page::from_evidence`] of the same evidence.
pub fn cells(page: &Page, evidence: &Evidence) -> Vec<CellValue> {
    let mut seen = BTreeSet::new();
    page.figures()
        .into_iter()
        .filter(|figure| figure.shown != MISSING)
        .filter_map(|figure| {
            let label = &figure.cell.instance;
            let instance = evidence.instances.iter().find(|i| i.label == *label)?;
            seen.insert(figure.cell.clone())
                .then(|| value(figure, instance))
        })
        .collect()
}

/// The exact value of a figure, its formula and evidence.
struct Derivation {
    exact: Option<String>,
    spread: Option<f64>,
    formula: &'static str,
    evidence: Vec<Source>,
}

fn value(figure: Figure, instance: &InstanceEvidence) -> CellValue {
    let metric = figure.cell.metric.as_str();
    let operation = figure.cell.operation.as_ref();
    let timing = operation.and_then(|operation| instance.timings.get(operation));
    let profile = operation.and_then(|operation| instance.profiles.get(operation));
    let derivation = match (metric, timing, profile) {
        ("hash_share" | "drng_share" | "calls_per_operation", _, Some(profile)) => {
            of_profile(metric, profile)
        }
        (_, Some(timing), _) => of_timing(metric, timing),
        _ => of_instance(metric, instance),
    };
    CellValue {
        exact: derivation.exact.unwrap_or_else(|| figure.shown.clone()),
        cell: figure.cell,
        shown: figure.shown,
        spread: derivation.spread,
        formula: Cow::Borrowed(derivation.formula),
        evidence: derivation.evidence,
    }
}

fn source<T>(filed: &Filed<T>) -> Vec<Source> {
    vec![Source {
        path: filed.path.clone(),
        hash: filed.id.map(|id| id.to_string()),
    }]
}

fn text(value: Option<impl ToString>) -> Option<String> {
    value.map(|value| value.to_string())
}

fn of_timing(metric: &str, filed: &Filed<TimingRecord>) -> Derivation {
    let record = &filed.content;
    let figures = &record.statistics;
    let bytes = record.input_bytes as f64;
    let (exact, formula, from_trials) = match metric {
        "mean_cycles" => (
            text(figures.mean_cycles),
            "sum of trials' cycles / sum of trials' measurements",
            true,
        ),
        "mean_seconds" => (
            text(figures.mean_seconds),
            "sum of trials' seconds / sum of trials' measurements",
            true,
        ),
        "operations_per_second" => (
            text(figures.operations_per_second),
            "sum of trials' measurements / sum of trials' seconds",
            true,
        ),
        "median_trial_seconds" => (
            text(figures.median_trial_seconds),
            "median over trials of seconds / measurements",
            true,
        ),
        "measurements" => (
            text(figures.measurements),
            "sum of trials' measurements (trials × iterations)",
            false,
        ),
        "cycles_per_byte" => (
            text(figures.mean_cycles.map(|cycles| cycles / bytes)),
            "sum of trials' cycles / sum of trials' measurements / bytes of message",
            true,
        ),
        "throughput_MB_per_second" => (
            text(figures.throughput_mb_per_second),
            "bytes of message × sum of trials' measurements / sum of trials' seconds / 10^6",
            true,
        ),
        "baseline_rss_bytes" => (
            text(record.baseline_rss_bytes),
            "largest over processes of the resident set before the timed part",
            false,
        ),
        "peak_rss_bytes" => (
            text(record.peak_rss_bytes),
            "largest over processes of VmHWM",
            false,
        ),
        _ => (None, "as recorded", false),
    };
    Derivation {
        exact,
        spread: figures.spread().filter(|_| from_trials),
        formula,
        evidence: source(filed),
    }
}

fn of_profile(metric: &str, filed: &Filed<ProfileRecord>) -> Derivation {
    let profile = &filed.content;
    let (exact, formula) = match metric {
        "hash_share" => (
            text(Some(profile.shares.hash_share)),
            "ticks of all wrapped functions but the random number generator / ticks of operations",
        ),
        "drng_share" => (
            text(Some(profile.shares.drng_share())),
            "ticks of the random number generator / ticks of operations",
        ),
        _ => {
            let calls: Vec<String> = profile
                .calls_per_operation()
                .iter()
                .map(|(function, n)| format!("{function} {n}"))
                .collect();
            (
                Some(calls.join(", ")).filter(|calls| !calls.is_empty()),
                "outermost calls of each wrapped function / operations",
            )
        }
    };
    Derivation {
        exact,
        spread: None,
        formula,
        evidence: source(filed),
    }
}

fn of_instance(metric: &str, instance: &InstanceEvidence) -> Derivation {
    let api = instance.api_sizes().unwrap_or_default();
    let curated = &instance.curated;
    let size = |curated: Option<u64>, declared: Option<u64>| match curated {
        Some(bytes) => (Some(bytes), "stated by the curated catalog", catalog()),
        None => (declared, "declared by the API", declares(instance)),
    };
    let (exact, formula, evidence) = match metric {
        "public_key_bytes" => size(curated.public_key, api.public_key),
        "ciphertext_bytes" => size(curated.ciphertext, api.ciphertext),
        "signature_bytes" => size(curated.signature, api.signature),
        "secret_key_bytes" => size(None, api.secret_key),
        "shared_secret_bytes" => size(None, api.shared_secret),
        "kex_passes" => size(None, api.passes),
        "protocol_bytes" => size(None, api.protocol),
        "public_keys_bytes" => (
            public_keys(instance, &api),
            "2 × public key",
            size(curated.public_key, api.public_key).2,
        ),
        "bandwidth_bytes" => (
            bandwidth(instance, &api),
            "protocol bytes + 2 × public key",
            declares(instance),
        ),
        "message_bytes" => return messages(instance, &api),
        "elf_load_bytes" => (
            instance.elf_load_bytes,
            "sum of the memory sizes of the library's PT_LOAD segments",
            library(instance),
        ),
        "kat" => return verdict(instance),
        _ => (
            None,
            "chosen for the build: the guide's flags, or the fallback where those fail",
            library(instance),
        ),
    };
    Derivation {
        exact: text(exact),
        spread: None,
        formula,
        evidence,
    }
}

fn messages(instance: &InstanceEvidence, api: &ApiSizes) -> Derivation {
    let messages: Vec<String> = api.messages.iter().map(u64::to_string).collect();
    Derivation {
        exact: Some(messages.join(" / ")),
        spread: None,
        formula: "length of each pass's message",
        evidence: declares(instance),
    }
}

fn verdict(instance: &InstanceEvidence) -> Derivation {
    let (formula, evidence) = match &instance.kat_log {
        Some(log) => (
            "verdict of the last RESULT line",
            vec![Source {
                path: log.path.clone(),
                hash: Some(format!("sha256:{}", log.sha256)),
            }],
        ),
        // what was not built was not tested
        None => ("verdict of the build", library(instance)),
    };
    Derivation {
        exact: Some(instance.verdict.to_string()),
        spread: None,
        formula,
        evidence,
    }
}

fn catalog() -> Vec<Source> {
    vec![Source {
        path: "catalog".to_owned(),
        hash: None,
    }]
}

/// Where the API's sizes were read: any timing record holds them.
fn declares(instance: &InstanceEvidence) -> Vec<Source> {
    instance.timings.values().take(1).flat_map(source).collect()
}

/// The library itself is not published; build.json states it.
fn library(instance: &InstanceEvidence) -> Vec<Source> {
    vec![Source {
        path: "build.json".to_owned(),
        hash: instance.library.map(|id| id.to_string()),
    }]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_written_so_that_they_read_back() {
        let value = 1_554_071.579_610_750_8_f64;
        assert_eq!(text(Some(value)).unwrap().parse(), Ok(value));
    }
}
