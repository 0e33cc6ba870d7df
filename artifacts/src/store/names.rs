//! Names of campaigns and of the steps in them.

use super::error::StoreError;
use crate::words::CandidateId;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// The name of a campaign; also a file name, so it cannot leave its folder.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct CampaignName(String);

impl CampaignName {
    /// Checks and takes the text.
    ///
    /// # Errors
    /// When it is empty, longer than 100 bytes, begins with `.` or `-`, ends with a blank, or has a
    /// `/`, `@` or control character in it.
    pub fn new(text: impl Into<String>) -> Result<Self, StoreError> {
        let text = text.into();
        let sound = !text.is_empty()
            && text.len() <= 100
            && !text.starts_with(['.', '-', ' '])
            && !text.ends_with(' ')
            && !text
                .chars()
                .any(|c| matches!(c, '/' | '@') || c.is_control());
        if sound {
            return Ok(Self(text));
        }
        Err(StoreError::Name {
            what: "campaign",
            text,
            rule: "1 to 100 bytes without `/`, `@` or control characters, \
                   not beginning with `.`, `-` or a blank",
        })
    }

    /// The text itself.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The name of a step in its campaign: `<candidate>/<step>`, or `-/<step>` for a step that belongs
/// to the whole campaign, such as the probe.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct StepName(String);

impl StepName {
    /// The step of this candidate, or of the whole campaign.
    ///
    /// # Errors
    /// When `step` is empty or has control characters.
    pub fn new(candidate: Option<&CandidateId>, step: &str) -> Result<Self, StoreError> {
        format!("{}/{step}", candidate.map_or("-", CandidateId::as_str)).parse()
    }

    /// The text itself.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The candidate the step belongs to, if it does.
    pub fn candidate(&self) -> Option<CandidateId> {
        let (candidate, _) = self.0.split_once('/')?;
        CandidateId::new(candidate).ok()
    }
}

impl FromStr for StepName {
    type Err = StoreError;

    fn from_str(text: &str) -> Result<Self, StoreError> {
        let sound = text.split_once('/').is_some_and(|(candidate, step)| {
            (candidate == "-" || CandidateId::new(candidate).is_ok()) && !step.is_empty()
        });
        if sound && !text.chars().any(char::is_control) {
            return Ok(Self(text.to_owned()));
        }
        Err(StoreError::Name {
            what: "step",
            text: text.to_owned(),
            rule: "`<candidate>/<step>`, or `-/<step>` for the whole campaign",
        })
    }
}

impl FromStr for CampaignName {
    type Err = StoreError;

    fn from_str(text: &str) -> Result<Self, StoreError> {
        Self::new(text)
    }
}

macro_rules! as_text {
    ($name:ident) => {
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl TryFrom<String> for $name {
            type Error = StoreError;

            fn try_from(text: String) -> Result<Self, StoreError> {
                text.parse()
            }
        }

        impl From<$name> for String {
            fn from(name: $name) -> String {
                name.0
            }
        }
    };
}

as_text!(CampaignName);
as_text!(StepName);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_in_their_folder() {
        for good in ["current", "x86_1", "night run", "2026-12-01.b", "试"] {
            assert!(CampaignName::new(good).is_ok(), "{good}");
        }
        for bad in [
            "",
            ".",
            "..",
            "a/b",
            "-x",
            ".x",
            "a\nb",
            "a@b",
            " ",
            &"x".repeat(101),
        ] {
            assert!(CampaignName::new(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn a_step_knows_its_candidate() {
        let candidate = CandidateId::new("kem-11").unwrap();
        let step = StepName::new(Some(&candidate), "COMPASS-KEM-128/time/dec").unwrap();
        assert_eq!(step.as_str(), "kem-11/COMPASS-KEM-128/time/dec");
        assert_eq!(step.candidate(), Some(candidate));
        assert_eq!(StepName::new(None, "probe").unwrap().candidate(), None);
        for bad in ["", "kem-11", "kem-11/", "/x", "a b/x", "kem-11/\n"] {
            assert!(bad.parse::<StepName>().is_err(), "{bad:?}");
        }
    }
}
