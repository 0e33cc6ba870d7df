//! The frame of a stage binary: request in, receipt out.

use crate::request::{REQUEST, Request};
use crate::version::version;
use artifacts::format::FormatError;
use artifacts::receipt::{RECEIPT, Receipt};
use artifacts::store::{Store, StoreError};
use artifacts::{ArtifactId, Outcome, Stage};
use chrono::Utc;
use std::collections::BTreeMap;
use std::error::Error;
use std::io::{Read, Write};
use std::process::ExitCode;

/// What a stage has to say when it is done.
#[derive(Debug, Clone)]
pub struct StageResult {
    /// What was written to the store: role to content.
    pub outputs: BTreeMap<String, ArtifactId>,
    /// How it ended.
    pub outcome: Outcome,
    /// Volatile circumstances.
    pub observations: BTreeMap<String, serde_json::Value>,
    /// The tools that ran and their versions.
    pub tools: BTreeMap<String, String>,
}

/// Why there is no receipt.
#[derive(Debug, thiserror::Error)]
enum ServeError {
    #[error("could not read the request from standard input: {0}")]
    Read(#[source] std::io::Error),
    #[error("standard input is not a request: {0}; try `campaign request CELL | stage-...`")]
    Parse(#[source] serde_json::Error),
    #[error("standard input is not a request: {0}")]
    Format(#[from] FormatError),
    #[error(
        "this is stage {this} version {version}, the request is for stage {asked} version {asked_version}; use the binaries of one assay"
    )]
    OtherStage {
        this: Stage,
        version: u32,
        asked: Stage,
        asked_version: u32,
    },
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("{0}")]
    Stage(String),
    #[error("could not write the receipt: {0}")]
    Write(#[source] std::io::Error),
}

/// Runs a stage: reads the request, does the work, records the receipt in the store, prints it.
pub fn serve<E, F>(stage: Stage, work: F) -> ExitCode
where
    E: Error,
    F: FnOnce(&Request, &Store) -> Result<StageResult, E>,
{
    match run(stage, work) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("stage-{stage}: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run<E, F>(stage: Stage, work: F) -> Result<(), ServeError>
where
    E: Error,
    F: FnOnce(&Request, &Store) -> Result<StageResult, E>,
{
    // Without whoever asked there is nobody to record for, and the next run must find the core free.
    rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL))
        .map_err(|errno| ServeError::Read(errno.into()))?;
    let mut text = String::new();
    std::io::stdin()
        .read_to_string(&mut text)
        .map_err(ServeError::Read)?;
    let request: Request = serde_json::from_str(&text).map_err(ServeError::Parse)?;
    REQUEST.check(&request.header)?;
    let material = &request.material;
    if material.stage != stage || material.stage_version != version(stage) {
        return Err(ServeError::OtherStage {
            this: stage,
            version: version(stage),
            asked: material.stage,
            asked_version: material.stage_version,
        });
    }
    let store = Store::open(&request.store)?;
    // Garbage collection must not take what is put before the receipt names it.
    let _lock = store.lock_shared()?;
    let started_utc = Utc::now();
    let result = work(&request, &store).map_err(|e| ServeError::Stage(chain(&e)))?;
    let receipt = Receipt {
        header: RECEIPT.header(),
        key: material.key(),
        subject: request.subject.clone(),
        material: material.clone(),
        outputs: result.outputs,
        outcome: result.outcome,
        started_utc,
        ended_utc: Utc::now(),
        observations: result.observations,
        tools: result.tools,
        unknown: BTreeMap::new(),
    };
    store.record(&receipt)?;
    let json = serde_json::to_string(&receipt).map_err(ServeError::Parse)?;
    let mut out = std::io::stdout().lock();
    writeln!(out, "{json}").map_err(ServeError::Write)
}

/// An error with its causes, one line.
fn chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let step = error.to_string();
        if !text.contains(&step) {
            text.push_str(": ");
            text.push_str(&step);
        }
        cause = error.source();
    }
    text
}
