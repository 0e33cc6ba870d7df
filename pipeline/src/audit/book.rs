//! What an audit notes while it goes: how much was compared, what is wrong, and what could not be
//! checked. Books of several candidates are made side by side and then joined.

use super::check::Check;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;

/// From how many files on a way to write them is a custom, and how many may depart from it: one in
/// this many.
const CUSTOM: u64 = 20;

/// Something that is not as it should be.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Finding {
    /// By which check.
    pub check: Check,
    /// In which file.
    pub file: String,
    /// In which field, line or cell of it; empty for the whole file.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub field: String,
    /// Of what: `candidate/instance/operation` as far as it is about one.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub subject: String,
    /// What stands there.
    pub said: String,
    /// What should.
    pub expected: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file)?;
        if !self.field.is_empty() {
            write!(f, ", {}", self.field)?;
        }
        write!(f, ": {}", self.said)?;
        if !self.expected.is_empty() {
            write!(f, "; expected {}", self.expected)?;
        }
        Ok(())
    }
}

/// Something that could not be checked, or only within bounds.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Open {
    /// In which files: a path or a pattern with `*`.
    pub file: String,
    /// Which field: a path or a pattern with `*`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub field: String,
    /// Why, and what is known of it all the same.
    pub why: String,
}

/// A value that departs from what all others are, to be judged when all are known.
#[derive(Debug, Clone, Default)]
struct Custom {
    follow: u64,
    depart: Vec<Finding>,
}

/// See the module.
#[derive(Debug, Clone, Default)]
pub struct Book {
    compared: BTreeMap<Check, u64>,
    wrong: Vec<Finding>,
    open: BTreeMap<Open, u64>,
    customs: BTreeMap<Check, Custom>,
}

impl Book {
    /// Notes are made about this file and subject.
    pub fn at<'a>(&'a mut self, file: &'a str, subject: &'a str) -> Notes<'a> {
        Notes {
            book: self,
            file,
            subject,
        }
    }

    /// A comparison that came out well.
    pub fn ok(&mut self, check: Check) {
        *self.compared.entry(check).or_default() += 1;
    }

    /// Something wrong.
    pub fn wrong(&mut self, finding: Finding) {
        self.ok(finding.check);
        self.wrong.push(finding);
    }

    /// Something that could not be checked.
    pub fn open(&mut self, file: &str, field: &str, why: &str) {
        self.open_times(file, field, why, 1);
    }

    /// The same in so many files.
    pub fn open_times(&mut self, file: &str, field: &str, why: &str, times: u64) {
        let open = Open {
            file: file.to_owned(),
            field: field.to_owned(),
            why: why.to_owned(),
        };
        *self.open.entry(open).or_default() += times;
    }

    /// Adds all notes of another book.
    pub fn join(&mut self, other: Book) {
        for (check, n) in other.compared {
            *self.compared.entry(check).or_default() += n;
        }
        self.wrong.extend(other.wrong);
        for (open, n) in other.open {
            *self.open.entry(open).or_default() += n;
        }
        for (check, custom) in other.customs {
            let ours = self.customs.entry(check).or_default();
            ours.follow += custom.follow;
            ours.depart.extend(custom.depart);
        }
    }

    /// Judges the customs: where nearly all do the same, who departs is wrong; else nothing is said.
    pub fn judge_customs(&mut self) {
        for (check, custom) in std::mem::take(&mut self.customs) {
            let departs = custom.depart.len() as u64;
            if departs == 0 || custom.follow >= CUSTOM.max(departs * CUSTOM) {
                *self.compared.entry(check).or_default() += custom.follow;
                for finding in custom.depart {
                    self.wrong(finding);
                }
            } else {
                self.open(
                    "*",
                    "",
                    &format!(
                        "{check}: {} follow and {departs} do not, so there is no custom to hold \
                         them to",
                        custom.follow
                    ),
                );
            }
        }
    }

    /// How much each check compared.
    pub fn compared(&self) -> &BTreeMap<Check, u64> {
        &self.compared
    }

    /// What is wrong, sorted.
    pub fn findings(&self) -> Vec<Finding> {
        let mut findings = self.wrong.clone();
        findings.sort();
        findings.dedup();
        findings
    }

    /// What could not be checked, each with the number of files.
    pub fn unchecked(&self) -> &BTreeMap<Open, u64> {
        &self.open
    }
}

/// Notes about one file.
pub struct Notes<'a> {
    book: &'a mut Book,
    file: &'a str,
    subject: &'a str,
}

impl Notes<'_> {
    fn finding(
        &self,
        check: Check,
        field: &str,
        said: impl Into<String>,
        expected: impl Into<String>,
    ) -> Finding {
        Finding {
            check,
            file: self.file.to_owned(),
            field: field.to_owned(),
            subject: self.subject.to_owned(),
            said: said.into(),
            expected: expected.into(),
        }
    }

    /// That two values are the same.
    pub fn same<A, B>(&mut self, check: Check, field: &str, said: A, expected: B)
    where
        A: PartialEq<B> + fmt::Debug,
        B: fmt::Debug,
    {
        if said == expected {
            self.book.ok(check);
        } else {
            self.wrong(check, field, shown(&said), shown(&expected));
        }
    }

    /// That a rule holds; `said` and `rule` are asked only where it does not.
    pub fn holds(
        &mut self,
        check: Check,
        field: &str,
        holds: bool,
        told: impl FnOnce() -> (String, String),
    ) {
        if holds {
            self.book.ok(check);
        } else {
            let (said, rule) = told();
            self.wrong(check, field, said, rule);
        }
    }

    /// Something wrong.
    pub fn wrong(
        &mut self,
        check: Check,
        field: &str,
        said: impl Into<String>,
        expected: impl Into<String>,
    ) {
        let finding = self.finding(check, field, said, expected);
        self.book.wrong(finding);
    }

    /// Whether this file does as all others do; judged at the end.
    pub fn custom(
        &mut self,
        check: Check,
        field: &str,
        follows: bool,
        told: impl FnOnce() -> (String, String),
    ) {
        if follows {
            self.book.customs.entry(check).or_default().follow += 1;
        } else {
            let (said, custom) = told();
            let finding = self.finding(check, field, said, custom);
            let customs = self.book.customs.entry(check).or_default();
            customs.depart.push(finding);
        }
    }

    /// Something that could not be checked in this file.
    pub fn open(&mut self, field: &str, why: &str) {
        let file = self.file.to_owned();
        self.book.open(&file, field, why);
    }
}

/// A value as a finding quotes it: short, on one line, texts in backquotes.
pub fn shown(value: &impl fmt::Debug) -> String {
    /// More does not help.
    const LONGEST: usize = 200;
    let text = format!("{value:?}");
    let text = text
        .strip_prefix("Some(")
        .and_then(|inner| inner.strip_suffix(')'))
        .unwrap_or(&text);
    let text = match text {
        "None" => "nothing",
        other => other,
    };
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}...", &text[..at]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_departs_from_a_custom_is_wrong_only_where_there_is_one() {
        let depart = |book: &mut Book, file: &str| {
            book.at(file, "")
                .custom(Check::Form, "", false, || ("x".into(), "y".into()));
        };
        let follow = |book: &mut Book, n| {
            for _ in 0..n {
                book.at("a", "")
                    .custom(Check::Form, "", true, Default::default);
            }
        };
        let mut book = Book::default();
        follow(&mut book, 20);
        let mut other = Book::default();
        depart(&mut other, "b");
        book.join(other);
        let mut loose = book.clone();
        book.judge_customs();
        assert_eq!(book.findings().len(), 1);
        assert_eq!(book.findings()[0].file, "b");

        depart(&mut loose, "c");
        loose.judge_customs();
        assert!(loose.findings().is_empty());
        assert_eq!(loose.unchecked().len(), 1);
    }

    #[test]
    fn values_are_quoted_as_people_write_them() {
        assert_eq!(shown(&Some("a")), "\"a\"");
        assert_eq!(shown(&None::<u8>), "nothing");
        assert_eq!(shown(&Some(5)), "5");
    }
}
