//! Verification: every byte hashed again, every receipt's key computed again, every link followed.

use super::blobs::{Area, Presence};
use super::error::StoreError;
use super::gc::Amount;
use super::hashing;
use super::index::{INDEX, Summary, links};
use super::lines;
use super::names::CampaignName;
use super::opening::Store;
use crate::id::{ArtifactId, StepKey};
use crate::imported::Imported;
use crate::receipt::Receipt;
use rayon::prelude::*;
use serde::Serialize;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::PathBuf;

/// From this size on, files are hashed one after the other on all cores, smaller ones each on one:
/// memory stays bounded and every core busy.
const LARGE: u64 = 8 << 20;

/// Something in the store that is not as it should be. Its text says what to do.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, thiserror::Error)]
#[serde(tag = "problem", rename_all = "kebab-case")]
pub enum Problem {
    /// The bytes are not those the name promises.
    #[error(
        "`{path}` is damaged: its bytes hash to {found}; remove the file and run the campaign again, \
         then only the steps that need it are run anew"
    )]
    Damaged {
        /// The file, relative to the store.
        path: PathBuf,
        /// What its bytes hash to.
        found: ArtifactId,
    },
    /// A file cannot be read.
    #[error("`{path}` cannot be read: {why}; give this user the right, or check the disk")]
    Unreadable {
        /// The file, relative to the store.
        path: PathBuf,
        /// What the system said.
        why: String,
    },
    /// Something that is not an artifact stands among the artifacts.
    #[error("`{path}` is no artifact of this store: move it out of the store's folder")]
    Stranger {
        /// The file, link or folder, relative to the store.
        path: PathBuf,
    },
    /// A receipt is of an unknown version or not complete.
    #[error("receipt {receipt} cannot be read: {why}; remove it and run `campaign run` again")]
    BadReceipt {
        /// The receipt.
        receipt: ArtifactId,
        /// What is wrong.
        why: String,
    },
    /// A receipt's key is not that of what it says was done.
    #[error(
        "receipt {receipt} claims {said}, but what it lists gives {computed}: do not trust its \
         figures; remove it and run `campaign run` again"
    )]
    WrongKey {
        /// The receipt.
        receipt: ArtifactId,
        /// Its claim.
        said: StepKey,
        /// What its inputs, parameters and facets give.
        computed: StepKey,
    },
    /// An artifact names another that is not in the store.
    #[error(
        "{from} names {to} as {role}, which is not in the store: run `campaign run`, which makes \
         again what is missing, or copy it from another store"
    )]
    Missing {
        /// The receipt or document.
        from: ArtifactId,
        /// The field that names it.
        role: String,
        /// What is missing.
        to: ArtifactId,
    },
    /// A line of the index is not a summary.
    #[error(
        "line {line} of index.jsonl is not readable: `campaign verify --rebuild-index` mends it"
    )]
    BadIndexLine {
        /// Its number, counted from 1.
        line: usize,
    },
    /// A line of the index says something else than its receipt, or has none.
    #[error(
        "line {line} of index.jsonl does not agree with receipt {receipt}: \
         `campaign verify --rebuild-index` mends it"
    )]
    WrongIndexLine {
        /// Its number, counted from 1.
        line: usize,
        /// The receipt it names.
        receipt: ArtifactId,
    },
    /// The index cannot be read at all.
    #[error("the index cannot be read: {why}")]
    BadIndex {
        /// What is wrong.
        why: String,
    },
    /// A campaign's ref, journal, root or node cannot be read.
    #[error("campaign `{campaign}` cannot be read: {why}")]
    BadCampaign {
        /// The campaign.
        campaign: String,
        /// What is wrong.
        why: String,
    },
    /// A campaign names a receipt that is not in the store.
    #[error(
        "campaign `{campaign}` names {receipt} for step {step}, which is not in the store: \
         `campaign run` does that step again"
    )]
    MissingStep {
        /// The campaign.
        campaign: String,
        /// The step.
        step: String,
        /// The missing receipt.
        receipt: ArtifactId,
    },
}

/// What a verification found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct VerifyReport {
    /// All artifacts that were hashed.
    pub checked: Amount,
    /// How many of them were receipts.
    pub receipts: u64,
    /// Receipts that no line of the index names: a run was killed just before it. Not a problem:
    /// their steps run again, or the index is rebuilt.
    pub unindexed_receipts: u64,
    /// Roots of all readable campaigns.
    pub campaigns: BTreeMap<String, Option<ArtifactId>>,
    /// What is not as it should be, sorted.
    pub problems: Vec<Problem>,
}

impl Store {
    /// Checks the whole store; reads everything in it once and writes nothing.
    ///
    /// # Errors
    /// Only when the store cannot be locked or listed. Whatever is wrong in it is in the report.
    pub fn verify(&self) -> Result<VerifyReport, StoreError> {
        let _lock = self.lock_shared()?;
        // Index and campaigns are read before the artifacts are listed: whatever they name was
        // there before, also while others are at work.
        let mut problems = Vec::new();
        let indexed = self.read_index(&mut problems);
        let mut campaigns = BTreeMap::new();
        let mut steps = Vec::new();
        for name in self.list_campaigns()? {
            match self.campaign(&name) {
                Ok(Some(view)) => {
                    campaigns.insert(name.to_string(), view.root);
                    steps.extend(view.steps.into_iter().map(|s| (name.clone(), s)));
                    steps.extend(view.pages.into_iter().map(|s| (name.clone(), s)));
                }
                Ok(None) => {}
                Err(e) => problems.push(Problem::BadCampaign {
                    campaign: name.to_string(),
                    why: e.to_string(),
                }),
            }
            self.check_journal(&name, &mut problems);
        }

        let mut presence = Presence::default();
        for area in Area::ALL {
            let listing = self.list(area)?;
            problems.extend(listing.strangers.iter().map(|path| Problem::Stranger {
                path: self.inside(path),
            }));
            match area {
                Area::Blobs => presence.blobs = listing.ids.into_iter().collect(),
                Area::Receipts => presence.receipts = listing.ids.into_iter().collect(),
            }
        }
        let (checked, damaged) = self.check_bytes(&presence, &mut problems);

        let receipts = self.check_receipts(&presence, &damaged, &mut problems);
        let mut named = HashSet::new();
        for (line, summary) in indexed {
            named.insert(summary.receipt);
            // A damaged receipt is told already.
            if !damaged.contains(&summary.receipt)
                && receipts.get(&summary.receipt) != Some(&summary)
            {
                problems.push(Problem::WrongIndexLine {
                    line,
                    receipt: summary.receipt,
                });
            }
        }
        for (campaign, (step, receipt)) in steps {
            if !presence.has_receipt(&receipt) {
                problems.push(Problem::MissingStep {
                    campaign: campaign.to_string(),
                    step: step.to_string(),
                    receipt,
                });
            }
        }
        self.check_documents(&presence, &damaged, &mut problems);

        problems.sort();
        problems.dedup();
        Ok(VerifyReport {
            checked,
            receipts: presence.receipts.len() as u64,
            unindexed_receipts: receipts.keys().filter(|id| !named.contains(id)).count() as u64,
            campaigns,
            problems,
        })
    }

    fn read_index(&self, problems: &mut Vec<Problem>) -> Vec<(usize, Summary)> {
        match lines::read::<Summary>(&self.index_file(), INDEX) {
            Ok(lines) => {
                let bad = |line: &usize| Problem::BadIndexLine { line: *line };
                problems.extend(lines.unreadable.iter().map(bad));
                lines.items
            }
            Err(e) => {
                problems.push(Problem::BadIndex { why: e.to_string() });
                Vec::new()
            }
        }
    }

    fn check_journal(&self, name: &CampaignName, problems: &mut Vec<Problem>) {
        let path = self.journal_file(name);
        if let Ok(lines) = lines::read::<serde_json::Value>(&path, super::campaigns::JOURNAL)
            && let Some(line) = lines.unreadable.first()
        {
            problems.push(Problem::BadCampaign {
                campaign: name.to_string(),
                why: format!(
                    "line {line} of its journal is not readable: remove the line, and \
                     `campaign run` finds its step again"
                ),
            });
        }
    }

    /// Hashes every file; what is damaged or unreadable is not looked into afterwards.
    fn check_bytes(
        &self,
        presence: &Presence,
        problems: &mut Vec<Problem>,
    ) -> (Amount, HashSet<ArtifactId>) {
        let all: Vec<(Area, ArtifactId)> = presence
            .blobs
            .iter()
            .map(|id| (Area::Blobs, *id))
            .chain(presence.receipts.iter().map(|id| (Area::Receipts, *id)))
            .collect();
        // Small ones first, side by side; `None` marks the large ones.
        let small: Vec<_> = all
            .par_iter()
            .map(|(area, id)| self.check_file(*area, *id, false).transpose())
            .collect();
        let mut checked = Amount::default();
        let mut damaged = HashSet::new();
        for ((area, id), result) in all.into_iter().zip(small) {
            let result = result.or_else(|| self.check_file(area, id, true).transpose());
            match result {
                Some(Ok(size)) => checked.add(size),
                Some(Err(problem)) => {
                    damaged.insert(id);
                    problems.push(problem);
                }
                None => {}
            }
        }
        (checked, damaged)
    }

    /// The size of a sound file; nothing when it is large and large ones are not asked for.
    fn check_file(&self, area: Area, id: ArtifactId, large: bool) -> Result<Option<u64>, Problem> {
        let path = || self.inside(&self.place(area, id));
        let unreadable = |why: String| Problem::Unreadable { path: path(), why };
        let mut opened = self
            .open_in(area, id)
            .map_err(|e| unreadable(e.to_string()))?;
        let size = opened.size;
        if size >= LARGE && !large {
            return Ok(None);
        }
        let hash = if size >= LARGE {
            hashing::hash_file
        } else {
            hashing::hash_alone
        };
        let found = hash(&mut opened.file, size).map_err(|e| unreadable(e.to_string()))?;
        if found != id {
            return Err(Problem::Damaged {
                path: path(),
                found,
            });
        }
        Ok(Some(size))
    }

    /// Parses every sound receipt, checks its key and links, and gives its index line.
    fn check_receipts(
        &self,
        presence: &Presence,
        damaged: &HashSet<ArtifactId>,
        problems: &mut Vec<Problem>,
    ) -> HashMap<ArtifactId, Summary> {
        let ids: Vec<ArtifactId> = presence.receipts.difference(damaged).copied().collect();
        let checked: Vec<(Option<Summary>, Vec<Problem>)> = ids
            .par_iter()
            .map(|id| match self.receipt(*id) {
                Ok(receipt) => (
                    Some(Summary::with_id(*id, &receipt)),
                    check_receipt(*id, &receipt, presence),
                ),
                Err(e) => (
                    None,
                    match self.imported(*id) {
                        Ok(imported) => check_imported(*id, &imported, presence),
                        Err(_) => vec![Problem::BadReceipt {
                            receipt: *id,
                            why: e.to_string(),
                        }],
                    },
                ),
            })
            .collect();
        let mut summaries = HashMap::new();
        for (id, (summary, found)) in ids.into_iter().zip(checked) {
            problems.extend(found);
            summaries.extend(summary.map(|summary| (id, summary)));
        }
        summaries
    }

    /// Follows the links of trees, roots and other documents among the blobs.
    fn check_documents(
        &self,
        presence: &Presence,
        damaged: &HashSet<ArtifactId>,
        problems: &mut Vec<Problem>,
    ) {
        for from in presence.blobs.difference(damaged) {
            // It was readable a moment ago; if it no longer is, the next verification tells.
            for to in self.links(*from).unwrap_or_default() {
                if !presence.has(&to) {
                    problems.push(Problem::Missing {
                        from: *from,
                        role: "a part".to_owned(),
                        to,
                    });
                }
            }
        }
    }

    fn inside(&self, path: &std::path::Path) -> PathBuf {
        path.strip_prefix(self.root()).unwrap_or(path).to_owned()
    }
}

fn check_imported(id: ArtifactId, imported: &Imported, presence: &Presence) -> Vec<Problem> {
    let missing = imported.files.iter().filter(|(_, to)| !presence.has(to));
    missing
        .map(|(path, to)| Problem::Missing {
            from: id,
            role: format!("files.{path}"),
            to: *to,
        })
        .collect()
}

fn check_receipt(id: ArtifactId, receipt: &Receipt, presence: &Presence) -> Vec<Problem> {
    let mut problems = Vec::new();
    let computed = receipt.material.key();
    if computed != receipt.key {
        problems.push(Problem::WrongKey {
            receipt: id,
            said: receipt.key,
            computed,
        });
    }
    for (role, to) in links(receipt).filter(|(_, to)| !presence.has(to)) {
        problems.push(Problem::Missing { from: id, role, to });
    }
    problems
}
