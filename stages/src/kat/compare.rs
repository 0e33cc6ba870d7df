//! A generated KAT text against what the candidate submitted.

use super::KatError;
use super::canonical::{Mode, digest, first_difference};
use super::report::KatFile;
use artifacts::store::Store;
use artifacts::words::Verdict;
use contract::Request;
use contract::parameters::KatParameters;
use std::io::BufReader;
use std::path::Path;

/// Compares one file with its reference: a manifest line of that name first, else a submitted file.
pub fn compare(
    request: &Request,
    store: &Store,
    parameters: &KatParameters,
    name: &str,
    text: &Path,
) -> Result<KatFile, KatError> {
    let open = || fs_err::File::open(text).map(BufReader::new);
    let bytes = fs_err::metadata(text)?.len();
    let manifest = parameters.manifest.iter().find(|line| {
        let file = line.file.rsplit('/').next().unwrap_or(&line.file);
        file == name
    });
    let submitted = request
        .inputs_of("reference")
        .find(|(file, _)| *file == name);
    let (verdict, why, sha256, reference) = if let Some(line) = manifest {
        let mode = Mode::parse(&line.mode)?;
        let ours = digest(open()?, &mode)?;
        let wrong_count = match mode {
            Mode::Canonical {
                records: Some(records),
                ..
            } => records != ours.records,
            _ => false,
        };
        let reference = format!("{} {}", line.digest, line.mode);
        if wrong_count {
            let why = format!("{} records, manifest wants {}", ours.records, line.mode);
            (Verdict::Mismatch, why, ours.sha256, Some(reference))
        } else if ours.sha256 == line.digest {
            (Verdict::Pass, String::new(), ours.sha256, Some(reference))
        } else {
            let why = format!("sha256 {} != manifest {}", ours.sha256, line.digest);
            (Verdict::Mismatch, why, ours.sha256, Some(reference))
        }
    } else {
        let mode = Mode::Canonical {
            nolen: false,
            records: None,
        };
        let ours = digest(open()?, &mode)?;
        match submitted {
            None => {
                let why = format!("no reference file {name}");
                (Verdict::NoKat, why, ours.sha256, None)
            }
            Some((_, id)) => {
                let theirs = BufReader::new(store.open_verified(id)?);
                let (verdict, why) = match first_difference(open()?, theirs)? {
                    None => (Verdict::Pass, String::new()),
                    Some(difference) => {
                        let place = difference
                            .record
                            .map_or("before the first record".to_owned(), |r| {
                                format!("record {r}")
                            });
                        let why = format!("{place}, field {}", difference.field);
                        (Verdict::Mismatch, why)
                    }
                };
                (verdict, why, ours.sha256, Some("submitted file".to_owned()))
            }
        }
    };
    Ok(KatFile {
        file: name.to_owned(),
        verdict,
        why,
        bytes: Some(bytes),
        sha256: Some(sha256),
        reference,
    })
}
