//! A candidate that does not build: that is a result, and is explained like any other.

use crate::assay::{Assay, text};
use serde_json::json;

const CANDIDATE: &str = r#"
kind = "assay-candidate"
major = 1
minor = 0
id = "greedy"
name = "Greedy"
primitive = "kem"
[archive]
file = "greedy.zip"
[[instance]]
label = "G"
source_dir = "Ref"
"#;

/// Wants a file of the host to be in its library.
const SOURCE: &str = r#"
int unrelated(int x) { int unused; return x; }
int kem_keygen(void) { __asm__(".incbin \"/etc/passwd\""); return 0; }
"#;

#[test]
fn a_file_of_the_host_is_not_compiled_in_and_the_verdict_is_explained() {
    let mut assay = Assay::new();
    let folder = |name: &str| {
        let path = assay.path(name);
        std::fs::create_dir(&path).unwrap();
        path
    };
    let (candidates, source) = (folder("candidates"), folder("source"));

    std::fs::write(candidates.join("greedy.toml"), CANDIDATE).unwrap();
    std::fs::create_dir(source.join("Ref")).unwrap();
    std::fs::write(source.join("Ref/kem.c"), SOURCE).unwrap();
    let header = "#define ALGORITHM_INSTANCE \"G\"\n";
    std::fs::write(source.join("Ref/KEM_AlgorithmInstance.h"), header).unwrap();
    assay.candidates = Some(candidates);
    let added = assay.campaign("add-source greedy source");
    assert_eq!(added.status.code(), Some(0), "{}", text(&added.stderr));

    let ran = assay.run("--only ^greedy/");
    assert_eq!(ran.verdicts("greedy"), json!({"BUILDFAIL": 1}));
    assert!(ran.said.contains("/etc/passwd"), "{}", ran.said);
    assert_eq!(assay.run("--only ^greedy/").steps, [""; 0]);
    for cell in ["kat", "flags"] {
        let cell = format!("local/greedy/G/-/{cell}");
        for line in [
            format!("show {cell}"),
            format!("why {cell} --quick"),
            format!("request {cell} --quick"),
        ] {
            let output = assay.campaign(&line);
            let said = text(&output.stderr);
            assert_eq!(output.status.code(), Some(0), "{line}: {said}");
        }
        let why = assay.json(&format!("why {cell} --quick"));
        assert_eq!(why["standing"], "current", "{why:#}");
    }
}
