//! Level 1: are the files what others say they are, and do all links lead somewhere?

use super::book::Book;
use super::check::Check;
use super::form::{absolute_path, departs_from_indented};
use crate::dataset::{Dataset, Instance, Loaded, Piece, Place, Problem};
use artifacts::records::{BuildEntry, COMPLETE, ProfileRecord, TimingRecord};
use artifacts::words::{ExchangeStep, Kind, Verdict};
use artifacts::{CandidateId, Label, Operation};
use std::collections::BTreeSet;

/// Indentation of the published files, and of our own.
const INDENTS: [usize; 2] = [1, 2];

/// The bytes of one file of a dataset.
pub fn bytes(book: &mut Book, own: bool, path: &str, bytes: &[u8]) {
    let mut notes = book.at(path, "");
    notes.holds(Check::NoPaths, "", absolute_path(bytes).is_none(), || {
        let path = absolute_path(bytes).unwrap_or_default();
        (
            format!("holds the absolute path `{path}`"),
            "relative paths only".to_owned(),
        )
    });
    if path.ends_with(".json") {
        let departs = departs_from_indented(bytes, INDENTS[usize::from(own)]);
        notes.custom(Check::Form, "", departs.is_none(), || {
            let at = departs.unwrap_or_default();
            let line = bytes.iter().take(at).filter(|b| **b == b'\n').count() + 1;
            (
                format!("line {line} is not laid out as its writer lays out JSON"),
                "the same form in all files".to_owned(),
            )
        });
    }
}

/// Files that cannot be read.
pub fn problems(book: &mut Book, problems: &[Problem]) {
    for problem in problems {
        let field = problem.fault.field();
        book.at(&problem.file, "")
            .wrong(Check::Readable, field, problem.fault.to_string(), "");
    }
}

/// Files that have no place in a dataset.
pub fn strangers(book: &mut Book, dataset: &Dataset<'_>) {
    for path in &dataset.others {
        let folder = path.split('/').next().unwrap_or_default();
        if matches!(folder, "records" | "profile" | "kat") {
            book.at(path, "").wrong(
                Check::Place,
                "",
                "no file of a dataset is called so",
                "<candidate>/<label>__<operation>.json, or <candidate>/<label>.log under kat/",
            );
        }
    }
}

/// All that one candidate's files say of each other.
pub fn candidate(book: &mut Book, dataset: &Dataset<'_>, loaded: &Loaded, kind: Kind) {
    problems(book, &loaded.problems);
    let unreadable: BTreeSet<&str> = loaded.problems.iter().map(|p| p.file.as_str()).collect();
    for (label, instance) in &loaded.instances {
        let subject = format!("{}/{label}", loaded.candidate);
        let Some(entry) = &instance.entry else {
            let mut files = instance.timings.values().map(|piece| &piece.path);
            let file = files.next().or(instance.log.as_ref().map(|log| &log.path));
            let profile = instance.profiles.values().map(|piece| &piece.path).next();
            if let Some(file) = file.or(profile) {
                book.at(file, &subject).wrong(
                    Check::Links,
                    "label",
                    format!("build.json has no instance {subject}"),
                    "each file to be of a built instance",
                );
            }
            continue;
        };
        build_entry(book, &subject, entry);
        log(book, &loaded.candidate, label, instance, entry, &unreadable);
        for (operation, piece) in &instance.timings {
            let subject = format!("{subject}/{operation}");
            timing(book, &subject, &loaded.candidate, label, operation, piece);
            same_as_built(book, &subject, &piece.path, &piece.content, entry);
        }
        for (operation, piece) in &instance.profiles {
            let subject = format!("{subject}/{operation}");
            profile(book, &subject, &loaded.candidate, label, operation, piece);
        }
        complete(book, dataset, &loaded.candidate, label, instance, entry, kind);
    }
}

fn build_entry(book: &mut Book, subject: &str, entry: &BuildEntry) {
    let (candidate, label) = (&entry.candidate, &entry.label);
    let field = |name: &str| format!("instances.{subject}.{name}");
    let mut notes = book.at(crate::dataset::BUILDS, subject);
    let key = format!("{candidate}/{label}");
    notes.same(Check::Place, &field("label"), key.as_str(), subject);
    match entry.kat.parse::<Verdict>() {
        Ok(_) => {}
        Err(error) => notes.wrong(Check::Readable, &field("kat"), error.to_string(), ""),
    }
    let built = entry.kat != Verdict::BuildFail.as_str();
    notes.same(Check::Links, &field("library"), entry.library.is_some(), built);
    if let Some(library) = &entry.library {
        let expected = format!("{candidate}/lib/lib{label}.so");
        notes.same(Check::Place, &field("library"), library, &expected);
    }
    if let Some(path) = &entry.kat_log {
        let expected = format!("kat/{candidate}/{label}.log");
        notes.same(Check::Place, &field("kat_log"), path, &expected);
    }
    for (name, digest) in [
        ("library_sha256", &entry.library_sha256),
        ("kat_log_sha256", &entry.kat_log_sha256),
    ] {
        notes.same(Check::Links, &field(name), digest.is_some(), built);
        if let Some(digest) = digest {
            let hex = digest.len() == 64
                && digest
                    .bytes()
                    .all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b));
            notes.same(Check::Readable, &field(name), hex, true);
        }
    }
    notes.same(
        Check::Links,
        &field("elf_load_bytes"),
        entry.elf_load_bytes.is_some(),
        built,
    );
}

fn log(
    book: &mut Book,
    candidate: &CandidateId,
    label: &Label,
    instance: &Instance,
    entry: &BuildEntry,
    unreadable: &BTreeSet<&str>,
) {
    let subject = format!("{candidate}/{label}");
    let Some(piece) = &instance.log else {
        if let Some(path) = &entry.kat_log
            && !unreadable.contains(path.as_str())
        {
            book.at(path, &subject).wrong(
                Check::Links,
                "",
                "is missing",
                format!("the log that build.json names for {subject}"),
            );
        }
        return;
    };
    let mut notes = book.at(&piece.path, &subject);
    notes.same(
        Check::LogHash,
        "kat_log_sha256 in build.json",
        Some(&piece.content.sha256),
        entry.kat_log_sha256.as_ref(),
    );
    notes.same(
        Check::Links,
        "kat_log in build.json",
        Some(&piece.path),
        entry.kat_log.as_ref(),
    );
    let log = &piece.content.log;
    match log.result() {
        None => notes.wrong(
            Check::LogVerdict,
            "RESULT",
            "there is no RESULT line",
            "a verdict in the last one",
        ),
        Some(result) => {
            let said = (
                result.candidate.as_str(),
                result.instance.as_str(),
                result.verdict.as_str(),
            );
            let name = entry.instance.as_deref().unwrap_or_default();
            let expected = (candidate.as_str(), name, entry.kat.as_str());
            notes.same(Check::LogVerdict, "RESULT", said, expected);
        }
    }
    let library = format!("lib{label}.so");
    for (name, expected) in [
        ("id", candidate.as_str()),
        ("instance", entry.instance.as_deref().unwrap_or_default()),
    ] {
        if let Some(said) = log.field(name) {
            notes.same(Check::LogVerdict, name, said, expected);
        }
    }
    if let Some(said) = log.field("library") {
        notes.same(
            Check::LogVerdict,
            "library",
            said.rsplit('/').next(),
            Some(library.as_str()),
        );
    }
    // Records state the same lengths; D9 compares these among each other.
    for (operation, record) in &instance.timings {
        for (length, size) in [
            ("pk_len", "pk_bytes"),
            ("sk_len", "sk_bytes"),
            ("ct_len", "ct_bytes"),
            ("ss_len", "ss_bytes"),
            ("sn_len", "signature_bytes"),
        ] {
            if let Some(said) = log.field(length) {
                let declared = record.content.size(size).map(|bytes| bytes.to_string());
                let field = format!("{length} ({operation})");
                notes.same(Check::LogVerdict, &field, Some(said), declared.as_deref());
            }
        }
    }
}

fn timing(
    book: &mut Book,
    subject: &str,
    candidate: &CandidateId,
    label: &Label,
    operation: &Operation,
    piece: &Piece<TimingRecord>,
) {
    let record = &piece.content;
    let mut notes = book.at(&piece.path, subject);
    notes.same(
        Check::Place,
        "candidate",
        record.candidate.as_deref(),
        Some(candidate.as_str()),
    );
    notes.same(
        Check::Place,
        "label",
        record.label.as_deref(),
        Some(label.as_str()),
    );
    notes.same(
        Check::Place,
        "operation",
        &record.operation,
        &operation.record_name(),
    );
    notes.same(
        Check::Place,
        "input_bytes",
        record.input_bytes,
        operation.input_bytes(),
    );
}

fn profile(
    book: &mut Book,
    subject: &str,
    candidate: &CandidateId,
    label: &Label,
    operation: &Operation,
    piece: &Piece<ProfileRecord>,
) {
    let record = &piece.content;
    let mut notes = book.at(&piece.path, subject);
    notes.same(
        Check::Place,
        "candidate",
        record.candidate.as_deref(),
        Some(candidate.as_str()),
    );
    notes.same(
        Check::Place,
        "label",
        record.label.as_deref(),
        Some(label.as_str()),
    );
    notes.same(
        Check::Place,
        "operation",
        &record.operation,
        &operation.record_name(),
    );
    notes.same(
        Check::Place,
        "input_bytes",
        record.input_bytes,
        operation.input_bytes(),
    );
}

/// What a record repeats of its instance's build.
fn same_as_built(
    book: &mut Book,
    subject: &str,
    path: &str,
    record: &TimingRecord,
    entry: &BuildEntry,
) {
    let mut notes = book.at(path, subject);
    for (field, said, built) in [
        ("instance", &record.instance, &entry.instance),
        ("variant", &record.variant, &entry.variant),
        ("flags", &record.flags, &entry.flags),
        ("kat", &record.kat, &Some(entry.kat.clone())),
        ("library", &record.library, &entry.library),
        (
            "library_sha256",
            &record.library_sha256,
            &entry.library_sha256,
        ),
        ("kat_log", &record.kat_log, &entry.kat_log),
        (
            "kat_log_sha256",
            &record.kat_log_sha256,
            &entry.kat_log_sha256,
        ),
    ] {
        notes.same(Check::Links, field, said, built);
    }
    notes.same(
        Check::LogVerdict,
        "kat_not_passed",
        record.kat_not_passed,
        record.kat.as_ref().map(|kat| kat != Verdict::Pass.as_str()),
    );
}

/// Whether everything there should be of an instance is there.
fn complete(
    book: &mut Book,
    dataset: &Dataset<'_>,
    candidate: &CandidateId,
    label: &Label,
    instance: &Instance,
    entry: &BuildEntry,
    kind: Kind,
) {
    let timed = entry
        .kat
        .parse::<Verdict>()
        .is_ok_and(Verdict::is_timed);
    let records = &instance.timings;
    if !timed {
        for piece in records.values() {
            book.at(&piece.path, &format!("{candidate}/{label}")).wrong(
                Check::Links,
                "",
                format!("is there although the instance ended as {}", entry.kat),
                "no figures of it",
            );
        }
        return;
    }
    // None at all: excluded by a curated row, which pages say.
    if records.is_empty() && instance.profiles.is_empty() {
        let reason = "no timing records of this instance: excluded, or left out of the dataset";
        book.open(&format!("records/{candidate}/{label}__*.json"), "", reason);
        return;
    }
    let stated = records
        .values()
        .filter_map(|piece| piece.content.kex.get("kex_passes")?.as_u64());
    let wanted = operations(kind, stated.max().unwrap_or_default());
    let profiled = |operation: &Operation| match kind {
        Kind::Kem | Kind::Sig => true,
        Kind::Hash => false,
        Kind::Kex => *operation == Operation::Exchange(ExchangeStep::Exchange),
    };
    let any_profile = dataset
        .files_of(candidate)
        .iter()
        .any(|path| matches!(Place::of(path), Some(Place::Profile(..))));
    for operation in wanted {
        let subject = format!("{candidate}/{label}/{operation}");
        let record = artifacts::records::record_path(candidate, label, &operation);
        let profile = artifacts::records::profile_path(candidate, label, &operation);
        if dataset.files.has(&record) {
            book.ok(Check::Links);
        } else if profiled(&operation) && any_profile && !dataset.files.has(&profile) {
            book.open(
                &record,
                "",
                "neither timing nor profile of this operation is there: its calibration failed, or \
                 both were left out",
            );
            continue;
        } else {
            book.at(&record, &subject).wrong(
                Check::Links,
                "",
                "is missing",
                format!("a timing record of {operation} beside those of its other operations"),
            );
        }
        let complete = records
            .get(&operation)
            .is_some_and(|piece| piece.content.status == COMPLETE);
        if !profiled(&operation) || dataset.files.has(&profile) {
            book.ok(Check::Links);
        } else if any_profile && complete {
            book.at(&profile, &subject).wrong(
                Check::Links,
                "",
                "is missing",
                format!("a profile of {operation} beside the candidate's others"),
            );
        } else {
            book.open(&profile, "", "no profile of this operation was published");
        }
    }
}

/// The operations an instance should have records of; a key exchange has this many passes.
fn operations(kind: Kind, passes: u64) -> Vec<Operation> {
    if kind != Kind::Kex {
        return kind.operations();
    }
    let steps = [
        ExchangeStep::InitA,
        ExchangeStep::InitB,
        ExchangeStep::DeriveA,
        ExchangeStep::DeriveB,
        ExchangeStep::Exchange,
    ];
    let passes = u8::try_from(passes).unwrap_or_default();
    steps
        .into_iter()
        .chain((1..=passes).map(ExchangeStep::Pass))
        .map(Operation::Exchange)
        .collect()
}
