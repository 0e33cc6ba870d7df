//! Garbage collection: what no campaign reaches goes.
//!
//! First everything is planned, then the index is written without the receipts that go, then these
//! go, then the rest: killed in between, the store holds receipts whose artifacts are all there, and
//! artifacts that nothing names, never the reverse.

use super::blobs::Area;
use super::error::StoreError;
use super::opening::Store;
use crate::id::ArtifactId;
use fs_err as fs;
use serde::Serialize;
use std::time::Duration;

/// A number of artifacts and their size.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Amount {
    /// How many artifacts, receipts included.
    pub artifacts: u64,
    /// Their size in bytes.
    pub bytes: u64,
}

impl Amount {
    pub(super) fn add(&mut self, bytes: u64) {
        self.artifacts += 1;
        self.bytes += bytes;
    }
}

/// What a garbage collection did, or would do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct GcReport {
    /// Whether it only planned.
    pub dry_run: bool,
    /// What campaigns reach.
    pub kept: Amount,
    /// What went, or would go.
    pub removed: Amount,
    /// How many of these were receipts.
    pub removed_receipts: u64,
    /// Temporary files of killed processes.
    pub temporary_files: u64,
}

impl Store {
    /// Removes what is reached neither from a campaign (its root, journal and pages) nor from `also`.
    /// Takes the exclusive lock, so the caller must not hold a shared one.
    ///
    /// # Errors
    /// When others use the store, or when a campaign or a document that it reaches cannot be read:
    /// then it is not known what to keep, and nothing is removed.
    pub fn gc(&self, dry_run: bool, also: &[ArtifactId]) -> Result<GcReport, StoreError> {
        self.gc_keeping(dry_run, || Ok(also.to_vec()))
    }

    /// The same, with `also` asked when nobody can add to it any more: under the lock.
    ///
    /// # Errors
    /// As [`Store::gc`], and when `also` fails.
    pub fn gc_keeping<E: From<StoreError>>(
        &self,
        dry_run: bool,
        also: impl FnOnce() -> Result<Vec<ArtifactId>, E>,
    ) -> Result<GcReport, E> {
        let _lock = self.lock_exclusive()?;
        let also = also()?;
        Ok(self.gc_locked(dry_run, also)?)
    }

    fn gc_locked(&self, dry_run: bool, mut roots: Vec<ArtifactId>) -> Result<GcReport, StoreError> {
        self.check_writable()?;
        let presence = self.presence()?;
        for name in self.list_campaigns()? {
            if let Some(view) = self.campaign(&name)? {
                roots.extend(view.root);
                roots.extend(view.steps.values());
                roots.extend(view.pages.values());
            }
        }
        let reached = self.reached(roots, &presence)?;

        let mut report = GcReport {
            dry_run,
            kept: Amount::default(),
            removed: Amount::default(),
            removed_receipts: 0,
            temporary_files: 0,
        };
        let mut doomed = Vec::new();
        // Receipts first: see the module.
        for (area, ids) in [
            (Area::Receipts, &presence.receipts),
            (Area::Blobs, &presence.blobs),
        ] {
            for id in ids {
                let path = self.place(area, *id);
                let bytes = fs::symlink_metadata(&path)?.len();
                if reached.contains(id) {
                    report.kept.add(bytes);
                    continue;
                }
                report.removed.add(bytes);
                report.removed_receipts += u64::from(area == Area::Receipts);
                doomed.push((area, path));
            }
        }
        if dry_run {
            report.temporary_files = self.temporary_files()?.len() as u64;
            return Ok(report);
        }
        if report.removed_receipts > 0 {
            self.rewrite_index(|id| reached.contains(id))?;
        }
        for area in [Area::Receipts, Area::Blobs] {
            for (_, path) in doomed.iter().filter(|(of, _)| *of == area) {
                fs::remove_file(path).map_err(StoreError::writing)?;
            }
            // Not even a power failure may undo the first half and keep the second.
            self.sync_file_system()?;
        }
        report.temporary_files = self.remove_stale(Duration::ZERO)?;
        Ok(report)
    }
}
