//! The raw data of a figure, with `--evidence`.

use crate::campaign::CampaignError;
use crate::lookup::{Figure, Origin};
use artifacts::ArtifactId;
use artifacts::records::{Call, ProcessRun, ProfileRecord, TimingRecord};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Write;

/// What was measured, as it came.
#[derive(Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Raw {
    /// The processes and their trials.
    Processes(Vec<Process>),
    /// The operations and the calls in them.
    Profile {
        /// Operations profiled.
        operations: u64,
        /// Ticks they took.
        ticks: u64,
        /// Calls by function and lengths.
        calls: Vec<Call>,
    },
    /// A log, word for word.
    Log(String),
}

/// A process of the probe.
#[derive(Debug, Serialize)]
pub struct Process {
    /// How it ended.
    pub status: String,
    /// Its command line.
    pub command: String,
    /// Wall time of the whole process in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wall_s: Option<f64>,
    /// Its trials.
    pub trials: Vec<Trial>,
}

/// A timed loop.
#[derive(Debug, Serialize)]
pub struct Trial {
    /// Calls in it.
    pub measurements: u64,
    /// Nanoseconds around it, whole as the probe reports them.
    pub ns: u64,
    /// Cycles around it; `null` without a counter.
    pub cycles: Option<u64>,
}

/// The raw data of a figure; absent for what is not measured.
///
/// # Errors
/// When the evidence is missing or damaged.
pub fn raw(figure: &Figure<'_>) -> Result<Option<Raw>, CampaignError> {
    let label = &figure.value.cell.instance;
    let operation = figure.value.cell.operation.as_ref();
    let input = |role: &str| {
        let operation = operation.map_or_else(String::new, |operation| format!("/{operation}"));
        figure.page.input(&format!("{role}:{label}{operation}"))
    };
    Ok(match figure.origin {
        Origin::Time => read::<TimingRecord>(figure, input("timing"))?
            .map(|record| Raw::Processes(record.processes.into_iter().map(process).collect())),
        Origin::Profile => read::<ProfileRecord>(figure, input("profile"))?.map(|record| {
            let total = record.total.unwrap_or_default();
            Raw::Profile {
                operations: total.operations,
                ticks: total.ticks,
                calls: record.calls,
            }
        }),
        Origin::Kat => match input("log") {
            None => None,
            Some(log) => {
                let bytes = figure.campaign.store().get(log)?;
                Some(Raw::Log(String::from_utf8_lossy(&bytes).into_owned()))
            }
        },
        Origin::Build => None,
    })
}

fn read<T: DeserializeOwned>(
    figure: &Figure<'_>,
    id: Option<ArtifactId>,
) -> Result<Option<T>, CampaignError> {
    let Some(id) = id else { return Ok(None) };
    let bytes = figure.campaign.store().get(id)?;
    let record = serde_json::from_slice(&bytes);
    record
        .map(Some)
        .map_err(|source| CampaignError::Artifact { id, source })
}

fn process(run: ProcessRun) -> Process {
    Process {
        status: run.status,
        command: run.command.join(" "),
        wall_s: run.wall_s,
        trials: run
            .trials
            .iter()
            .map(|trial| Trial {
                measurements: trial.measurements,
                // seconds are whole nanoseconds, or were in what others published
                ns: (trial.seconds * 1e9).round() as u64,
                cycles: trial.cycles,
            })
            .collect(),
    }
}

impl Raw {
    /// For people.
    pub fn text(&self, out: &mut String) {
        match self {
            Raw::Processes(processes) => {
                for (index, process) in processes.iter().enumerate() {
                    let wall = process
                        .wall_s
                        .map_or_else(String::new, |wall| format!(", {wall:.3} s in all"));
                    let _ = writeln!(
                        out,
                        "\nprocess {} of {}: {}{wall}\n  {}",
                        index + 1,
                        processes.len(),
                        process.status,
                        process.command,
                    );
                    for trial in &process.trials {
                        let cycles = trial
                            .cycles
                            .map_or_else(|| "no counter".to_owned(), |n| format!("{n} cycles"));
                        let _ = writeln!(
                            out,
                            "  {} calls in {} ns, {cycles}",
                            trial.measurements, trial.ns
                        );
                    }
                }
            }
            Raw::Profile {
                operations,
                ticks,
                calls,
            } => {
                let _ = writeln!(out, "\n{operations} operations in {ticks} ticks");
                for call in calls {
                    let _ = writeln!(
                        out,
                        "  {} of {} bits to {} bits: {} calls in {} ticks",
                        call.function, call.in_bits, call.out_bits, call.calls, call.ticks
                    );
                }
            }
            Raw::Log(log) => {
                let _ = write!(out, "\n{log}");
            }
        }
    }
}
