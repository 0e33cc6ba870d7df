//! The folder below which `/proc`, `/sys` and `/etc` are read.
//!
//! Facts are read through a [`Root`] only, so that a test can hand in another machine. A fact that
//! the kernel does not tell is unknown (`None`), never an error and never a default: readiness
//! decides whether it is needed.

use crate::Error;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Where the files of a machine are: `/`, or a folder that looks like it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Root(PathBuf);

impl Root {
    /// This machine.
    pub fn host() -> Self {
        Root(PathBuf::from("/"))
    }

    /// A machine laid out below this folder.
    pub fn at(folder: impl Into<PathBuf>) -> Self {
        Root(folder.into())
    }

    /// The file's place; `relative` has no leading `/`.
    pub fn path(&self, relative: &str) -> PathBuf {
        self.0.join(relative)
    }

    /// Whether there is such a file or folder.
    pub fn has(&self, relative: &str) -> bool {
        self.path(relative).exists()
    }

    /// The file's text without surrounding blanks and NULs (device trees end strings with one), or
    /// `None` when it cannot be read or is empty. Bytes that are not UTF-8 are replaced.
    pub fn text(&self, relative: &str) -> Option<String> {
        let bytes = fs_err::read(self.path(relative)).ok()?;
        let text = String::from_utf8_lossy(&bytes);
        let text = text.trim_matches(|c: char| c.is_whitespace() || c == '\0');
        (!text.is_empty()).then(|| text.to_owned())
    }

    /// The file's text as a number, or `None` when there is none.
    pub fn number<T: std::str::FromStr>(&self, relative: &str) -> Option<T> {
        self.text(relative)?.parse().ok()
    }

    /// The file's text; for files every Linux machine has.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn require(&self, relative: &str) -> Result<String, Error> {
        let text = fs_err::read_to_string(self.path(relative)).map_err(Error::Fact)?;
        Ok(text.trim_end().to_owned())
    }

    /// The names in a folder, sorted; empty when there is none.
    pub fn names(&self, relative: &str) -> Vec<String> {
        let Ok(entries) = fs_err::read_dir(self.path(relative)) else {
            return Vec::new();
        };
        let mut names: Vec<String> = entries
            .flatten()
            .filter_map(|entry| entry.file_name().into_string().ok())
            .collect();
        names.sort();
        names
    }

    /// The file as a list of CPUs, or `None` when it cannot be read.
    ///
    /// # Errors
    /// When it is not a list of CPUs.
    pub fn cpus(&self, relative: &str) -> Result<Option<BTreeSet<u32>>, Error> {
        let Some(text) = self.text(relative) else {
            return Ok(None);
        };
        parse_cpus(&self.path(relative), &text).map(Some)
    }
}

/// The kernel's list format: `0-3,7`.
pub(crate) fn parse_cpus(path: &Path, text: &str) -> Result<BTreeSet<u32>, Error> {
    let part = |part: &str| -> Option<std::ops::RangeInclusive<u32>> {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        Some(first.trim().parse().ok()?..=last.trim().parse().ok()?)
    };
    let mut cpus = BTreeSet::new();
    for text in text.split(',').filter(|part| !part.trim().is_empty()) {
        cpus.extend(part(text).ok_or_else(|| Error::Malformed {
            path: path.to_owned(),
            expected: "a list of CPUs such as `0-3,7`",
            found: text.to_owned(),
        })?);
    }
    Ok(cpus)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cpu_lists_are_those_of_the_kernel() {
        let parse = |text| parse_cpus(Path::new("online"), text);
        assert_eq!(
            parse("0-2,7").unwrap().into_iter().collect::<Vec<_>>(),
            [0, 1, 2, 7]
        );
        assert_eq!(parse("").unwrap().len(), 0);
        assert!(parse("0-x").unwrap_err().to_string().contains("`0-x`"));
    }
}
