//! Pages with the campaign's root as their last line.

use super::PublishError;
use super::writer::Writer;
use crate::campaign::{Campaign, CandidateReceipt};
use crate::plan::{Step, StepName};
use artifacts::ArtifactId;
use artifacts::store::Store;

/// A candidate's page and the page of its cells.
pub fn write_candidate(
    store: &Store,
    page: &CandidateReceipt,
    root: ArtifactId,
    writer: &mut Writer,
) -> Result<(), PublishError> {
    let candidate = &page.page.candidate;
    for (role, file) in [
        ("page.md", format!("{candidate}.md")),
        ("page.html", format!("{candidate}.html")),
        ("cells.md", format!("{candidate}.cells.md")),
        ("cells.html", format!("{candidate}.cells.html")),
    ] {
        write(store, page.done.output(role)?, &file, root, writer)?;
    }
    Ok(())
}

/// The index and the size-audit page.
pub fn write_index(
    campaign: &Campaign<'_>,
    root: ArtifactId,
    writer: &mut Writer,
) -> Result<(), PublishError> {
    let index = campaign.step(&StepName {
        candidate: None,
        instance: None,
        operation: None,
        stage: Step::Index,
    })?;
    let Some(index) = index else {
        return Err(PublishError::NoPages(campaign.view().name.clone()));
    };
    for (file, id) in &index.receipt.outputs {
        write(campaign.store(), *id, file, root, writer)?;
    }
    Ok(())
}

fn write(
    store: &Store,
    id: ArtifactId,
    file: &str,
    root: ArtifactId,
    writer: &mut Writer,
) -> Result<(), PublishError> {
    let body = String::from_utf8_lossy(&store.get(id)?).into_owned();
    let root = root.to_string();
    let text = match file.ends_with(".html") {
        true => reports::html::with_root(&body, &root),
        false => reports::markdown::with_root(&body, &root),
    };
    writer.put(file, text.as_bytes())
}
