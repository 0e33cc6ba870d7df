//! What an import did that people should know of.

use artifacts::tree::TreePath;
use std::fmt;

/// One remark on one entry. None of them keeps the candidate from being measured.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Note {
    /// The candidate's TOML names it in `leave_out`.
    LeftOut(String),
    /// A link to nothing; not kept.
    Dangling(TreePath),
    /// An archive of a kind that is not unpacked, or too deep inside others; kept as data.
    NotUnpacked {
        /// The archive.
        path: TreePath,
        /// Why.
        why: &'static str,
    },
    /// An object, library or program; kept as data, never linked or run.
    Prebuilt {
        /// The file.
        path: TreePath,
        /// What it is.
        what: &'static str,
    },
    /// A submitted KAT file that the catalog names and the sources lack.
    NoReference {
        /// The instance.
        label: String,
        /// The file.
        file: TreePath,
    },
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Note::LeftOut(entry) => write!(f, "{entry}: left out, as the catalog says"),
            Note::Dangling(path) => write!(f, "{path}: a link to nothing, not kept"),
            Note::NotUnpacked { path, why } => write!(f, "{path}: not unpacked: {why}"),
            Note::Prebuilt { path, what } => {
                write!(f, "{path}: {what}, kept as data; only sources are compiled")
            }
            Note::NoReference { label, file } => {
                write!(
                    f,
                    "{label}: the sources hold no KAT file `{file}`: its verdict will be NOKAT"
                )
            }
        }
    }
}

/// Beginnings of files that only a compiler, linker or archiver writes.
const PREBUILT: &[(&[u8], &str)] = &[
    (b"\x7fELF", "a prebuilt ELF object"),
    (b"!<arch>\n", "a prebuilt archive of objects"),
    (b"MZ", "a prebuilt Windows program or library"),
    (b"\xcf\xfa\xed\xfe", "a prebuilt Mach-O object"),
    (b"\xce\xfa\xed\xfe", "a prebuilt Mach-O object"),
    (b"BC\xc0\xde", "prebuilt LLVM bitcode"),
];

/// What a file that begins like this is, where it is no source or text.
pub(super) fn prebuilt(head: &[u8]) -> Option<&'static str> {
    PREBUILT
        .iter()
        .find(|(magic, _)| head.starts_with(magic))
        .map(|(_, what)| *what)
}
