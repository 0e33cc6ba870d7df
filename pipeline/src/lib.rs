//! pipeline

pub mod catalog;
