//! The sentences of a page. Imported evidence keeps the wording of the published pages, which is
//! true of it (the harness's scripts, the ICCS placeholders); own campaigns say what is true of them.

use crate::evidence::{Evidence, Origin};
use artifacts::SystemId;
use artifacts::words::Kind;

/// The architecture as pages name it.
pub fn architecture(machine: &str) -> &str {
    match machine {
        "x86_64" => "x86-64",
        "aarch64" => "AArch64",
        other => other,
    }
}

/// The site's name.
pub fn brand(origin: Origin) -> &'static str {
    match origin {
        Origin::Published => "ngcc.dev",
        Origin::Own => "assay",
    }
}

/// The way to the page.
pub fn trail(evidence: &Evidence) -> String {
    let systems: Vec<&str> = evidence.systems.iter().map(SystemId::as_str).collect();
    format!(
        "Performance measurements › {} › {} · system: {}",
        evidence.system,
        evidence.candidate,
        systems.join(" · ")
    )
}

/// What kind of measurement this is.
pub fn intro(evidence: &Evidence) -> String {
    let guide = match evidence.architecture.as_str() {
        "aarch64" => "ARM",
        _ => "x86",
    };
    let guide = format!("the structure of the NICCS {guide} self-assessment guide, §3.5 (1)–(7)");
    if evidence.control {
        format!("A control: a public implementation, measured as a yardstick following {guide}.")
    } else {
        format!("Independent measurement following {guide}. Not a submitter self-assessment.")
    }
}

/// What a reader must know before any figure.
pub fn banners(evidence: &Evidence) -> Vec<String> {
    let mut banners = Vec::new();
    let problems = !evidence.host_problems.is_empty();
    if evidence.system.as_str() == "local" {
        banners.push(
            "System local is not a registered system: these figures say how the implementations \
             compare on this machine, not how fast they are on a known one."
                .to_owned(),
        );
    }
    if problems {
        banners.push("The host was not fixed while measuring:".to_owned());
        banners.extend(
            evidence
                .host_problems
                .iter()
                .map(|problem| one_line(problem)),
        );
    }
    banners
}

/// Category and function.
pub fn category(kind: Kind) -> &'static str {
    match kind {
        Kind::Kem => "public-key algorithm; function: key encapsulation",
        Kind::Sig => "public-key algorithm; function: digital signature",
        Kind::Kex => "public-key algorithm; function: key exchange",
        Kind::Hash => "cryptographic hash algorithm; function: hash",
    }
}

/// Against what libraries were checked.
pub fn kat(evidence: &Evidence) -> String {
    match (evidence.origin, evidence.control) {
        (Origin::Published, _) => format!(
            "Each library was checked against the submitted KAT vectors (SHA-256 manifest \
             {}/kat.sha256 in the harness) before timing.",
            evidence.candidate
        ),
        (Origin::Own, true) => {
            "Each library was checked before timing: the SHA-256 of its NIST-format \
             known answers must equal the digest nistkat-sha256 in META.yml of its sources."
                .to_owned()
        }
        (Origin::Own, false) => {
            "Each library was checked against the submitted KAT vectors (files or \
             SHA-256 digests in the catalog) before timing."
                .to_owned()
        }
    }
}

/// What memory figures mean.
pub fn resources(origin: Origin) -> String {
    let program = match origin {
        Origin::Published => "the benchmark driver",
        Origin::Own => "the probe",
    };
    format!(
        "Static memory is approximated by the library's loadable ELF segments; peak memory is the \
         process high-water mark (VmHWM) including {program} and libc, so both are upper-bound \
         proxies rather than isolated algorithm memory."
    )
}

/// Where sizes come from.
pub fn sizes(origin: Origin) -> String {
    let catalog = match origin {
        Origin::Published => "the curated performance/external_sizes.csv catalog",
        Origin::Own => "the curated sizes in the catalog, where it states them",
    };
    format!(
        "External public-key, ciphertext and signature sizes follow {catalog}; secret-key and \
         shared-secret lengths remain API figures. See the size audit for disagreements."
    )
}

/// What the table of shares tells.
pub fn shares(evidence: &Evidence) -> String {
    let functions = match (evidence.origin, evidence.control) {
        (Origin::Own, true) => {
            "the hash functions of common/fips202, sha2 and aes and in randombytes"
        }
        _ => "the ICCS placeholder hash functions and in the ICCS DRNG",
    };
    let run = match evidence.origin {
        Origin::Published => "in the same run",
        Origin::Own => "in the same campaign",
    };
    format!(
        "Share of each operation spent in {functions} (reference build, measured {run} with \
         link-time wrappers):"
    )
}

/// Titles of the two share columns.
pub fn share_titles(evidence: &Evidence) -> [&'static str; 2] {
    match (evidence.origin, evidence.control) {
        (Origin::Own, true) => ["hash functions", "randombytes"],
        _ => ["pseudohash/XOF/sm3", "DRNG"],
    }
}

/// To what the paths of section 7 are relative.
pub fn evidence(evidence: &Evidence) -> String {
    match evidence.origin {
        Origin::Published => format!(
            "Paths are relative to performance/data/{}/ in the harness; each JSON file records its \
             commands, environment and trials.",
            evidence.system
        ),
        Origin::Own => "Paths are relative to the folder of this page; each JSON file records its \
             commands, environment and trials."
            .to_owned(),
    }
}

/// With what the page was made.
pub fn scripts(origin: Origin) -> &'static str {
    match origin {
        Origin::Published => {
            "Scripts: performance/campaign.py, performance/ngcc_perf.c, performance/hashprof/ in \
             the harness."
        }
        Origin::Own => {
            "Scripts: none; made by the stages build, kat, time, profile, size-audit and render of \
             assay and its probe. The command campaign show leads from each figure to its evidence."
        }
    }
}

/// A text of people on one line: pages have no other line breaks than their own.
pub fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
