//! `campaign publish`: the campaign's evidence and pages for others to read.

use super::{CommandError, campaign_name, open_store, print};
use crate::cli::{Common, PublishArgs};
use crate::exit;
use crate::publish::{self, PublishError};

/// Publishes a campaign.
///
/// # Errors
/// When the campaign does not exist or is not finished, or the folder holds something else.
pub fn run(common: &Common, arguments: &PublishArgs) -> Result<u8, CommandError> {
    let store = open_store(common)?;
    let _lock = store.lock_shared()?;
    let name = campaign_name(common)?;
    if store.campaign(&name)?.is_some_and(|view| view.open) {
        return Err(PublishError::Open(name).into());
    }
    let published = publish::write(&store, &name, &arguments.folder)?;
    print(common, &published, |published| {
        format!(
            "campaign {} root {}\n{} files ({} bytes): {}\n",
            published.campaign,
            published.root,
            published.files,
            published.bytes,
            published.folder.join("index.html").display(),
        )
    })?;
    Ok(exit::DONE)
}
