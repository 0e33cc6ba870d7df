//! `campaign gc`: what no campaign refers to goes.

use super::{CommandError, open_store, print};
use crate::cli::{Common, GcArgs};
use crate::exit;
use crate::sources;

/// Plans a garbage collection, and does it with `--delete`.
///
/// # Errors
/// When others use the store, or it is damaged: then nothing is removed.
pub fn run(common: &Common, arguments: &GcArgs) -> Result<u8, CommandError> {
    let store = open_store(common)?;
    let report = store.gc_keeping(!arguments.delete, || sources::added_trees(&store))?;
    print(common, &report, |report| {
        format!(
            "{} {} artifacts ({} bytes, {} receipts) and {} temporary files; kept {} artifacts ({} \
             bytes){}\n",
            if report.dry_run {
                "would remove"
            } else {
                "removed"
            },
            report.removed.artifacts,
            report.removed.bytes,
            report.removed_receipts,
            report.temporary_files,
            report.kept.artifacts,
            report.kept.bytes,
            if report.dry_run {
                "; --delete does it"
            } else {
                ""
            },
        )
    })?;
    Ok(exit::DONE)
}
