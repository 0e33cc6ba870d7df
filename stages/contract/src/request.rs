//! What the pipeline sends a stage.

use artifacts::format::{Format, Header};
use artifacts::key::Value;
use artifacts::receipt::Subject;
use artifacts::{ArtifactId, KeyMaterial};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// The version of requests this program writes. 1.0: first.
pub const REQUEST: Format = Format {
    kind: "assay-request",
    major: 1,
    minor: 0,
};

/// One step to be done.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Request {
    /// Kind and version.
    #[serde(flatten)]
    pub header: Header,
    /// What the step is applied to.
    pub subject: Subject,
    /// What decides the outcome: the step's key is made of this.
    #[serde(flatten)]
    pub material: KeyMaterial,
    /// The store to work in.
    pub store: PathBuf,
    /// How to go about it.
    #[serde(default)]
    pub conditions: Conditions,
}

/// What does not decide the outcome, and so is no part of the key.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Conditions {
    /// The compiler command; its identity is in the toolchain facet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compiler: Option<String>,
    /// The core to run on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu: Option<usize>,
    /// The measuring host in the published form of `environment`.
    #[serde(default, skip_serializing_if = "serde_json::Map::is_empty")]
    pub environment: serde_json::Map<String, serde_json::Value>,
    /// Why this host is not fixed, one sentence each; empty when it is.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub host_problems: Vec<String>,
    /// The fixed clock of the system in Hz, against which trials are checked for disturbances.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fixed_clock_hz: Option<u64>,
    /// Other shards that measured at the same time, as `K/N`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<String>,
}

/// A request that lacks something its stage needs, or is not for this stage.
#[derive(Debug, thiserror::Error)]
pub enum RequestError {
    /// An input role is missing.
    #[error("the request has no input `{0}`")]
    Input(String),
    /// The parameters do not have the form the stage expects.
    #[error("the request's parameters are not those of this stage: {0}")]
    Parameters(#[source] serde_json::Error),
}

impl Request {
    /// The artifact in this role.
    ///
    /// # Errors
    /// When the request names none.
    pub fn input(&self, role: &str) -> Result<ArtifactId, RequestError> {
        self.material
            .inputs
            .get(role)
            .copied()
            .ok_or_else(|| RequestError::Input(role.to_owned()))
    }

    /// All inputs whose role is `prefix:<name>`, by that name.
    pub fn inputs_of<'a>(
        &'a self,
        prefix: &'a str,
    ) -> impl Iterator<Item = (&'a str, ArtifactId)> + 'a {
        self.material.inputs.iter().filter_map(move |(role, id)| {
            Some((role.strip_prefix(prefix)?.strip_prefix(':')?, *id))
        })
    }

    /// The parameters in the stage's own type.
    ///
    /// # Errors
    /// When they do not fit it.
    pub fn parameters<T: DeserializeOwned>(&self) -> Result<T, RequestError> {
        Value::Map(self.material.parameters.clone())
            .parse()
            .map_err(RequestError::Parameters)
    }
}
