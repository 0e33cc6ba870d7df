//! A copy of the controls' sources that a test may change.

use pipeline::catalog::{Candidate, Catalog};
use std::path::{Path, PathBuf};
use walkdir::WalkDir;

/// Of PQClean, what ML-KEM and ML-DSA need.
const PARTS: [&str; 8] = [
    "common",
    "test/common",
    "crypto_kem/ml-kem-512/clean",
    "crypto_kem/ml-kem-768/clean",
    "crypto_kem/ml-kem-1024/clean",
    "crypto_sign/ml-dsa-44/clean",
    "crypto_sign/ml-dsa-65/clean",
    "crypto_sign/ml-dsa-87/clean",
];

/// PQClean's folder in the pinned package.
pub fn pqclean() -> PathBuf {
    let catalog = Catalog::embedded().unwrap();
    let control: &Candidate = catalog.iter().find(|c| c.is_control()).unwrap();
    let package = control.package.as_ref().unwrap();
    pipeline::sources::find_controls(package, None).unwrap()
}

/// Copies those parts to `target`.
pub fn copy(target: &Path) -> PathBuf {
    for part in PARTS {
        copy_folder(&pqclean().join(part), &target.join(part));
    }
    target.to_owned()
}

/// Copies the files of a folder and of those below it.
pub fn copy_folder(from: &Path, to: &Path) {
    for entry in WalkDir::new(from) {
        let entry = entry.unwrap();
        let target = to.join(entry.path().strip_prefix(from).unwrap());
        if entry.file_type().is_dir() {
            std::fs::create_dir_all(&target).unwrap();
        } else {
            // not fs::copy: the package's files may be read-only
            std::fs::write(&target, std::fs::read(entry.path()).unwrap()).unwrap();
        }
    }
}

/// Replaces a text that occurs exactly once in a file.
pub fn edit(file: &Path, from: &str, to: &str) {
    let text = std::fs::read_to_string(file).unwrap();
    assert_eq!(
        text.matches(from).count(),
        1,
        "{from} in {}",
        file.display()
    );
    std::fs::write(file, text.replace(from, to)).unwrap();
}
