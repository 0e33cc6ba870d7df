//! Taking over what was done into another store, on another machine or by Nix: steps whose outcome
//! does not depend on where they ran need not run again.
//!
//! Every artifact is hashed on its way, and a receipt is recorded after all it names, as if the step
//! had run here.

use super::error::StoreError;
use super::index::Summary;
use super::opening::Store;
use crate::words::Stage;
use std::collections::BTreeMap;

impl Store {
    /// Takes over from `other` the receipts of these stages whose keys have none here, with all that
    /// they reach; returns how many. `other` may be read-only.
    ///
    /// # Errors
    /// When a store cannot be read, an artifact of `other` is damaged, or this store cannot be
    /// written; what was taken before is then kept.
    pub fn take_from(&self, other: &Store, stages: &[Stage]) -> Result<usize, StoreError> {
        self.check_writable()?;
        let (theirs, there) = (other.index()?, other.presence()?);
        let (ours, here) = (self.index()?, self.presence()?);
        let wanted: BTreeMap<_, Summary> = theirs
            .summaries()
            .iter()
            .filter(|summary| stages.contains(&summary.stage))
            .filter(|summary| ours.find(&summary.key, &here).is_none())
            .filter_map(|summary| Some((summary.key, theirs.find(&summary.key, &there)?.clone())))
            .collect();
        let receipts: Vec<_> = wanted.values().map(|summary| summary.receipt).collect();
        let reached = other.reached(receipts.iter().copied(), &there)?;
        let mut batch = self.batch();
        for id in reached {
            if !here.has(&id) && there.has(&id) && !there.has_receipt(&id) {
                batch.put_reader(&mut other.open_verified(id)?)?;
            }
        }
        batch.commit()?;
        for id in &receipts {
            self.record(&other.receipt(*id)?)?;
        }
        Ok(receipts.len())
    }
}
