//! Any page, written and read, is the same page.

use artifacts::{Label, Operation};
use proptest::prelude::*;
use reports::model::{
    EvidenceRow, Fact, FactRow, Kat, KatRow, KemSizeRow, MessageRow, Page, PerfRow, Performance,
    ResourceRow, ShareRow, SizeTable, Sizes, Symmetric, Table, Titled,
};
use reports::reader::read;
use reports::{html, markdown};

/// Labels as the word's own rule allows them, without blanks at their ends.
fn label() -> impl Strategy<Value = Label> {
    "[^/\\s\u{0}-\u{1f}\u{7f}-\u{9f}_.-]([^/\\s\u{0}-\u{1f}\u{7f}-\u{9f}_]| [^/\\s\u{0}-\u{1f}\u{7f}-\u{9f}_]){0,12}"
        .prop_map(|text| Label::new(text).unwrap())
}

/// Text of people on one line, with all that Markdown or HTML might take for a mark.
fn text() -> impl Strategy<Value = String> {
    "[a-z0-9|*_`<>&#\\[\\]()~.!=+\"'$é…–-]{1,6}( [a-z0-9|*_`<>&#\\[\\]()~.!=+\"'$é…–-]{1,6}){0,5}"
}

fn prose() -> impl Strategy<Value = String> {
    text().prop_map(|text| format!("So: {text}"))
}

prop_compose! {
    fn perf()(instance in label(), n in 1u64..1000, mean in 1e-9..1e4f64, operation in 0..3usize) -> PerfRow {
        PerfRow {
            instance,
            operation: [Operation::Keygen, Operation::Enc, Operation::Dec][operation].clone(),
            cycles: reports::format::cycles(mean * 2e9),
            time: reports::format::time(mean),
            ops: reports::format::general(1.0 / mean),
            median: reports::format::time(mean * 1.001),
            n: reports::format::measurements(n * 5, 5, n, n % 3),
        }
    }
}

prop_compose! {
    fn page()(
        head in (prop::option::of(text()), text(), prop::collection::vec(prose(), 0..3), prose()),
        facts in prop::collection::vec(text(), 0..3),
        value in text(),
        kat in prop::collection::vec(label(), 0..4),
        notes in prop::collection::vec(prose(), 0..3),
        intros in (prose(), prose(), prose(), prose()),
        perf in prop::collection::vec(perf(), 0..4),
        other in (any::<bool>(), prop::option::of(text()), label()),
        root in prop::option::of(Just("blob:00ff".to_owned())),
    ) -> Page {
        let (hash, survey, one) = other;
        let share = ShareRow {
            instance: one.clone(),
            operation: Operation::Dec,
            hash: "94%".to_owned(),
            drng: "0.0%".to_owned(),
            calls: "drng 1, pseudoXOF 7.07".to_owned(),
        };
        Page {
            brand: head.0.filter(|brand| !brand.starts_with("Performance")),
            trail: Some("Performance measurements › local › kem-1 · system: local".to_owned()),
            candidate: "kem-1".parse().unwrap(),
            name: head.1,
            architecture: "x86-64".to_owned(),
            system: "local".parse().unwrap(),
            banners: head.2,
            intro: head.3,
            basic: ["Category", "Algorithm", "Sources"].iter().zip(facts).map(|(name, value)| Fact {
                name: (*name).to_owned(),
                value,
            }).collect(),
            environment: Table::new(vec![FactRow { item: "machine".to_owned(), value }]),
            kat: Kat {
                intro: intros.0,
                table: Table::new(kat.into_iter().map(|instance| KatRow {
                    instance,
                    flags: "guide".to_owned(),
                    kat: "CRASH [1] [2] (not timed)".to_owned(),
                }).collect()),
                notes,
            },
            resources: Titled {
                intro: intros.1,
                table: Table::new(perf.iter().map(|row| ResourceRow {
                    instance: row.instance.clone(),
                    operation: row.operation.clone(),
                    elf: "–".to_owned(),
                    baseline: "1420 KiB".to_owned(),
                    peak: "1500 KiB".to_owned(),
                }).collect()),
            },
            performance: if hash {
                Performance::Messages(Table::new(perf.iter().map(|row| MessageRow {
                    instance: row.instance.clone(),
                    message: "32 B".to_owned(),
                    cycles: row.cycles.clone(),
                    cycles_per_byte: "–".to_owned(),
                    time: row.time.clone(),
                    throughput: "7.8".to_owned(),
                    n: row.n.clone(),
                }).collect()))
            } else {
                Performance::Operations(Table::new(perf))
            },
            sizes: (!hash).then(|| Sizes {
                intro: intros.2,
                table: SizeTable::Kem(Table::new(vec![KemSizeRow {
                    instance: one.clone(),
                    public_key: "1".to_owned(),
                    secret_key: "2".to_owned(),
                    ciphertext: "–".to_owned(),
                    shared_secret: "4".to_owned(),
                }])),
            }),
            symmetric: (!hash).then(|| Symmetric {
                survey,
                intro: intros.3,
                table: Table::new(vec![share]),
            }),
            evidence: Titled {
                intro: "Paths are relative.".to_owned(),
                table: Table::new(vec![EvidenceRow {
                    file: format!("records/kem-1/{one}__dec.json"),
                    instance: one,
                    item: "timing dec".to_owned(),
                }]),
            },
            scripts: "Scripts: none.".to_owned(),
            root,
        }
    }
}

proptest! {
    #[test]
    fn any_page_survives_markdown(page in page()) {
        let text = markdown::page(&page).unwrap();
        prop_assert_eq!(read(&text).map_err(|error| TestCaseError::fail(format!("{error}\n{text}")))?, page);
    }

    #[test]
    fn any_page_survives_html(page in page()) {
        let text = html::page(&page).unwrap();
        prop_assert_eq!(read(&text).map_err(|error| TestCaseError::fail(format!("{error}\n{text}")))?, page);
    }

    #[test]
    fn no_text_makes_the_reader_fail_but_with_an_error(text in "(?s).{0,200}") {
        let _page_or_error = read(&text);
        let _page_or_error = read(&format!("<html>{text}"));
    }
}
