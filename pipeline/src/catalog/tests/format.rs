//! The format against its documentation, and files that are wrong.

use super::*;
use crate::catalog::load::read;
use crate::catalog::{CatalogError, Fault};
use artifacts::words::Label;
use contract::parameters::Glue;
use std::collections::BTreeMap;
use std::path::Path;

/// The example of the documentation.
fn example() -> String {
    let text = include_str!("../../../../candidates/README.md");
    let example = text.split("```toml\n").nth(1).unwrap();
    example.split("```").next().unwrap().to_owned()
}

#[test]
fn the_documented_example_is_a_candidate_and_is_added_to_the_embedded_ones() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("mine-01.toml"), example()).unwrap();
    std::fs::write(folder.path().join("notes.txt"), "not a candidate").unwrap();
    let catalog = Catalog::embedded()
        .unwrap()
        .with_folder(folder.path())
        .unwrap();
    assert_eq!(catalog.iter().count(), ids().len() + 1);
    let mine = catalog.get(&CandidateId::new("mine-01").unwrap()).unwrap();
    assert_eq!(mine.glue, Glue::Iccs);
    let second = mine.instance(&Label::new("MyKEM-256").unwrap()).unwrap();
    assert_eq!(second.name(), "MyKEM-256");
    assert_eq!(second.variant.as_str(), "reference");
    assert_eq!(
        second.curated(),
        BTreeMap::from([("pk".into(), 1184), ("ct".into(), 1088)])
    );
    let manifest = mine.manifest(second);
    assert_eq!((manifest.len(), manifest[0].mode.as_str()), (1, "strict"));
    assert!(mine.manifest(&mine.instances[0]).is_empty());
    assert!(!mine.is_excluded(&second.label));
}

#[test]
fn a_file_of_ours_is_replaced_as_a_whole() {
    let folder = tempfile::tempdir().unwrap();
    let text = example().replace("mine-01", "kem-09");
    std::fs::write(folder.path().join("kem-09.toml"), text).unwrap();
    let catalog = Catalog::embedded()
        .unwrap()
        .with_folder(folder.path())
        .unwrap();
    assert_eq!(catalog.iter().count(), ids().len());
    let mine = catalog.get(&CandidateId::new("kem-09").unwrap()).unwrap();
    assert_eq!(
        (mine.name.as_str(), mine.survey.is_some()),
        ("MyKEM", false)
    );
}

fn read_example(change: impl Fn(String) -> String) -> Result<Candidate, CatalogError> {
    read(Path::new("mine-01.toml"), &change(example()))
}

#[test]
fn errors_of_form_name_file_line_and_field() {
    for (from, to, line, in_why) in [
        (
            "label = \"MyKEM-128\"",
            "lable = \"MyKEM-128\"",
            13,
            "unknown field `lable`",
        ),
        (
            "label = \"MyKEM-128\"",
            "label = \"a/b\"",
            13,
            "`a/b` is not a label",
        ),
        (
            "id = \"mine-01\"",
            "id = \"mine 01\"",
            5,
            "is not a candidate id",
        ),
        ("\"kem\"", "\"kex-25519\"", 7, "unknown variant `kex-25519`"),
        (
            "source_dir = \"Impl",
            "source_dir = \"../Impl",
            14,
            "is not a path inside a tree",
        ),
        ("[\"gmp\"]", "[\"-lgmp\"]", 22, "`-lgmp` is not a library"),
        ("b94d", "B94D", 24, "is not a SHA-256 digest"),
        ("public_key = 1184", "public_key = -1", 23, "invalid value"),
        (
            "ciphertext = 1088",
            "cipher_text = 1088",
            23,
            "unknown field `cipher_text`",
        ),
        ("[archive]", "[archive", 9, ""),
    ] {
        let error = read_example(|text| text.replacen(from, to, 1)).unwrap_err();
        let message = error.to_string();
        assert!(
            message.starts_with(&format!("mine-01.toml:{line}: ")),
            "{message}"
        );
        assert!(message.contains(in_why), "{message}");
        let field = to
            .split(['=', ' '])
            .next()
            .unwrap()
            .trim_matches(['[', '"']);
        let CatalogError::Syntax { text, .. } = error else {
            panic!("{message}")
        };
        assert!(text.contains(field), "{text}");
    }
    let missing = read_example(|text| text.replace("name = \"MyKEM\"\n", "")).unwrap_err();
    assert!(
        missing.to_string().contains("missing field `name`"),
        "{missing}"
    );
}

#[test]
fn other_kinds_and_newer_versions_are_refused() {
    let of = |from: &'static str, to: &'static str| read_example(|t| t.replacen(from, to, 1));
    let kind = of("assay-candidate", "assay-system").unwrap_err();
    assert!(matches!(kind, CatalogError::Format { .. }), "{kind}");
    let major = of("major = 1", "major = 2").unwrap_err();
    assert!(matches!(major, CatalogError::Format { .. }), "{major}");
    let minor = of("minor = 0", "minor = 1\nnovelty = 1").unwrap_err();
    assert!(matches!(minor, CatalogError::Newer { .. }), "{minor}");
}

#[test]
fn contradictions_are_named() {
    let label = || "MyKEM-256".to_owned();
    let first = || "MyKEM-128".to_owned();
    let kat = "kat = [{ file = \"Test_Vectors/KAT_KEM_MyKEM-128.txt\" }]";
    let cases: [(&str, &str, Fault); 14] = [
        (
            "mine-01",
            "mine-02",
            Fault::FileName(CandidateId::new("mine-02").unwrap()),
        ),
        (
            "label = \"MyKEM-128\"",
            "label = \"MyKEM-256\"",
            Fault::Duplicate(label()),
        ),
        (
            "[archive]",
            "[package]\nname = \"x\"\nversion = \"1\"\n[archive]",
            Fault::TwoSources,
        ),
        (
            "primitive = \"kem\"",
            "primitive = \"hash\"\nglue = \"pqclean\"",
            Fault::Primitive,
        ),
        (
            "\"kem\"",
            "\"kem\"\nglue = \"pqclean\"",
            Fault::NoNamespace(first()),
        ),
        (kat, "namespace = \"X\"", Fault::Namespace(first())),
        (
            kat,
            "sources = [\"a.c\"]\nexclude = [\"b.c\"]",
            Fault::ListAndRule(first()),
        ),
        (kat, "header = \"a\\\"b\"", Fault::Header(first())),
        (
            kat,
            "kat = [{ file = \"a/x\" }, { file = \"b/x\" }]",
            Fault::TwoReferences {
                label: first(),
                file: "b/x".into(),
            },
        ),
        (
            kat,
            "kat = [{ file = \"x\", mode = \"strict\" }]",
            Fault::ModeWithoutDigest {
                label: first(),
                file: "x".into(),
            },
        ),
        (
            "\" }]\n\n",
            "\", digest = \"b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9\", \
             mode = \"nistkat\" }]\n\n",
            Fault::Mode {
                label: first(),
                mode: "nistkat".into(),
            },
        ),
        (
            "\"kem\"",
            "\"sig\"",
            Fault::Size {
                label: label(),
                primitive: "sig",
                object: "ciphertext",
            },
        ),
        (
            "[archive]",
            "[[kat-note]]\nlabels = \"MyKEM\"\naction = \"exclude\"\ncause = \"x\"\n[archive]",
            Fault::NoteMatchesNothing(1),
        ),
        ("name = \"MyKEM\"", "name = \" \"", Fault::Text("name")),
    ];
    for (from, to, expected) in cases {
        match read_example(|text| text.replacen(from, to, 1)) {
            Err(CatalogError::Fault { fault, .. }) => assert_eq!(fault, expected),
            other => panic!("{from} -> {to}: {other:?}"),
        }
    }
}

#[test]
fn an_excluding_row_keeps_its_instances_from_being_timed() {
    let row =
        "[[kat-note]]\nlabels = \".*-128\"\naction = \"exclude\"\ncause = \"hours\"\n[archive]";
    let candidate = read_example(|text| text.replacen("[archive]", row, 1)).unwrap();
    let excluded: Vec<bool> = candidate
        .instances
        .iter()
        .map(|i| candidate.is_excluded(&i.label))
        .collect();
    assert_eq!(excluded, [true, false]);
    assert_eq!(
        candidate.kat_notes()[0].instances,
        [Label::new("MyKEM-128").unwrap()]
    );
}
