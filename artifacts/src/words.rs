//! The nouns of DESIGN.md, checked on construction; serde goes through the same door.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// A word that does not have the form its kind demands.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not a {what}: {rule}")]
pub struct WordError {
    what: &'static str,
    text: String,
    rule: &'static str,
}

macro_rules! text_word {
    ($(#[$doc:meta])* $name:ident, $what:literal, $rule:literal, $check:expr) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub struct $name(String);

        impl $name {
            /// Checks and takes the text.
            ///
            /// # Errors
            /// When the text does not have the form of this word.
            pub fn new(text: impl Into<String>) -> Result<Self, WordError> {
                let text = text.into();
                let check: fn(&str) -> bool = $check;
                if check(&text) {
                    Ok(Self(text))
                } else {
                    Err(WordError { what: $what, text, rule: $rule })
                }
            }

            /// The text itself.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl FromStr for $name {
            type Err = WordError;

            fn from_str(text: &str) -> Result<Self, WordError> {
                Self::new(text)
            }
        }

        impl TryFrom<String> for $name {
            type Error = WordError;

            fn try_from(text: String) -> Result<Self, WordError> {
                Self::new(text)
            }
        }

        impl From<$name> for String {
            fn from(word: $name) -> String {
                word.0
            }
        }
    };
}

fn is_name(text: &str, extra: &str) -> bool {
    !text.is_empty()
        && text.len() <= 64
        && text
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || extra.as_bytes().contains(&b))
        && text
            .bytes()
            .next()
            .is_some_and(|b| b.is_ascii_alphanumeric())
}

text_word!(
    /// A registered system such as `x86_1`, or `local`.
    SystemId,
    "system id",
    "1 to 64 ASCII letters, digits, `_`, `-`, beginning with a letter or digit",
    |text| is_name(text, "_-")
);
text_word!(
    /// A submission or control, such as `kem-11`.
    CandidateId,
    "candidate id",
    "1 to 64 ASCII letters, digits, `-`, `_`, `.`, beginning with a letter or digit",
    |text| is_name(text, "-_.")
);
text_word!(
    /// An instance of a candidate by its label, unique in its candidate and with the variant in it.
    /// A label is also a file name in published evidence, hence no separators.
    Label,
    "label",
    "1 to 128 bytes without `/`, control characters or `__`, not beginning with `.` or `-`",
    |text| {
        !text.is_empty()
            && text.len() <= 128
            && !text.starts_with(['.', '-'])
            && !text.contains("__")
            && !text.chars().any(|c| c == '/' || c.is_control())
    }
);

/// What is timed. Named in records, file names and cell addresses; hashes by message size in bytes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Operation {
    /// Key generation (KEM and signature).
    Keygen,
    /// Encapsulation.
    Enc,
    /// Decapsulation.
    Dec,
    /// Signing.
    Sign,
    /// Verification.
    Verify,
    /// Hashing a message of this many bytes; written `hash_<bytes>`.
    Hash(u64),
    /// A key-exchange step by its name (`init_a`, `pass1`, `derive_b`, `exchange`).
    Exchange(ExchangeStep),
}

/// The steps of a key exchange.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ExchangeStep {
    /// `kex_init_a`.
    InitA,
    /// `kex_init_b`.
    InitB,
    /// Generation of the message of pass n, counted from 1.
    Pass(u8),
    /// `kex_derive_ss_a`.
    DeriveA,
    /// `kex_derive_ss_b`.
    DeriveB,
    /// A whole run: both inits, all passes, both derivations.
    Exchange,
}

impl Operation {
    /// The operation's name without a message size, as records give it (`hash` for all sizes).
    pub fn record_name(&self) -> String {
        match self {
            Operation::Hash(_) => "hash".to_owned(),
            other => other.to_string(),
        }
    }

    /// The message size of a hash operation in bytes, else 0 as in published records.
    pub fn input_bytes(&self) -> u64 {
        match self {
            Operation::Hash(bytes) => *bytes,
            _ => 0,
        }
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Operation::Keygen => f.write_str("keygen"),
            Operation::Enc => f.write_str("enc"),
            Operation::Dec => f.write_str("dec"),
            Operation::Sign => f.write_str("sign"),
            Operation::Verify => f.write_str("verify"),
            Operation::Hash(bytes) => write!(f, "hash_{bytes}"),
            Operation::Exchange(step) => match step {
                ExchangeStep::InitA => f.write_str("init_a"),
                ExchangeStep::InitB => f.write_str("init_b"),
                ExchangeStep::Pass(n) => write!(f, "pass{n}"),
                ExchangeStep::DeriveA => f.write_str("derive_a"),
                ExchangeStep::DeriveB => f.write_str("derive_b"),
                ExchangeStep::Exchange => f.write_str("exchange"),
            },
        }
    }
}

impl FromStr for Operation {
    type Err = WordError;

    fn from_str(text: &str) -> Result<Self, WordError> {
        let operation = match text {
            "keygen" => Operation::Keygen,
            "enc" => Operation::Enc,
            "dec" => Operation::Dec,
            "sign" => Operation::Sign,
            "verify" => Operation::Verify,
            "init_a" => Operation::Exchange(ExchangeStep::InitA),
            "init_b" => Operation::Exchange(ExchangeStep::InitB),
            "derive_a" => Operation::Exchange(ExchangeStep::DeriveA),
            "derive_b" => Operation::Exchange(ExchangeStep::DeriveB),
            "exchange" => Operation::Exchange(ExchangeStep::Exchange),
            other => other
                .strip_prefix("hash_")
                .and_then(|n| canonical_number(n).map(Operation::Hash))
                .or_else(|| {
                    let n = canonical_number(other.strip_prefix("pass")?)?;
                    let n = u8::try_from(n).ok().filter(|n| *n > 0)?;
                    Some(Operation::Exchange(ExchangeStep::Pass(n)))
                })
                .ok_or_else(|| WordError {
                    what: "operation",
                    text: text.to_owned(),
                    rule: "one of keygen, enc, dec, sign, verify, hash_<bytes>, init_a, init_b, \
                           pass<n>, derive_a, derive_b, exchange",
                })?,
        };
        Ok(operation)
    }
}

/// A decimal number without sign or leading zeros, so that one operation has one name.
fn canonical_number(text: &str) -> Option<u64> {
    let number: u64 = text.parse().ok()?;
    (number.to_string() == text).then_some(number)
}

impl TryFrom<String> for Operation {
    type Error = WordError;

    fn try_from(text: String) -> Result<Self, WordError> {
        text.parse()
    }
}

impl From<Operation> for String {
    fn from(operation: Operation) -> String {
        operation.to_string()
    }
}

macro_rules! closed_word {
    ($(#[$doc:meta])* $name:ident, $what:literal, { $($(#[$vdoc:meta])* $variant:ident => $text:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub enum $name {
            $($(#[$vdoc])* #[serde(rename = $text)] $variant),+
        }

        impl $name {
            /// All of them, in order.
            pub const ALL: &'static [$name] = &[$($name::$variant),+];

            /// The word as written everywhere.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $($name::$variant => $text),+
                }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl FromStr for $name {
            type Err = WordError;

            fn from_str(text: &str) -> Result<Self, WordError> {
                match text {
                    $($text => Ok($name::$variant),)+
                    _ => Err(WordError {
                        what: $what,
                        text: text.to_owned(),
                        rule: concat!("one of:" $(, " ", $text)+),
                    }),
                }
            }
        }
    };
}

closed_word!(
    /// The stages, in the order in which a candidate passes them.
    Stage, "stage", {
        /// Compiles an instance, or the probe.
        Build => "build",
        /// Checks it against its known answers.
        Kat => "kat",
        /// Measures the time of one operation.
        Time => "time",
        /// Measures where one operation's time goes.
        Profile => "profile",
        /// Compares declared, returned and curated sizes.
        SizeAudit => "size-audit",
        /// Writes a page.
        Render => "render",
    }
);

closed_word!(
    /// The kind of primitive a candidate is.
    Kind, "kind of candidate", {
        /// Key encapsulation.
        Kem => "kem",
        /// Digital signature.
        Sig => "sig",
        /// Cryptographic hash.
        Hash => "hash",
        /// Key exchange.
        Kex => "kex",
    }
);

closed_word!(
    /// How a known-answer test ended; NGCC.md section 4.
    Verdict, "verdict", {
        /// Equal to the reference.
        Pass => "PASS",
        /// Differs from the reference.
        Mismatch => "MISMATCH",
        /// Nothing to compare with.
        NoKat => "NOKAT",
        /// An API error, a decapsulation that differs, or a verifier that accepts or rejects wrongly.
        CryptoFail => "CRYPTOFAIL",
        /// Wrote outside a buffer, or returned a length beyond the declared one.
        Overflow => "OVERFLOW",
        /// Took more than 900 s.
        Timeout => "TIMEOUT",
        /// Ended by a signal or without a result.
        Crash => "CRASH",
        /// The library could not be loaded.
        LoadFail => "LOADFAIL",
        /// The library could not be built.
        BuildFail => "BUILDFAIL",
    }
);

closed_word!(
    /// Which set of compiler options built a library; the page's column "build flags".
    Flags, "set of build flags", {
        /// The ICCS guide's options and the published campaigns' additions.
        Guide => "guide",
        /// The published campaigns' options for what does not build or pass with the guide's.
        HarnessDefault => "harness-default",
    }
);

impl Verdict {
    /// Whether an instance with this verdict is timed at all (NGCC.md section 4).
    pub const fn is_timed(self) -> bool {
        matches!(
            self,
            Verdict::Pass
                | Verdict::Mismatch
                | Verdict::NoKat
                | Verdict::CryptoFail
                | Verdict::Overflow
                | Verdict::Timeout
        )
    }

    /// Whether the fallback flags are to be tried: it does not build or does not pass. With nothing
    /// to compare with (NOKAT) there is nothing the fallback could mend.
    pub const fn demands_fallback(self) -> bool {
        !matches!(self, Verdict::Pass | Verdict::NoKat)
    }
}

impl Kind {
    /// The operations timed for this kind, in table order; hashes over the guide's sizes S1..S8.
    pub fn operations(self) -> Vec<Operation> {
        match self {
            Kind::Kem => vec![Operation::Keygen, Operation::Enc, Operation::Dec],
            Kind::Sig => vec![Operation::Keygen, Operation::Sign, Operation::Verify],
            Kind::Hash => [32, 128, 512, 1024, 4096, 8192, 16384, 65536]
                .into_iter()
                .map(Operation::Hash)
                .collect(),
            Kind::Kex => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_have_one_name_each() {
        for name in [
            "keygen",
            "hash_65536",
            "init_a",
            "pass2",
            "derive_b",
            "exchange",
        ] {
            assert_eq!(name.parse::<Operation>().unwrap().to_string(), name);
        }
        for bad in [
            "hash_", "hash_01", "hash_+1", "pass0", "pass256", "Keygen", "",
        ] {
            assert!(bad.parse::<Operation>().is_err(), "{bad}");
        }
    }

    #[test]
    fn labels_of_real_submissions_are_taken_and_paths_refused() {
        for good in [
            "COMPASS-KEM-128",
            "NEV_AKE_512_769_C",
            "qube-128",
            "a b+c",
            "签名-1",
        ] {
            assert!(Label::new(good).is_ok(), "{good}");
        }
        for bad in ["", ".", "..", "a/b", "-x", "a\nb", "a__b"] {
            assert!(Label::new(bad).is_err(), "{bad}");
        }
    }
}
