//! What would run, what is reused, and why: a pure function of the world and of what the store has.
//!
//! A step's key needs the content of its inputs, so a step behind one that has yet to run has no
//! key: it is [`State::Waiting`], and is planned again when that one is done. If the outputs then are
//! what they were (early cutoff), the step behind is reused.

mod candidate;
mod page;
pub mod step;
pub mod world;

pub use candidate::{Chosen, InstancePlan, instance_steps, plan_probe};
pub use page::{plan_index, plan_page};
pub use step::{Step, StepName};
pub use world::{Candidate, Instance, World};

use artifacts::key::CanonicalError;
use artifacts::store::Summary;
use artifacts::{ArtifactId, KeyMaterial, StepKey};
use std::sync::Arc;

/// What the planner asks the store.
pub trait Lookup {
    /// The receipt to reuse for this step, if there is one whose outputs are all present.
    fn find(&self, step: &StepName, key: &StepKey) -> Option<&Summary>;
}

/// A step and what is to be done about it; cheap to clone.
#[derive(Debug, Clone)]
pub struct Planned {
    /// The step.
    pub name: StepName,
    /// What is to be done.
    pub state: State,
}

/// See [`Planned::state`].
#[derive(Debug, Clone)]
pub enum State {
    /// A receipt with this key is there.
    Reused {
        /// What the key is made of.
        material: Arc<KeyMaterial>,
        /// The receipt's facts.
        summary: Arc<Summary>,
    },
    /// All inputs are known and no receipt is there.
    Ready(Arc<KeyMaterial>),
    /// An input comes from a step that has yet to run.
    Waiting,
}

impl Planned {
    /// The output in this role, where the step is done and has it.
    pub fn output(&self, role: &str) -> Option<ArtifactId> {
        match &self.state {
            State::Reused { summary, .. } => summary.outputs.get(role).copied(),
            State::Ready(_) | State::Waiting => None,
        }
    }

    /// The receipt's facts, where the step is done.
    pub fn summary(&self) -> Option<&Summary> {
        match &self.state {
            State::Reused { summary, .. } => Some(summary),
            State::Ready(_) | State::Waiting => None,
        }
    }
}

/// Why a plan could not be made.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// A parameter cannot enter a key: an error of this program.
    #[error("step {step}: {source}")]
    Parameters {
        /// The step.
        step: String,
        /// What is wrong with it.
        source: CanonicalError,
    },
}
