//! Names of steps: one stage applied to one thing, the same from run to run.

use artifacts::receipt::Subject;
use artifacts::words::{CandidateId, Label, Operation, Stage, SystemId};
use std::fmt;
use std::str::FromStr;

/// A step of a campaign. Its name says what it is for; its key says what it would do.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StepName {
    /// The candidate; absent for steps of the whole campaign.
    pub candidate: Option<CandidateId>,
    /// The instance; absent for steps of a whole candidate.
    pub instance: Option<Label>,
    /// The operation; absent for steps of a whole instance.
    pub operation: Option<Operation>,
    /// The stage, or one of its variants.
    pub stage: Step,
}

/// A stage, and which of several applications to the same thing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Step {
    /// The probe's build.
    Probe,
    /// Build with the guide flags.
    Build,
    /// Known answers of that build.
    Kat,
    /// Build with the fallback flags.
    FallbackBuild,
    /// Known answers of that one.
    FallbackKat,
    /// Sizes.
    SizeAudit,
    /// Time.
    Time,
    /// Hash share.
    Profile,
    /// A candidate's page.
    Page,
    /// The index and the size-audit page.
    Index,
}

impl Step {
    /// All of them.
    pub const ALL: [Step; 10] = [
        Step::Probe,
        Step::Build,
        Step::Kat,
        Step::FallbackBuild,
        Step::FallbackKat,
        Step::SizeAudit,
        Step::Time,
        Step::Profile,
        Step::Page,
        Step::Index,
    ];

    /// The stage that does this step.
    pub const fn stage(self) -> Stage {
        match self {
            Step::Probe | Step::Build | Step::FallbackBuild => Stage::Build,
            Step::Kat | Step::FallbackKat => Stage::Kat,
            Step::SizeAudit => Stage::SizeAudit,
            Step::Time => Stage::Time,
            Step::Profile => Stage::Profile,
            Step::Page | Step::Index => Stage::Render,
        }
    }

    /// The last part of a step's name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Step::Probe => "probe",
            Step::Build => "build",
            Step::Kat => "kat",
            Step::FallbackBuild => "build-fallback",
            Step::FallbackKat => "kat-fallback",
            Step::SizeAudit => "size-audit",
            Step::Time => "time",
            Step::Profile => "profile",
            Step::Page => "page",
            Step::Index => "index",
        }
    }
}

impl StepName {
    /// What the step is applied to, for requests and receipts.
    pub fn subject(&self, system: &SystemId) -> Subject {
        Subject {
            system: system.clone(),
            candidate: self.candidate.clone(),
            instance: self.instance.clone(),
            operation: self.operation.clone(),
        }
    }
}

impl StepName {
    /// The name under which the campaign keeps the step's receipt; the same text.
    ///
    /// # Errors
    /// Never for names made of checked words; the store checks again.
    pub fn stored(&self) -> Result<artifacts::store::StepName, artifacts::store::StoreError> {
        self.to_string().parse()
    }
}

impl fmt::Display for StepName {
    /// `candidate/instance/operation/step` as far as present; `-/step` for the whole campaign's.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.candidate.as_ref().map_or("-", CandidateId::as_str))?;
        if let Some(instance) = &self.instance {
            write!(f, "/{instance}")?;
        }
        if let Some(operation) = &self.operation {
            write!(f, "/{operation}")?;
        }
        write!(f, "/{}", self.stage.as_str())
    }
}

/// A text that names no step of this version.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not the name of a step: expected candidate/instance/operation/step as far as present"
)]
pub struct StepNameError(String);

impl FromStr for StepName {
    type Err = StepNameError;

    fn from_str(text: &str) -> Result<Self, StepNameError> {
        let error = || StepNameError(text.to_owned());
        let parts: Vec<&str> = text.split('/').collect();
        let (candidate, instance, operation, step) = match parts.as_slice() {
            [candidate, step] => (candidate, None, None, step),
            [candidate, instance, step] => (candidate, Some(instance), None, step),
            [candidate, instance, operation, step] => {
                (candidate, Some(instance), Some(operation), step)
            }
            _ => return Err(error()),
        };
        let stage = Step::ALL.into_iter().find(|known| known.as_str() == *step);
        Ok(StepName {
            candidate: match *candidate {
                "-" => None,
                id => Some(CandidateId::new(id).map_err(|_| error())?),
            },
            instance: instance
                .map(|label| Label::new(*label))
                .transpose()
                .map_err(|_| error())?,
            operation: operation
                .map(|name| name.parse())
                .transpose()
                .map_err(|_| error())?,
            stage: stage.ok_or_else(error)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_as_written() {
        for name in [
            "-/probe",
            "-/index",
            "kem-11/page",
            "kem-11/COMPASS KEM+128/build-fallback",
            "hash-13/JuziHash-512/hash_32/time",
        ] {
            assert_eq!(name.parse::<StepName>().unwrap().to_string(), name);
        }
        for bad in [
            "",
            "probe",
            "kem-11/x/fly/time",
            "kem-11/x/enc/sleep",
            "a/b/c/d/e",
        ] {
            assert!(bad.parse::<StepName>().is_err(), "{bad}");
        }
    }
}
