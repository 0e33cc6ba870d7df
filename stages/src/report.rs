//! What the probe reports on its pipe: `key value...` lines; see `stages/probe/README.md`.

use std::collections::BTreeMap;

/// The version of the probe's protocol that this reader knows.
pub const PROTOCOL: &str = "assay-probe 1";

/// One timed loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Trial {
    /// Calls in the loop.
    pub iterations: u64,
    /// Wall time around it.
    pub ns: u64,
    /// The counter around it; absent when there is none.
    pub cycles: Option<u64>,
}

/// Calls of one shape in a profile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// The function.
    pub function: String,
    /// Input bits.
    pub in_bits: u64,
    /// Output bits.
    pub out_bits: u64,
    /// Outermost calls.
    pub calls: u64,
    /// Ticks in them.
    pub ticks: u64,
}

/// How the probe's job ended.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum End {
    /// All was done.
    Ok,
    /// The candidate broke the rules of its interface.
    CryptoFail,
    /// Bytes outside a buffer were written, or a length beyond the declared one returned.
    Overflow,
    /// The library could not be loaded.
    LoadFail(String),
    /// The library has no such operation.
    Unsupported(String),
    /// The machine failed, not the candidate.
    HostFail(String),
    /// There was no end line: the process crashed, exited, or was stopped.
    #[default]
    Missing,
}

/// A report, as far as it came.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// `ALGORITHM_INSTANCE`.
    pub instance: Option<String>,
    /// Declared sizes in bytes by object (`pk`, `sk`, `ct`, `ss`, `sn`, `digest`).
    pub sizes: BTreeMap<String, u64>,
    /// Lengths really returned, least and greatest, by object.
    pub returned: BTreeMap<String, (u64, u64)>,
    /// Timed loops.
    pub trials: Vec<Trial>,
    /// Calls in a profile.
    pub calls: Vec<Call>,
    /// Operations and ticks of a profile.
    pub total: Option<(u64, u64)>,
    /// What went wrong, a line each: `overflow ...`, `cryptofail ...`, `warning ...`.
    pub complaints: Vec<String>,
    /// Why there is no counter, when one was asked for.
    pub event_error: Option<String>,
    /// All other facts by key.
    pub facts: BTreeMap<String, String>,
    /// How it ended.
    pub end: End,
}

/// A report that the probe cannot have written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReportError {
    /// Not this protocol.
    #[error("the probe's report does not begin with `{PROTOCOL}` but with `{0}`")]
    Protocol(String),
    /// A line is malformed.
    #[error("line {line} of the probe's report is malformed: `{text}`")]
    Line {
        /// Counted from 1.
        line: usize,
        /// The line, at most 200 characters of it.
        text: String,
    },
}

impl Report {
    /// Reads a report. Bytes after the end line, or a report without one, are a matter of
    /// [`Report::end`], not errors: a candidate may have died at any point.
    ///
    /// # Errors
    /// When a complete line is not of the protocol: the candidate has written to the pipe.
    pub fn parse(bytes: &[u8]) -> Result<Self, ReportError> {
        let mut report = Report::default();
        let text = String::from_utf8_lossy(bytes);
        let mut lines = text.split_inclusive('\n').enumerate();
        match lines.next() {
            None => return Ok(report),
            Some((_, first)) if first.trim_end() == PROTOCOL => {}
            Some((_, first)) if !first.ends_with('\n') && PROTOCOL.starts_with(first) => {
                return Ok(report);
            }
            Some((_, first)) => {
                return Err(ReportError::Protocol(
                    first.trim_end().chars().take(80).collect(),
                ));
            }
        }
        for (index, line) in lines {
            // A torn last line says nothing.
            let Some(line) = line.strip_suffix('\n') else {
                break;
            };
            if report.end != End::Missing {
                return Err(malformed(index, line));
            }
            report.take(line).ok_or_else(|| malformed(index, line))?;
        }
        Ok(report)
    }

    fn take(&mut self, line: &str) -> Option<()> {
        let (key, rest) = line.split_once(' ').unwrap_or((line, ""));
        let words: Vec<&str> = rest.split(' ').collect();
        match (key, words.as_slice()) {
            ("instance", _) => self.instance = Some(rest.to_owned()),
            ("size", [object, bytes]) => {
                self.sizes.insert((*object).to_owned(), bytes.parse().ok()?);
            }
            ("returned", [object, min, max]) => {
                let range = (min.parse().ok()?, max.parse().ok()?);
                self.returned.insert((*object).to_owned(), range);
            }
            ("trial", [iterations, ns, cycles]) => self.trials.push(Trial {
                iterations: iterations.parse().ok()?,
                ns: ns.parse().ok()?,
                cycles: if *cycles == "-" {
                    None
                } else {
                    Some(cycles.parse().ok()?)
                },
            }),
            ("call", [function, in_bits, out_bits, calls, ticks]) => self.calls.push(Call {
                function: (*function).to_owned(),
                in_bits: in_bits.parse().ok()?,
                out_bits: out_bits.parse().ok()?,
                calls: calls.parse().ok()?,
                ticks: ticks.parse().ok()?,
            }),
            ("total", [operations, ticks]) => {
                self.total = Some((operations.parse().ok()?, ticks.parse().ok()?));
            }
            ("overflow" | "cryptofail" | "warning", _) => self.complaints.push(line.to_owned()),
            ("event_error", _) => self.event_error = Some(rest.to_owned()),
            ("end", [status, ..]) => {
                let text = rest.strip_prefix(status)?.trim_start().to_owned();
                self.end = match *status {
                    "ok" => End::Ok,
                    "cryptofail" => End::CryptoFail,
                    "overflow" => End::Overflow,
                    "loadfail" => End::LoadFail(text),
                    "unsupported" | "usage" => End::Unsupported(text),
                    "hostfail" => End::HostFail(text),
                    _ => return None,
                };
            }
            ("size" | "returned" | "trial" | "call" | "total" | "end", _) => return None,
            (key, _) if !key.is_empty() && !rest.is_empty() => {
                self.facts.insert(key.to_owned(), rest.to_owned());
            }
            _ => return None,
        }
        Some(())
    }

    /// A fact that is a number; absent when it is missing or not one.
    pub fn number(&self, key: &str) -> Option<u64> {
        self.facts.get(key)?.parse().ok()
    }
}

fn malformed(index: usize, line: &str) -> ReportError {
    ReportError::Line {
        line: index + 1,
        text: line.chars().take(200).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const GOOD: &str = "assay-probe 1\ninstance ML-KEM 512\nsize pk 800\nreturned ct 768 768\n\
        baseline_rss_bytes 4096\ntrial 10 5000 -\ntrial 10 5001 77\nevent_error ENOENT no counter\n\
        call drng 0 256 3 900\ntotal 2 1000\noverflow ct after 1\nend overflow\n";

    #[test]
    fn a_report_is_read() {
        let report = Report::parse(GOOD.as_bytes()).unwrap();
        assert_eq!(report.instance.as_deref(), Some("ML-KEM 512"));
        assert_eq!(
            report.trials[1],
            Trial {
                iterations: 10,
                ns: 5001,
                cycles: Some(77)
            }
        );
        assert_eq!(report.trials[0].cycles, None);
        assert_eq!(report.number("baseline_rss_bytes"), Some(4096));
        assert_eq!(report.total, Some((2, 1000)));
        assert_eq!(report.end, End::Overflow);
    }

    #[test]
    fn what_the_probe_cannot_have_written_is_refused() {
        for bad in [
            "assay-probe 2\n",
            "hello\n",
            "assay-probe 1\ntrial 1 2\n",
            "assay-probe 1\nsize pk -1\n",
            "assay-probe 1\nend perfect\n",
            "assay-probe 1\nend ok\ntrial 1 1 1\n",
            "assay-probe 1\n\n",
        ] {
            assert!(Report::parse(bad.as_bytes()).is_err(), "{bad:?}");
        }
    }

    proptest! {
        /// A crash may cut the report anywhere; what came before the cut is kept, nothing invented.
        #[test]
        fn a_cut_report_is_a_report_without_end(cut in 0..GOOD.len() - 1) {
            let report = Report::parse(&GOOD.as_bytes()[..cut]).unwrap();
            prop_assert_eq!(report.end, End::Missing);
        }

        #[test]
        fn no_bytes_panic(bytes: Vec<u8>) {
            let _ = Report::parse(&bytes);
        }
    }
}
