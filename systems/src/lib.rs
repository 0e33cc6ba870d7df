//! Facts of machines, what of them enters step keys, and whether they are fit for measuring.
//!
//! - [`Machine`]: the facts, read below a [`Root`], so that tests feed other machines.
//! - [`Environment`]: the same as published evidence states them, and the page's clock line.
//! - [`facets`]: the parts of the fingerprint that enter step keys.
//! - [`mod@readiness`]: what keeps a core from being fixed, with the command that mends it; [`clock`]: the
//!   arithmetic of the measured clock.
//! - [`System`]: the registered systems and `local`; [`flags`]: compiler options.
//!
//! Nothing is measured here, and nothing of the machine is changed.

pub mod clock;
pub mod environment;
mod error;
pub mod facets;
pub mod flags;
mod identity;
pub mod machine;
pub mod planning;
pub mod readiness;
mod root;
pub mod system;

pub use clock::{ClockSamples, CoreClock};
pub use environment::Environment;
pub use error::Error;
pub use facets::{Facet, FileHashes, Toolchain};
pub use flags::Architecture;
pub use machine::{CoreKind, Machine};
pub use planning::Planning;
pub use readiness::{CounterProbe, Problem, readiness};
pub use root::Root;
pub use system::{Mismatch, System};
