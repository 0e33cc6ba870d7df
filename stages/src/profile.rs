//! The stage `profile`: which share of an operation's time the hash functions and the random number
//! generator take (NGCC.md section 6). Output: `record` ([`ProfileRecord`]).

use crate::kat::failure;
use crate::probe::{Job, ProbeError, ProbeRun};
use crate::report::End;
use artifacts::Outcome;
use artifacts::records::{
    COMPLETE, Call, Fields, PROFILE_RECORD, ProfileRecord, ProfileTotal, SCHEMA, ShareError, shares,
};
use artifacts::store::{Store, StoreError};
use contract::parameters::ProfileParameters;
use contract::request::RequestError;
use contract::{Request, StageResult};
use std::collections::BTreeMap;
use std::time::Duration;

/// Seconds after which a profile is given up: an operation may take over 30 minutes.
const TIMEOUT_S: u32 = 3 * 3600;
/// Facts of the probe that published profiles carry in `meta`.
const META: [&str; 4] = ["tick_source", "tick_hz", "warmups", "overflow_calls"];

/// Why a profile has no receipt.
#[derive(Debug, thiserror::Error)]
pub enum ProfileError {
    /// The request is incomplete.
    #[error(transparent)]
    Request(#[from] RequestError),
    /// The probe could not be run.
    #[error(transparent)]
    Probe(#[from] ProbeError),
    /// Store.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The tick counter does not work here.
    #[error(transparent)]
    Shares(#[from] ShareError),
}

/// Does a profile step.
///
/// # Errors
/// When the machine, not the candidate, failed.
pub fn run(request: &Request, store: &Store) -> Result<StageResult, ProfileError> {
    let parameters: ProfileParameters = request.parameters()?;
    let job = Job::new(request, store, request.input("wrapped")?)?;
    let arguments = [
        "profile".to_owned(),
        parameters.operation.record_name(),
        parameters.operation.input_bytes().to_string(),
        parameters.max_operations.to_string(),
        parameters.target_ns.to_string(),
    ];
    let timeout = Duration::from_secs(u64::from(TIMEOUT_S));
    let run = job.run(&arguments, timeout, request.conditions.cpu)?;
    let broke_interface = matches!(run.report.end, End::CryptoFail | End::Overflow);
    let failed = match run.report.total {
        Some(_) if broke_interface => None,
        _ => failure(&run, TIMEOUT_S),
    };
    let record = record(request, &parameters, &run, failed.is_none())?;
    let observations = BTreeMap::from([
        ("containment".to_owned(), run.containment()),
        ("working_ns".to_owned(), run.usage.wall_ns.into()),
    ]);
    Ok(StageResult {
        outputs: BTreeMap::from([("record".to_owned(), store.put_json(&record)?)]),
        outcome: match failed {
            None => Outcome::done(),
            Some((verdict, why)) => Outcome::with_verdict(verdict, why),
        },
        observations,
        tools: BTreeMap::new(),
    })
}

fn record(
    request: &Request,
    parameters: &ProfileParameters,
    run: &ProbeRun,
    complete: bool,
) -> Result<ProfileRecord, ProfileError> {
    let report = &run.report;
    let calls: Vec<Call> = report
        .calls
        .iter()
        .map(|call| Call {
            function: call.function.clone(),
            in_bits: call.in_bits,
            out_bits: call.out_bits,
            calls: call.calls,
            ticks: call.ticks,
            rest: Fields::new(),
        })
        .collect();
    let total = report.total.map(|(operations, ticks)| ProfileTotal {
        operations,
        ticks,
        rest: Fields::new(),
    });
    let shares = match (complete, &total) {
        (true, Some(total)) => shares(&calls, total)?,
        _ => artifacts::records::Shares::default(),
    };
    let mut meta = Fields::new();
    if let Some(instance) = &report.instance {
        meta.insert("instance".to_owned(), instance.clone().into());
    }
    for key in META {
        if let Some(value) = report.facts.get(key) {
            meta.insert(key.to_owned(), value.clone().into());
        }
    }
    Ok(ProfileRecord {
        kind: Some(PROFILE_RECORD.kind.to_owned()),
        major: Some(PROFILE_RECORD.major),
        minor: Some(PROFILE_RECORD.minor),
        schema: SCHEMA,
        operation: parameters.operation.record_name(),
        input_bytes: parameters.operation.input_bytes(),
        status: if complete { COMPLETE } else { "failed" }.to_owned(),
        command: run.command.clone(),
        stderr: run.stderr.clone(),
        meta,
        total,
        calls,
        shares,
        host_problems: request.conditions.host_problems.clone(),
        ..ProfileRecord::default()
    })
}
