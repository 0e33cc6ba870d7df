//! Kind and version at the head of every file assay writes.
//!
//! An unknown kind or major version is refused. A newer minor version is read, but must not be
//! written back, for it may hold fields that this version would drop.

use serde::{Deserialize, Serialize};

/// The first fields of every file: what it is and by which version of its rules it was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// What kind of file this is, such as `assay-receipt`.
    pub kind: String,
    /// Raised when an older reader would misread the file.
    pub major: u32,
    /// Raised when fields were added that an older reader may pass over.
    pub minor: u32,
}

/// A kind of file and the version this program writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Format {
    /// See [`Header::kind`].
    pub kind: &'static str,
    /// See [`Header::major`].
    pub major: u32,
    /// See [`Header::minor`].
    pub minor: u32,
}

/// A file that this version must not read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FormatError {
    /// The file is of another kind.
    #[error("this is a `{found}`, not a `{expected}`")]
    Kind {
        /// What the file says it is.
        found: String,
        /// What was asked for.
        expected: &'static str,
    },
    /// The file was written by rules this version does not know.
    #[error(
        "{kind} version {found} is not known to this assay, which reads version {known}: \
         use an assay that is at least as new as the writer"
    )]
    Major {
        /// The kind of file.
        kind: &'static str,
        /// The major version found.
        found: u32,
        /// The major version this program reads.
        known: u32,
    },
}

impl Format {
    /// The header of a file written now.
    pub fn header(self) -> Header {
        Header {
            kind: self.kind.to_owned(),
            major: self.major,
            minor: self.minor,
        }
    }

    /// Whether a file with this header may be read.
    ///
    /// # Errors
    /// Another kind, or another major version.
    pub fn check(self, header: &Header) -> Result<(), FormatError> {
        if header.kind != self.kind {
            return Err(FormatError::Kind {
                found: header.kind.clone(),
                expected: self.kind,
            });
        }
        if header.major != self.major {
            return Err(FormatError::Major {
                kind: self.kind,
                found: header.major,
                known: self.major,
            });
        }
        Ok(())
    }

    /// Whether a file with this header may be written back by this version.
    pub fn may_rewrite(self, header: &Header) -> bool {
        self.check(header).is_ok() && header.minor <= self.minor
    }
}
