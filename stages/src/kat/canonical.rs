//! KAT texts: canonical form, digest modes and comparison (NGCC.md section 4).
//!
//! Canonical: CR and trailing blanks of each line stripped, empty lines dropped, the rest joined with
//! LF, one LF after the last. Mode `nolen` also drops `X_Len =` lines. All of it works line by line,
//! for hash vectors are megabytes and KEM vectors with large keys hundreds of them.

use sha2::{Digest, Sha256};
use std::io::{self, BufRead};

/// How a KAT text is digested.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mode {
    /// The canonical text; `records` demands exactly that many `Count =` or `Msg_Len =` records.
    Canonical {
        /// Drop `X_Len =` lines.
        nolen: bool,
        /// The number of records the text must have.
        records: Option<u64>,
    },
    /// The bytes as they are, for the NIST format of the controls.
    Bytes,
}

/// A mode that NGCC.md section 4 does not know.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a digest mode: expected strict or nolen, each optionally :N, or nistkat")]
pub struct ModeError(String);

impl Mode {
    /// Reads `strict`, `nolen`, `strict:N`, `nolen:N` or `nistkat`.
    ///
    /// # Errors
    /// On anything else.
    pub fn parse(text: &str) -> Result<Self, ModeError> {
        if text == "nistkat" {
            return Ok(Mode::Bytes);
        }
        let bad = || ModeError(text.to_owned());
        let (name, records) = match text.split_once(':') {
            Some((name, n)) => (name, Some(n.parse().map_err(|_| bad())?)),
            None => (text, None),
        };
        match name {
            "strict" => Ok(Mode::Canonical {
                nolen: false,
                records,
            }),
            "nolen" => Ok(Mode::Canonical {
                nolen: true,
                records,
            }),
            _ => Err(bad()),
        }
    }
}

/// The digest of a KAT text, and how many records it has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextDigest {
    /// SHA-256, lower hex.
    pub sha256: String,
    /// Records seen.
    pub records: u64,
}

/// Strips what the canonical form ignores; `None` for lines it drops.
fn canonical_line(line: &[u8]) -> Option<&[u8]> {
    let end = line
        .iter()
        .rposition(|b| !matches!(b, b' ' | b'\t' | b'\r' | b'\n' | 0x0b | 0x0c))
        .map_or(0, |last| last + 1);
    (end > 0).then(|| &line[..end])
}

fn field_name(line: &[u8]) -> Option<&[u8]> {
    let equals = line.iter().position(|b| *b == b'=')?;
    canonical_line(&line[..equals])
}

fn begins_record(line: &[u8]) -> bool {
    matches!(field_name(line), Some(b"Count" | b"count" | b"Msg_Len"))
}

fn is_length(line: &[u8]) -> bool {
    field_name(line).is_some_and(|name| name.ends_with(b"_Len"))
}

/// Digests a KAT text in this mode.
///
/// # Errors
/// When reading fails.
pub fn digest(mut text: impl BufRead, mode: &Mode) -> io::Result<TextDigest> {
    let mut hasher = Sha256::new();
    let mut records = 0;
    let mut line = Vec::new();
    loop {
        line.clear();
        if text.read_until(b'\n', &mut line)? == 0 {
            break;
        }
        if canonical_line(&line).is_some_and(begins_record) {
            records += 1;
        }
        match mode {
            Mode::Bytes => hasher.update(&line),
            Mode::Canonical { nolen, .. } => {
                if let Some(kept) = canonical_line(&line)
                    && !(*nolen && is_length(kept))
                {
                    hasher.update(kept);
                    hasher.update(b"\n");
                }
            }
        }
    }
    let sha256 = hasher
        .finalize()
        .iter()
        .map(|b| format!("{b:02x}"))
        .collect();
    Ok(TextDigest { sha256, records })
}

/// Where two KAT texts differ first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The record, counted from 0; absent before the first one.
    pub record: Option<u64>,
    /// The field's name, or what is missing.
    pub field: String,
}

/// The first difference between a generated and a submitted text, both in canonical form.
///
/// # Errors
/// When reading fails.
pub fn first_difference(
    generated: impl BufRead,
    submitted: impl BufRead,
) -> io::Result<Option<Difference>> {
    let mut generated = CanonicalLines::new(generated);
    let mut submitted = CanonicalLines::new(submitted);
    let mut record = None;
    loop {
        let (ours, theirs) = (generated.next_line()?, submitted.next_line()?);
        if ours.or(theirs).is_some_and(begins_record) {
            record = Some(record.map_or(0, |r: u64| r + 1));
        }
        let field = match (ours, theirs) {
            (None, None) => return Ok(None),
            (Some(_), None) => "(the submitted file ends here)".to_owned(),
            (None, Some(_)) => "(the generated text ends here)".to_owned(),
            (Some(ours), Some(theirs)) => {
                if ours == theirs {
                    continue;
                }
                match (field_name(ours), field_name(theirs)) {
                    (Some(a), Some(b)) if a == b => String::from_utf8_lossy(a).into_owned(),
                    (Some(a), Some(b)) => format!(
                        "{} (the submitted file has {})",
                        String::from_utf8_lossy(a),
                        String::from_utf8_lossy(b)
                    ),
                    (Some(a), None) => String::from_utf8_lossy(a).into_owned(),
                    _ => "(a line that is no `Key = VALUE`)".to_owned(),
                }
            }
        };
        return Ok(Some(Difference { record, field }));
    }
}

struct CanonicalLines<R> {
    text: R,
    line: Vec<u8>,
}

impl<R: BufRead> CanonicalLines<R> {
    fn new(text: R) -> Self {
        CanonicalLines {
            text,
            line: Vec::new(),
        }
    }

    fn next_line(&mut self) -> io::Result<Option<&[u8]>> {
        loop {
            self.line.clear();
            if self.text.read_until(b'\n', &mut self.line)? == 0 {
                return Ok(None);
            }
            if let Some(kept) = canonical_line(&self.line) {
                let end = kept.len();
                return Ok(Some(&self.line[..end]));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &[u8] =
        b"Count = 0\r\nSeed_Len = 64  \nSeed = AB\n\n\nCount = 1\nSeed_Len = 64\nSeed = CD";

    /// Expected values: `printf 'Count = 0\nSeed_Len = 64\n...' | sha256sum` of coreutils.
    #[test]
    fn canonical_digests_equal_sha256sum_of_the_stripped_text() {
        let strict = digest(TEXT, &Mode::parse("strict").unwrap()).unwrap();
        assert_eq!(
            strict.sha256,
            "9f131934fdf42851b9a2cf108e97891b9bf2e3a7ce1453dbf983edf664cde085"
        );
        assert_eq!(strict.records, 2);
        let nolen = digest(TEXT, &Mode::parse("nolen").unwrap()).unwrap();
        assert_eq!(
            nolen.sha256,
            "738380e2e7cff0f458ff1b526bd4f80872c0fe5668b8dab3309d1f9e2f2f520e"
        );
        let bytes = digest(TEXT, &Mode::Bytes).unwrap();
        assert_eq!(
            bytes.sha256,
            "f6a8dadec9b2056512278596ac2991dae71656bba22556f6c184ab300cf6e9e6"
        );
    }

    #[test]
    fn the_first_difference_names_record_and_field() {
        assert_eq!(first_difference(TEXT, TEXT).unwrap(), None);
        let other = b"Count = 0\nSeed_Len = 64\nSeed = AB\nCount = 1\nSeed_Len = 64\nSeed = CE\n";
        assert_eq!(
            first_difference(TEXT, &other[..]).unwrap(),
            Some(Difference {
                record: Some(1),
                field: "Seed".to_owned()
            })
        );
        let short = b"Count = 0\nSeed_Len = 64\nSeed = AB\n";
        assert_eq!(
            first_difference(TEXT, &short[..]).unwrap(),
            Some(Difference {
                record: Some(1),
                field: "(the submitted file ends here)".to_owned()
            })
        );
    }

    #[test]
    fn unknown_modes_are_refused() {
        for bad in ["", "Strict", "strict:", "strict:x", "nistkat:1", "nolen :1"] {
            assert!(Mode::parse(bad).is_err(), "{bad}");
        }
        let records = Some(10);
        assert_eq!(
            Mode::parse("nolen:10"),
            Ok(Mode::Canonical {
                nolen: true,
                records
            })
        );
    }
}
