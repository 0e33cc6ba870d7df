//! Foreign code under the launcher: `foreign.c` tries what it should not.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "clippy.toml allows them in test functions, not in what these share"
)]

mod ends;
mod limits;
mod reach;
mod support;
mod users;
