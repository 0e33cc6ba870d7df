//! The seeds, read.

use crate::dataset::seed;
use crate::seeds::{kem_09, kem_11, kem_33};
use crate::words::{assert_same, words};
use reports::model::{Performance, SizeTable};
use reports::reader::{ReadError, read};
use reports::{Page, html, markdown};

const ALL: [&str; 5] = [
    "arm_1-kem-09-CheetahKEM.txt",
    "arm_1-kem-11-COMPASS-KEM.txt",
    "arm_1-kem-33-QUBE.txt",
    "x86_1-kem-06-BRA.txt",
    "x86_1-sign-06-COMPASS-SIG.txt",
];

#[test]
fn every_seed_is_read_written_and_read_as_the_same_page() {
    for name in ALL {
        let Some(seed) = seed(name) else { return };
        let page = read(&seed).unwrap_or_else(|error| panic!("{name}: {error}"));
        let text = markdown::page(&page).unwrap();
        assert_same(&words(&text), &words(&seed));
        assert_eq!(read(&text).unwrap(), page, "{name}");
        assert_eq!(read(&html::page(&page).unwrap()).unwrap(), page, "{name}");
    }
}

#[test]
fn a_seed_read_is_the_page_that_its_evidence_gives() {
    let (Some(a), Some(b), Some(c)) = (kem_09(), kem_11(), kem_33()) else {
        return;
    };
    for (name, evidence) in ALL.iter().zip([a, b, c]) {
        let Some(seed) = seed(name) else { return };
        let mut page = Page::from_evidence(&evidence);
        let read = read(&seed).unwrap();
        // what two of the text extractions lost
        if read.basic.is_empty() {
            page.basic.clear();
        }
        if read.brand.is_none() {
            page.brand = None;
        }
        assert_eq!(page, read, "{name}");
    }
}

#[test]
fn the_signature_seed_has_all_its_rows() {
    let Some(seed) = seed(ALL[4]) else { return };
    let page = read(&seed).unwrap();
    assert_eq!(page.name, "COMPASS-SIG");
    assert_eq!(page.architecture, "x86-64");
    let Performance::Operations(perf) = &page.performance else {
        panic!("no operations");
    };
    assert_eq!(perf.rows.len(), 12);
    assert_eq!(perf.rows[4].cycles, "6.81 M");
    let Some(SizeTable::Sig(sizes)) = page.sizes.as_ref().map(|sizes| &sizes.table) else {
        panic!("no signature sizes");
    };
    assert_eq!(sizes.rows[3].signature, "9024");
    assert_eq!(page.evidence.table.rows.len(), 28);
    let figure = &page.figures()[8];
    assert_eq!(
        figure.cell.to_string(),
        "x86_1/sign-06/COMPASS-SIG-128/keygen/mean_cycles"
    );
    assert_eq!(figure.shown, "1.41 M");
}

#[test]
fn what_is_wrong_is_named_by_line_and_field() {
    let Some(seed) = seed(ALL[1]) else { return };
    let bad = seed.replace("keygen | 1.51 M", "keygen | 1.5l M");
    let line = 1 + seed.lines().position(|l| l.contains("1.51 M")).unwrap();
    assert_eq!(
        read(&bad),
        Err(ReadError::Field {
            line,
            field: "mean cycles".to_owned(),
            text: "1.5l M".to_owned()
        })
    );
    let bad = seed.replace("5. Resource consumption", "5. Resources");
    assert_eq!(
        read(&bad),
        Err(ReadError::Section {
            heading: "5. Resource consumption"
        })
    );
    let bad = seed.replace("enc | 1.53 M | 568 µs |", "enc | 1.53 M |");
    // the cell behind the lost one stands in its column
    let line = 1 + bad
        .lines()
        .position(|l| l.contains("enc | 1.53 M"))
        .unwrap();
    assert_eq!(
        read(&bad),
        Err(ReadError::Field {
            line,
            field: "mean time".to_owned(),
            text: "1.76e+03".to_owned()
        })
    );
    let bad = seed.replace("enc | 1.53 M", "enc | enc | 1.53 M");
    assert!(matches!(read(&bad), Err(ReadError::RowLength { .. })));
    assert_eq!(
        read("hello"),
        Err(ReadError::Section {
            heading: "1. Basic information"
        })
    );

    // in a table of words a bad row ends the table; it is not taken for text
    let Some(words) = crate::dataset::seed(ALL[0]) else {
        return;
    };
    for (good, bad) in [
        ("Cheetah128 enc 318.8 k", "Cheetah128 enc 318,8 k"),
        ("Cheetah512 dec 30752", "Cheetah512 dec x"),
        ("Cheetah256 guide PASS", "Cheetah256 guide pass"),
        ("Cheetah384 timing dec", "Cheetah384 timed dec"),
    ] {
        assert!(words.contains(good));
        let line = 1 + words.lines().position(|l| l.contains(good)).unwrap();
        match read(&words.replace(good, bad)) {
            Err(ReadError::Unexpected { line: found, .. }) => assert_eq!(found, line, "{bad}"),
            other => panic!("{bad}: {other:?}"),
        }
    }
}

#[test]
fn lines_of_html_are_named_too() {
    let Some(seed) = seed(ALL[1]) else { return };
    let html = html::page(&read(&seed).unwrap()).unwrap();
    let line = 1 + html
        .lines()
        .position(|l| l.contains(">2.40 M<") || l.contains(">6.46 M<"))
        .unwrap();
    match read(&html.replace(">6.46 M<", ">6.46 W<")) {
        Err(ReadError::Field {
            line: found, field, ..
        }) => {
            assert_eq!((found, field.as_str()), (line, "mean cycles"));
        }
        other => panic!("{other:?}"),
    }
}
