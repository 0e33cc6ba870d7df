//! Cell addresses: `system/candidate/instance/operation/metric`, each part percent-encoded, `-` for
//! an absent operation; `name@` before it picks another campaign than the current one.

use crate::words::{CandidateId, Label, Operation, SystemId, WordError};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Everything but unreserved characters is encoded, and `+` stays readable.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'~')
    .remove(b'+');

/// The address of one published figure.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Cell {
    /// The campaign; absent for the current one.
    pub campaign: Option<String>,
    /// The system.
    pub system: SystemId,
    /// The candidate.
    pub candidate: CandidateId,
    /// The instance.
    pub instance: Label,
    /// The operation; absent for figures of a whole instance.
    pub operation: Option<Operation>,
    /// What is told about it, such as `mean_cycles` or `peak_rss`.
    pub metric: String,
}

/// A text that is no cell address.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CellError {
    /// Too many or too few parts.
    #[error(
        "`{0}` is not a cell address: expected [campaign@]system/candidate/instance/operation/metric \
         with `-` for an absent operation"
    )]
    Shape(String),
    /// A part is not what its place demands.
    #[error("in cell address `{address}`: {source}")]
    Part {
        /// The whole address.
        address: String,
        /// What is wrong with the part.
        source: WordError,
    },
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(campaign) = &self.campaign {
            write!(f, "{}@", utf8_percent_encode(campaign, ENCODED))?;
        }
        let operation = self
            .operation
            .as_ref()
            .map_or("-".to_owned(), Operation::to_string);
        write!(
            f,
            "{}/{}/{}/{}/{}",
            utf8_percent_encode(self.system.as_str(), ENCODED),
            utf8_percent_encode(self.candidate.as_str(), ENCODED),
            utf8_percent_encode(self.instance.as_str(), ENCODED),
            operation,
            utf8_percent_encode(&self.metric, ENCODED),
        )
    }
}

impl FromStr for Cell {
    type Err = CellError;

    fn from_str(text: &str) -> Result<Self, CellError> {
        let shape = || CellError::Shape(text.to_owned());
        let part = |source| CellError::Part {
            address: text.to_owned(),
            source,
        };
        let decode = |part: &str| {
            percent_decode_str(part)
                .decode_utf8()
                .map(|s| s.into_owned())
                .map_err(|_| shape())
        };
        let (campaign, address) = match text.split_once('@') {
            Some((campaign, address)) => (Some(decode(campaign)?), address),
            None => (None, text),
        };
        let parts: Vec<&str> = address.split('/').collect();
        let [system, candidate, instance, operation, metric] = parts.as_slice() else {
            return Err(shape());
        };
        let metric = decode(metric)?;
        if metric.is_empty() || campaign.as_deref() == Some("") {
            return Err(shape());
        }
        Ok(Cell {
            campaign,
            system: SystemId::new(decode(system)?).map_err(part)?,
            candidate: CandidateId::new(decode(candidate)?).map_err(part)?,
            instance: Label::new(decode(instance)?).map_err(part)?,
            operation: match *operation {
                "-" => None,
                name => Some(decode(name)?.parse().map_err(part)?),
            },
            metric,
        })
    }
}

impl TryFrom<String> for Cell {
    type Error = CellError;

    fn try_from(text: String) -> Result<Self, CellError> {
        text.parse()
    }
}

impl From<Cell> for String {
    fn from(cell: Cell) -> String {
        cell.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn addresses_read_as_written() {
        let cell: Cell = "arm_1/kem-11/COMPASS-KEM-128/dec/mean_cycles"
            .parse()
            .unwrap();
        assert_eq!(cell.operation, Some(Operation::Dec));
        assert_eq!(
            cell.to_string(),
            "arm_1/kem-11/COMPASS-KEM-128/dec/mean_cycles"
        );
        let cell: Cell = "night%20run@local/x/a%20b/-/elf_load_bytes"
            .parse()
            .unwrap();
        assert_eq!(cell.campaign.as_deref(), Some("night run"));
        assert_eq!(cell.instance.as_str(), "a b");
        for bad in [
            "",
            "a/b/c/d",
            "a/b/c/-/",
            "@a/b/c/-/m",
            "a/b/c/fly/m",
            "a/b/%2F/-/m",
        ] {
            assert!(bad.parse::<Cell>().is_err(), "{bad}");
        }
    }

    proptest! {
        #[test]
        fn any_label_survives(label in "[^/\u{0}-\u{1f}\u{7f}-\u{9f}_.-][^/\u{0}-\u{1f}\u{7f}-\u{9f}_]{0,20}") {
            let cell = Cell {
                campaign: None,
                system: SystemId::new("local").unwrap(),
                candidate: CandidateId::new("x").unwrap(),
                instance: Label::new(label).unwrap(),
                operation: None,
                metric: "m".to_owned(),
            };
            prop_assert_eq!(cell.to_string().parse::<Cell>().unwrap(), cell);
        }
    }
}
