//! What must hold between the fields of a candidate's file. The form of each single field is checked
//! by its type.

use super::candidate::{Candidate, Instance};
use super::error::Fault;
use artifacts::words::Kind;
use contract::parameters::Glue;
use std::collections::BTreeSet;

/// Checks a candidate read from `<stem>.toml`.
pub(super) fn check(candidate: &Candidate, stem: &str) -> Result<(), Fault> {
    if candidate.id.as_str() != stem {
        return Err(Fault::FileName(candidate.id.clone()));
    }
    if candidate.archive.is_some() && candidate.package.is_some() {
        return Err(Fault::TwoSources);
    }
    if candidate.glue == Glue::Pqclean && !matches!(candidate.kind, Kind::Kem | Kind::Sig) {
        return Err(Fault::Primitive);
    }
    check_texts(candidate)?;
    if candidate.instances.is_empty() {
        return Err(Fault::NoInstance);
    }
    let mut labels = BTreeSet::new();
    for instance in &candidate.instances {
        if !labels.insert(&instance.label) {
            return Err(Fault::Duplicate(instance.label.to_string()));
        }
        check_build(candidate, instance)?;
        check_kat(candidate, instance)?;
        check_sizes(candidate.kind, instance)?;
    }
    let notes = candidate.kat_notes();
    match notes.iter().position(|note| note.instances.is_empty()) {
        Some(row) => Err(Fault::NoteMatchesNothing(row + 1)),
        None => Ok(()),
    }
}

/// Texts that pages show on one line.
fn check_texts(candidate: &Candidate) -> Result<(), Fault> {
    let survey = candidate.survey.as_ref();
    let shown = std::iter::once(("name", candidate.name.as_str()))
        .chain(survey.map(|s| ("survey.verdict", s.verdict.as_str())))
        .chain(survey.and_then(|s| Some(("survey.note", s.note.as_deref()?))))
        .chain(
            candidate
                .archive
                .iter()
                .map(|a| ("archive.file", a.file.as_str())),
        )
        .chain(
            candidate
                .kat_rows
                .iter()
                .map(|row| ("kat-note.cause", row.cause.as_str())),
        );
    for (field, text) in shown {
        if text.trim().is_empty() || text.chars().any(char::is_control) {
            return Err(Fault::Text(field));
        }
    }
    Ok(())
}

fn check_build(candidate: &Candidate, instance: &Instance) -> Result<(), Fault> {
    let label = || instance.label.to_string();
    match (candidate.glue, &instance.namespace) {
        (Glue::Pqclean, None) => return Err(Fault::NoNamespace(label())),
        (Glue::Iccs, Some(_)) => return Err(Fault::Namespace(label())),
        _ => {}
    }
    if !instance.sources.is_empty() && !instance.exclude.is_empty() {
        return Err(Fault::ListAndRule(label()));
    }
    let harmful = |header: &[u8]| {
        header
            .iter()
            .any(|b| matches!(b, b'"' | b'\\') || b.is_ascii_control())
    };
    if instance
        .header
        .as_ref()
        .is_some_and(|header| harmful(header.as_bytes()))
    {
        return Err(Fault::Header(label()));
    }
    Ok(())
}

fn check_kat(candidate: &Candidate, instance: &Instance) -> Result<(), Fault> {
    let mut names = BTreeSet::new();
    for reference in &instance.kat {
        let label = instance.label.to_string();
        let file = reference.file.to_string();
        if !names.insert(reference.file.file_name()) {
            return Err(Fault::TwoReferences { label, file });
        }
        if reference.digest.is_none() && reference.mode.is_some() {
            return Err(Fault::ModeWithoutDigest { label, file });
        }
        if let Some(mode) = &reference.mode
            && (mode.as_str() == "nistkat") != (candidate.glue == Glue::Pqclean)
        {
            return Err(Fault::Mode {
                label,
                mode: mode.to_string(),
            });
        }
    }
    Ok(())
}

fn check_sizes(kind: Kind, instance: &Instance) -> Result<(), Fault> {
    let sizes = &instance.sizes;
    let objects = [
        ("public key", sizes.public_key, kind != Kind::Hash),
        ("ciphertext", sizes.ciphertext, kind == Kind::Kem),
        ("signature", sizes.signature, kind == Kind::Sig),
    ];
    for (object, size, has) in objects {
        if size.is_some() && !has {
            let label = instance.label.to_string();
            return Err(Fault::Size {
                label,
                primitive: kind.as_str(),
                object,
            });
        }
    }
    Ok(())
}
