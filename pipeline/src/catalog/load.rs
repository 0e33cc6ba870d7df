//! Reading candidate files: those inside the binary, and those of a folder of the user's.

use super::candidate::{CANDIDATE, Candidate};
use super::check::check;
use super::error::CatalogError;
use artifacts::format::Header;
use artifacts::words::CandidateId;
use include_dir::{Dir, include_dir};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::Path;

/// The files of `candidates/`, which travel inside the binary.
static EMBEDDED: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/../candidates");

/// All candidates known, by id.
#[derive(Debug, Clone, Default)]
pub struct Catalog {
    candidates: BTreeMap<CandidateId, Candidate>,
}

impl Catalog {
    /// The candidates that come with assay.
    ///
    /// # Errors
    /// Only on an error of this program's build.
    pub fn embedded() -> Result<Self, CatalogError> {
        let mut catalog = Catalog::default();
        for file in EMBEDDED.files() {
            if is_toml(file.path()) {
                catalog.add(file.path(), &String::from_utf8_lossy(file.contents()))?;
            }
        }
        Ok(catalog)
    }

    /// Adds the candidates of a folder's `*.toml`; one that is there already is replaced as a whole.
    ///
    /// # Errors
    /// When the folder or a file cannot be read, or a file is not a candidate's.
    pub fn with_folder(mut self, folder: &Path) -> Result<Self, CatalogError> {
        let mut paths = Vec::new();
        for entry in fs_err::read_dir(folder)? {
            paths.push(entry?.path());
        }
        paths.sort();
        for path in paths.iter().filter(|path| is_toml(path)) {
            self.add(path, &fs_err::read_to_string(path)?)?;
        }
        Ok(self)
    }

    fn add(&mut self, path: &Path, text: &str) -> Result<(), CatalogError> {
        let candidate = read(path, text)?;
        self.candidates.insert(candidate.id.clone(), candidate);
        Ok(())
    }

    /// All candidates, by id.
    pub fn iter(&self) -> impl Iterator<Item = &Candidate> {
        self.candidates.values()
    }

    /// The candidate with this id.
    ///
    /// # Errors
    /// When there is none.
    pub fn get(&self, id: &CandidateId) -> Result<&Candidate, CatalogError> {
        self.candidates
            .get(id)
            .ok_or_else(|| CatalogError::Unknown(id.clone()))
    }
}

fn is_toml(path: &Path) -> bool {
    path.extension() == Some(OsStr::new("toml"))
}

/// Reads and checks the text of a candidate's file.
pub(super) fn read(path: &Path, text: &str) -> Result<Candidate, CatalogError> {
    let file = path.display().to_string();
    let syntax = |error| syntax_error(&file, text, &error);
    let header: Header = toml::from_str(text).map_err(syntax)?;
    CANDIDATE
        .check(&header)
        .map_err(|source| CatalogError::Format {
            file: file.clone(),
            source,
        })?;
    if header.minor > CANDIDATE.minor {
        let (found, known) = (header.minor, CANDIDATE.minor);
        return Err(CatalogError::Newer { file, found, known });
    }
    let candidate: Candidate = toml::from_str(text).map_err(syntax)?;
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    match check(&candidate, &stem) {
        Ok(()) => Ok(candidate),
        Err(fault) => Err(CatalogError::Fault { file, fault }),
    }
}

/// The parser's complaint with the line it is about.
fn syntax_error(file: &str, text: &str, error: &toml::de::Error) -> CatalogError {
    let start = error.span().map_or(0, |span| span.start.min(text.len()));
    let before = &text.as_bytes()[..start];
    let line = before.iter().filter(|b| **b == b'\n').count();
    CatalogError::Syntax {
        file: file.to_owned(),
        line: line + 1,
        why: error.message().trim_end().replace('\n', " "),
        text: text.lines().nth(line).unwrap_or_default().trim().to_owned(),
    }
}
