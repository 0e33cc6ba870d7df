//! The stages: what each of the six binaries does, and how foreign code is run.
//!
//! [`build`], [`kat`], [`time`], [`profile`], [`size_audit`] and `render` each turn a request into
//! artifacts. [`launch`] contains foreign processes; [`compiler`] and [`probe`] are the two kinds of
//! them, [`report`] is what the probe says.

pub mod build;
pub mod compiler;
pub mod kat;
pub mod launch;
pub mod probe;
pub mod profile;
pub mod render;
pub mod report;
pub mod scratch;
pub mod size_audit;
pub mod time;
