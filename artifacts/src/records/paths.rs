//! Where a dataset files its evidence, relative to its root.

use crate::words::{CandidateId, Label, Operation};

/// `records/<candidate>/<label>__<operation>.json`
pub fn record_path(candidate: &CandidateId, label: &Label, operation: &Operation) -> String {
    format!("records/{candidate}/{label}__{operation}.json")
}

/// `profile/<candidate>/<label>__<operation>.json`
pub fn profile_path(candidate: &CandidateId, label: &Label, operation: &Operation) -> String {
    format!("profile/{candidate}/{label}__{operation}.json")
}

/// `kat/<candidate>/<label>.log`
pub fn kat_log_path(candidate: &CandidateId, label: &Label) -> String {
    format!("kat/{candidate}/{label}.log")
}
