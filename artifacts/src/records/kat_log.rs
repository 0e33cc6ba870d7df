//! KAT logs: what a known-answer test saw and said. Text, one fact a line; the last `RESULT` line is
//! the verdict. Every line is kept, so that a log read and written again is the same text.
//!
//! ```text
//! instance    = COMPASS-KEM-128
//! manifest ea168c01.. strict KAT_KEM_COMPASS-KEM-128.txt
//! RESULT kem-11 COMPASS-KEM-128 PASS
//! ```

use crate::words::Verdict;
use std::fmt;

/// A KAT log.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KatLog {
    /// Its lines, in order.
    pub lines: Vec<KatLine>,
    /// Whether the last line ends with a line feed, as it should.
    pub terminated: bool,
}

/// A line of a KAT log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KatLine {
    /// `name        = value`, the name padded to 11 columns.
    Field {
        /// Such as `source_dir`.
        name: String,
        /// Everything after `= `.
        value: String,
    },
    /// `manifest <64 hex> <mode> <file>`: a reference digest.
    Manifest {
        /// The digest, 64 lower-case hex digits.
        digest: String,
        /// `strict`, `nolen`, with `:N` where a run of N records is meant.
        mode: String,
        /// The file's name, perhaps with the label before it.
        file: String,
    },
    /// `RESULT <candidate> <instance> <verdict> <detail>`.
    Result(KatResult),
    /// Anything else.
    Other(String),
}

/// A verdict as logged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KatResult {
    /// The candidate.
    pub candidate: String,
    /// The instance as its own code names it.
    pub instance: String,
    /// How the test ended.
    pub verdict: Verdict,
    /// What differed or is missing; empty for PASS.
    pub detail: String,
}

impl KatLog {
    /// Reads a log; text that is no log gives a log without verdict.
    pub fn parse(text: &str) -> Self {
        let terminated = text.ends_with('\n');
        let body = text.strip_suffix('\n').unwrap_or(text);
        let lines = if text.is_empty() {
            Vec::new()
        } else {
            body.split('\n').map(KatLine::parse).collect()
        };
        KatLog { lines, terminated }
    }

    /// The value of the first field of this name.
    pub fn field(&self, wanted: &str) -> Option<&str> {
        self.lines.iter().find_map(|line| match line {
            KatLine::Field { name, value } if name == wanted => Some(value.as_str()),
            _ => None,
        })
    }

    /// The reference digests as (digest, mode, file).
    pub fn manifests(&self) -> impl Iterator<Item = (&str, &str, &str)> {
        self.lines.iter().filter_map(|line| match line {
            KatLine::Manifest { digest, mode, file } => {
                Some((digest.as_str(), mode.as_str(), file.as_str()))
            }
            _ => None,
        })
    }

    /// The last `RESULT` line: the verdict.
    pub fn result(&self) -> Option<&KatResult> {
        self.lines.iter().rev().find_map(|line| match line {
            KatLine::Result(result) => Some(result),
            _ => None,
        })
    }

    /// Adds a field.
    pub fn push_field(&mut self, name: &str, value: impl fmt::Display) {
        self.push(KatLine::Field {
            name: name.to_owned(),
            value: value.to_string(),
        });
    }

    /// Adds a line.
    pub fn push(&mut self, line: KatLine) {
        self.lines.push(line);
        self.terminated = true;
    }
}

impl KatLine {
    fn parse(line: &str) -> Self {
        let read = if let Some(rest) = line.strip_prefix("RESULT ") {
            KatResult::parse(rest).map(KatLine::Result)
        } else if let Some(rest) = line.strip_prefix("manifest ") {
            parse_manifest(rest)
        } else {
            line.split_once(" = ")
                .map(|(name, value)| KatLine::Field {
                    name: name.trim_end().to_owned(),
                    value: value.to_owned(),
                })
                .filter(|_| !line.starts_with(' '))
        };
        // what would not be written as it stands is kept verbatim
        read.filter(|read| read.to_string() == line)
            .unwrap_or_else(|| KatLine::Other(line.to_owned()))
    }
}

fn parse_manifest(text: &str) -> Option<KatLine> {
    let (digest, rest) = text.split_once(' ')?;
    let (mode, file) = rest.split_once(' ')?;
    let is_hex = |b: u8| b.is_ascii_digit() || (b'a'..=b'f').contains(&b);
    (digest.len() == 64 && digest.bytes().all(is_hex)).then(|| KatLine::Manifest {
        digest: digest.to_owned(),
        mode: mode.to_owned(),
        file: file.to_owned(),
    })
}

impl KatResult {
    /// An instance's own name may hold blanks: the verdict is the first word that is one.
    fn parse(text: &str) -> Option<Self> {
        let (candidate, rest) = text.split_once(' ')?;
        let mut start = 0;
        for word in rest.split(' ') {
            let end = start + word.len();
            if start > 0
                && let Ok(verdict) = word.parse()
            {
                return Some(KatResult {
                    candidate: candidate.to_owned(),
                    instance: rest[..start - 1].to_owned(),
                    verdict,
                    detail: rest[end..].strip_prefix(' ')?.to_owned(),
                });
            }
            start = end + 1;
        }
        None
    }
}

impl fmt::Display for KatLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            KatLine::Field { name, value } => write!(f, "{name:<11} = {value}"),
            KatLine::Manifest { digest, mode, file } => {
                write!(f, "manifest {digest} {mode} {file}")
            }
            KatLine::Result(result) => {
                let KatResult {
                    candidate,
                    instance,
                    verdict,
                    detail,
                } = result;
                write!(f, "RESULT {candidate} {instance} {verdict} {detail}")
            }
            KatLine::Other(text) => f.write_str(text),
        }
    }
}

impl fmt::Display for KatLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, line) in self.lines.iter().enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            write!(f, "{line}")?;
        }
        if self.terminated && !self.lines.is_empty() {
            f.write_str("\n")?;
        }
        Ok(())
    }
}
