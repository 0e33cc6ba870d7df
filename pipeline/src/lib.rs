//! The pipeline: the `campaign` command.
//!
//! - [`cli`], [`exit`]: the command line; [`commands`]: what each command does.
//! - [`catalog`], [`sources`]: what there is to measure; [`gather`]: all that a plan needs.
//! - [`plan`]: what would run, a pure function; [`runner`]: running it.
//! - [`campaign`]: reading what a run left; [`lookup`]: a figure by its address; [`publish`]: its evidence and pages for others.

pub mod campaign;
pub mod catalog;
pub mod cli;
pub mod commands;
pub mod exit;
pub mod gather;
pub mod lookup;
pub mod plan;
pub mod publish;
pub mod runner;
pub mod sources;
