//! The real `campaign` with a store, a site and a folder for temporary files of its own, and what a
//! run of it did.

use artifacts::store::{CampaignName, Store};
use artifacts::{ArtifactId, Receipt};
use serde_json::Value;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;
use tempfile::TempDir;

/// Instances and pages are named as on the terminal: `ml-kem/ML-KEM-512/build`, `-/index`.
pub struct Assay {
    folder: TempDir,
    /// PQClean's folder; absent for the pinned package.
    pub controls: Option<PathBuf>,
    /// Candidates of the test's own.
    pub candidates: Option<PathBuf>,
    /// The compiler command; absent for the system's.
    pub cc: Option<PathBuf>,
}

impl Assay {
    pub fn new() -> Self {
        build_stages();
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("tmp")).unwrap();
        Assay {
            folder,
            controls: None,
            candidates: None,
            cc: None,
        }
    }

    /// A path in the folder that is removed with this value.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn site(&self) -> PathBuf {
        self.path("site")
    }

    /// `campaign` with these arguments, ready to start.
    pub fn command<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_campaign"));
        let inherited = std::env::vars_os()
            .filter(|(name, _)| name.to_string_lossy().starts_with("ASSAY_"))
            .map(|(name, _)| name);
        for name in inherited {
            command.env_remove(name);
        }
        command
            .args(arguments)
            .env("ASSAY_STORE", self.path("store"))
            .env("ASSAY_OUT", self.site())
            .env("TMPDIR", self.path("tmp"))
            .env("XDG_CACHE_HOME", env!("CARGO_TARGET_TMPDIR"))
            .current_dir(self.folder.path())
            .stdin(Stdio::null());
        let given = [
            ("ASSAY_CONTROLS", &self.controls),
            ("ASSAY_CANDIDATES", &self.candidates),
            ("ASSAY_CC", &self.cc),
        ];
        for (name, value) in given {
            command.envs(value.iter().map(|value| (name, value)));
        }
        command
    }

    /// Runs a command line, words separated by blanks, to its end.
    pub fn campaign(&self, line: &str) -> Output {
        self.command(line.split_whitespace()).output().unwrap()
    }

    /// `campaign run --quick --json` with more words, which must end well.
    pub fn run(&self, more: &str) -> Ran {
        let ran = Ran::of(&self.campaign(&format!("run --quick --json {more}")));
        assert_eq!(ran.code, Some(0), "{}", ran.said);
        ran
    }

    /// A report of `campaign <line> --json`.
    pub fn json(&self, line: &str) -> Value {
        let output = self.campaign(&format!("{line} --json"));
        serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|e| panic!("{line}: {e}: {}", text(&output.stderr)))
    }

    /// That every byte of the store is what it should be.
    pub fn verify(&self) {
        let output = self.campaign("verify");
        let said = text(&output.stdout) + &text(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{said}");
    }

    pub fn store(&self) -> Store {
        Store::open(&self.path("store")).unwrap()
    }

    /// The receipt that the campaign holds for a step.
    pub fn receipt(&self, step: &str) -> Receipt {
        let store = self.store();
        let campaign = CampaignName::new("local").unwrap();
        let view = store.campaign(&campaign).unwrap().unwrap();
        let id = view.receipt(&step.parse().unwrap());
        store.receipt(id.expect(step)).unwrap()
    }

    /// An output of a step.
    pub fn output(&self, step: &str, role: &str) -> ArtifactId {
        let receipt = self.receipt(step);
        let output = receipt.outputs.get(role);
        *output.unwrap_or_else(|| panic!("{step} has no {role}: {:?}", receipt.outcome))
    }

    /// The same as JSON.
    pub fn output_json(&self, step: &str, role: &str) -> Value {
        let bytes = self.store().get(self.output(step, role)).unwrap();
        serde_json::from_slice(&bytes).unwrap()
    }
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// What a run did.
pub struct Ran {
    pub code: Option<i32>,
    /// The report on standard output; null where there is none.
    pub report: Value,
    /// The steps that came to a receipt, in the order in which they did.
    pub steps: Vec<String>,
    /// All of standard error.
    pub said: String,
}

impl Ran {
    pub fn of(output: &Output) -> Self {
        let said = text(&output.stderr);
        Ran {
            code: output.status.code(),
            report: serde_json::from_slice(&output.stdout).unwrap_or_default(),
            steps: finished(&said),
            said,
        }
    }

    /// The same sorted, as steps of two instances may end in any order.
    pub fn sorted(&self) -> Vec<&str> {
        let mut steps: Vec<&str> = self.steps.iter().map(String::as_str).collect();
        steps.sort_unstable();
        steps
    }

    /// Verdicts of a candidate: how many instances have each.
    pub fn verdicts(&self, candidate: &str) -> Value {
        let candidates = self.report["candidates"].as_array().unwrap();
        let line = candidates.iter().find(|c| c["candidate"] == candidate);
        line.unwrap()["verdicts"].clone()
    }
}

/// The steps in lines such as `[3] ml-kem/ML-KEM-512/kat PASS (0.1 s)`.
pub fn finished(said: &str) -> Vec<String> {
    said.lines()
        .filter(|line| line.starts_with('['))
        .filter_map(|line| line.split_whitespace().nth(1))
        .map(str::to_owned)
        .collect()
}

/// The stages lie in another package: cargo builds them with the workspace's tests, but not with this
/// package's alone.
fn build_stages() {
    static BUILT: OnceLock<()> = OnceLock::new();
    BUILT.get_or_init(|| {
        let folder = Path::new(env!("CARGO_BIN_EXE_campaign")).parent().unwrap();
        if folder.join("stage-render").exists() && folder.join("launcher").exists() {
            return;
        }
        let profile = match folder.file_name().and_then(OsStr::to_str) {
            Some("debug") => "dev",
            Some(name) => name,
            None => "dev",
        };
        let status = Command::new(env!("CARGO"))
            .args([
                "build",
                "--package",
                "stages",
                "--bins",
                "--profile",
                profile,
            ])
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .status()
            .unwrap();
        assert!(status.success(), "cannot build the stages");
    });
}
