//! The real `campaign` with its real stages and compilers, from sources to pages.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "clippy.toml allows them in test functions, not in what these share"
)]

mod assay;
mod controls;
mod crash;
mod early_cutoff;
mod failing;
mod figures;
mod iccs;
mod publication;
mod shards;
mod submission;
mod toolchains;
mod usage;
