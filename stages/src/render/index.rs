//! The index and the size-audit page.

use super::{PageSummary, RenderError, SUMMARY, template};
use artifacts::ArtifactId;
use artifacts::store::Store;
use artifacts::words::CandidateId;
use contract::Request;
use contract::parameters::IndexPage;
use reports::site::{Index, MissingRow, size_audit};
use reports::{html, markdown};
use std::collections::BTreeMap;

/// Renders both pages.
pub fn render(
    request: &Request,
    store: &Store,
    page: &IndexPage,
) -> Result<BTreeMap<String, ArtifactId>, RenderError> {
    let mut index = Index {
        system: request.subject.system.clone(),
        banners: page.banners.clone(),
        candidates: Vec::new(),
        missing: missing(page)?,
        yardstick: Vec::new(),
    };
    let mut sizes = Vec::new();
    for (_, id) in request.inputs_of("summary") {
        let summary: PageSummary = store.get_json(id, SUMMARY)?;
        index.candidates.push(summary.row);
        index.yardstick.extend(summary.yardstick);
        sizes.extend(summary.sizes);
    }
    let index = index.document();
    let audit = size_audit(&request.subject.system, &sizes);
    let mut outputs = BTreeMap::new();
    for (name, document) in [("index", &index), ("size-audit", &audit)] {
        let text = markdown::write(document).map_err(template)?;
        outputs.insert(format!("{name}.md"), store.put_bytes(text.as_bytes())?);
        let text = html::write(document).map_err(template)?;
        outputs.insert(format!("{name}.html"), store.put_bytes(text.as_bytes())?);
    }
    Ok(outputs)
}

fn missing(page: &IndexPage) -> Result<Vec<MissingRow>, RenderError> {
    page.missing
        .iter()
        .map(|[candidate, name, kind, command]| {
            let role = |source| RenderError::Role {
                role: candidate.clone(),
                source,
            };
            Ok(MissingRow {
                candidate: CandidateId::new(candidate).map_err(role)?,
                name: name.clone(),
                kind: kind.parse().map_err(role)?,
                command: command.clone(),
            })
        })
        .collect()
}
