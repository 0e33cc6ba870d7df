//! Sources: from a user's archive or folder, or from the pinned package of the controls, to the tree
//! that an instance's build may read.
//!
//! - [`add_source`] checks an archive's digest and unpacks it; [`read_folder`] reads a folder.
//! - [`find_controls`] finds the controls' package, [`read_control`] reads what a control needs of it.
//! - [`keep_source`] and [`keep_control`] do the same with a store.
//! - [`instance_sources`] cuts what one instance needs out of a candidate's tree.
//!
//! Archives are foreign. Invariants, whatever one holds: only regular files are kept, under relative
//! paths without `..`, as bytes, whatever script they are written in; nothing is written to disk but
//! by the caller's [`Put`], nested archives aside, which pass through unnamed temporary files; memory
//! is bounded by [`Limits`], and so is the time. Links are never followed on disk: one that points
//! inside its archive becomes a copy of what it points to, any other one is refused. Devices, pipes
//! and sockets are refused. Prebuilt objects are kept as data and listed; nothing of an archive is
//! ever run.

mod archive;
mod collect;
mod controls;
mod error;
mod folder;
mod import;
mod kept;
mod layout;
mod limits;
mod links;
mod metered;
mod names;
mod note;
mod tar;
mod zip;

#[cfg(test)]
mod tests;

pub use controls::{find_controls, read_control};
pub use error::{SourceError, Special};
pub use folder::read_folder;
pub use import::{Import, add_source};
pub use kept::{SOURCE, SourceRecord, added, added_tree, added_trees, keep_control, keep_source};
pub use layout::{InstanceSources, instance_sources};
pub use limits::Limits;
pub use note::Note;

use artifacts::ArtifactId;
use artifacts::store::StoreError;
use artifacts::tree::TreePath;
use std::io::Read;

/// Keeps one file's content: reads it to the end and says what it is. The path is for messages.
pub type Put<'a> = dyn FnMut(&TreePath, &mut dyn Read) -> Result<ArtifactId, StoreError> + 'a;
