//! The C of `stages/probe`, driven as the stages drive it: the probe on libraries with and without
//! faults, on real implementations, and the ICCS helpers on vectors.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests fail the test"
)]

mod controls;
mod faults;
mod helpers;
mod measuring;
mod texts;
mod toolchain;
