//! The pipeline: the `campaign` command.
//!
//! - [`cli`], [`exit`]: the command line; [`commands`]: what each command does.
//! - [`catalog`], [`sources`]: what there is to measure; [`gather`]: all that a plan needs.
//! - [`plan`]: what would run, a pure function; [`runner`]: running it; [`site`]: its pages.

pub mod catalog;
pub mod cli;
pub mod commands;
pub mod exit;
pub mod gather;
pub mod plan;
pub mod runner;
pub mod site;
pub mod sources;
