//! The controls' sources: the package that Cargo.lock pins, unpacked where cargo or the installer put
//! it.
//!
//! In a checkout `cargo metadata` says where it is. The package is an optional dependency behind the
//! feature `controls`, which is never built: its own build script would compile what assay compiles
//! itself. An installed assay has the folder `share/assay/pqclean` beside its `bin`, and needs
//! neither cargo nor a network.

use super::Put;
use super::error::SourceError;
use super::folder::read_folder;
use super::layout::named_paths;
use super::limits::Limits;
use crate::catalog::{Candidate, Package};
use artifacts::tree::{Tree, TreePath};
use cargo_metadata::{CargoOpt, MetadataCommand};
use std::path::{Path, PathBuf};

/// The folder of the package that holds PQClean.
const FOLDER: &str = "pqclean";

/// Finds the folder of a control's package that holds PQClean: `explicit` (the command line's
/// `--controls`, or `ASSAY_CONTROLS`), else the installed one, else that of the cargo registry.
///
/// # Errors
/// When it is nowhere, with what to do; or when a folder named for it does not hold it.
pub fn find_controls(package: &Package, explicit: Option<&Path>) -> Result<PathBuf, SourceError> {
    if let Some(named) = explicit {
        return holding(named).ok_or_else(|| SourceError::NotControls(named.to_owned()));
    }
    let program = std::env::current_exe()?;
    let installed = program
        .parent()
        .map(|bin| bin.join("../share/assay").join(FOLDER));
    if let Some(folder) = installed.as_deref().and_then(holding) {
        return Ok(folder);
    }
    let here = std::env::current_dir()?;
    let manifest = program
        .ancestors()
        .chain(here.ancestors())
        .find_map(manifest_in);
    from_registry(package, manifest.as_deref())
}

/// Reads what a control's instances need of the folder that [`find_controls`] found.
///
/// # Errors
/// As [`read_folder`], and when the candidate is no control.
pub fn read_control(
    candidate: &Candidate,
    folder: &Path,
    limits: &Limits,
    put: &mut Put<'_>,
) -> Result<Tree, SourceError> {
    if !candidate.is_control() {
        return Err(SourceError::NoPackage(candidate.id.to_string()));
    }
    let paths: Vec<TreePath> = candidate
        .instances
        .iter()
        .flat_map(named_paths)
        .map(|(_, path)| path.clone())
        .collect();
    read_folder(folder, Some(&paths), limits, put)
}

/// The folder itself or the package's folder in it, whichever holds PQClean.
fn holding(folder: &Path) -> Option<PathBuf> {
    [folder.to_owned(), folder.join(FOLDER)]
        .into_iter()
        .find(|folder| folder.join("crypto_kem").is_dir())
}

/// This package's manifest, if the folder is the checkout.
fn manifest_in(folder: &Path) -> Option<PathBuf> {
    let manifest = folder.join("pipeline/Cargo.toml");
    (manifest.is_file() && folder.join("Cargo.lock").is_file()).then_some(manifest)
}

fn from_registry(package: &Package, manifest: Option<&Path>) -> Result<PathBuf, SourceError> {
    let not_found = |why: String| SourceError::NoControls {
        package: format!("{} {}", package.name, package.version),
        why,
    };
    let manifest = manifest.ok_or_else(|| {
        not_found("this assay is neither installed with them nor in a checkout".to_owned())
    })?;
    let platform = format!("{}-unknown-linux-gnu", std::env::consts::ARCH);
    let ask = |offline: Option<&str>| {
        let options = ["--locked", "--filter-platform", &platform];
        MetadataCommand::new()
            .manifest_path(manifest)
            .features(CargoOpt::SomeFeatures(vec!["controls".to_owned()]))
            .other_options(
                options
                    .into_iter()
                    .chain(offline)
                    .map(str::to_owned)
                    .collect::<Vec<_>>(),
            )
            .exec()
    };
    // A build does not download a package that is never built: the first time, cargo fetches it.
    let metadata = ask(Some("--offline"))
        .or_else(|_| ask(None))
        .map_err(|error| not_found(complaint(&error.to_string())))?;
    let pinned = metadata
        .packages
        .iter()
        .find(|p| p.name.as_str() == package.name && p.version.to_string() == package.version)
        .ok_or_else(|| not_found("Cargo.lock pins no such package".to_owned()))?;
    let folder = pinned
        .manifest_path
        .parent()
        .map(|folder| folder.join(FOLDER));
    let folder = folder.map(PathBuf::from).unwrap_or_default();
    holding(&folder).ok_or(SourceError::NotControls(folder))
}

/// Cargo's first complaint, without its hints.
fn complaint(text: &str) -> String {
    let mut lines = text.lines().map(str::trim);
    let error = lines.find_map(|line| line.split_once("error: ").map(|(_, why)| why));
    error.unwrap_or(text).to_owned()
}
