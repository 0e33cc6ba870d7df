//! Campaigns: named refs to roots.
//!
//! A ref names the root of the evidence and the receipts of the pages; these are made from the root
//! and carry it, so they cannot be in it.
//!
//! While a campaign runs, what it records goes into a journal beside the ref; [`Store::close`] folds
//! it into a new root. Reading applies the journal, so a killed run has lost nothing.

use super::error::StoreError;
use super::files::{parent, sync_folder};
use super::index::Summary;
use super::lines;
use super::lock::{ExclusiveLock, LOCK_TIMEOUT};
use super::names::{CampaignName, StepName};
use super::opening::{Store, parse};
use crate::format::{Format, Header};
use crate::id::ArtifactId;
use crate::words::{Stage, SystemId};
use fs_err as fs;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;

/// The version of refs this program writes. 1.0: first.
pub const CAMPAIGN_REF: Format = Format {
    kind: "assay-campaign-ref",
    major: 1,
    minor: 0,
};
/// The version of journals this program writes. 1.0: first.
pub const JOURNAL: Format = Format {
    kind: "assay-journal",
    major: 1,
    minor: 0,
};

/// A campaign as it stands, its journal included.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CampaignView {
    /// Its name.
    pub name: CampaignName,
    /// The system measured.
    pub system: SystemId,
    /// The root at the last close.
    pub root: Option<ArtifactId>,
    /// The receipts of all steps but render.
    pub steps: BTreeMap<StepName, ArtifactId>,
    /// The receipts of the render steps.
    pub pages: BTreeMap<StepName, ArtifactId>,
    /// Whether the journal holds something the root does not.
    pub open: bool,
}

impl CampaignView {
    /// The receipt of a step, page or not.
    pub fn receipt(&self, step: &StepName) -> Option<ArtifactId> {
        self.steps
            .get(step)
            .or_else(|| self.pages.get(step))
            .copied()
    }
}

#[derive(Debug, Serialize, Deserialize)]
struct CampaignRef {
    #[serde(flatten)]
    header: Header,
    name: CampaignName,
    system: SystemId,
    root: Option<ArtifactId>,
    pages: BTreeMap<StepName, ArtifactId>,
}

/// A line of the journal. Without a receipt, the step is no longer part of the campaign.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Entry {
    step: StepName,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    receipt: Option<ArtifactId>,
    /// Whether it is a page: not part of the evidence.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    page: bool,
}

impl Entry {
    /// That this receipt is the campaign's for a step that is no page.
    pub(super) fn of(step: &StepName, receipt: ArtifactId) -> Self {
        Entry {
            step: step.clone(),
            receipt: Some(receipt),
            page: false,
        }
    }
}

impl Store {
    /// Makes a campaign, or checks that the one of this name measures this system.
    ///
    /// # Errors
    /// When it measures another system, or cannot be read or written.
    pub fn create_campaign(
        &self,
        name: &CampaignName,
        system: &SystemId,
    ) -> Result<CampaignView, StoreError> {
        let _lock = self.lock_campaign(name)?;
        if let Some(view) = self.campaign(name)? {
            if view.system != *system {
                return Err(StoreError::OtherSystem {
                    name: name.to_string(),
                    system: view.system.to_string(),
                    asked: system.to_string(),
                });
            }
            return Ok(view);
        }
        self.write_ref(name, system, None, &BTreeMap::new())?;
        Ok(CampaignView {
            name: name.clone(),
            system: system.clone(),
            root: None,
            steps: BTreeMap::new(),
            pages: BTreeMap::new(),
            open: false,
        })
    }

    /// A campaign as it stands; absent when there is none of this name.
    ///
    /// # Errors
    /// When its ref, journal, root or a node is damaged, missing, or of a newer major version.
    pub fn campaign(&self, name: &CampaignName) -> Result<Option<CampaignView>, StoreError> {
        // First the journal: one that a close folds into the root meanwhile is then applied twice,
        // not overlooked.
        let journal = lines::read::<Entry>(&self.journal_file(name), JOURNAL)?;
        let Some(reference) = self.read_ref(name)? else {
            return Ok(None);
        };
        let mut view = CampaignView {
            name: reference.name,
            system: reference.system,
            root: reference.root,
            steps: BTreeMap::new(),
            pages: reference.pages,
            open: !journal.items.is_empty(),
        };
        if let Some(root) = view.root {
            view.steps = self.steps_of(root)?;
        }
        for (_, entry) in journal.items {
            view.steps.remove(&entry.step);
            view.pages.remove(&entry.step);
            if let Some(receipt) = entry.receipt {
                let steps = if entry.page {
                    &mut view.pages
                } else {
                    &mut view.steps
                };
                steps.insert(entry.step, receipt);
            }
        }
        Ok(Some(view))
    }

    /// Makes this receipt the campaign's for this step.
    ///
    /// # Errors
    /// As [`Store::record_steps`].
    pub fn record_step(
        &self,
        name: &CampaignName,
        step: &StepName,
        summary: &Summary,
    ) -> Result<(), StoreError> {
        self.record_steps(name, [(step, summary)])
    }

    /// Makes these receipts the campaign's, durably with one write.
    ///
    /// # Errors
    /// When there is no such campaign, a receipt is not recorded in the store, or the journal cannot
    /// be written.
    pub fn record_steps<'a>(
        &self,
        name: &CampaignName,
        steps: impl IntoIterator<Item = (&'a StepName, &'a Summary)>,
    ) -> Result<(), StoreError> {
        let mut entries = Vec::new();
        for (step, summary) in steps {
            let id = summary.receipt;
            // Only that it is there as a receipt: what it says was checked when it was recorded.
            drop(self.open_in(super::blobs::Area::Receipts, id)?);
            entries.push(Entry {
                step: step.clone(),
                receipt: Some(id),
                page: summary.stage == Stage::Render,
            });
        }
        self.append(name, &entries)
    }

    /// Takes steps out of the campaign; their receipts stay in the store until garbage collection.
    ///
    /// # Errors
    /// When there is no such campaign, or the journal cannot be written.
    pub fn forget_steps<'a>(
        &self,
        name: &CampaignName,
        steps: impl IntoIterator<Item = &'a StepName>,
    ) -> Result<(), StoreError> {
        let entry = |step: &StepName| Entry {
            step: step.clone(),
            receipt: None,
            page: false,
        };
        let entries: Vec<Entry> = steps.into_iter().map(entry).collect();
        self.append(name, &entries)
    }

    /// Folds the journal into the root and the ref; returns the root.
    ///
    /// # Errors
    /// When there is no such campaign, or it cannot be read or written; the journal then stays.
    pub fn close(&self, name: &CampaignName) -> Result<ArtifactId, StoreError> {
        let _lock = self.lock_campaign(name)?;
        let view = self.campaign(name)?.ok_or_else(|| no_campaign(name))?;
        if let (Some(root), false) = (view.root, view.open) {
            return Ok(root);
        }
        let journal = self.journal_file(name);
        if let Some(header) = lines::header(&journal, JOURNAL)?
            && !JOURNAL.may_rewrite(&header)
        {
            let (found, known) = (header.minor, JOURNAL.minor);
            return Err(StoreError::NewerMinor {
                path: journal,
                found,
                known,
            });
        }
        let id = self.put_root(view.system.clone(), view.steps)?;
        self.write_ref(name, &view.system, Some(id), &view.pages)?;
        // From here on the journal says nothing new; a crash before its removal does no harm.
        remove(journal)?;
        Ok(id)
    }

    /// The names of all campaigns, sorted.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn list_campaigns(&self) -> Result<Vec<CampaignName>, StoreError> {
        let folder = self.root().join("campaigns");
        let entries = match fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(e) => return Err(e.into()),
        };
        let mut names = Vec::new();
        for entry in entries {
            let file = entry?.file_name();
            let name = file.to_str().and_then(|name| name.strip_suffix(".json"));
            names.extend(name.and_then(|name| CampaignName::new(name).ok()));
        }
        names.sort();
        Ok(names)
    }

    /// Removes a campaign's name; what only it kept goes with the next garbage collection.
    ///
    /// # Errors
    /// When there is none of this name, or it cannot be removed.
    pub fn remove_campaign(&self, name: &CampaignName) -> Result<(), StoreError> {
        self.check_writable()?;
        let _lock = self.lock_campaign(name)?;
        if !self.ref_file(name).is_file() {
            return Err(no_campaign(name));
        }
        // First the journal, so that none is left for a later campaign of the same name.
        remove(self.journal_file(name))?;
        remove(self.ref_file(name))
    }

    pub(super) fn append(&self, name: &CampaignName, entries: &[Entry]) -> Result<(), StoreError> {
        if entries.is_empty() {
            return Ok(());
        }
        self.check_writable()?;
        let _lock = self.lock_campaign(name)?;
        if self.read_ref(name)?.is_none() {
            return Err(no_campaign(name));
        }
        lines::append(&self.journal_file(name), JOURNAL, entries)
    }

    fn read_ref(&self, name: &CampaignName) -> Result<Option<CampaignRef>, StoreError> {
        let path = self.ref_file(name);
        match fs::read(&path) {
            Ok(bytes) => parse(&path.display().to_string(), &bytes, CAMPAIGN_REF).map(Some),
            Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(e) => Err(e.into()),
        }
    }

    fn write_ref(
        &self,
        name: &CampaignName,
        system: &SystemId,
        root: Option<ArtifactId>,
        pages: &BTreeMap<StepName, ArtifactId>,
    ) -> Result<(), StoreError> {
        if let Some(old) = self.read_ref(name)?
            && !CAMPAIGN_REF.may_rewrite(&old.header)
        {
            return Err(StoreError::NewerMinor {
                path: self.ref_file(name),
                found: old.header.minor,
                known: CAMPAIGN_REF.minor,
            });
        }
        let reference = CampaignRef {
            header: CAMPAIGN_REF.header(),
            name: name.clone(),
            system: system.clone(),
            root,
            pages: pages.clone(),
        };
        self.replace(&format!("campaigns/{name}.json"), &reference)
    }

    fn lock_campaign(&self, name: &CampaignName) -> Result<ExclusiveLock, StoreError> {
        Ok(ExclusiveLock::acquire(
            &self.lock_file(&format!("campaign-{name}")),
            LOCK_TIMEOUT,
        )?)
    }

    fn ref_file(&self, name: &CampaignName) -> PathBuf {
        self.root().join("campaigns").join(format!("{name}.json"))
    }

    pub(super) fn journal_file(&self, name: &CampaignName) -> PathBuf {
        self.root()
            .join("campaigns")
            .join(format!("{name}.journal"))
    }
}

fn no_campaign(name: &CampaignName) -> StoreError {
    StoreError::NoCampaign(name.to_string())
}

fn remove(path: PathBuf) -> Result<(), StoreError> {
    match fs::remove_file(&path) {
        Ok(()) => Ok(sync_folder(parent(&path))?),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(e) => Err(StoreError::writing(e)),
    }
}
