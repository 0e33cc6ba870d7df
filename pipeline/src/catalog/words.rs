//! Texts of the catalog that end up in command lines, C sources and file names, checked as they are
//! read.

use regex::Regex;
use serde::Deserialize;
use std::fmt;

/// A text that does not have the form of its kind.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not a {what}: {rule}")]
pub struct TextError {
    what: &'static str,
    text: String,
    rule: &'static str,
}

macro_rules! checked_text {
    ($(#[$doc:meta])* $name:ident, $what:literal, $rule:literal, $check:expr) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
        #[serde(try_from = "String")]
        pub struct $name(String);

        impl $name {
            /// The text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl TryFrom<String> for $name {
            type Error = TextError;

            fn try_from(text: String) -> Result<Self, TextError> {
                let check: fn(&str) -> bool = $check;
                if check(&text) {
                    Ok(Self(text))
                } else {
                    Err(TextError { what: $what, text, rule: $rule })
                }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

checked_text!(
    /// A SHA-256 digest as `sha256sum` prints it.
    Sha256Hex,
    "SHA-256 digest",
    "64 lower-case hex digits",
    |text| text.len() == 64 && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
);
checked_text!(
    /// A C identifier: a function to wrap, or the prefix of PQClean's names.
    Symbol,
    "C identifier",
    "ASCII letters, digits and `_`, not beginning with a digit",
    |text| {
        !text.starts_with(|c: char| c.is_ascii_digit())
            && !text.is_empty()
            && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
    }
);
checked_text!(
    /// A library to link, as after `-l`.
    LibraryName,
    "library",
    "what stands after `-l`: ASCII letters, digits, `_`, `-`, `+`, `.`, beginning with a letter",
    |text| {
        text.starts_with(|c: char| c.is_ascii_alphabetic())
            && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"_-+.".contains(&b))
    }
);
checked_text!(
    /// What the instance calls itself: its `ALGORITHM_INSTANCE`, which names its KAT files.
    InstanceName,
    "name of an instance",
    "1 to 128 bytes without blanks, `/`, `\"`, `\\` or control characters",
    |text| {
        !text.is_empty()
            && text.len() <= 128
            && !text.chars().any(|c| c.is_whitespace() || c.is_control() || "/\"\\".contains(c))
    }
);
checked_text!(
    /// Which implementation of an instance is measured.
    Variant,
    "variant",
    "lower-case ASCII letters, digits and `-`, such as `reference`",
    |text| {
        !text.is_empty()
            && text.bytes().all(|b| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'-'))
    }
);
checked_text!(
    /// How a KAT text is digested (NGCC.md section 4); the stage `kat` gives it its meaning.
    KatMode,
    "digest mode",
    "strict or nolen, each optionally :N for exactly N records, or nistkat",
    |text| {
        let (name, records) = match text.split_once(':') {
            Some((name, records)) => (name, Some(records)),
            None => (text, None),
        };
        match (name, records) {
            ("strict" | "nolen", Some(n)) => n.parse::<u64>().is_ok_and(|n| n > 0),
            ("strict" | "nolen" | "nistkat", None) => true,
            _ => false,
        }
    }
);

impl Default for Variant {
    fn default() -> Self {
        Variant("reference".to_owned())
    }
}

/// A regular expression that a label matches as a whole.
#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "String")]
pub struct LabelPattern(Regex);

impl LabelPattern {
    /// Whether the pattern is about this label.
    pub fn matches(&self, label: &artifacts::Label) -> bool {
        self.0.is_match(label.as_str())
    }
}

impl TryFrom<String> for LabelPattern {
    type Error = regex::Error;

    fn try_from(text: String) -> Result<Self, regex::Error> {
        Regex::new(&format!("^(?:{text})$")).map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is<T: TryFrom<String>>(text: &str) -> bool {
        T::try_from(text.to_owned()).is_ok()
    }

    #[test]
    fn texts_that_would_do_harm_are_refused() {
        assert!(is::<Sha256Hex>(&"0a".repeat(32)));
        for bad in [
            "0A".repeat(32),
            "0a".repeat(31),
            "0g".repeat(32),
            String::new(),
        ] {
            assert!(!is::<Sha256Hex>(&bad), "{bad}");
        }
        assert!(is::<Symbol>("PQCLEAN_randombytes") && is::<Symbol>("_x1"));
        for bad in ["", "1x", "a-b", "a b", "a,--wrap=b", "é"] {
            assert!(!is::<Symbol>(bad), "{bad}");
        }
        assert!(is::<LibraryName>("gmp") && is::<LibraryName>("stdc++"));
        for bad in ["", "-lgmp", "/lib/x.so", "gmp -Wl,x", ":x"] {
            assert!(!is::<LibraryName>(bad), "{bad}");
        }
        assert!(is::<InstanceName>("qube_128") && is::<InstanceName>("签名-1"));
        for bad in ["", "a b", "a/b", "a\"b", "a\\", "a\n"] {
            assert!(!is::<InstanceName>(bad), "{bad}");
        }
        for good in ["strict", "nolen", "strict:10", "nolen:1", "nistkat"] {
            assert!(is::<KatMode>(good), "{good}");
        }
        for bad in ["", "Strict", "strict:", "strict:0", "strict:x", "nistkat:1"] {
            assert!(!is::<KatMode>(bad), "{bad}");
        }
    }

    #[test]
    fn a_pattern_is_about_whole_labels() {
        let label = |text: &str| artifacts::Label::new(text).unwrap();
        let pattern = LabelPattern::try_from("a|ab-[0-9]+".to_owned()).unwrap();
        assert!(pattern.matches(&label("a")) && pattern.matches(&label("ab-12")));
        assert!(!pattern.matches(&label("ab")) && !pattern.matches(&label("xa")));
        assert!(LabelPattern::try_from("(".to_owned()).is_err());
    }
}
