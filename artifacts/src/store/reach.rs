//! Which artifacts an artifact names, and what is reached from a set of them.
//!
//! One rule serves receipts, trees, roots, nodes and what comes later: an artifact that opens with
//! `{"kind":"assay-` and is JSON is a document, and every text in it that is an artifact id is a
//! link. Following one link too many (a candidate may print such a text) only keeps more than need
//! be; nothing is ever taken for a receipt because it looks like one.

use super::blobs::Presence;
use super::error::StoreError;
use super::opening::Store;
use crate::id::ArtifactId;
use serde_json::Value;
use std::collections::HashSet;
use std::io::Read;

/// How every document begins: its header is its first field, written without white space.
const OPENING: &[u8] = br#"{"kind":"assay-"#;

/// No document comes near this size; what is larger is data, whatever it looks like.
const LARGEST: u64 = 256 << 20;

impl Store {
    /// The artifacts that this one names; none when it is not a document. Only documents are read
    /// whole and checked.
    ///
    /// # Errors
    /// When it is not there, cannot be read, or is a damaged document.
    pub(super) fn links(&self, id: ArtifactId) -> Result<Vec<ArtifactId>, StoreError> {
        let opened = self.open_any(id)?;
        let mut head = Vec::with_capacity(OPENING.len());
        opened
            .file
            .take(OPENING.len() as u64)
            .read_to_end(&mut head)?;
        if head != OPENING || opened.size > LARGEST {
            return Ok(Vec::new());
        }
        let mut links = Vec::new();
        if let Ok(json) = serde_json::from_slice::<Value>(&self.get(id)?) {
            collect(&json, &mut links);
        }
        Ok(links)
    }

    /// Everything that is reached from these artifacts, themselves included. What is named but not
    /// there has no links to follow, so it is no error here.
    pub(super) fn reached(
        &self,
        roots: impl IntoIterator<Item = ArtifactId>,
        presence: &Presence,
    ) -> Result<HashSet<ArtifactId>, StoreError> {
        let mut reached = HashSet::new();
        let mut open: Vec<ArtifactId> = roots.into_iter().collect();
        while let Some(id) = open.pop() {
            if reached.insert(id) && presence.has(&id) {
                open.extend(self.links(id)?);
            }
        }
        Ok(reached)
    }
}

fn collect(json: &Value, links: &mut Vec<ArtifactId>) {
    match json {
        Value::String(text) => links.extend(text.parse::<ArtifactId>()),
        Value::Array(items) => items.iter().for_each(|item| collect(item, links)),
        Value::Object(fields) => fields.values().for_each(|item| collect(item, links)),
        _ => {}
    }
}
