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
    /// 0.5 s a trial, 300 s an operation: the constants of arm_1, and of machines not registered.
    pub const LOCAL: Planning = Planning {
        trials: 5,
        trial_target_ns: 500_000_000,
        min_total: 100,
        max_iterations: 20_000,
        op_budget_ns: 300_000_000_000,
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
