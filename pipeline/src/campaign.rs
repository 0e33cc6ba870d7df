//! A campaign read from the store, without sources, toolchain or machine: its receipts by step, and
//! its pages with what they show.

use crate::plan::{Step, StepName};
use artifacts::ArtifactId;
use artifacts::key::Value;
use artifacts::receipt::Receipt;
use artifacts::store::{CampaignName, CampaignView, Store, StoreError};
use artifacts::words::{CandidateId, Flags, Label, Operation};
use contract::parameters::{CandidatePage, PageInstance, RenderParameters};
use reports::CellValue;

/// Why a campaign cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum CampaignError {
    /// Store.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A receipt is not one of a candidate's page.
    #[error(
        "the receipt of {step} is not one of a candidate's page: render it anew (`campaign run`)"
    )]
    NotAPage {
        /// The step.
        step: String,
    },
    /// The parameters of a receipt are not those of its stage.
    #[error("the parameters of {step} cannot be read: {source}")]
    Parameters {
        /// The step.
        step: String,
        /// Why.
        source: serde_json::Error,
    },
    /// An artifact is not what it should be.
    #[error("{id} cannot be read as what it should be: {source}")]
    Artifact {
        /// The artifact.
        id: ArtifactId,
        /// Why.
        source: serde_json::Error,
    },
    /// The cells of a page cannot be read.
    #[error("the cells of {candidate}'s page cannot be read: {source}")]
    Cells {
        /// The candidate.
        candidate: CandidateId,
        /// Why.
        source: serde_json::Error,
    },
    /// A step has not written what it should have.
    #[error("{step} has no output `{role}`: render or run it again (`campaign run`)")]
    NoOutput {
        /// The step.
        step: String,
        /// The role.
        role: String,
    },
}

/// See the module.
pub struct Campaign<'a> {
    store: &'a Store,
    view: CampaignView,
}

/// A step that is done.
#[derive(Debug, Clone)]
pub struct Done {
    /// The step.
    pub name: StepName,
    /// Its receipt's id.
    pub id: ArtifactId,
    /// Its receipt.
    pub receipt: Receipt,
}

/// A candidate's page.
#[derive(Debug, Clone)]
pub struct CandidateReceipt {
    /// The step that rendered it.
    pub done: Done,
    /// What it was asked to show.
    pub page: CandidatePage,
}

impl Done {
    /// The output in this role.
    ///
    /// # Errors
    /// When it has none.
    pub fn output(&self, role: &str) -> Result<ArtifactId, CampaignError> {
        let output = self.receipt.outputs.get(role).copied();
        output.ok_or_else(|| CampaignError::NoOutput {
            step: self.name.to_string(),
            role: role.to_owned(),
        })
    }

    /// The parameters in the stage's own type.
    ///
    /// # Errors
    /// When they do not fit it.
    pub fn parameters<T: serde::de::DeserializeOwned>(&self) -> Result<T, CampaignError> {
        Value::Map(self.receipt.material.parameters.clone())
            .parse()
            .map_err(|source| CampaignError::Parameters {
                step: self.name.to_string(),
                source,
            })
    }
}

impl CandidateReceipt {
    /// The instance of this label.
    pub fn instance(&self, label: &Label) -> Option<&PageInstance> {
        self.page.instances.iter().find(|i| i.label == *label)
    }

    /// What the page shows in this role, such as `log:<label>` or `timing:<label>/<operation>`.
    pub fn input(&self, role: &str) -> Option<ArtifactId> {
        self.done.receipt.material.inputs.get(role).copied()
    }

    /// The operations of an instance of which the page shows a record of this role (`timing`,
    /// `profile`), with the records.
    pub fn records(&self, role: &str, label: &Label) -> Vec<(Operation, ArtifactId)> {
        let prefix = format!("{role}:{label}/");
        let inputs = &self.done.receipt.material.inputs;
        inputs
            .iter()
            .filter_map(|(role, id)| Some((role.strip_prefix(&prefix)?.parse().ok()?, *id)))
            .collect()
    }
}

/// The build step of these flags.
pub const fn build_step(flags: Flags) -> Step {
    match flags {
        Flags::Guide => Step::Build,
        Flags::HarnessDefault => Step::FallbackBuild,
    }
}

/// The kat step of these flags.
pub const fn kat_step(flags: Flags) -> Step {
    match flags {
        Flags::Guide => Step::Kat,
        Flags::HarnessDefault => Step::FallbackKat,
    }
}

impl<'a> Campaign<'a> {
    /// Reads a campaign that exists.
    ///
    /// # Errors
    /// When there is none of this name, or it is damaged.
    pub fn open(store: &'a Store, name: &CampaignName) -> Result<Self, CampaignError> {
        let view = store.campaign(name)?;
        let view = view.ok_or_else(|| StoreError::NoCampaign(name.to_string()))?;
        Ok(Campaign { store, view })
    }

    /// Reads a campaign as of its root: without what was recorded since.
    ///
    /// # Errors
    /// As [`Campaign::open`].
    pub fn of_root(store: &'a Store, name: &CampaignName) -> Result<Self, CampaignError> {
        let mut campaign = Self::open(store, name)?;
        if campaign.view.open
            && let Some(root) = campaign.view.root
        {
            campaign.view.steps = store.steps_of(root)?;
        }
        Ok(campaign)
    }

    /// The campaign as it stands.
    pub fn view(&self) -> &CampaignView {
        &self.view
    }

    /// The store it is in.
    pub fn store(&self) -> &'a Store {
        self.store
    }

    /// The candidates that have a page.
    pub fn candidates(&self) -> Vec<CandidateId> {
        let pages = self.view.pages.keys();
        pages.filter_map(|step| step.candidate()).collect()
    }

    /// A step by its name; absent when the campaign has no receipt of it.
    ///
    /// # Errors
    /// When the receipt is missing or damaged.
    pub fn step(&self, name: &StepName) -> Result<Option<Done>, CampaignError> {
        let Some(id) = self.view.receipt(&name.stored()?) else {
            return Ok(None);
        };
        Ok(Some(Done {
            name: name.clone(),
            id,
            receipt: self.store.receipt(id)?,
        }))
    }

    /// A step of an instance.
    ///
    /// # Errors
    /// As [`Campaign::step`].
    pub fn instance_step(
        &self,
        candidate: &CandidateId,
        label: &Label,
        operation: Option<&Operation>,
        stage: Step,
    ) -> Result<Option<Done>, CampaignError> {
        self.step(&StepName {
            candidate: Some(candidate.clone()),
            instance: Some(label.clone()),
            operation: operation.cloned(),
            stage,
        })
    }

    /// The build of the probe.
    ///
    /// # Errors
    /// As [`Campaign::step`].
    pub fn probe(&self) -> Result<Option<Done>, CampaignError> {
        self.step(&StepName {
            candidate: None,
            instance: None,
            operation: None,
            stage: Step::Probe,
        })
    }

    /// A candidate's page; absent when none was rendered.
    ///
    /// # Errors
    /// When its receipt is missing, damaged, or not one of a page.
    pub fn page(&self, candidate: &CandidateId) -> Result<Option<CandidateReceipt>, CampaignError> {
        let done = self.step(&StepName {
            candidate: Some(candidate.clone()),
            instance: None,
            operation: None,
            stage: Step::Page,
        })?;
        let Some(done) = done else { return Ok(None) };
        match done.parameters()? {
            RenderParameters::Candidate(page) => Ok(Some(CandidateReceipt { done, page: *page })),
            RenderParameters::Index(_) => Err(CampaignError::NotAPage {
                step: done.name.to_string(),
            }),
        }
    }

    /// Every figure of a candidate's page.
    ///
    /// # Errors
    /// When the page has none, or they are damaged.
    pub fn cells(&self, page: &CandidateReceipt) -> Result<Vec<CellValue>, CampaignError> {
        let cells = self.store.get(page.done.output("cells")?)?;
        serde_json::from_slice(&cells).map_err(|source| CampaignError::Cells {
            candidate: page.page.candidate.clone(),
            source,
        })
    }
}
