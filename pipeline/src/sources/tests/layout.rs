//! Finding the root, and cutting out what an instance needs.

use super::*;
use crate::sources::{InstanceSources, Note, instance_sources};

fn tree(files: &[&str]) -> Tree {
    let id = |text: &str| ArtifactId::of(text.as_bytes());
    Tree::new(files.iter().map(|file| (path(file), id(file))).collect())
}

fn of<'c>(
    candidate: &'c Candidate,
    files: &[&str],
) -> Result<Vec<InstanceSources<'c>>, SourceError> {
    instance_sources(candidate, &tree(files))
}

#[test]
fn the_root_is_the_top_or_the_only_folder_that_holds_all() {
    let two = candidate("", &[("Impl/k 1", ""), ("Impl/k 2", "")]);
    for root in ["", "QUBE/", "a/b c/"] {
        let files = ["Impl/k 1/a.c", "Impl/k 2/a.c", "x"].map(|file| format!("{root}{file}"));
        let files: Vec<&str> = files.iter().map(String::as_str).collect();
        let found = of(&two, &files).unwrap();
        assert_eq!(paths(&found[0].tree), ["Impl/k 1/a.c"]);
        assert_eq!(paths(&found[1].tree), ["Impl/k 2/a.c"]);
    }
    // The top wins; a folder that holds only some of them is none.
    let found = of(&two, &["Impl/k 1/a.c", "Impl/k 2/a.c", "old/Impl/k 1/b.c"]).unwrap();
    assert_eq!(paths(&found[0].tree), ["Impl/k 1/a.c"]);
    let found = of(
        &two,
        &["new/Impl/k 1/a.c", "new/Impl/k 2/a.c", "old/Impl/k 1/b.c"],
    )
    .unwrap();
    assert_eq!(paths(&found[0].tree), ["Impl/k 1/a.c"]);

    let error = of(&two, &["x/Impl/k 1/a.c", "y/Impl/k 2/a.c"])
        .map(|_| ())
        .unwrap_err();
    assert!(matches!(&error, SourceError::NoRoot { missing, .. } if *missing == path("Impl/k 2")));
    let twice = [
        "x/Impl/k 1/a",
        "x/Impl/k 2/a",
        "y/Impl/k 1/a",
        "y/Impl/k 2/a",
    ];
    let error = of(&two, &twice).map(|_| ()).unwrap_err();
    assert!(error.to_string().contains("below `x`, `y`"), "{error}");
    // By whole parts only.
    assert!(of(&two, &["xImpl/k 1/a.c", "xImpl/k 2/a.c"]).is_err());
}

#[test]
fn an_instance_sees_what_its_toml_names_and_nothing_else() {
    let more = "include_dirs = [\"common/h\"]\nextra_sources = [\"common/x.c\"]\n\
                trees = [\"tables\"]\nexclude = [\"k/old.c\"]";
    let candidate = candidate("", &[("k", more)]);
    let files = [
        "r/k/a.c",
        "r/k/old.c",
        "r/k/sub/b.c",
        "r/common/h/x.h",
        "r/common/x.c",
        "r/common/y.c",
        "r/tables/t",
        "r/other/a.c",
        "r/readme",
    ];
    let found = of(&candidate, &files).unwrap();
    assert_eq!(
        paths(&found[0].tree),
        [
            "common/h/x.h",
            "common/x.c",
            "k/a.c",
            "k/old.c",
            "k/sub/b.c",
            "tables/t"
        ]
    );
    for missing in ["r/common/h/x.h", "r/common/x.c", "r/tables/t", "r/k/old.c"] {
        let fewer: Vec<&str> = files.into_iter().filter(|file| *file != missing).collect();
        let error = of(&candidate, &fewer).map(|_| ()).unwrap_err();
        assert!(
            matches!(error, SourceError::Missing { .. }),
            "{missing}: {error}"
        );
    }
}

#[test]
fn the_header_is_named_usual_or_the_only_one_like_it() {
    let header = |more: &str, files: &[&str]| {
        let candidate = candidate("", &[("k", more)]);
        of(&candidate, files).map(|found| found[0].header.clone())
    };
    let usual = ["k/KEM_AlgorithmInstance.h", "k/KEM_x.h"];
    assert_eq!(
        header("", &usual).unwrap().as_deref(),
        Some("KEM_AlgorithmInstance.h")
    );
    // Names of headers in real submissions, NGCC.md section 2.
    for name in ["KEM_BRA-128.h", "KEM_Cheetah.h"] {
        let found = header("", &[&format!("k/{name}"), "k/params.h", "k/sub/KEM_y.h"]);
        assert_eq!(found.unwrap().as_deref(), Some(name));
    }
    assert_eq!(header("", &["k/KEM_x.h", "k/KEM_y.h"]).unwrap(), None);
    assert_eq!(header("", &["k/KEM_\"\n#include \"x.h"]).unwrap(), None);
    let named = "header = \"inc/mine.h\"\ninclude_dirs = [\"c\"]";
    let found = header(named, &["k/a.c", "c/inc/mine.h"]);
    assert_eq!(found.unwrap().as_deref(), Some("inc/mine.h"));
    let error = header(named, &["k/a.c", "c/mine.h"]).unwrap_err();
    assert!(
        matches!(
            error,
            SourceError::Missing {
                field: "header",
                ..
            }
        ),
        "{error}"
    );
}

#[test]
fn submitted_kat_files_are_found_anywhere_by_the_end_of_their_path() {
    let kat = "kat = [{ file = \"Test_Vectors/KAT_KEM_k.txt\" }]";
    let candidate = candidate("", &[("k", kat)]);
    let found = of(&candidate, &["Impl/k/a.c", "T/Test_Vectors/KAT_KEM_k.txt"]).unwrap();
    let id = ArtifactId::of(b"T/Test_Vectors/KAT_KEM_k.txt");
    assert_eq!(
        found[0].references,
        BTreeMap::from([("KAT_KEM_k.txt".to_owned(), id)])
    );
    let found = of(&candidate, &["Impl/k/a.c", "Impl/k/KAT_KEM_k.txt"]).unwrap();
    assert_eq!(
        found[0].missing_references,
        [path("Test_Vectors/KAT_KEM_k.txt")]
    );
    let two = [
        "k/a.c",
        "1/Test_Vectors/KAT_KEM_k.txt",
        "2/Test_Vectors/KAT_KEM_k.txt",
    ];
    let error = of(&candidate, &two).map(|_| ()).unwrap_err();
    assert!(matches!(error, SourceError::References { .. }), "{error}");
    // Two copies of one text are one reference.
    let mut same = tree(&two);
    let id = ArtifactId::of(b"same");
    same.files.insert(path(two[1]), id);
    same.files.insert(path(two[2]), id);
    let found = instance_sources(&candidate, &same).unwrap();
    assert_eq!(found[0].references["KAT_KEM_k.txt"], id);
}

#[test]
fn adding_sources_checks_that_they_are_the_candidates() {
    let candidate = candidate("", &[("k", "kat = [{ file = \"KAT_KEM_k.txt\" }]")]);
    let error = add(&candidate, &zip(&[file("other/a.c", "")]))
        .map(|_| ())
        .unwrap_err();
    assert!(matches!(error, SourceError::NoRoot { .. }), "{error}");
    let (import, _) = add(&candidate, &zip(&[file("k/a.c", "")])).unwrap();
    let expected = Note::NoReference {
        label: "k".to_owned(),
        file: path("KAT_KEM_k.txt"),
    };
    assert_eq!(import.notes, [expected]);
}

#[test]
fn a_published_layout_is_found_inside_its_nested_archive() {
    let id = CandidateId::new("kem-11").unwrap();
    let mut candidate = Catalog::embedded().unwrap().get(&id).unwrap().clone();
    let sources: Vec<Entry> = candidate
        .instances
        .iter()
        .map(|i| {
            let inside = i
                .source_dir
                .relative_to(&path("Implementations and Test_Vectors"));
            file(format!("{}/kem.c", inside.unwrap()), "int x;")
        })
        .collect();
    let bytes = zip(&[file("Implementations and Test_Vectors.zip", zip(&sources))]);
    // The digest is that of the real archive, so the tree is checked without it.
    candidate.archive = None;
    let (import, _) = add(&candidate, &bytes).unwrap();
    assert_eq!(import.tree.files.len(), 4);
}
