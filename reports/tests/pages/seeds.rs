//! Pages built from published evidence say what the seeds say, word for word.

use crate::dataset::{arm_1, evidence, seed};
use crate::words::{assert_same, words};
use artifacts::words::Kind;
use reports::evidence::{KatAction, KatNote, Survey};
use reports::{Evidence, Page, markdown};

/// The cause that the curated rows give for kem-33, from its seed.
pub const QUBE_CAUSE: &str = "The reference sources reproduce their own in-tree KAT files byte for \
    byte, but the top-level Test_Vectors carry the optimized implementation's key and ciphertext \
    sizes at four levels, and no top-level qube-192 vector was submitted (kem-33/README.md, \
    pseudocode.md).";

pub fn kem_09() -> Option<Evidence> {
    Some(evidence(&arm_1()?, "kem-09", "CheetahKEM", Kind::Kem))
}

pub fn kem_11() -> Option<Evidence> {
    let mut evidence = evidence(&arm_1()?, "kem-11", "COMPASS-KEM", Kind::Kem);
    evidence.survey = Some(Survey {
        verdict: "ICCS-only".to_owned(),
        note: Some("shake* names are shims over pseudoXOF".to_owned()),
    });
    Some(evidence)
}

pub fn kem_33() -> Option<Evidence> {
    let mut evidence = evidence(&arm_1()?, "kem-33", "QUBE", Kind::Kem);
    evidence.kat_notes = vec![KatNote {
        instances: evidence.instances.iter().map(|i| i.label.clone()).collect(),
        action: KatAction::Measure,
        cause: QUBE_CAUSE.to_owned(),
    }];
    Some(evidence)
}

/// What the page says, as words.
fn ours(page: &Page) -> String {
    words(&markdown::page(page).unwrap())
}

#[test]
fn kem_11_says_what_its_seed_says() {
    let (Some(evidence), Some(seed)) = (kem_11(), seed("arm_1-kem-11-COMPASS-KEM.txt")) else {
        return;
    };
    assert_same(&ours(&Page::from_evidence(&evidence)), &words(&seed));
}

#[test]
fn kem_09_says_what_its_seed_says_but_for_the_section_the_seed_lost() {
    let (Some(evidence), Some(seed)) = (kem_09(), seed("arm_1-kem-09-CheetahKEM.txt")) else {
        return;
    };
    let mut page = Page::from_evidence(&evidence);
    assert_eq!(page.basic.len(), 7);
    page.basic.clear();
    assert_same(&ours(&page), &words(&seed));
}

#[test]
fn kem_33_says_what_its_seed_says_but_for_the_line_the_seed_lost() {
    let (Some(evidence), Some(seed)) = (kem_33(), seed("arm_1-kem-33-QUBE.txt")) else {
        return;
    };
    let mut page = Page::from_evidence(&evidence);
    assert_eq!(page.brand.take().as_deref(), Some("ngcc.dev"));
    assert_same(&ours(&page), &words(&seed));
}
