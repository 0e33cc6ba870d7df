//! Step keys: what a step would do, hashed.
//!
//! A key is BLAKE3 in derive-key mode over canonical JSON: object keys sorted, no white space,
//! strings and integers only. Floats, booleans and nulls cannot be expressed, so that one meaning
//! has one spelling. Facets enter by the hash of their facts, which stand in clear in the receipt.

use crate::id::{ArtifactId, StepKey};
use crate::words::Stage;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

/// The derive-key context of step keys. Changing it makes every step run again.
pub const STEP_CONTEXT: &str = "assay 2026-12-01 step key v1";
const FACET_CONTEXT: &str = "assay 2026-12-01 facet v1";

/// A value that may enter a key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Value {
    /// A whole number.
    Integer(i64),
    /// A text.
    Text(String),
    /// An ordered list.
    List(Vec<Value>),
    /// A map, sorted by its keys.
    Map(BTreeMap<String, Value>),
}

/// A value that has no canonical form.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CanonicalError {
    /// Floats, booleans, nulls and numbers beyond 64 bits have more than one spelling.
    #[error("`{found}` at `{at}` cannot enter a step key: only strings and integers can")]
    NotCanonical {
        /// The offending JSON.
        found: String,
        /// Where in the value it stands.
        at: String,
    },
    /// The value does not serialise at all.
    #[error("cannot enter a step key: {0}")]
    Serialise(String),
}

impl Value {
    /// The canonical form of anything that serialises to strings, integers, lists and maps.
    /// Absent options must be skipped by the type (`skip_serializing_if`), as null is refused.
    ///
    /// # Errors
    /// When a float, boolean, null or a number beyond 64 bits occurs.
    pub fn of<T: Serialize>(value: &T) -> Result<Self, CanonicalError> {
        let json =
            serde_json::to_value(value).map_err(|e| CanonicalError::Serialise(e.to_string()))?;
        Self::from_json(json, "$")
    }

    fn from_json(json: serde_json::Value, at: &str) -> Result<Self, CanonicalError> {
        match json {
            serde_json::Value::String(text) => Ok(Value::Text(text)),
            serde_json::Value::Number(n) if n.as_i64().is_some() => {
                Ok(Value::Integer(n.as_i64().unwrap_or_default()))
            }
            serde_json::Value::Array(items) => items
                .into_iter()
                .enumerate()
                .map(|(i, item)| Self::from_json(item, &format!("{at}[{i}]")))
                .collect::<Result<_, _>>()
                .map(Value::List),
            serde_json::Value::Object(fields) => fields
                .into_iter()
                .map(|(name, item)| {
                    let item = Self::from_json(item, &format!("{at}.{name}"))?;
                    Ok((name, item))
                })
                .collect::<Result<_, _>>()
                .map(Value::Map),
            other => Err(CanonicalError::NotCanonical {
                found: other.to_string(),
                at: at.to_owned(),
            }),
        }
    }

    /// The typed form again.
    ///
    /// # Errors
    /// When the value does not have the shape of `T`.
    pub fn parse<T: for<'de> Deserialize<'de>>(&self) -> Result<T, serde_json::Error> {
        serde_json::from_value(serde_json::to_value(self)?)
    }
}

impl fmt::Display for Value {
    /// Texts bare, everything else as JSON.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Text(text) => f.write_str(text),
            other => f.write_str(&serde_json::to_string(other).map_err(|_| fmt::Error)?),
        }
    }
}

/// A part of the system fingerprint: facts by name. Cheap to clone; its hash is computed once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "BTreeMap<String, String>", into = "BTreeMap<String, String>")]
pub struct Facet(Arc<(BTreeMap<String, String>, String)>);

impl Facet {
    /// The facts.
    pub fn facts(&self) -> &BTreeMap<String, String> {
        &self.0.0
    }

    /// The hash of the facts, as it stands in a key.
    pub fn digest(&self) -> &str {
        &self.0.1
    }
}

impl From<BTreeMap<String, String>> for Facet {
    fn from(facts: BTreeMap<String, String>) -> Self {
        let mut hasher = blake3::Hasher::new_derive_key(FACET_CONTEXT);
        // A map of strings always serialises.
        hasher.update(&serde_json::to_vec(&facts).unwrap_or_default());
        let digest = format!("facet:{}", hasher.finalize().to_hex());
        Facet(Arc::new((facts, digest)))
    }
}

impl From<Facet> for BTreeMap<String, String> {
    fn from(facet: Facet) -> Self {
        facet.facts().clone()
    }
}

/// Everything that decides what a step does: what its key is made of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyMaterial {
    /// The stage applied.
    pub stage: Stage,
    /// Raised by hand when the stage's output on the same input changes.
    pub stage_version: u32,
    /// What is read: role to content.
    pub inputs: BTreeMap<String, ArtifactId>,
    /// What is asked: operation, options, planning constants.
    pub parameters: BTreeMap<String, Value>,
    /// Those parts of the system fingerprint that can change the outcome.
    pub facets: BTreeMap<String, Facet>,
}

/// One field in which two steps differ.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// Path of the field, such as `facets.toolchain.compiler` or `inputs.source`.
    pub field: String,
    /// The value in the earlier step; absent when the field is new.
    pub was: Option<String>,
    /// The value now; absent when the field is gone.
    pub is: Option<String>,
}

impl KeyMaterial {
    /// The key of this step.
    pub fn key(&self) -> StepKey {
        #[derive(Serialize)]
        struct Canonical<'a> {
            facets: BTreeMap<&'a str, &'a str>,
            inputs: &'a BTreeMap<String, ArtifactId>,
            parameters: &'a BTreeMap<String, Value>,
            stage: Stage,
            stage_version: u32,
        }
        let canonical = Canonical {
            facets: self
                .facets
                .iter()
                .map(|(n, f)| (n.as_str(), f.digest()))
                .collect(),
            inputs: &self.inputs,
            parameters: &self.parameters,
            stage: self.stage,
            stage_version: self.stage_version,
        };
        let mut hasher = blake3::Hasher::new_derive_key(STEP_CONTEXT);
        // Maps with string keys and these values always serialise.
        hasher.update(&serde_json::to_vec(&canonical).unwrap_or_default());
        StepKey::from_bytes(*hasher.finalize().as_bytes())
    }

    /// The fields in which `self` (now) differs from `earlier`, sorted by field.
    pub fn differences(&self, earlier: &KeyMaterial) -> Vec<Difference> {
        let (now, then) = (self.fields(), earlier.fields());
        let names: BTreeSet<&String> = now.keys().chain(then.keys()).collect();
        names
            .into_iter()
            .filter(|name| now.get(*name) != then.get(*name))
            .map(|name| Difference {
                field: name.clone(),
                was: then.get(name).cloned(),
                is: now.get(name).cloned(),
            })
            .collect()
    }

    fn fields(&self) -> BTreeMap<String, String> {
        let mut fields = BTreeMap::new();
        fields.insert("stage".to_owned(), self.stage.to_string());
        fields.insert("stage_version".to_owned(), self.stage_version.to_string());
        for (role, id) in &self.inputs {
            fields.insert(format!("inputs.{role}"), id.to_string());
        }
        for (name, value) in &self.parameters {
            flatten(&mut fields, format!("parameters.{name}"), value);
        }
        for (name, facet) in &self.facets {
            for (fact, value) in facet.facts() {
                fields.insert(format!("facets.{name}.{fact}"), value.clone());
            }
        }
        fields
    }
}

fn flatten(fields: &mut BTreeMap<String, String>, path: String, value: &Value) {
    match value {
        Value::Map(map) => {
            for (name, value) in map {
                flatten(fields, format!("{path}.{name}"), value);
            }
        }
        leaf => {
            fields.insert(path, leaf.to_string());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn material() -> KeyMaterial {
        KeyMaterial {
            stage: Stage::Time,
            stage_version: 1,
            inputs: BTreeMap::from([("library".to_owned(), ArtifactId::of(b"lib"))]),
            parameters: BTreeMap::from([("operation".to_owned(), Value::Text("dec".to_owned()))]),
            facets: BTreeMap::from([(
                "machine".to_owned(),
                Facet::from(BTreeMap::from([("kernel".to_owned(), "6.18".to_owned())])),
            )]),
        }
    }

    #[test]
    fn every_part_of_the_material_changes_the_key() {
        let base = material();
        let mut keys = vec![base.key()];
        let mut other = material();
        other.stage_version = 2;
        keys.push(other.key());
        let mut other = material();
        other
            .inputs
            .insert("library".to_owned(), ArtifactId::of(b"lib2"));
        keys.push(other.key());
        let mut other = material();
        other
            .parameters
            .insert("operation".to_owned(), Value::Text("enc".to_owned()));
        keys.push(other.key());
        let mut other = material();
        let facts = BTreeMap::from([("kernel".to_owned(), "6.19".to_owned())]);
        other
            .facets
            .insert("machine".to_owned(), Facet::from(facts));
        assert_eq!(
            other.differences(&base),
            vec![Difference {
                field: "facets.machine.kernel".to_owned(),
                was: Some("6.18".to_owned()),
                is: Some("6.19".to_owned()),
            }]
        );
        keys.push(other.key());
        let distinct: BTreeSet<_> = keys.iter().collect();
        assert_eq!(distinct.len(), keys.len());
        assert_eq!(material().key(), base.key());
    }

    #[test]
    fn a_key_survives_the_receipt() {
        let json = serde_json::to_string(&material()).unwrap();
        let again: KeyMaterial = serde_json::from_str(&json).unwrap();
        assert_eq!(again.key(), material().key());
    }

    #[test]
    fn what_has_two_spellings_is_refused() {
        assert!(Value::of(&1.0).is_err());
        assert!(Value::of(&true).is_err());
        assert!(Value::of(&Option::<u8>::None).is_err());
        assert!(Value::of(&u64::MAX).is_err());
        assert_eq!(
            Value::of(&BTreeMap::from([("b", 1), ("a", 2)]))
                .unwrap()
                .to_string(),
            r#"{"a":2,"b":1}"#
        );
    }
}
