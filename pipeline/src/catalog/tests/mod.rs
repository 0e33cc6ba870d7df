//! See the modules.

mod format;
mod published;

use super::{Candidate, Catalog};
use artifacts::words::CandidateId;

fn candidate(id: &str) -> Candidate {
    let catalog = Catalog::embedded().unwrap();
    catalog.get(&CandidateId::new(id).unwrap()).unwrap().clone()
}

fn ids() -> Vec<String> {
    let catalog = Catalog::embedded().unwrap();
    catalog
        .iter()
        .map(|candidate| candidate.id.to_string())
        .collect()
}
