//! What can be wrong with a catalog, in words that say where and what to do.

use artifacts::format::FormatError;
use artifacts::words::CandidateId;
use std::io;

/// The catalog could not be read.
#[derive(Debug, thiserror::Error)]
pub enum CatalogError {
    /// A file or folder could not be read.
    #[error("cannot read the catalog: {0}")]
    Io(#[from] io::Error),
    /// A file does not say what it is, is no candidate's, or is of an unknown version.
    #[error("{file}: {source}")]
    Format {
        /// The file.
        file: String,
        /// What is wrong with its header.
        #[source]
        source: FormatError,
    },
    /// A newer assay's file may hold fields this one would misread.
    #[error(
        "{file}: minor version {found} is newer than this assay knows ({known}): use a newer assay"
    )]
    Newer {
        /// The file.
        file: String,
        /// Its minor version.
        found: u32,
        /// The minor version this program reads.
        known: u32,
    },
    /// A file is not TOML, lacks a field, or has one that is unknown or of a wrong form.
    #[error("{file}:{line}: {why}, in `{text}`; candidates/README.md documents the format")]
    Syntax {
        /// The file.
        file: String,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        why: String,
        /// The line's text.
        text: String,
    },
    /// A file's fields contradict each other.
    #[error("{file}: {fault}")]
    Fault {
        /// The file.
        file: String,
        /// What is wrong.
        fault: Fault,
    },
    /// There is no such candidate.
    #[error(
        "there is no candidate `{0}` in the catalog: `campaign status` lists them; --candidates DIR \
         adds yours"
    )]
    Unknown(CandidateId),
}

/// A contradiction in a candidate's file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// The file is named after another candidate.
    #[error("field `id` is {0}, so the file must be named {0}.toml")]
    FileName(CandidateId),
    /// Nothing to measure.
    #[error("there is no [[instance]]")]
    NoInstance,
    /// Two instances cannot be told apart.
    #[error("two instances have the label `{0}`: give each its own, with the variant in it")]
    Duplicate(String),
    /// A control comes from a package, a submission from an archive.
    #[error("[archive] and [package] are both given: a candidate has one source")]
    TwoSources,
    /// PQClean code has a prefix.
    #[error("instance `{0}`: field `namespace` is needed with glue = \"pqclean\"")]
    NoNamespace(String),
    /// ICCS code has none.
    #[error("instance `{0}`: field `namespace` is for glue = \"pqclean\" only")]
    Namespace(String),
    /// PQClean has no hashes and key exchanges.
    #[error("glue = \"pqclean\" serves primitive = \"kem\" and \"sig\" only")]
    Primitive,
    /// The list replaces the rule, so there is nothing to add or take away.
    #[error("instance `{0}`: field `sources` replaces the rule, so `exclude` has no meaning")]
    ListAndRule(String),
    /// Reference files are told by their names.
    #[error("instance `{label}`: two references in `kat` are for the file `{file}`")]
    TwoReferences {
        /// The instance.
        label: String,
        /// The file's name.
        file: String,
    },
    /// A mode says how a digest is made.
    #[error("instance `{label}`: `{file}` in `kat` has a mode but no digest")]
    ModeWithoutDigest {
        /// The instance.
        label: String,
        /// The file.
        file: String,
    },
    /// The mode does not go with the text's format.
    #[error("instance `{label}`: mode `{mode}` does not go with this glue's KAT format")]
    Mode {
        /// The instance.
        label: String,
        /// The mode.
        mode: String,
    },
    /// A size for an object that the primitive does not have.
    #[error("instance `{label}`: a {primitive} has no {object}, yet `sizes` states its size")]
    Size {
        /// The instance.
        label: String,
        /// The candidate's primitive.
        primitive: &'static str,
        /// The object.
        object: &'static str,
    },
    /// A header's name is written into C source.
    #[error("instance `{0}`: field `header` holds a `\"`, a `\\` or a control character")]
    Header(String),
    /// A row about nothing.
    #[error("row {0} of [[kat-note]] matches no label")]
    NoteMatchesNothing(usize),
    /// A text that is shown has nothing to show.
    #[error("field `{0}` is empty or holds a control character")]
    Text(&'static str),
}
