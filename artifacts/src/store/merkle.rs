//! Roots: a Merkle tree over the receipts of a campaign.
//!
//! The root names a node a candidate, which names the receipts of its steps. The tree holds nothing
//! else (no times, no campaign name, no pages) and is sorted: the same receipts have the same root.

use super::error::StoreError;
use super::names::StepName;
use super::opening::Store;
use crate::format::{Format, Header};
use crate::id::ArtifactId;
use crate::words::{CandidateId, SystemId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The version of roots this program writes. 1.0: first. Raising it changes every root.
pub const CAMPAIGN: Format = Format {
    kind: "assay-campaign",
    major: 1,
    minor: 0,
};
/// The version of candidate nodes this program writes. 1.0: first. Raising it changes every root.
pub const CANDIDATE: Format = Format {
    kind: "assay-candidate",
    major: 1,
    minor: 0,
};

/// The root of a campaign's evidence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Campaign {
    /// Kind and version.
    #[serde(flatten)]
    pub header: Header,
    /// The system measured.
    pub system: SystemId,
    /// A [`CandidateNode`] each.
    pub candidates: BTreeMap<CandidateId, ArtifactId>,
    /// Receipts of steps that belong to the whole campaign.
    pub steps: BTreeMap<StepName, ArtifactId>,
}

/// The part of a campaign's evidence that is one candidate's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CandidateNode {
    /// Kind and version.
    #[serde(flatten)]
    pub header: Header,
    /// Receipts of its steps.
    pub steps: BTreeMap<StepName, ArtifactId>,
}

impl CandidateNode {
    fn empty() -> Self {
        CandidateNode {
            header: CANDIDATE.header(),
            steps: BTreeMap::new(),
        }
    }
}

impl Store {
    /// Puts the tree over these receipts; returns its root.
    pub(super) fn put_root(
        &self,
        system: SystemId,
        steps: BTreeMap<StepName, ArtifactId>,
    ) -> Result<ArtifactId, StoreError> {
        let mut root = Campaign {
            header: CAMPAIGN.header(),
            system,
            candidates: BTreeMap::new(),
            steps: BTreeMap::new(),
        };
        let mut nodes: BTreeMap<CandidateId, CandidateNode> = BTreeMap::new();
        for (step, receipt) in steps {
            let steps = match step.candidate() {
                Some(candidate) => {
                    let node = nodes.entry(candidate);
                    &mut node.or_insert_with(CandidateNode::empty).steps
                }
                None => &mut root.steps,
            };
            steps.insert(step, receipt);
        }
        let mut batch = self.batch();
        for (candidate, node) in nodes {
            root.candidates.insert(candidate, batch.put_json(&node)?);
        }
        let id = batch.put_json(&root)?;
        batch.commit()?;
        Ok(id)
    }

    /// The receipts of all steps under a root, by step.
    ///
    /// # Errors
    /// When the root or a node is missing, damaged, or of another kind or major version.
    pub fn steps_of(&self, root: ArtifactId) -> Result<BTreeMap<StepName, ArtifactId>, StoreError> {
        let root: Campaign = self.get_json(root, CAMPAIGN)?;
        let mut steps = root.steps;
        for node in root.candidates.into_values() {
            let node: CandidateNode = self.get_json(node, CANDIDATE)?;
            steps.extend(node.steps);
        }
        Ok(steps)
    }
}
