//! The index: one line a recorded receipt, so that steps are found without reading receipts.
//!
//! It is derived. A line is a hint where to look; a hit needs the receipt and all its outputs to be
//! in the store. [`Store::rebuild_index`] makes it anew from the recorded receipts.

use super::blobs::{Area, Presence};
use super::error::StoreError;
use super::files::write_atomically_by_way_of;
use super::lines;
use super::lock::ExclusiveLock;
use super::opening::Store;
use crate::format::Format;
use crate::id::{ArtifactId, StepKey};
use crate::receipt::{Outcome, RECEIPT, Receipt};
use crate::words::Stage;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::time::Duration;

/// The version of index lines this program writes. 1.0: first. When major is raised, the index is
/// rebuilt from the receipts.
pub const INDEX: Format = Format {
    kind: "assay-index",
    major: 1,
    minor: 0,
};

/// Recording must not fail a day's measurement because another process is slow to append a line.
const PATIENCE: Duration = Duration::from_secs(60);

/// What the index tells about a receipt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary {
    /// The step's key.
    pub key: StepKey,
    /// The receipt.
    pub receipt: ArtifactId,
    /// The stage.
    pub stage: Stage,
    /// How the step ended.
    pub outcome: Outcome,
    /// What it wrote: role to content.
    pub outputs: BTreeMap<String, ArtifactId>,
    /// How long it took, in milliseconds.
    pub elapsed_ms: u64,
}

impl Summary {
    /// The summary of a receipt, as recording it would write.
    ///
    /// # Errors
    /// When the receipt has no JSON form.
    pub fn of(receipt: &Receipt) -> Result<Self, StoreError> {
        Ok(Self::with_id(ArtifactId::of(&to_json(receipt)?), receipt))
    }

    pub(super) fn with_id(id: ArtifactId, receipt: &Receipt) -> Self {
        let elapsed = receipt.ended_utc - receipt.started_utc;
        Summary {
            key: receipt.key,
            receipt: id,
            stage: receipt.material.stage,
            outcome: receipt.outcome.clone(),
            outputs: receipt.outputs.clone(),
            // A clock set back during the step is no time at all.
            elapsed_ms: u64::try_from(elapsed.num_milliseconds()).unwrap_or(0),
        }
    }
}

/// The index in memory.
#[derive(Debug, Clone, Default)]
pub struct Index {
    summaries: Vec<Summary>,
    by_key: HashMap<StepKey, Vec<usize>>,
}

impl Index {
    /// The last receipt of this key, present or not.
    pub fn lookup(&self, key: &StepKey) -> Option<&Summary> {
        self.all(key).next_back()
    }

    /// The last receipt of this key that is present with all its outputs: then nothing need run.
    pub fn find(&self, key: &StepKey, presence: &Presence) -> Option<&Summary> {
        self.all(key).rev().find(|summary| {
            presence.has_receipt(&summary.receipt)
                && summary.outputs.values().all(|id| presence.has(id))
        })
    }

    /// All receipts of this key, in the order in which they were recorded.
    pub fn all(&self, key: &StepKey) -> impl DoubleEndedIterator<Item = &Summary> {
        let places = self.by_key.get(key).map(Vec::as_slice).unwrap_or_default();
        places.iter().filter_map(|place| self.summaries.get(*place))
    }

    /// All receipts, in the order in which they were recorded.
    pub fn summaries(&self) -> &[Summary] {
        &self.summaries
    }
}

impl FromIterator<Summary> for Index {
    fn from_iter<I: IntoIterator<Item = Summary>>(summaries: I) -> Self {
        let mut index = Index::default();
        for summary in summaries {
            index
                .by_key
                .entry(summary.key)
                .or_default()
                .push(index.summaries.len());
            index.summaries.push(summary);
        }
        index
    }
}

impl Store {
    pub(super) fn index_file(&self) -> PathBuf {
        self.root().join("index.jsonl")
    }

    pub(super) fn lock_index(&self) -> Result<ExclusiveLock, StoreError> {
        Ok(ExclusiveLock::acquire(&self.lock_file("index"), PATIENCE)?)
    }

    /// Records what a step did: from then on its key is found. This comes last, when all that the
    /// receipt names has been put.
    ///
    /// # Errors
    /// When the key is not that of the material, something it names is not in the store, or the
    /// receipt cannot be written; the step is then not done.
    pub fn record(&self, receipt: &Receipt) -> Result<ArtifactId, StoreError> {
        let computed = receipt.material.key();
        if receipt.key != computed {
            return Err(StoreError::WrongKey {
                said: receipt.key,
                computed,
            });
        }
        RECEIPT
            .check(&receipt.header)
            .map_err(|source| StoreError::Format {
                at: "receipt".to_owned(),
                source,
            })?;
        for (role, id) in links(receipt) {
            if !self.has(id) {
                return Err(StoreError::Unresolved { role, id });
            }
        }
        let mut batch = self.batch_in(Area::Receipts);
        let id = batch.put_bytes(&to_json(receipt)?)?;
        batch.commit()?;
        let _lock = self.lock_index()?;
        lines::append(&self.index_file(), INDEX, &[Summary::with_id(id, receipt)])?;
        Ok(id)
    }

    /// Reads the index. Lines that are no summaries are passed over; [`Store::verify`] tells them.
    ///
    /// # Errors
    /// When it cannot be read, or a newer assay wrote it.
    pub fn index(&self) -> Result<Index, StoreError> {
        let lines = lines::read::<Summary>(&self.index_file(), INDEX)?;
        Ok(lines
            .items
            .into_iter()
            .map(|(_, summary)| summary)
            .collect())
    }

    /// Makes the index anew from all recorded receipts, ordered by their ends. Receipts that cannot
    /// be read are left out; returns how many there are in the index.
    ///
    /// # Errors
    /// When the store cannot be read or written, or a newer assay wrote the index.
    pub fn rebuild_index(&self) -> Result<usize, StoreError> {
        self.rewrite_index(|_| true)
    }

    /// The same with only those receipts that are to stay.
    pub(super) fn rewrite_index(
        &self,
        stays: impl Fn(&ArtifactId) -> bool,
    ) -> Result<usize, StoreError> {
        self.check_writable()?;
        let _lock = self.lock_index()?;
        let path = self.index_file();
        // An index that is rubbish from its first line on is what this is to mend.
        let header = match lines::header(&path, INDEX) {
            Err(StoreError::Json { .. }) => None,
            header => header?,
        };
        if let Some(header) = header.filter(|header| !INDEX.may_rewrite(header)) {
            return Err(StoreError::NewerMinor {
                path,
                found: header.minor,
                known: INDEX.minor,
            });
        }
        let mut dated = Vec::new();
        for id in self.list(Area::Receipts)?.ids {
            if !stays(&id) {
                continue;
            }
            if let Ok(receipt) = self.receipt(id)
                && receipt.key == receipt.material.key()
            {
                dated.push((receipt.ended_utc, Summary::with_id(id, &receipt)));
            }
        }
        dated.sort_by_key(|(ended, summary)| (*ended, summary.receipt));
        let summaries: Vec<Summary> = dated.into_iter().map(|(_, summary)| summary).collect();
        let bytes =
            lines::to_lines(Some(INDEX), &summaries).map_err(|source| StoreError::Json {
                at: path.display().to_string(),
                source,
            })?;
        write_atomically_by_way_of(&self.tmp(), &path, &bytes).map_err(StoreError::writing)?;
        Ok(summaries.len())
    }
}

/// Everything a receipt names, with the field that names it.
pub(super) fn links(receipt: &Receipt) -> impl Iterator<Item = (String, ArtifactId)> {
    let inputs = receipt
        .material
        .inputs
        .iter()
        .map(|(role, id)| (format!("inputs.{role}"), *id));
    let outputs = receipt
        .outputs
        .iter()
        .map(|(role, id)| (format!("outputs.{role}"), *id));
    inputs.chain(outputs)
}

fn to_json(receipt: &Receipt) -> Result<Vec<u8>, StoreError> {
    serde_json::to_vec(receipt).map_err(|source| StoreError::Json {
        at: "receipt".to_owned(),
        source,
    })
}
