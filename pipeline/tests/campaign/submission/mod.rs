//! Submissions in the form of the ICCS, from the archive to the page.
//!
//! Maple KEM and Oak are the pinned ML-KEM and ML-DSA with their SHAKE names mapped to the ICCS
//! helpers, as several real submissions do; Birch is a hash. Their reference texts come from
//! [`crate::iccs`]: PASS means that two independent implementations agree.

mod archive;
mod hash;
mod kem;
mod sig;

use crate::assay::Assay;
use crate::controls::{copy_folder, pqclean};
use artifacts::records::{Call, ProfileRecord};
use std::path::{Path, PathBuf};

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/submission")
}

/// The ICCS headers that assay supplies, which the puppet needs too.
fn headers() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../stages/probe/iccs")
}

/// What a submission is, on disk and in the catalog.
struct Submission {
    id: &'static str,
    /// Laid out as its archive's content.
    folder: PathBuf,
    /// Its file in the catalog, after kind and version.
    toml: String,
}

impl Submission {
    fn new(assay: &Assay, id: &'static str, name: &str, primitive: &str) -> Self {
        let folder = assay.path(id);
        std::fs::create_dir_all(&folder).unwrap();
        Submission {
            id,
            folder,
            toml: format!(
                "kind = \"assay-candidate\"\nmajor = 1\nminor = 0\nid = \"{id}\"\nname = \
                 \"{name}\"\nprimitive = \"{primitive}\"\n"
            ),
        }
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.folder.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// Lays out the sources of an instance: code of PQClean (absent for none), folders of fixtures,
    /// and what real submitters leave behind.
    fn instance(&self, path: &str, code: Option<&str>, parts: &[&str]) -> PathBuf {
        let folder = self.folder.join(path);
        std::fs::create_dir_all(&folder).unwrap();
        if let Some(code) = code {
            copy_folder(&pqclean().join(code), &folder);
            let compat = std::fs::read(pqclean().join("common/compat.h")).unwrap();
            std::fs::write(folder.join("compat.h"), compat).unwrap();
        }
        for part in parts {
            copy_folder(&fixtures().join(part), &folder);
        }
        let driver = folder.join("driver.c");
        if driver.exists() {
            for name in ["KAT_KEM.c", "test_speed.c", "cpucycles.c"] {
                std::fs::copy(&driver, folder.join(name)).unwrap();
            }
            std::fs::remove_file(driver).unwrap();
        }
        std::fs::write(folder.join(".kem.c.swp"), "no source").unwrap();
        folder
    }

    /// Puts the candidate into the catalog of a test, archives its folder and adds it.
    fn add(&self, assay: &mut Assay) {
        let candidates = assay.path("candidates");
        std::fs::create_dir_all(&candidates).unwrap();
        std::fs::write(candidates.join(format!("{}.toml", self.id)), &self.toml).unwrap();
        assay.candidates = Some(candidates);
        let zip = assay.path(&format!("{}.zip", self.id));
        std::fs::write(&zip, archive::zip(&self.folder)).unwrap();
        let arguments = ["add-source".as_ref(), self.id.as_ref(), zip.as_os_str()];
        let output = assay.command(arguments).output().unwrap();
        let said = crate::assay::text(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{said}");
    }
}

/// The site's page of a candidate.
fn page(assay: &Assay, candidate: &str) -> String {
    std::fs::read_to_string(assay.site().join(format!("{candidate}.md"))).unwrap()
}

/// The profile of an operation.
fn profile(assay: &Assay, step: &str) -> ProfileRecord {
    serde_json::from_value(assay.output_json(step, "record")).unwrap()
}

/// Calls of a function in one operation, on average.
fn calls(profile: &ProfileRecord, function: &str) -> f64 {
    let of = |call: &&Call| call.function == function;
    let calls: u64 = profile.calls.iter().filter(of).map(|call| call.calls).sum();
    calls as f64 / profile.total.as_ref().unwrap().operations as f64
}
