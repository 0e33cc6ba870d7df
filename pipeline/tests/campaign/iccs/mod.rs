//! The ICCS helpers and KAT texts a second time, written from their description (NGCC.md sections 3
//! and 4) on the SM3 of a library, for lengths of whole bytes. They give the reference texts of the
//! tests' submissions, which thus owe nothing to assay's helpers, DRNG, probe and text writer.

mod helpers;
mod puppet;
mod texts;

pub use puppet::Puppet;
pub use texts::{canonical_sha256, every_length, kem, sig, three_messages};
