//! The stage `size-audit`: declared sizes, lengths really returned in the KAT run and curated external
//! sizes, and where they disagree. Output: `report` ([`SizeAudit`]).

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
pub const SIZE_AUDIT: Format = Format { kind: "assay-size-audit", major: 1, minor: 0 };

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
    /// Whether they contradict each other; empty when not.
    pub disagreements: Vec<String>,
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
            let disagreements = disagreements(declared, returned, curated);
            SizeRow { object: (*object).to_owned(), declared, returned, curated, disagreements }
        })
        .collect();
    SizeAudit { header: SIZE_AUDIT.header(), rows }
}

fn disagreements(
    declared: Option<u64>,
    returned: Option<(u64, u64)>,
    curated: Option<u64>,
) -> Vec<String> {
    let mut found = Vec::new();
    if let (Some(declared), Some(curated)) = (declared, curated)
        && declared != curated
    {
        found.push(format!("declared {declared}, curated {curated}"));
    }
    if let (Some(declared), Some((min, max))) = (declared, returned) {
        if max > declared {
            found.push(format!("returned up to {max}, declared {declared}"));
        } else if max < declared {
            found.push(format!("never more than {max} returned, declared {declared}"));
        }
        if min != max {
            found.push(format!("returned from {min} to {max}"));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn disagreements_are_named() {
        assert!(disagreements(Some(800), Some((800, 800)), Some(800)).is_empty());
        assert!(disagreements(Some(800), None, None).is_empty());
        assert_eq!(
            disagreements(Some(800), Some((800, 800)), Some(768)),
            ["declared 800, curated 768"]
        );
        assert_eq!(
            disagreements(Some(700), Some((690, 710)), None),
            ["returned up to 710, declared 700", "returned from 690 to 710"]
        );
        assert_eq!(
            disagreements(Some(700), Some((650, 650)), None),
            ["never more than 650 returned, declared 700"]
        );
    }
}
