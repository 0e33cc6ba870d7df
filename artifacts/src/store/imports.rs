//! Recording what evidence published by others says; see [`crate::imported`].

use super::blobs::Area;
use super::campaigns::Entry;
use super::error::StoreError;
use super::names::{CampaignName, StepName};
use super::opening::{Store, parse};
use crate::format::Header;
use crate::id::ArtifactId;
use crate::imported::{IMPORTED, Imported};

impl Store {
    /// Makes these imported receipts the campaign's, durably with a few writes.
    ///
    /// # Errors
    /// When there is no such campaign, a file they name has not been put, or they cannot be written.
    pub fn record_imported(
        &self,
        name: &CampaignName,
        receipts: &[(StepName, Imported)],
    ) -> Result<(), StoreError> {
        let mut batch = self.batch_in(Area::Receipts);
        let mut entries = Vec::new();
        for (step, receipt) in receipts {
            if let Some((path, id)) = receipt.files.iter().find(|(_, id)| !self.has(**id)) {
                return Err(StoreError::Unresolved {
                    role: format!("files.{path}"),
                    id: *id,
                });
            }
            entries.push(Entry::of(step, batch.put_json(receipt)?));
        }
        batch.commit()?;
        self.append(name, &entries)
    }

    /// An imported receipt.
    ///
    /// # Errors
    /// As [`Store::get_json`]; a receipt of a step that ran is of another kind.
    pub fn imported(&self, id: ArtifactId) -> Result<Imported, StoreError> {
        parse(
            &id.to_string(),
            &self.read_in(Area::Receipts, id)?,
            IMPORTED,
        )
    }

    /// Whether a recorded receipt is an imported one.
    ///
    /// # Errors
    /// When it is not there or damaged.
    pub fn is_imported(&self, id: ArtifactId) -> Result<bool, StoreError> {
        let bytes = self.read_in(Area::Receipts, id)?;
        let header: Option<Header> = serde_json::from_slice(&bytes).ok();
        Ok(header.is_some_and(|header| header.kind == IMPORTED.kind))
    }
}
