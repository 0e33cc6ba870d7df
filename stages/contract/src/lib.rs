//! The stage contract: how the pipeline asks for a step, and how a stage answers.
//!
//! A stage reads one [`Request`] (JSON) on standard input, works in the store, writes one receipt
//! (JSON) on standard output and talks to people on standard error. Exit 0: there is a receipt, also
//! when the candidate failed. Exit 1: no receipt, and standard error says what to do.

pub mod parameters;
pub mod request;
pub mod serve;
pub mod sources;
pub mod version;

pub use request::{Conditions, Request};
pub use serve::{StageResult, serve};

use include_dir::{Dir, include_dir};

/// The C sources that assay compiles itself: the probe (`src/`), the ICCS helper functions (`iccs/`)
/// and what is linked into measured libraries (`glue/`). They travel inside the binaries, so that an
/// installed assay needs no source folder.
pub static PROBE_SOURCES: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/../probe");
