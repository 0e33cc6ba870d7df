//! Receipts: what a step read and wrote. A receipt is an artifact; what is done is what has one.

use crate::format::{Format, Header};
use crate::id::{ArtifactId, StepKey};
use crate::key::KeyMaterial;
use crate::words::{CandidateId, Label, Operation, SystemId, Verdict};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// The version of receipts this program writes.
///
/// 1.0: first. A change of meaning raises major and comes with a function that reads the old form;
/// added optional fields raise minor.
pub const RECEIPT: Format = Format {
    kind: "assay-receipt",
    major: 1,
    minor: 0,
};

/// What a step is applied to. It is not part of the key: one receipt serves all subjects whose
/// steps have the same key, and names the one for which it first ran.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Subject {
    /// The system measured.
    pub system: SystemId,
    /// The candidate; absent for steps that belong to the whole campaign, such as the probe.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub candidate: Option<CandidateId>,
    /// The instance; absent for steps on a whole candidate, such as its page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instance: Option<Label>,
    /// The operation; absent for steps on a whole instance.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operation: Option<Operation>,
}

impl fmt::Display for Subject {
    /// `system/candidate/instance/operation` as far as present.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.system)?;
        if let Some(candidate) = &self.candidate {
            write!(f, "/{candidate}")?;
        }
        if let Some(instance) = &self.instance {
            write!(f, "/{instance}")?;
        }
        if let Some(operation) = &self.operation {
            write!(f, "/{operation}")?;
        }
        Ok(())
    }
}

/// How a step ended. A failed candidate is a result too, and permanent; a failed machine has no
/// receipt at all.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// Whether the candidate did what was asked.
    pub status: Status,
    /// The verdict where the step gives one (build, kat, and runs that crash or hang).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
    /// For people: what failed and where; empty when nothing did.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub why: String,
}

/// See [`Outcome::status`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// The step's outputs are what was asked for.
    Done,
    /// The candidate failed.
    Failed,
}

impl Outcome {
    /// Done, with no verdict to give.
    pub fn done() -> Self {
        Outcome {
            status: Status::Done,
            verdict: None,
            why: String::new(),
        }
    }

    /// Ended with a verdict: done when it is PASS or NOKAT, failed otherwise.
    pub fn with_verdict(verdict: Verdict, why: impl Into<String>) -> Self {
        let status = match verdict {
            Verdict::Pass | Verdict::NoKat => Status::Done,
            _ => Status::Failed,
        };
        Outcome {
            status,
            verdict: Some(verdict),
            why: why.into(),
        }
    }

    /// Whether the candidate did what was asked.
    pub fn is_done(&self) -> bool {
        self.status == Status::Done
    }
}

/// What a step read and wrote, and under which circumstances.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Receipt {
    /// Kind and version.
    #[serde(flatten)]
    pub header: Header,
    /// The key; equal to `material.key()`, which `verify` checks.
    pub key: StepKey,
    /// For what the step first ran.
    pub subject: Subject,
    /// What the key is made of, in clear.
    #[serde(flatten)]
    pub material: KeyMaterial,
    /// What was written: role to content.
    pub outputs: BTreeMap<String, ArtifactId>,
    /// How it ended.
    pub outcome: Outcome,
    /// When the stage began.
    pub started_utc: DateTime<Utc>,
    /// When the stage had all its outputs.
    pub ended_utc: DateTime<Utc>,
    /// Volatile circumstances (load, clock, core, retries, containment in force); never in a key.
    pub observations: BTreeMap<String, serde_json::Value>,
    /// The tools that ran and their versions, for people.
    pub tools: BTreeMap<String, String>,
    /// Fields of newer minor versions, kept.
    #[serde(flatten)]
    pub unknown: BTreeMap<String, serde_json::Value>,
}
