//! The content-addressed store: artifacts, receipts, the index over them, and campaigns.
//!
//! Purpose: every figure can be followed to the bytes it came from, nothing runs twice that need
//! not, and a kill at any instant leaves a store that is valid.
//!
//! # On disk
//!
//! ```text
//! format.json                 header: kind `assay-store`, major, minor
//! blobs/<2 hex>/<62 hex>      an artifact by its id, read-only
//! receipts/<2 hex>/<62 hex>   the same, for receipts that were recorded
//! index.jsonl                 a header, then a Summary a recorded receipt; derived
//! campaigns/<name>.json       a campaign: system, root, pages
//! campaigns/<name>.journal    a header, then what was recorded since the root was made
//! locks/<lock>                `store`, `index`, `campaign-<name>`; who took it last
//! tmp/.assay-<random>         files being written; what a killed process left goes with time
//! ```
//!
//! # Invariants
//!
//! - A file in `blobs` or `receipts` is whole and durable from the moment it has its name; its name
//!   is the BLAKE3 of its bytes, which every read checks. It is never changed.
//! - Receipts stand apart because only [`Store::record`] may write them: nothing that came from a
//!   candidate is ever taken for one.
//! - A receipt is recorded after everything it names, and removed before it.
//! - The index is a hint. A step is done when its receipt and all outputs are there.
//! - Small files are replaced whole ([`write_atomically`]), `.jsonl` and `.journal` files only
//!   appended to, under a brief exclusive lock.
//! - Whoever puts holds [`Store::lock_shared`]; garbage collection holds it exclusively.
//! - A file of a newer major version is refused, one of a newer minor version is read and never
//!   written.

mod blobs;
mod campaigns;
mod error;
mod files;
mod gc;
mod hashing;
mod imports;
mod index;
mod lines;
mod lock;
mod merkle;
mod names;
mod opening;
mod putting;
mod reach;
mod take;
mod verify;

pub use blobs::Presence;
pub use campaigns::{CAMPAIGN_REF, CampaignView, JOURNAL};
pub use error::StoreError;
pub use files::write_atomically;
pub use gc::{Amount, GcReport};
pub use index::{INDEX, Index, Summary};
pub use lock::{ExclusiveLock, Holder, LOCK_TIMEOUT, LockError, SharedLock};
pub use merkle::{CAMPAIGN, CANDIDATE, Campaign, CandidateNode};
pub use names::{CampaignName, StepName};
pub use opening::{STORE, Store};
pub use putting::Batch;
pub use verify::{Problem, VerifyReport};
