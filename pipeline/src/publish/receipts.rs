//! `receipts.jsonl`: the Merkle tree under the root, so that whoever has only the publication can
//! check that every figure's receipt is under it.
//!
//! The first line is a header. Every other line is an artifact as it is in the store: the BLAKE3 of
//! the line, without its end, is its id. First the root, then the candidates' nodes, then the
//! receipts they name, then those of the pages, which the root does not cover.

use super::PublishError;
use super::writer::{Hashed, Writer};
use crate::campaign::Campaign;
use artifacts::ArtifactId;
use artifacts::format::Format;
use artifacts::store::{CAMPAIGN, Campaign as Root, Store};
use std::collections::BTreeSet;
use std::io::Write;

/// The version of receipt files this program writes. 1.0: first.
pub const RECEIPTS: Format = Format {
    kind: "assay-receipts",
    major: 1,
    minor: 0,
};

/// The file's name.
pub const FILE: &str = "receipts.jsonl";

/// Writes the file.
pub fn write(
    campaign: &Campaign<'_>,
    root: ArtifactId,
    writer: &mut Writer,
) -> Result<(), PublishError> {
    let view = campaign.view();
    let node: Root = campaign.store().get_json(root, CAMPAIGN)?;
    let mut file = writer.begin(FILE)?;
    let header = serde_json::to_vec(&RECEIPTS.header()).map_err(|source| PublishError::Json {
        path: FILE.to_owned(),
        source,
    })?;
    file.write_all(&header)?;
    file.write_all(b"\n")?;
    let mut seen = BTreeSet::new();
    let tree = std::iter::once(root).chain(node.candidates.into_values());
    let receipts = view.steps.values().chain(view.pages.values()).copied();
    for id in tree.chain(receipts) {
        // Steps with the same key share a receipt.
        if seen.insert(id) {
            line(&mut file, campaign.store(), id)?;
        }
    }
    writer.end(file)
}

fn line(file: &mut Hashed, store: &Store, id: ArtifactId) -> Result<(), PublishError> {
    file.write_all(&store.get(id)?)?;
    file.write_all(b"\n")?;
    Ok(())
}
