//! The stage `kat`: an instance against its known answers (NGCC.md section 4).
//!
//! The probe writes the KAT text; this side digests and compares it and gives the verdict. Outputs:
//! `log` (the published form: facts, what was written, manifest lines, RESULT), `report`
//! ([`KatReport`]), `text:<file>` (what was generated), `printed` (what the candidate printed, where
//! it did). Log and report hold no times and no paths of this machine.

pub mod canonical;
mod compare;
mod log;
mod report;

pub use report::{KAT_REPORT, KatFile, KatReport};

use crate::probe::{Job, ProbeError, ProbeRun};
use crate::report::End;
use artifacts::Outcome;
use artifacts::store::{Store, StoreError};
use artifacts::words::{Kind, Verdict};
use canonical::ModeError;
use contract::parameters::{KatFormat, KatParameters};
use contract::request::RequestError;
use contract::{Request, StageResult};
use std::collections::BTreeMap;
use std::time::Duration;

/// Records of an ICCS KEM or signature KAT.
const RECORDS: u32 = 10;

/// Why a kat step has no receipt.
#[derive(Debug, thiserror::Error)]
pub enum KatError {
    /// The request is incomplete.
    #[error(transparent)]
    Request(#[from] RequestError),
    /// The probe could not be run.
    #[error(transparent)]
    Probe(#[from] ProbeError),
    /// Store.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The generated text could not be read back.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// The catalog names a digest mode that does not exist.
    #[error(transparent)]
    Mode(#[from] ModeError),
}

/// Does a kat step.
///
/// # Errors
/// When the machine, not the candidate, failed.
pub fn run(request: &Request, store: &Store) -> Result<StageResult, KatError> {
    let parameters: KatParameters = request.parameters()?;
    let probe = Job::new(request, store, request.input("library")?)?;
    let mut report = KatReport::new();
    let mut outputs = BTreeMap::new();
    let mut printed = String::new();
    let mut observations = BTreeMap::new();
    let mut working_ns = 0;
    for job in jobs(&parameters) {
        let mut arguments = vec!["kat".to_owned()];
        arguments.extend(job.arguments.iter().cloned());
        let timeout = Duration::from_secs(u64::from(parameters.timeout_s));
        let run = probe.run(&arguments, timeout, request.conditions.cpu)?;
        printed.push_str(&run.printed());
        working_ns += run.usage.wall_ns;
        observations.insert("containment".to_owned(), run.containment());
        report.take(&run.report);
        let name = job.file_name(&parameters, report.instance.as_deref());
        let file = match failure(&run, parameters.timeout_s) {
            Some((verdict, why)) => KatFile::failed(name, verdict, why),
            None => {
                let file = compare::compare(request, store, &parameters, &name, &run.text)?;
                let text = store.put_file(&run.text)?;
                outputs.insert(format!("text:{name}"), text);
                file
            }
        };
        report.files.push(file);
    }
    observations.insert("working_ns".to_owned(), working_ns.into());
    report.conclude();
    let log = log::write(&parameters, &report);
    outputs.insert("log".to_owned(), store.put_bytes(log.as_bytes())?);
    outputs.insert("report".to_owned(), store.put_json(&report)?);
    if !printed.is_empty() {
        outputs.insert("printed".to_owned(), store.put_bytes(printed.as_bytes())?);
    }
    Ok(StageResult {
        outputs,
        outcome: Outcome::with_verdict(report.verdict, report.why.clone()),
        observations,
        tools: BTreeMap::new(),
    })
}

/// One run of the probe, which writes one KAT file.
struct KatJob {
    arguments: Vec<String>,
    prefix: &'static str,
}

impl KatJob {
    fn file_name(&self, parameters: &KatParameters, instance: Option<&str>) -> String {
        let instance = instance.unwrap_or(parameters.label.as_str());
        match parameters.format {
            KatFormat::Nist => "nistkat.txt".to_owned(),
            KatFormat::Iccs => format!("{}_{instance}.txt", self.prefix).replace('/', "_"),
        }
    }
}

fn jobs(parameters: &KatParameters) -> Vec<KatJob> {
    let job = |arguments: &[&str], prefix| KatJob {
        arguments: arguments.iter().map(|a| (*a).to_owned()).collect(),
        prefix,
    };
    let records = RECORDS.to_string();
    match (parameters.format, parameters.kind) {
        (KatFormat::Nist, _) => vec![job(&["nist"], "nistkat")],
        (KatFormat::Iccs, Kind::Kem) => vec![job(&["iccs", &records], "KAT_KEM")],
        (KatFormat::Iccs, Kind::Sig) => vec![job(&["iccs", &records], "KAT_SIG")],
        (KatFormat::Iccs, Kind::Kex) => vec![job(&["iccs", &records], "KAT_KEX")],
        (KatFormat::Iccs, Kind::Hash) => vec![
            job(&["iccs-hash", "KAT_2_12", "4096"], "KAT_2_12"),
            job(&["iccs-hash", "KAT_2_23", "8388608"], "KAT_2_23"),
        ],
    }
}

/// What a run that gave no complete text means.
pub(crate) fn failure(run: &ProbeRun, timeout_s: u32) -> Option<(Verdict, String)> {
    let complaint = || run.report.complaints.join("; ");
    match &run.report.end {
        End::Ok => None,
        End::CryptoFail => Some((Verdict::CryptoFail, complaint())),
        End::Overflow => Some((Verdict::Overflow, complaint())),
        End::LoadFail(why) => Some((Verdict::LoadFail, why.clone())),
        End::Unsupported(why) => Some((Verdict::LoadFail, format!("not supported: {why}"))),
        End::Missing if run.timed_out => {
            Some((Verdict::Timeout, format!("no result within {timeout_s} s")))
        }
        // A host that failed has no run.
        End::HostFail(why) => Some((Verdict::Crash, why.clone())),
        End::Missing => Some((Verdict::Crash, run.ending.clone())),
    }
}
