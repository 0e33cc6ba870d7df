//! What another compiler, or another folder, makes run again.

use crate::assay::Assay;
use crate::controls::copy;
use crate::early_cutoff::is_page;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

const ONE: &str = "--only ^ml-kem/ML-KEM-512$";

fn is_installed(program: &str) -> bool {
    let found = Command::new(program).arg("--version").output().is_ok();
    if !found {
        println!("skipped: {program} is not installed");
    }
    found
}

#[test]
fn another_compiler_builds_all_and_measures_what_came_out_otherwise() {
    if !is_installed("gcc-11") {
        return;
    }
    let mut assay = Assay::new();
    let first = assay.run(ONE);
    assay.cc = Some("gcc-11".into());

    let plan = assay.json(&format!("plan --quick {ONE}"));
    let steps = plan["steps"].as_array().unwrap();
    for build in ["-/probe", "ml-kem/ML-KEM-512/build"] {
        let line = steps.iter().find(|line| line["step"] == build).unwrap();
        let why = line["why"].as_str().unwrap();
        let toolchain = |field: &str| field.starts_with("facets.toolchain.");
        assert!(why.split(", ").all(toolchain), "{build}: {why}");
    }

    let why = assay.json("why local/ml-kem/ML-KEM-512/-/elf_load_bytes --quick");
    let steps = why["steps"].as_array().unwrap();
    let build = steps
        .iter()
        .find(|s| s["step"] == "ml-kem/ML-KEM-512/build");
    let differences = build.unwrap()["differences"].as_array().unwrap();
    let compiler = differences
        .iter()
        .find(|d| d["field"] == "facets.toolchain.compiler");
    let compiler = compiler.unwrap_or_else(|| panic!("{why}"));
    assert!(
        compiler["is"].as_str().unwrap().contains(" 11."),
        "{compiler}"
    );

    let other = assay.run(ONE);
    // All its code differs, down to the probe. What known answers it gives does not, and the size
    // audit depends on nothing else.
    let mut expected = first.sorted();
    expected.retain(|step| !step.ends_with("/size-audit"));
    assert_eq!(other.sorted(), expected);
    assay.cc = None;
    assert_eq!(assay.run(ONE).steps, [""; 0]);
}

/// A compiler that is gcc but for what it calls itself, in `--version` and in its objects, as the
/// patch release of a distribution.
fn renamed_gcc(folder: &Path) -> PathBuf {
    let script = r#"#!/bin/sh
if [ "$1" = --version ]; then
    gcc --version | sed '1s/$/ patched/'
    exit
fi
gcc "$@" || exit
out=
for word; do
    if [ "$previous" = -o ]; then out=$word; fi
    previous=$word
done
case $out in
*.o)
    printf 'GCC: (patched) 99.9\0' >"$out.comment"
    objcopy --remove-section=.comment --add-section=.comment="$out.comment" "$out"
    rm "$out.comment"
    ;;
esac
"#;
    let path = folder.join("renamed-gcc");
    std::fs::write(&path, script).unwrap();
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).unwrap();
    path
}

#[test]
fn a_compiler_that_only_names_itself_otherwise_measures_nothing_again() {
    let mut assay = Assay::new();
    assay.run(ONE);
    let built = "ml-kem/ML-KEM-512/build";
    let before = assay.receipt(built);
    std::fs::create_dir(assay.path("bin")).unwrap();
    assay.cc = Some(renamed_gcc(&assay.path("bin")));

    let other = assay.run(ONE);
    let mut steps = other.sorted();
    steps.retain(|step| !is_page(step));
    assert_eq!(steps, ["-/probe", built], "{}", other.said);
    let after = assay.receipt(built);
    assert_ne!(after.key, before.key);
    assert_eq!(after.outputs["library"], before.outputs["library"]);
    assert_eq!(after.outputs["wrapped"], before.outputs["wrapped"]);
    assert!(
        after.tools["compiler"].ends_with(" patched"),
        "{:?}",
        after.tools
    );
}

#[test]
fn the_folder_leaves_no_trace_in_a_library() {
    let libraries = [Assay::new(), Assay::new()].map(|mut assay| {
        assay.controls = Some(copy(&assay.path("pqclean")));
        assay.run(&format!("--stages build {ONE}"));
        let build = assay.receipt("ml-kem/ML-KEM-512/build");
        ["library", "wrapped"].map(|role| build.outputs[role])
    });
    assert_eq!(libraries[0], libraries[1]);
}
