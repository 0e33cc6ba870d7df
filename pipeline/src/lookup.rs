//! A figure by its address: in a campaign, or in what would be measured now.

use crate::campaign::{Campaign, CampaignError, CandidateReceipt};
use crate::plan::{Step, StepName};
use artifacts::Cell;
use artifacts::store::{CampaignName, Store, StoreError};
use artifacts::words::{CandidateId, Flags, Label, Operation, SystemId};
use reports::CellValue;
use std::collections::BTreeSet;

/// From which stage a figure comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// How the library is built.
    Build,
    /// The known-answer test, which also tells sizes.
    Kat,
    /// Trials of one operation.
    Time,
    /// The profile of one operation.
    Profile,
}

/// The metrics of one operation.
const OF_OPERATIONS: [(&str, Origin); 12] = [
    ("mean_cycles", Origin::Time),
    ("mean_seconds", Origin::Time),
    ("operations_per_second", Origin::Time),
    ("median_trial_seconds", Origin::Time),
    ("measurements", Origin::Time),
    ("cycles_per_byte", Origin::Time),
    ("throughput_MB_per_second", Origin::Time),
    ("baseline_rss_bytes", Origin::Time),
    ("peak_rss_bytes", Origin::Time),
    ("hash_share", Origin::Profile),
    ("drng_share", Origin::Profile),
    ("calls_per_operation", Origin::Profile),
];

/// The metrics of a whole instance.
const OF_INSTANCES: [(&str, Origin); 13] = [
    ("flags", Origin::Build),
    ("elf_load_bytes", Origin::Build),
    ("kat", Origin::Kat),
    ("public_key_bytes", Origin::Kat),
    ("secret_key_bytes", Origin::Kat),
    ("ciphertext_bytes", Origin::Kat),
    ("shared_secret_bytes", Origin::Kat),
    ("signature_bytes", Origin::Kat),
    ("kex_passes", Origin::Kat),
    ("message_bytes", Origin::Kat),
    ("protocol_bytes", Origin::Kat),
    ("public_keys_bytes", Origin::Kat),
    ("bandwidth_bytes", Origin::Kat),
];

/// Why there is no such figure.
#[derive(Debug, thiserror::Error)]
pub enum LookupError {
    /// The campaign is one of another system.
    #[error(
        "campaign {campaign} is one of system {system}, not of {asked}: pick another with \
         NAME@{asked}/..., `campaign status` lists them"
    )]
    OtherSystem {
        /// The campaign.
        campaign: CampaignName,
        /// Its system.
        system: SystemId,
        /// The system in the address.
        asked: SystemId,
    },
    /// No page of the candidate.
    #[error("campaign {campaign} has no page of {candidate}; it has those of: {known}")]
    Candidate {
        /// The campaign.
        campaign: CampaignName,
        /// The candidate.
        candidate: CandidateId,
        /// Those that have one.
        known: String,
    },
    /// No such instance.
    #[error("{candidate} has no instance `{instance}`; it has: {near}")]
    Instance {
        /// The candidate.
        candidate: CandidateId,
        /// The instance.
        instance: Label,
        /// The nearest ones.
        near: String,
    },
    /// The instance has no figures of this operation.
    #[error("{instance} has no figures of `{operation}`; its operations: {known}")]
    Operation {
        /// `candidate/instance`.
        instance: String,
        /// The operation, or `-`.
        operation: String,
        /// Those it has.
        known: String,
    },
    /// No such metric.
    #[error("{of} has no metric `{metric}`; its metrics: {known}")]
    Metric {
        /// `candidate/instance/operation`.
        of: String,
        /// The metric.
        metric: String,
        /// Those it has.
        known: String,
    },
}

impl Origin {
    /// From which stage this figure comes.
    ///
    /// # Errors
    /// When there is no such metric, or it is one of an instance and the cell names an operation, or
    /// the reverse.
    pub fn of(cell: &Cell) -> Result<Self, LookupError> {
        let metrics = match &cell.operation {
            Some(_) => OF_OPERATIONS.as_slice(),
            None => OF_INSTANCES.as_slice(),
        };
        let found = metrics.iter().find(|(metric, _)| *metric == cell.metric);
        found
            .map(|(_, origin)| *origin)
            .ok_or_else(|| LookupError::Metric {
                of: of(cell),
                metric: cell.metric.clone(),
                known: list(metrics.iter().map(|(metric, _)| *metric)),
            })
    }

    /// The step that gives this cell's figure where its library was built with these flags.
    pub fn step(self, cell: &Cell, flags: Flags) -> StepName {
        StepName {
            candidate: Some(cell.candidate.clone()),
            instance: Some(cell.instance.clone()),
            operation: cell.operation.clone(),
            stage: match (self, flags) {
                (Origin::Build, Flags::Guide) => Step::Build,
                (Origin::Build, Flags::HarnessDefault) => Step::FallbackBuild,
                (Origin::Kat, Flags::Guide) => Step::Kat,
                (Origin::Kat, Flags::HarnessDefault) => Step::FallbackKat,
                (Origin::Time, _) => Step::Time,
                (Origin::Profile, _) => Step::Profile,
            },
        }
    }
}

/// A figure of a campaign.
pub struct Figure<'a> {
    /// The campaign.
    pub campaign: Campaign<'a>,
    /// The page that shows it.
    pub page: CandidateReceipt,
    /// What the page's cells say of it.
    pub value: CellValue,
    /// From which stage it comes.
    pub origin: Origin,
}

/// The campaign that a cell is in: the one it names, else `given`, else that of its system.
///
/// # Errors
/// When a name is none.
pub fn campaign_of(cell: &Cell, given: Option<&str>) -> Result<CampaignName, StoreError> {
    let named = cell.campaign.as_deref().or(given);
    CampaignName::new(named.unwrap_or(cell.system.as_str()))
}

impl<'a> Figure<'a> {
    /// Finds a figure; the outer error is one of reading, the inner one says what does not exist.
    ///
    /// # Errors
    /// When the campaign does not exist or is damaged.
    pub fn find(
        store: &'a Store,
        name: &CampaignName,
        cell: &Cell,
    ) -> Result<Result<Self, LookupError>, CampaignError> {
        let campaign = Campaign::open(store, name)?;
        if campaign.view().system != cell.system {
            return Ok(Err(LookupError::OtherSystem {
                campaign: name.clone(),
                system: campaign.view().system.clone(),
                asked: cell.system.clone(),
            }));
        }
        let Some(page) = campaign.page(&cell.candidate)? else {
            return Ok(Err(LookupError::Candidate {
                campaign: name.clone(),
                candidate: cell.candidate.clone(),
                known: list(campaign.candidates()),
            }));
        };
        let cells = campaign.cells(&page)?;
        let value = pick(&page, &cells, cell);
        Ok(value.and_then(|value| {
            Ok(Figure {
                origin: Origin::of(cell)?,
                campaign,
                page,
                value,
            })
        }))
    }
}

/// The cell among those of a page, or what there is instead.
fn pick(
    page: &CandidateReceipt,
    cells: &[CellValue],
    cell: &Cell,
) -> Result<CellValue, LookupError> {
    let address = Cell {
        campaign: None,
        ..cell.clone()
    };
    if let Some(value) = cells.iter().find(|value| value.cell == address) {
        return Ok(value.clone());
    }
    if page.instance(&cell.instance).is_none() {
        let labels = page.page.instances.iter().map(|instance| &instance.label);
        return Err(no_instance(cell, labels));
    }
    let of_instance = || cells.iter().filter(|v| v.cell.instance == cell.instance);
    let metrics: Vec<&str> = of_instance()
        .filter(|value| value.cell.operation == cell.operation)
        .map(|value| value.cell.metric.as_str())
        .collect();
    if metrics.is_empty() {
        let operations: BTreeSet<&Option<Operation>> =
            of_instance().map(|value| &value.cell.operation).collect();
        return Err(LookupError::Operation {
            instance: format!("{}/{}", cell.candidate, cell.instance),
            operation: named(&cell.operation),
            known: list(operations.into_iter().map(named)),
        });
    }
    Err(LookupError::Metric {
        of: of(cell),
        metric: cell.metric.clone(),
        known: list(metrics),
    })
}

/// The error for an instance that a candidate does not have.
pub fn no_instance<'a>(cell: &Cell, labels: impl Iterator<Item = &'a Label>) -> LookupError {
    /// More would hide the one meant.
    const NEAREST: usize = 6;
    let asked = cell.instance.as_str();
    let mut labels: Vec<&str> = labels.map(Label::as_str).collect();
    labels.sort_by(|a, b| {
        let near = |label: &str| strsim::jaro_winkler(asked, label);
        near(b).total_cmp(&near(a)).then(a.cmp(b))
    });
    labels.truncate(NEAREST);
    LookupError::Instance {
        candidate: cell.candidate.clone(),
        instance: cell.instance.clone(),
        near: list(labels),
    }
}

fn of(cell: &Cell) -> String {
    let operation = named(&cell.operation);
    format!("{}/{}/{operation}", cell.candidate, cell.instance)
}

fn named(operation: &Option<Operation>) -> String {
    operation
        .as_ref()
        .map_or_else(|| "-".to_owned(), ToString::to_string)
}

fn list<T: ToString>(items: impl IntoIterator<Item = T>) -> String {
    let items: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    match items.is_empty() {
        true => "none".to_owned(),
        false => items.join(", "),
    }
}
