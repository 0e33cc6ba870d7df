//! `campaign verify`: is everything in the store what it says it is?

use super::{CommandError, open_store, print};
use crate::cli::{Common, VerifyArgs};
use crate::exit;

/// Verifies the store.
///
/// # Errors
/// When it cannot be read at all.
pub fn run(common: &Common, arguments: &VerifyArgs) -> Result<u8, CommandError> {
    let store = open_store(common)?;
    if arguments.rebuild_index {
        let receipts = store.rebuild_index()?;
        eprintln!("index rebuilt from {receipts} receipts");
    }
    let report = store.verify()?;
    print(common, &report, |report| {
        let mut out = String::new();
        for problem in &report.problems {
            out.push_str(&format!("{problem}\n"));
        }
        out.push_str(&format!(
            "{} artifacts ({} bytes, {} receipts) checked: {}\n",
            report.checked.artifacts,
            report.checked.bytes,
            report.receipts,
            match report.problems.len() {
                0 => "all sound".to_owned(),
                n => format!("{n} problems"),
            }
        ));
        out
    })?;
    Ok(if report.problems.is_empty() {
        exit::DONE
    } else {
        exit::FOUND
    })
}
