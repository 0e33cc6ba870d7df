//! The two hashes of assay. An [`ArtifactId`] names bytes; a [`StepKey`] names a step before it
//! runs. Both are 32 bytes of BLAKE3, printed with a prefix and lower-case hex, and never convert
//! into each other.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Why a hash could not be read from text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not a hash of the form {prefix}:<64 lower-case hex digits>")]
pub struct HashSyntax {
    text: String,
    prefix: &'static str,
}

macro_rules! hash_type {
    ($(#[$doc:meta])* $name:ident, $prefix:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub struct $name([u8; 32]);

        impl $name {
            /// What stands before the colon in its printed form.
            pub const PREFIX: &'static str = $prefix;

            /// From the raw 32 bytes of the hash.
            pub const fn from_bytes(bytes: [u8; 32]) -> Self {
                Self(bytes)
            }

            /// The raw 32 bytes.
            pub const fn as_bytes(&self) -> &[u8; 32] {
                &self.0
            }

            /// The 64 lower-case hex digits without the prefix, for file names.
            pub fn hex(&self) -> String {
                blake3::Hash::from_bytes(self.0).to_hex().to_string()
            }

            /// From exactly 64 lower-case hex digits without a prefix.
            ///
            /// # Errors
            /// When the text is anything else.
            pub fn from_hex(text: &str) -> Result<Self, HashSyntax> {
                let lower = !text.bytes().any(|b| b.is_ascii_uppercase());
                match blake3::Hash::from_hex(text) {
                    Ok(hash) if lower && text.len() == 64 => Ok(Self(*hash.as_bytes())),
                    _ => Err(HashSyntax { text: text.to_owned(), prefix: $prefix }),
                }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($prefix, ":{}"), self.hex())
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }

        impl FromStr for $name {
            type Err = HashSyntax;

            fn from_str(text: &str) -> Result<Self, HashSyntax> {
                let hex = text
                    .strip_prefix(concat!($prefix, ":"))
                    .ok_or_else(|| HashSyntax { text: text.to_owned(), prefix: $prefix })?;
                Self::from_hex(hex).map_err(|_| HashSyntax {
                    text: text.to_owned(),
                    prefix: $prefix,
                })
            }
        }

        impl TryFrom<String> for $name {
            type Error = HashSyntax;

            fn try_from(text: String) -> Result<Self, HashSyntax> {
                text.parse()
            }
        }

        impl From<$name> for String {
            fn from(hash: $name) -> String {
                hash.to_string()
            }
        }
    };
}

hash_type!(
    /// The identity of an artifact: the BLAKE3 hash of its bytes. Printed `blob:<hex>`.
    ArtifactId,
    "blob"
);
hash_type!(
    /// The identity of a step: see [`crate::key`]. Printed `key:<hex>`.
    StepKey,
    "key"
);

impl ArtifactId {
    /// The id of these bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self(*blake3::hash(bytes).as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // BLAKE3 of the empty input, from the BLAKE3 paper's reference test vectors.
    const EMPTY: &str = "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262";

    #[test]
    fn id_is_blake3_and_strict() {
        let id = ArtifactId::of(b"");
        assert_eq!(id.to_string(), format!("blob:{EMPTY}"));
        assert_eq!(format!("blob:{EMPTY}").parse(), Ok(id));
        for bad in [
            EMPTY.to_owned(),
            format!("key:{EMPTY}"),
            format!("blob:{}", EMPTY.to_uppercase()),
            format!("blob:{}", &EMPTY[1..]),
            format!("blob:{EMPTY}0"),
            format!("blob: {EMPTY}"),
        ] {
            assert!(bad.parse::<ArtifactId>().is_err(), "{bad}");
        }
    }
}
