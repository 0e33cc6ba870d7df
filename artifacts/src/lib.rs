//! The words of assay as types, step keys, receipts, and the content-addressed store.
//!
//! - [`words`]: system, candidate, instance, operation, stage, metric; [`cell`]: the address of a
//!   figure.
//! - [`id`]: [`ArtifactId`] (what bytes are) and [`StepKey`] (what a step would do): two types that
//!   never convert into each other.
//! - [`key`]: canonical JSON and key derivation; [`receipt`]: what a step read and wrote;
//!   [`imported`]: what others say they did; [`mod@format`]: kind and version at the head of every file.
//! - [`records`]: the evidence formats; [`tree`]: source trees; [`store`]: blobs, index, campaigns.
//!
//! Types and keys do no input or output; only [`store`] touches the disk.

pub mod cell;
pub mod format;
pub mod id;
pub mod imported;
pub mod key;
pub mod receipt;
pub mod records;
pub mod store;
pub mod tree;
pub mod words;

pub use cell::Cell;
pub use id::{ArtifactId, StepKey};
pub use key::KeyMaterial;
pub use receipt::{Outcome, Receipt};
pub use words::{CandidateId, Label, Operation, Stage, SystemId};
