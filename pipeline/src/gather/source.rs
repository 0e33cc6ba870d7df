//! Where a candidate's sources are: a control's in its package, a submission's as added before.

use super::GatherError;
use crate::catalog::Candidate as Entry;
use crate::sources::{added, added_tree, find_controls, keep_control};
use artifacts::store::Store;
use artifacts::tree::Tree;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A candidate's sources.
#[derive(Debug, Clone)]
pub struct Sourced {
    /// All its files that any of its instances may read.
    pub tree: Tree,
    /// Where they come from, for pages.
    pub origin: String,
}

/// Finds candidates' sources; a package's folder is looked for once.
pub struct Finder<'a> {
    store: &'a Store,
    controls: Option<&'a Path>,
    folders: BTreeMap<(String, String), PathBuf>,
}

impl<'a> Finder<'a> {
    /// In this store, and with the folder of the controls where one is named.
    pub fn new(store: &'a Store, controls: Option<&'a Path>) -> Self {
        Finder {
            store,
            controls,
            folders: BTreeMap::new(),
        }
    }

    /// Whether a candidate has sources, without a look at them.
    ///
    /// # Errors
    /// When the record of what was added cannot be read.
    pub fn is_there(&self, entry: &Entry) -> Result<bool, GatherError> {
        Ok(entry.package.is_some() || added(self.store, &entry.id)?.is_some())
    }

    /// The sources of a candidate; absent when the user has not brought them yet.
    ///
    /// # Errors
    /// When they are there but cannot be read.
    pub fn find(&mut self, entry: &Entry) -> Result<Option<Sourced>, GatherError> {
        if let Some(package) = &entry.package {
            let pinned = (package.name.clone(), package.version.clone());
            let folder = match self.folders.get(&pinned) {
                Some(folder) => folder.clone(),
                None => find_controls(package, self.controls)?,
            };
            let tree = keep_control(self.store, entry, &folder)?;
            self.folders.insert(pinned, folder);
            let origin = format!("package {} {}", package.name, package.version);
            return Ok(Some(Sourced { tree, origin }));
        }
        let Some(record) = added(self.store, &entry.id)? else {
            return Ok(None);
        };
        let tree = added_tree(self.store, &record)?;
        Ok(Some(Sourced {
            tree,
            origin: record.origin(entry),
        }))
    }
}
