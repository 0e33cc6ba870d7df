//! `campaign add-source`: a submission's archive or folder becomes artifacts of the store.

use super::{CommandError, create_store, print};
use crate::cli::{AddSourceArgs, Common};
use crate::exit;
use crate::gather::catalog;
use crate::sources::{Limits, keep_source};
use artifacts::CandidateId;
use std::fmt::Write as _;

/// Checks, unpacks and keeps a candidate's sources.
///
/// # Errors
/// When they are another candidate's, are refused, or cannot be kept; nothing is then changed.
pub fn run(common: &Common, arguments: &AddSourceArgs) -> Result<u8, CommandError> {
    let catalog = catalog(common)?;
    let candidate = catalog.get(&CandidateId::new(arguments.candidate.as_str())?)?;
    let store = create_store(common)?;
    let record = keep_source(&store, candidate, &arguments.source, &Limits::default())?;
    print(common, &record, |record| {
        let mut text = format!("{}: {}\n", record.candidate, record.origin(candidate));
        for note in &record.notes {
            let _ = writeln!(text, "  {note}");
        }
        let _ = writeln!(text, "next: campaign run --only '^{}/'", record.candidate);
        text
    })?;
    Ok(exit::DONE)
}
