//! The published evidence formats (schema 2) as types.
//!
//! Layout of a dataset: `campaign.json` ([`CampaignFile`]), `build.json` ([`BuildFile`]),
//! `records/<candidate>/<label>__<operation>.json` ([`TimingRecord`]),
//! `profile/<candidate>/<label>__<operation>.json` ([`ProfileRecord`]) and
//! `kat/<candidate>/<label>.log` ([`KatLog`]).
//!
//! One type serves published and own evidence: fields that others do not write are optional, fields
//! that we do not know are kept in `rest`. So a file read and written again is the same JSON value.
//! Own records leave out in the store what only publishing knows (candidate, label, paths).

use crate::format::Format;

mod build_file;
mod campaign_file;
mod kat_log;
mod paths;
mod profile;
mod publishing;
mod statistics;
mod timing;

pub use build_file::{BuildEntry, BuildFile};
pub use campaign_file::{CampaignFile, HostCheck, PublishedPlanning};
pub use kat_log::{KatLine, KatLog, KatResult};
pub use paths::{kat_log_path, profile_path, record_path};
pub use profile::{Call, ProfileRecord, ProfileTotal, ShareError, Shares, shares};
pub use publishing::{ARTIFACT, InstanceFacts, Provenance, RECEIPT};
pub use statistics::{Statistics, StatisticsError, statistics};
pub use timing::{Plan, ProcessRun, TimingRecord, Trial};

/// The version of own timing records; published ones of others have no such head.
///
/// 1.0: first, a superset of schema 2. A change of meaning raises major, an added optional field
/// minor.
pub const TIMING_RECORD: Format = Format {
    kind: "assay-timing",
    major: 1,
    minor: 0,
};

/// The version of own profiles; the rules of [`TIMING_RECORD`] hold.
pub const PROFILE_RECORD: Format = Format {
    kind: "assay-profile",
    major: 1,
    minor: 0,
};

/// The version of own `build.json` files; the rules of [`TIMING_RECORD`] hold.
pub const BUILD_FILE: Format = Format {
    kind: "assay-builds",
    major: 1,
    minor: 0,
};

/// The version of own `campaign.json` files; the rules of [`TIMING_RECORD`] hold.
pub const CAMPAIGN_FILE: Format = Format {
    kind: "assay-campaign-facts",
    major: 1,
    minor: 0,
};

/// The published schema of which own records are a superset.
pub const SCHEMA: u32 = 2;

/// A JSON object whose fields are kept as they are.
pub type Fields = serde_json::Map<String, serde_json::Value>;

/// The value of `status` in a record of a measurement that came to its end.
pub const COMPLETE: &str = "complete";

#[cfg(test)]
mod tests;
