//! What a file of a dataset is, by its path.

use super::{BUILDS, CAMPAIGN};
use artifacts::{CandidateId, Label, Operation};

/// See the module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// `campaign.json`
    Campaign,
    /// `build.json`
    Builds,
    /// `records/<candidate>/<label>__<operation>.json`
    Record(CandidateId, Label, Operation),
    /// `profile/<candidate>/<label>__<operation>.json`
    Profile(CandidateId, Label, Operation),
    /// `kat/<candidate>/<label>.log`
    Log(CandidateId, Label),
}

impl Place {
    /// The place of this path; absent when it has none in a dataset.
    pub fn of(path: &str) -> Option<Place> {
        match path {
            CAMPAIGN => return Some(Place::Campaign),
            BUILDS => return Some(Place::Builds),
            _ => {}
        }
        let (folder, rest) = path.split_once('/')?;
        let (candidate, name) = rest.split_once('/')?;
        let candidate = CandidateId::new(candidate).ok()?;
        if folder == "kat" {
            let label = Label::new(name.strip_suffix(".log")?).ok()?;
            return Some(Place::Log(candidate, label));
        }
        let (label, operation) = name.strip_suffix(".json")?.split_once("__")?;
        let label = Label::new(label).ok()?;
        let operation = operation.parse().ok()?;
        match folder {
            "records" => Some(Place::Record(candidate, label, operation)),
            "profile" => Some(Place::Profile(candidate, label, operation)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use artifacts::records::{kat_log_path, profile_path, record_path};

    #[test]
    fn paths_are_read_as_they_are_written() {
        let (candidate, label) = ("kem-11".parse().unwrap(), "a b_C".parse().unwrap());
        let operation = Operation::Hash(32);
        let places = [
            (
                record_path(&candidate, &label, &operation),
                Place::Record(candidate.clone(), label.clone(), operation.clone()),
            ),
            (
                profile_path(&candidate, &label, &operation),
                Place::Profile(candidate.clone(), label.clone(), operation.clone()),
            ),
            (
                kat_log_path(&candidate, &label),
                Place::Log(candidate.clone(), label.clone()),
            ),
        ];
        for (path, place) in places {
            assert_eq!(Place::of(&path), Some(place), "{path}");
        }
        for other in [
            "README.md",
            "records/kem-11/x.json",
            "records/kem-11/x__fly.json",
            "records/x__dec.json",
            "records/kem-11/a/x__dec.json",
            "kat/kem-11/x.txt",
            "other/kem-11/x__dec.json",
        ] {
            assert_eq!(Place::of(other), None, "{other}");
        }
    }
}
