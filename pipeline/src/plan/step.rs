//! Names of steps: one stage applied to one thing, the same from run to run.

use artifacts::receipt::Subject;
use artifacts::words::{CandidateId, Label, Operation, Stage, SystemId};
use std::fmt;

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
