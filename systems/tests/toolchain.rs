//! The toolchain and runtime facets of compilers on this machine.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "clippy.toml allows them in test functions, not in what these share"
)]

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Instant;
use systems::{Error, Facet, FileHashes, Toolchain};

/// The compiler, or `None` with a message where this machine lacks it.
fn locate(command: &str) -> Option<Toolchain> {
    match Toolchain::locate(command) {
        Ok(toolchain) => Some(toolchain),
        Err(Error::CompilerNotFound { .. }) => {
            println!("skipped: no {command} on this machine");
            None
        }
        Err(error) => panic!("{error}"),
    }
}

fn script(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    fs_err::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
    fs_err::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path.to_str().unwrap().to_owned()
}

/// The names of the entries that differ.
fn differing(one: &Facet, other: &Facet) -> Vec<String> {
    one.keys()
        .chain(other.keys())
        .filter(|name| one.get(*name) != other.get(*name))
        .collect::<std::collections::BTreeSet<_>>()
        .into_iter()
        .cloned()
        .collect()
}

#[test]
fn the_facet_names_every_part_and_is_the_same_again() {
    let Some(gcc) = locate("gcc") else { return };
    let hashes = FileHashes::new(None);
    let facet = gcc.facet(&hashes).unwrap();
    for name in [
        "cc1.hash",
        "collect2.hash",
        "as",
        "as.hash",
        "ld",
        "ld.hash",
        "headers.hash",
    ] {
        assert!(facet.contains_key(name), "{name} of {facet:#?}");
    }
    assert_eq!(facet["compiler"], gcc.version_line());
    assert_eq!(facet["target"], gcc.target());
    assert!(
        gcc.version()
            .split('.')
            .all(|part| part.parse::<u32>().is_ok()),
        "{}",
        gcc.version()
    );
    assert!(
        !facet.values().any(|value| value.contains("/usr")),
        "{facet:#?}"
    );
    assert_eq!(
        Toolchain::locate("gcc").unwrap().facet(&hashes).unwrap(),
        facet
    );

    // the driver's hash is that of its bytes
    let real = which::which("gcc").unwrap().canonicalize().unwrap();
    let expected = blake3::hash(&fs_err::read(real).unwrap()).to_string();
    assert_eq!(facet["compiler.hash"], expected);
}

#[test]
fn a_wrapper_that_only_names_itself_otherwise_has_another_facet() {
    let Some(gcc) = locate("gcc") else { return };
    let folder = tempfile::tempdir().unwrap();
    let hashes = FileHashes::new(None);
    let plain = gcc.facet(&hashes).unwrap();

    let silent = script(folder.path(), "silent-gcc", "exec gcc \"$@\"");
    let silent = Toolchain::locate(&silent).unwrap().facet(&hashes).unwrap();
    // the wrapper's own bytes differ, and the driver behind it is still told
    assert_eq!(differing(&plain, &silent), ["compiler.hash", "driver.hash"]);
    assert_eq!(silent["driver.hash"], plain["compiler.hash"]);

    let renamed = script(
        folder.path(),
        "renamed-gcc",
        "case \"$1\" in --version) echo 'gcc (Lab 12.2.0-99) 12.2.0';; *) exec gcc \"$@\";; esac",
    );
    let renamed = Toolchain::locate(&renamed).unwrap().facet(&hashes).unwrap();
    assert_eq!(differing(&silent, &renamed), ["compiler", "compiler.hash"]);
}

#[test]
fn another_compiler_has_another_facet_and_the_same_runtime() {
    let (Some(one), Some(other)) = (locate("gcc-11"), locate("gcc-12")) else {
        return;
    };
    let hashes = FileHashes::new(None);
    let names = differing(&one.facet(&hashes).unwrap(), &other.facet(&hashes).unwrap());
    for name in ["cc1.hash", "compiler", "headers.hash"] {
        assert!(
            names.iter().any(|found| found == name),
            "{name} of {names:?}"
        );
    }
    let runtime = one.runtime(&hashes).unwrap();
    assert_eq!(runtime, other.runtime(&hashes).unwrap());
    for name in ["loader.hash", "libc.hash", "libm.hash"] {
        assert_eq!(runtime[name].len(), 64, "{runtime:?}");
    }
}

#[test]
fn a_warm_cache_gives_the_same_facet_quickly() {
    if locate("gcc").is_none() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let cache = folder.path().join("hashes.json");
    let facets = || {
        let begin = Instant::now();
        let hashes = FileHashes::new(Some(&cache));
        let gcc = Toolchain::locate("gcc").unwrap();
        let facets = (gcc.facet(&hashes).unwrap(), gcc.runtime(&hashes).unwrap());
        hashes.save().unwrap();
        (facets, begin.elapsed())
    };
    let (cold, cold_time) = facets();
    let (warm, warm_time) = facets();
    println!("cold {cold_time:?}, warm {warm_time:?}");
    assert_eq!(cold, warm);
}

#[test]
fn what_is_no_compiler_is_told() {
    let error = Toolchain::locate("no-such-gcc-99").unwrap_err();
    assert!(
        error.to_string().contains("`no-such-gcc-99` not found"),
        "{error}"
    );

    let folder = tempfile::tempdir().unwrap();
    let broken = script(
        folder.path(),
        "broken-gcc",
        "echo 'licence expired' >&2; exit 3",
    );
    let error = Toolchain::locate(&broken).unwrap_err().to_string();
    assert!(error.contains("--version` failed"), "{error}");
    assert!(error.contains("it said: licence expired"), "{error}");
}
