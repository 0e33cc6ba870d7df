//! Where a candidate's sources are: a control's in its package, a submission's as added before.

use super::GatherError;
use crate::catalog::Candidate as Entry;
use crate::cli::Common;
use crate::sources::{added, added_tree, find_controls, keep_control};
use artifacts::store::Store;
use artifacts::tree::Tree;

/// A candidate's sources.
#[derive(Debug, Clone)]
pub struct Sourced {
    /// All its files that any of its instances may read.
    pub tree: Tree,
    /// Where they come from, for pages.
    pub origin: String,
}

impl Sourced {
    /// Whether a candidate has sources, without a look at them.
    ///
    /// # Errors
    /// When the record of what was added cannot be read.
    pub fn is_there(store: &Store, entry: &Entry) -> Result<bool, GatherError> {
        Ok(entry.package.is_some() || added(store, &entry.id)?.is_some())
    }

    /// The sources of a candidate; absent when the user has not brought them yet.
    ///
    /// # Errors
    /// When they are there but cannot be read.
    pub fn find(
        store: &Store,
        entry: &Entry,
        common: &Common,
    ) -> Result<Option<Self>, GatherError> {
        if let Some(package) = &entry.package {
            let folder = find_controls(package, common.controls.as_deref())?;
            let tree = keep_control(store, entry, &folder)?;
            let origin = format!("package {} {}", package.name, package.version);
            return Ok(Some(Sourced { tree, origin }));
        }
        let Some(record) = added(store, &entry.id)? else {
            return Ok(None);
        };
        let tree = added_tree(store, &record)?;
        Ok(Some(Sourced {
            tree,
            origin: record.origin(entry),
        }))
    }
}
