//! Pages of every kind of candidate from published evidence. The figures expected are those of the
//! publisher's own arm_1 pages.

use crate::dataset::{arm_1, evidence};
use artifacts::words::{Kind, Verdict};
use reports::evidence::{KatAction, KatNote};
use reports::model::{KexSizeRow, Performance, Row, SizeTable};
use reports::reader::read;
use reports::{Page, cells, html, markdown};

/// The page, which must survive being written and read.
fn page(candidate: &str, name: &str, kind: Kind) -> Option<Page> {
    let evidence = evidence(&arm_1()?, candidate, name, kind);
    let page = Page::from_evidence(&evidence);
    assert_eq!(read(&markdown::page(&page).unwrap()).unwrap(), page);
    assert_eq!(read(&html::page(&page).unwrap()).unwrap(), page);
    let cells = cells(&page, &evidence);
    let figures = page.figures();
    assert!(
        cells
            .iter()
            .all(|c| c.exact != c.shown || !c.evidence.is_empty())
    );
    assert!(figures.len() >= cells.len());
    Some(page)
}

fn operations(page: &Page) -> Vec<String> {
    let Performance::Operations(table) = &page.performance else {
        panic!("no operations");
    };
    table
        .rows
        .iter()
        .map(|row| row.cells().join(" | "))
        .collect()
}

#[test]
fn signature() {
    let Some(page) = page("sign-06", "COMPASS-SIG", Kind::Sig) else {
        return;
    };
    assert_eq!(
        page.basic[0].value,
        "public-key algorithm; function: digital signature"
    );
    let rows = operations(&page);
    assert_eq!(rows.len(), 12);
    assert!(rows[1].starts_with("COMPASS-SIG-128 | sign | "));
    let Some(SizeTable::Sig(sizes)) = page.sizes.map(|sizes| sizes.table) else {
        panic!("no signature sizes");
    };
    // the same submission's sizes on its x86_1 page
    assert_eq!(
        sizes.rows[0].cells(),
        ["COMPASS-SIG-128", "1664", "960", "2080"]
    );
    assert_eq!(
        sizes.rows[3].cells(),
        ["COMPASS-SIG-512", "7648", "4608", "9024"]
    );
}

#[test]
fn hash() {
    let Some(page) = page("hash-13", "JuziHash", Kind::Hash) else {
        return;
    };
    let Performance::Messages(table) = &page.performance else {
        panic!("no messages");
    };
    let rows: Vec<String> = table
        .rows
        .iter()
        .map(|row| row.cells().join(" | "))
        .collect();
    assert_eq!(rows.len(), 16);
    assert_eq!(
        rows[0],
        "JuziHash-512 | 32 B | 133.3 k | 4165.2 | 49.4 µs | 0.6 | 54485 (5 × 10897)"
    );
    assert_eq!(
        rows[15],
        "JuziHash-1024 | 65536 B | 22.77 M | 347.4 | 8.45 ms | 7.8 | 370 (5 × 74)"
    );
    assert_eq!(
        page.resources.table.rows[7].cells().join(" | "),
        "JuziHash-512 | hash_65536 | 11444 | 1464 KiB | 1528 KiB"
    );
    assert!(page.sizes.is_none() && page.symmetric.is_none());
    // alphabetical in the index of evidence
    assert_eq!(page.evidence.table.rows[1].item, "timing hash_1024");
    assert_eq!(page.evidence.table.rows[4].item, "timing hash_32");
}

#[test]
fn key_exchange() {
    let Some(page) = page("kex-07", "NEV-AKE", Kind::Kex) else {
        return;
    };
    let rows = operations(&page);
    assert_eq!(
        rows[0],
        "NEV_AKE_512_769 | exchange | 668.8 k | 248 µs | 4.03e+03 | 248 µs | 12575 (5 × 2515)"
    );
    assert_eq!(
        rows[6],
        "NEV_AKE_512_769 | derive_b | 183 | 23.1 ns | 4.33e+07 | 23.6 ns | 12575 (5 × 2515)"
    );
    assert_eq!(
        rows[13],
        "NEV_AKE_512_769_C | derive_b | 182 | 23.8 ns | 4.2e+07 | 23.6 ns | 13345 (5 × 2669)"
    );
    let Some(SizeTable::Kex(sizes)) = page.sizes.map(|sizes| sizes.table) else {
        panic!("no sizes of a key exchange");
    };
    let row: &KexSizeRow = &sizes.rows[1];
    // public keys of both parties: 2 × 615; bandwidth: messages and public keys
    assert_eq!(
        row.cells().join(" | "),
        "NEV_AKE_512_769_C | 2 | 1127 / 1127 | 2254 | 1230 | 3484 | 1246 | 16"
    );
    let symmetric = page.symmetric.unwrap();
    assert_eq!(
        symmetric.table.rows[0].cells().join(" | "),
        "NEV_AKE_512_769 | exchange | 56% | 5.1% | drng 8, pseudoXOF 22, sm3hash 25"
    );
    assert_eq!(symmetric.table.rows.len(), 2);
}

#[test]
fn what_did_not_build() {
    let Some(page) = page("kem-06", "BRA", Kind::Kem) else {
        return;
    };
    let rows: Vec<String> = page
        .kat
        .table
        .rows
        .iter()
        .map(|r| r.cells().join(" | "))
        .collect();
    assert_eq!(rows[0], "BRA-128 | harness-default | BUILDFAIL");
    assert_eq!(rows.len(), 3);
    assert!(operations(&page).is_empty());
    assert!(page.evidence.table.rows.is_empty());
}

#[test]
fn notes_failures_and_missing_figures() {
    let Some(root) = arm_1() else { return };
    let mut evidence = evidence(&root, "kem-09", "CheetahKEM", Kind::Kem);
    let labels: Vec<_> = evidence.instances.iter().map(|i| i.label.clone()).collect();
    let note = |instances: &[usize], action, cause: &str| KatNote {
        instances: instances.iter().map(|i| labels[*i].clone()).collect(),
        action,
        cause: cause.to_owned(),
    };
    evidence.kat_notes = vec![
        note(&[0], KatAction::Measure, "KAT TIMEOUT on slow machines"),
        note(&[3], KatAction::Exclude, "writes past\nits buffer"),
        note(&[1], KatAction::Measure, "KAT TIMEOUT here."),
    ];
    evidence.instances[1].verdict = Verdict::Timeout;
    evidence.instances[3].verdict = Verdict::Overflow;
    let timings = &mut evidence.instances[0].timings;
    for (index, filed) in timings.values_mut().enumerate() {
        if index == 0 {
            filed.content.status = "timeout".to_owned();
        } else {
            filed.content.statistics.mean_cycles = None;
        }
    }
    let page = Page::from_evidence(&evidence);
    let kat: Vec<&str> = page
        .kat
        .table
        .rows
        .iter()
        .map(|row| row.kat.as_str())
        .collect();
    assert_eq!(
        kat,
        ["PASS", "TIMEOUT [1]", "PASS", "OVERFLOW [2] (not timed)"]
    );
    assert_eq!(
        page.kat.notes,
        [
            "KAT TIMEOUT here. These instances are timed anyway; their output is not validated.",
            "writes past its buffer."
        ]
    );
    let rows = operations(&page);
    assert_eq!(rows[0], "Cheetah128 | keygen | failed | – | – | – | –");
    assert_eq!(
        rows[1],
        "Cheetah128 | enc | – | 118 µs | 8.45e+03 | 118 µs | 26090 (5 × 5218)"
    );
    assert_eq!(read(&markdown::page(&page).unwrap()).unwrap(), page);
}
