//! The stage `size-audit`: declared sizes, lengths really returned in the KAT run and curated external
//! sizes, side by side; what disagrees is said where they are shown. Output: `report` ([`SizeAudit`]).

use crate::kat::{KAT_REPORT, KatReport};
use artifacts::Outcome;
use artifacts::format::{Format, Header};
use artifacts::store::{Store, StoreError};
use artifacts::words::Kind;
use contract::parameters::SizeAuditParameters;
use contract::request::RequestError;
use contract::{Request, StageResult};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The version of size audits this program writes. 1.0: first.
pub const SIZE_AUDIT: Format = Format {
    kind: "assay-size-audit",
    major: 1,
    minor: 0,
};

/// See the module.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SizeAudit {
    /// Kind and version.
    #[serde(flatten)]
    pub header: Header,
    /// One row an object, in the order of the page.
    pub rows: Vec<SizeRow>,
}

/// The sizes of one object in bytes; absent is unknown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SizeRow {
    /// `pk`, `sk`, `ct`, `ss`, `sn` or `digest`.
    pub object: String,
    /// What the programming interface declares.
    pub declared: Option<u64>,
    /// Least and greatest length returned in the KAT run.
    pub returned: Option<(u64, u64)>,
    /// What the curated catalog says.
    pub curated: Option<u64>,
}

/// Why a size audit has no receipt.
#[derive(Debug, thiserror::Error)]
pub enum SizeAuditError {
    /// The request is incomplete.
    #[error(transparent)]
    Request(#[from] RequestError),
    /// Store.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Does a size-audit step.
///
/// # Errors
/// When the kat report cannot be read.
pub fn run(request: &Request, store: &Store) -> Result<StageResult, SizeAuditError> {
    let parameters: SizeAuditParameters = request.parameters()?;
    let kat: KatReport = store.get_json(request.input("kat")?, KAT_REPORT)?;
    let audit = audit(&parameters, &kat);
    Ok(StageResult {
        outputs: BTreeMap::from([("report".to_owned(), store.put_json(&audit)?)]),
        outcome: Outcome::done(),
        observations: BTreeMap::new(),
        tools: BTreeMap::new(),
    })
}

fn objects(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Kem => &["pk", "sk", "ct", "ss"],
        Kind::Sig => &["pk", "sk", "sn"],
        Kind::Hash => &["digest"],
        Kind::Kex => &["pk", "sk", "ss"],
    }
}

fn audit(parameters: &SizeAuditParameters, kat: &KatReport) -> SizeAudit {
    let rows = objects(parameters.kind)
        .iter()
        .map(|object| {
            let declared = kat.sizes.get(*object).copied();
            let returned = kat.returned.get(*object).copied();
            let curated = parameters.curated.get(*object).copied();
            SizeRow {
                object: (*object).to_owned(),
                declared,
                returned,
                curated,
            }
        })
        .collect();
    SizeAudit {
        header: SIZE_AUDIT.header(),
        rows,
    }
}
