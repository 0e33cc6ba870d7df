//! The KAT log in the published form. Its last line is `RESULT <candidate> <instance> <verdict>`.

use super::report::KatReport;
use artifacts::records::{KatLine, KatLog, KatResult};
use artifacts::words::Kind;
use contract::parameters::KatParameters;

/// The log's text.
pub fn write(parameters: &KatParameters, report: &KatReport) -> String {
    let mut log = KatLog::default();
    let instance = one_line(
        report
            .instance
            .as_deref()
            .unwrap_or(parameters.label.as_str()),
    );
    log.push_field(
        "library",
        format!("{}/lib/lib{}.so", parameters.candidate, parameters.label),
    );
    log.push_field("id", &parameters.candidate);
    log.push_field("type", parameters.kind);
    log.push_field("algorithm", one_line(&parameters.algorithm));
    log.push_field("instance", &instance);
    log.push_field("variant", one_line(&parameters.variant));
    if parameters.kind == Kind::Hash {
        if let Some(bytes) = report.sizes.get("digest") {
            log.push_field("digest_bits", bytes * 8);
            log.push_field("digest_len", bytes);
        }
    } else {
        for object in ["pk", "sk", "ct", "ss", "sn"] {
            if let Some(bytes) = report.sizes.get(object) {
                log.push_field(&format!("{object}_len"), bytes);
            }
        }
    }
    for file in &report.files {
        let name = one_line(&file.file);
        if let Some(bytes) = file.bytes {
            log.push(KatLine::Other(format!("wrote  kat/{name} ({bytes} bytes)")));
        }
        match (file.reference.as_deref(), &file.sha256) {
            (Some("submitted file"), Some(sha256)) => {
                log.push(KatLine::Other(format!("sha256 {sha256} strict {name}")));
                log.push(KatLine::Other(format!(
                    "compared with the submitted {name}"
                )));
            }
            (Some(reference), _) => {
                if let Some((digest, mode)) = reference.split_once(' ') {
                    let (digest, mode) = (digest.to_owned(), mode.to_owned());
                    log.push(KatLine::Manifest {
                        digest,
                        mode,
                        file: name,
                    });
                }
            }
            (None, Some(sha256)) => {
                log.push(KatLine::Other(format!("sha256 {sha256} strict {name}")));
            }
            (None, None) => {}
        }
    }
    log.push(KatLine::Result(KatResult {
        candidate: parameters.candidate.to_string(),
        instance,
        verdict: report.verdict,
        detail: one_line(&report.why),
    }));
    log.to_string()
}

/// What a candidate names itself must not forge lines.
fn one_line(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() { '?' } else { c })
        .collect()
}
