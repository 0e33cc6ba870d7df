//! Source trees as artifacts: a list of relative paths, each with its content's id.
//!
//! Paths are kept as the bytes they are; in JSON they stand percent-encoded, so that names that are
//! not UTF-8 survive. Time stamps, owners and modes are not kept: they change no compile.

use crate::format::{Format, Header};
use crate::id::ArtifactId;
use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, percent_encode};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// The version of tree files this program writes. 1.0: first.
pub const TREE: Format = Format {
    kind: "assay-tree",
    major: 1,
    minor: 0,
};

const ENCODED: &AsciiSet = &CONTROLS.add(b'%');

/// A relative path that cannot leave its tree: parts without `.`, `..`, empty ones or NUL.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct TreePath(Vec<u8>);

/// A path that is absolute, climbs, or is not in normal form.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a path inside a tree (relative, no `.` or `..`, no empty parts)")]
pub struct TreePathError(String);

impl TreePath {
    /// Checks and takes the bytes of a path.
    ///
    /// # Errors
    /// When it could lead out of the tree, or is not in normal form.
    pub fn new(bytes: impl Into<Vec<u8>>) -> Result<Self, TreePathError> {
        let bytes = bytes.into();
        let sound = bytes.len() <= 4096
            && bytes.split(|b| *b == b'/').all(|part| {
                !part.is_empty()
                    && part.len() <= 255
                    && part != b"."
                    && part != b".."
                    && !part.contains(&0)
            });
        if sound {
            Ok(Self(bytes))
        } else {
            Err(TreePathError(encode(&bytes)))
        }
    }

    /// The bytes of the path, parts joined by `/`.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The last part.
    pub fn file_name(&self) -> &[u8] {
        let start = self.0.iter().rposition(|b| *b == b'/').map_or(0, |i| i + 1);
        &self.0[start..]
    }

    /// The folder it lies in; absent for what lies at the top of its tree.
    pub fn parent(&self) -> Option<TreePath> {
        let end = self.0.iter().rposition(|b| *b == b'/')?;
        Some(TreePath(self.0[..end].to_vec()))
    }

    /// `below` seen from the folder that this path names.
    ///
    /// # Errors
    /// When the result is too long.
    pub fn join(&self, below: &TreePath) -> Result<TreePath, TreePathError> {
        TreePath::new([self.as_bytes(), below.as_bytes()].join(&b'/'))
    }

    /// This path seen from `folder`; absent when it does not lie below it.
    pub fn relative_to(&self, folder: &TreePath) -> Option<TreePath> {
        let rest = self
            .0
            .strip_prefix(folder.0.as_slice())?
            .strip_prefix(b"/")?;
        Some(TreePath(rest.to_vec()))
    }

    /// Whether this path is `folder` or lies below it.
    pub fn is_under(&self, folder: &TreePath) -> bool {
        self.0
            .strip_prefix(folder.0.as_slice())
            .is_some_and(|rest| rest.is_empty() || rest[0] == b'/')
    }
}

fn encode(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(_) => percent_encode_keeping_utf8(bytes),
        Err(_) => percent_encode(bytes, ENCODED).to_string(),
    }
}

/// `percent_encode` writes every non-ASCII byte as an escape; readable names stay readable here.
fn percent_encode_keeping_utf8(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes)
        .chars()
        .map(|c| {
            if c.is_ascii() {
                percent_encode(&[c as u8], ENCODED).to_string()
            } else {
                c.to_string()
            }
        })
        .collect()
}

impl fmt::Display for TreePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&encode(&self.0))
    }
}

impl TryFrom<String> for TreePath {
    type Error = TreePathError;

    fn try_from(text: String) -> Result<Self, TreePathError> {
        Self::new(percent_decode_str(&text).collect::<Vec<u8>>())
    }
}

impl From<TreePath> for String {
    fn from(path: TreePath) -> String {
        path.to_string()
    }
}

/// A source tree: regular files only.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tree {
    /// Kind and version.
    #[serde(flatten)]
    pub header: Header,
    /// Content by path, sorted by path.
    pub files: BTreeMap<TreePath, ArtifactId>,
}

impl Tree {
    /// A tree of these files.
    pub fn new(files: BTreeMap<TreePath, ArtifactId>) -> Self {
        Tree {
            header: TREE.header(),
            files,
        }
    }

    /// The part of the tree at or below any of these paths, by the same paths.
    pub fn restricted_to(&self, paths: &[TreePath]) -> Tree {
        Tree::new(
            self.files
                .iter()
                .filter(|(path, _)| paths.iter().any(|p| path.is_under(p)))
                .map(|(path, id)| (path.clone(), *id))
                .collect(),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_cannot_climb_and_survive_any_bytes() {
        for bad in [
            "", "/etc", "a/../b", "..", ".", "a//b", "a/", "a/./b", "a\0b",
        ] {
            assert!(TreePath::new(bad).is_err(), "{bad:?}");
        }
        for good in [
            &b"a b+c/%2e%2e/x.c"[..],
            b"\xff\xfe/x",
            "签名/x.c".as_bytes(),
            b"a\nb",
        ] {
            let path = TreePath::new(good).unwrap();
            let json = serde_json::to_string(&path).unwrap();
            assert_eq!(
                serde_json::from_str::<TreePath>(&json).unwrap().as_bytes(),
                good
            );
        }
        assert_eq!(TreePath::new("签名/x.c").unwrap().to_string(), "签名/x.c");
    }

    #[test]
    fn paths_are_taken_apart_and_joined_by_whole_parts() {
        let path = |p: &str| TreePath::new(p).unwrap();
        assert_eq!(path("a/b.c").file_name(), b"b.c");
        assert_eq!(path("b.c").file_name(), b"b.c");
        assert_eq!(path("a/b/c").parent(), Some(path("a/b")));
        assert_eq!(path("a").parent(), None);
        assert_eq!(path("a").join(&path("b/c")), Ok(path("a/b/c")));
        assert_eq!(path("a/b/c").relative_to(&path("a")), Some(path("b/c")));
        assert_eq!(path("ab/c").relative_to(&path("a")), None);
        assert_eq!(path("a").relative_to(&path("a")), None);
    }

    #[test]
    fn restriction_goes_by_whole_parts() {
        let id = ArtifactId::of(b"");
        let path = |p: &str| TreePath::new(p).unwrap();
        let tree = Tree::new([(path("a/x.c"), id), (path("ab/x.c"), id)].into());
        let part = tree.restricted_to(&[path("a")]);
        assert_eq!(
            part.files
                .keys()
                .map(TreePath::to_string)
                .collect::<Vec<_>>(),
            ["a/x.c"]
        );
    }
}
