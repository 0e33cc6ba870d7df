//! What happens in a run, as events; readers of the stream draw a bar, print lines or keep times.

use artifacts::receipt::Status;
use artifacts::words::Verdict;
use serde::Serialize;

/// One thing that happened.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    /// The plan, before anything runs.
    Planned {
        /// Steps that will run.
        run: usize,
        /// Steps behind those, which run unless their inputs come out as they were.
        waiting: usize,
        /// Steps whose receipts are reused.
        reused: usize,
        /// Candidates without sources.
        without_source: usize,
    },
    /// More steps became ready than were counted so far.
    Total {
        /// Steps of this run, done or to be done.
        steps: usize,
    },
    /// A step ended with a receipt.
    Finished {
        /// Its name.
        step: String,
        /// How it ended.
        status: Status,
        /// Its verdict, where it gives one.
        #[serde(skip_serializing_if = "Option::is_none")]
        verdict: Option<Verdict>,
        /// What failed, where something did.
        #[serde(skip_serializing_if = "String::is_empty")]
        why: String,
        /// Milliseconds it took.
        elapsed_ms: u64,
    },
    /// A step ended without a receipt.
    Broken {
        /// Its name.
        step: String,
        /// What its stage said.
        message: String,
    },
}
