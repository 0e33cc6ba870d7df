//! The embedded catalog against what others published, and the format against its documentation.

use super::*;
use crate::catalog::Fault;
use artifacts::records::KatLog;
use artifacts::words::Label;
use contract::PROBE_SOURCES;
use contract::parameters::Glue;
use reports::evidence::KatAction;
use std::collections::BTreeSet;
use std::path::PathBuf;

fn candidate(id: &str) -> Candidate {
    let catalog = Catalog::embedded().unwrap();
    catalog.get(&CandidateId::new(id).unwrap()).unwrap().clone()
}

/// What `shared/` holds at this path, or `None` with a word on standard error.
fn shared(path: &str) -> Option<String> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../shared")
        .join(path);
    let text = std::fs::read_to_string(&path).ok();
    if text.is_none() {
        eprintln!("skipped: there is no {}", path.display());
    }
    text
}

fn ids() -> Vec<String> {
    let catalog = Catalog::embedded().unwrap();
    catalog
        .iter()
        .map(|candidate| candidate.id.to_string())
        .collect()
}

#[test]
fn every_file_is_read() {
    let expected = [
        "hash-13", "kem-06", "kem-09", "kem-11", "kem-33", "kex-07", "ml-dsa", "ml-kem", "sign-06",
    ];
    assert_eq!(ids(), expected);
    let controls: Vec<bool> = ["ml-kem", "kem-09"]
        .map(|id| candidate(id).is_control())
        .to_vec();
    assert_eq!(controls, [true, false]);
}

#[test]
fn folders_names_and_digests_are_those_of_the_published_logs() {
    for id in ["hash-13", "kem-09", "kem-11", "kem-33", "kex-07", "sign-06"] {
        let candidate = candidate(id);
        for instance in &candidate.instances {
            let label = &instance.label;
            let Some(text) = shared(&format!("evidence/arm_1/kat/{id}/{label}.log")) else {
                return;
            };
            let log = KatLog::parse(&text);
            assert_eq!(log.field("algorithm"), Some(candidate.name.as_str()));
            assert_eq!(log.field("type"), Some(candidate.kind.as_str()));
            assert_eq!(log.field("instance"), Some(instance.name()), "{label}");
            let source_dir = instance.source_dir.to_string();
            assert_eq!(
                log.field("source_dir"),
                Some(source_dir.as_str()),
                "{label}"
            );
            let published: Vec<&str> = text
                .lines()
                .filter_map(|line| line.strip_prefix("manifest "))
                .collect();
            let manifest = candidate.manifest(instance);
            let ours: Vec<String> = manifest
                .iter()
                .map(|l| format!("{} {} {}", l.digest, l.mode, l.file))
                .collect();
            assert_eq!(ours, published, "{label}");
        }
    }
}

#[test]
fn instances_are_those_of_the_published_builds() {
    let Some(text) = shared("evidence/arm_1/build.json") else {
        return;
    };
    let build: serde_json::Value = serde_json::from_str(&text).unwrap();
    let published: BTreeSet<String> = build["instances"]
        .as_object()
        .unwrap()
        .iter()
        .map(|(name, built)| format!("{name} {}", built["variant"].as_str().unwrap()))
        .collect();
    let catalog = Catalog::embedded().unwrap();
    let submissions = catalog.iter().filter(|candidate| !candidate.is_control());
    let ours: BTreeSet<String> = submissions
        .flat_map(|c| {
            c.instances
                .iter()
                .map(|i| format!("{}/{} {}", c.id, i.label, i.variant))
        })
        .collect();
    assert_eq!(ours, published);
}

/// The words of a published page, however its tables were taken out of it.
fn words(page: &str) -> String {
    page.split(|c: char| c.is_whitespace() || "|`".contains(c))
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

#[test]
fn curated_facts_are_those_of_the_published_pages() {
    for (id, page) in [
        ("kem-06", "x86_1-kem-06-BRA"),
        ("kem-09", "arm_1-kem-09-CheetahKEM"),
        ("kem-11", "arm_1-kem-11-COMPASS-KEM"),
        ("kem-33", "arm_1-kem-33-QUBE"),
        ("sign-06", "x86_1-sign-06-COMPASS-SIG"),
    ] {
        let Some(page) = shared(&format!("seeds/{page}.txt")) else {
            return;
        };
        let page = words(&page);
        let candidate = candidate(id);
        assert!(
            page.contains(&format!("{id} {} — performance", candidate.name)),
            "{id}"
        );
        let survey = candidate.survey.as_ref().unwrap();
        let note = survey
            .note
            .as_ref()
            .map_or(String::new(), |note| format!(" — {note}"));
        let line = format!("Survey verdict: {}{note} Share of each", survey.verdict);
        assert!(page.contains(&line), "{id}: {line}");
        for row in &candidate.kat_rows {
            assert_eq!(row.action, KatAction::Measure);
            let line = format!("[1] {} These instances are timed anyway", row.cause);
            assert!(page.contains(&line), "{id}: {line}");
        }
        assert_eq!(page.contains("[1]"), !candidate.kat_rows.is_empty(), "{id}");
        let overhead = page
            .split("Transmission and storage overhead")
            .nth(1)
            .unwrap();
        let overhead = overhead.split("Symmetric primitives").next().unwrap();
        for instance in &candidate.instances {
            // public key, secret key, then ciphertext or signature
            let after = overhead
                .split(&format!(" {} ", instance.label))
                .nth(1)
                .unwrap();
            let numbers: Vec<u64> = after.split(' ').map_while(|w| w.parse().ok()).collect();
            let sizes = &instance.sizes;
            assert_eq!(Some(numbers[0]), sizes.public_key, "{}", instance.label);
            assert_eq!(Some(numbers[2]), sizes.ciphertext.or(sizes.signature));
        }
    }
}

#[test]
fn archive_digests_are_those_of_the_domain_facts() {
    let Some(facts) = shared("NGCC.md") else {
        return;
    };
    for id in ["kem-06", "kem-09", "kem-11", "kem-33", "sign-06"] {
        let candidate = candidate(id);
        let archive = candidate.archive.unwrap();
        let row = facts
            .lines()
            .find(|l| l.starts_with(&format!("| {id} ")))
            .unwrap();
        assert!(
            row.starts_with(&format!("| {id} {} |", candidate.name)),
            "{row}"
        );
        let end = format!("| {} {} |", archive.file, archive.sha256.unwrap());
        assert!(row.ends_with(&end), "{row}");
    }
}

#[test]
fn wrapped_functions_have_a_wrapper() {
    let wrappers = PROBE_SOURCES.get_file("glue/wrap_pqclean.c").unwrap();
    let wrappers = wrappers.contents_utf8().unwrap();
    for id in ["ml-kem", "ml-dsa"] {
        for function in candidate(id).wrapped_functions() {
            assert!(
                wrappers.contains(&format!("#ifdef ASSAY_WRAP_{function}\n")),
                "{function}"
            );
        }
    }
    let iccs = ["pseudohash", "pseudoXOF", "sm3hash", "get_random_number"];
    assert_eq!(candidate("kem-09").wrapped_functions(), iccs);
}

/// The example of the documentation.
fn example() -> String {
    let text = include_str!("../../../candidates/README.md");
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
