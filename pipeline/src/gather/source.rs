//! Where a candidate's sources are: a control's in its package, a submission's as added before.

use super::GatherError;
use crate::catalog::{Candidate as Entry, Instance as Wanted};
use crate::cli::Common;
use crate::sources;
use artifacts::ArtifactId;
use artifacts::store::Store;
use artifacts::tree::{Tree, TreePath};
use artifacts::words::Kind;

/// A candidate's sources.
#[derive(Debug, Clone)]
pub struct Sourced {
    /// All its files that any of its instances may read.
    pub tree: Tree,
    /// Where they come from, for pages.
    pub origin: String,
}

impl Sourced {
    /// The sources of a candidate; absent when the user has not brought them yet.
    ///
    /// # Errors
    /// When they are there but cannot be read.
    pub fn find(store: &Store, entry: &Entry, common: &Common) -> Result<Option<Self>, GatherError> {
        if let Some(package) = &entry.package {
            let folder = sources::control_folder(package, common.controls.as_deref())?;
            let wanted: Vec<TreePath> = entry.instances.iter().flat_map(needed).collect();
            let tree = sources::read_parts(store, &folder, &wanted)?;
            let origin = format!("package {} {}", package.name, package.version);
            return Ok(Some(Sourced { tree, origin }));
        }
        let added = sources::added(store, &entry.id)?;
        Ok(added.map(|(tree, origin)| Sourced { tree, origin }))
    }

    /// The header that defines `ALGORITHM_INSTANCE`: the catalog's, else the interface's by its
    /// usual name where the instance's folder has it.
    pub fn header(&self, kind: Kind, wanted: &Wanted) -> Option<String> {
        if let Some(header) = &wanted.header {
            return Some(header.to_string());
        }
        let name = match kind {
            Kind::Kem => "KEM_AlgorithmInstance.h",
            Kind::Sig => "SIG_AlgorithmInstance.h",
            Kind::Hash => "CryptHash_AlgorithmInstance.h",
            Kind::Kex => "KEX_AlgorithmInstance.h",
        };
        let there = std::iter::once(&wanted.source_dir).chain(&wanted.include_dirs).any(|folder| {
            TreePath::new([folder.as_bytes(), b"/", name.as_bytes()].concat())
                .is_ok_and(|path| self.tree.files.contains_key(&path))
        });
        there.then(|| name.to_owned())
    }

    /// The one file whose path is `end` or ends in it, by its name.
    pub fn file_ending_in(&self, end: &TreePath) -> Option<(String, ArtifactId)> {
        let mut found = self.tree.files.iter().filter(|(path, _)| {
            path.as_bytes()
                .strip_suffix(end.as_bytes())
                .is_some_and(|rest| rest.is_empty() || rest.ends_with(b"/"))
        });
        let (path, id) = found.next()?;
        let name = path.as_bytes().rsplit(|b| *b == b'/').next()?;
        Some((String::from_utf8_lossy(name).into_owned(), *id))
    }
}

/// The parts of a source tree that an instance's build reads.
fn needed(instance: &Wanted) -> Vec<TreePath> {
    std::iter::once(&instance.source_dir)
        .chain(&instance.sources)
        .chain(&instance.extra_sources)
        .chain(&instance.include_dirs)
        .chain(&instance.trees)
        .cloned()
        .collect()
}
