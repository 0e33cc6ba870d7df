//! The constants from which a campaign plans how often an operation is measured.

use serde::{Deserialize, Serialize};

/// The planning constants; NGCC.md section 5.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Planning {
    /// Trials an operation.
    pub trials: u32,
    /// Nanoseconds aimed at for one trial.
    pub trial_target_ns: u64,
    /// Calls an operation at least.
    pub min_total: u64,
    /// Calls a trial at most.
    pub max_iterations: u64,
    /// Nanoseconds an operation may take in all.
    pub op_budget_ns: u64,
    /// Set-up of at least this many nanoseconds puts all trials into one process.
    pub separate_process_setup_ns: u64,
}

impl Planning {
    /// 1 s a trial, 900 s an operation, as on x86_1: for machines not registered, whose clocks wander
    /// and need the longer trial.
    pub const LOCAL: Planning = Planning {
        trials: 5,
        trial_target_ns: 1_000_000_000,
        min_total: 100,
        max_iterations: 20_000,
        op_budget_ns: 900_000_000_000,
        separate_process_setup_ns: 60_000_000_000,
    };

    /// The same with 0.05 s a trial (`--quick`).
    #[must_use]
    pub fn quick(self) -> Planning {
        Planning {
            trial_target_ns: 50_000_000,
            ..self
        }
    }
}
