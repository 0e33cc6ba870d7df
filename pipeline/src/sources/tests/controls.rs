//! The controls in the pinned package.

use super::*;
use crate::sources::{find_controls, instance_sources, read_control};

fn controls() -> Vec<Candidate> {
    let catalog = Catalog::embedded().unwrap();
    catalog
        .iter()
        .filter(|candidate| candidate.is_control())
        .cloned()
        .collect()
}

/// The package's folder, found as a checkout finds it.
fn folder() -> PathBuf {
    let package = controls()[0].package.clone().unwrap();
    find_controls(&package, None).unwrap()
}

#[test]
fn digests_and_sizes_are_those_of_the_packages_meta_files() {
    for candidate in controls() {
        for instance in &candidate.instances {
            let clean = folder().join(instance.source_dir.to_string());
            let meta = std::fs::read_to_string(clean.join("../META.yml")).unwrap();
            let field = |name: &str| {
                let line = meta
                    .lines()
                    .find_map(|line| line.strip_prefix(&format!("{name}: ")));
                line.map(|value| value.trim().to_owned())
            };
            assert_eq!(field("name").as_deref(), Some(instance.label.as_str()));
            let manifest = candidate.manifest(instance);
            assert_eq!(field("nistkat-sha256").as_ref(), Some(&manifest[0].digest));
            assert_eq!(manifest[0].mode, "nistkat");
            let size = |name: &str| field(name).map(|bytes| bytes.parse::<u64>().unwrap());
            assert_eq!(instance.sizes.public_key, size("length-public-key"));
            assert_eq!(instance.sizes.ciphertext, size("length-ciphertext"));
            assert_eq!(instance.sizes.signature, size("length-signature"));
        }
    }
}

#[test]
fn names_are_those_of_the_packages_headers() {
    for candidate in controls() {
        let header =
            |name: &str| std::fs::read_to_string(folder().join("common").join(name)).unwrap();
        let declared = ["fips202.h", "sha2.h", "aes.h", "randombytes.h"]
            .map(header)
            .concat();
        for function in candidate.wrapped_functions() {
            // randombytes.h gives the function its longer name.
            let name = function.strip_prefix("PQCLEAN_").unwrap_or(&function);
            assert!(declared.contains(&format!(" {name}(")), "{function}");
        }
        for instance in &candidate.instances {
            let api = folder().join(instance.source_dir.to_string()).join("api.h");
            let api = std::fs::read_to_string(api).unwrap();
            let namespace = instance.namespace.as_ref().unwrap();
            assert!(api.contains(&format!("#define {namespace}_CRYPTO_PUBLICKEYBYTES ")));
        }
    }
}

#[test]
fn a_control_reads_its_own_folders_and_an_instance_sees_only_its_own() {
    for candidate in controls() {
        let tree = Vault::default()
            .with(|put| read_control(&candidate, &folder(), &Limits::default(), put))
            .unwrap();
        let found = instance_sources(&candidate, &tree).unwrap();
        assert_eq!(found.len(), 3);
        for sources in found {
            let dir = &sources.instance.source_dir;
            for file in sources.tree.files.keys() {
                let shared =
                    file.is_under(&path("common")) || *file == path("test/common/nistkatrng.c");
                assert!(file.is_under(dir) || shared, "{file}");
            }
            assert!(
                sources
                    .tree
                    .files
                    .contains_key(&dir.join(&path("api.h")).unwrap())
            );
            assert!(sources.header.is_none() && sources.references.is_empty());
        }
    }
}

#[test]
fn a_folder_named_for_the_controls_must_hold_them() {
    let package = controls()[0].package.clone().unwrap();
    let folder_of_package = folder().parent().unwrap().to_owned();
    assert_eq!(
        find_controls(&package, Some(&folder_of_package)).unwrap(),
        folder()
    );
    let empty = tempfile::tempdir().unwrap();
    let error = find_controls(&package, Some(empty.path())).unwrap_err();
    assert!(matches!(error, SourceError::NotControls(_)), "{error}");
}

#[test]
fn what_is_not_there_is_said_with_what_to_do() {
    let package = crate::catalog::Package {
        version: "9.9.9".to_owned(),
        ..controls()[0].package.clone().unwrap()
    };
    let error = find_controls(&package, None).unwrap_err().to_string();
    assert!(
        error.contains("pqcrypto-mlkem 9.9.9") && error.contains("cargo fetch --locked"),
        "{error}"
    );
    let archive = Archive::new(&zip(&[file("k/a.c", "")]));
    let error = add_within(&controls()[0], &archive.path, &Limits::default())
        .map(|_| ())
        .unwrap_err();
    assert!(matches!(error, SourceError::IsControl(_)), "{error}");
}
