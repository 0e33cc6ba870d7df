//! Running foreign code: candidates, and compilers that read candidates' sources.
//!
//! The library side ([`run`]) starts the small binary `launcher`, which restricts itself and then
//! executes the command of a [`Policy`]. Three processes take part:
//!
//! ```text
//! stage ── launcher supervise ── launcher init (first process of its namespaces) ── the command
//! ```
//!
//! * Standard input of both launcher processes is one end of a socket pair, the *control channel*.
//!   The stage writes the policy on it, one JSON line; the launcher answers with lines of
//!   [`message::Message`]: each piece of containment, and how the command ended. The command itself
//!   gets `/dev/null`, never this channel.
//! * Descriptors of the command: 0 `/dev/null`, 1 and 2 captured by the stage, 3 the *report pipe*
//!   (what the probe says to its stage), 4 a file the stage opened, if any. Nothing else.
//!
//! Invariants: when `run` returns, what the command started is dead, and so it is when the launcher
//! or the stage is killed: `init` dies with its parent or when the control channel closes, and a
//! process namespace dies with its `init`. What the kernel cannot enforce is in
//! [`Finished::containment`], with the reason. Memory of the stage is bounded by the caps of
//! [`run`], time by [`Policy::wall`].
//!
//! A note for callers who run as root: the command runs as user and group 65534 and without
//! capabilities. Folders of [`Policy::write`] and the folders (not the files) in them are given to
//! that user; files and folders of [`Policy::read`] must be readable by others, folders above them
//! need not be.

mod captured;
mod containment;
mod error;
pub mod inside;
pub mod message;
mod policy;
mod run;

pub use captured::Captured;
pub use containment::{Containment, Enforced, Piece};
pub use error::LaunchError;
pub use message::Usage;
pub use policy::{Limits, Policy, UNLIMITED};
pub use run::{End, Finished, containment_available, run};
