//! What there is to be measured: candidates, their instances, and the curated facts about them.
//!
//! One TOML a candidate, named `<id>.toml`; `candidates/README.md` documents the format. All curated
//! facts (external sizes, causes of KAT results, the survey of symmetric primitives) stand in the
//! candidate's own file, so that each has one place and a candidate of one's own needs one file.
//!
//! Invariants: a [`Candidate`] is checked. Its labels differ, its names have the form of their kind,
//! its digests are whole. What cannot be known without the sources (whether a folder is there) is
//! checked by [`crate::sources`].

mod candidate;
mod check;
mod error;
mod load;
mod words;

#[cfg(test)]
mod tests;

pub use candidate::{Archive, CANDIDATE, Candidate, Instance, KatReference, KatRow, Package};
pub use error::{CatalogError, Fault};
pub use load::Catalog;
pub use words::{InstanceName, KatMode, LabelPattern, LibraryName, Sha256Hex, Symbol, Variant};
