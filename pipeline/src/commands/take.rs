//! `campaign run --take`: builds and known answers that other machines did.

use super::CommandError;
use artifacts::store::{Store, StoreError};
use artifacts::words::Stage;
use std::path::PathBuf;

/// What does not depend on the machine it ran on, beside what is in the key.
const STAGES: [Stage; 2] = [Stage::Build, Stage::Kat];

/// Takes over the builds and known answers of these stores; a folder may hold one as `store`, as Nix
/// derivations of candidates do.
///
/// # Errors
/// When one of them is no store or is damaged, or this store cannot be written.
pub fn take(store: &Store, folders: &[PathBuf]) -> Result<(), CommandError> {
    for folder in folders {
        let other = match Store::open(folder) {
            Err(StoreError::NotAStore(_)) => Store::open(&folder.join("store")),
            other => other,
        }?;
        let taken = store.take_from(&other, &STAGES)?;
        eprintln!("{}: {taken} steps taken over", folder.display());
    }
    Ok(())
}
