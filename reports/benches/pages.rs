//! Renders the pages of 119 candidates, as many as there were submissions, and says what a page costs
//! and how that compares with only writing the same bytes to a file. Own made-up evidence: 4
//! instances, 3 operations each, 5 trials, profiles for all.
//!
//! `cargo bench -p reports`

use artifacts::records::{
    COMPLETE, Call, Plan, ProfileRecord, ProfileTotal, TimingRecord, Trial, shares,
};
use artifacts::words::{Flags, Kind, Verdict};
use artifacts::{ArtifactId, Operation};
use reports::evidence::{
    ApiSizes, CuratedSizes, Evidence, Filed, HostTable, InstanceEvidence, KatLogFile, Origin,
};
use reports::site::cells_page;
use reports::{Page, cells, html, markdown, reader};
use std::error::Error;
use std::io::Write;
use std::time::{Duration, Instant};

const CANDIDATES: usize = 119;

fn timing(
    candidate: usize,
    label: &str,
    operation: &Operation,
) -> Result<Filed<TimingRecord>, Box<dyn Error>> {
    let trials: Vec<Trial> = (0..5u64)
        .map(|n| {
            Trial::from_nanoseconds(
                1000,
                1_000_000 * (candidate as u64 + n + 1),
                Some(5_000_000 + n),
            )
        })
        .collect();
    let mut record = TimingRecord {
        status: COMPLETE.to_owned(),
        operation: operation.to_string(),
        plan: Some(Plan {
            iterations_per_trial: 1000,
            trials: 5,
            ..Plan::default()
        }),
        trials,
        baseline_rss_bytes: Some(1 << 20),
        peak_rss_bytes: Some(1 << 21),
        ..TimingRecord::default()
    };
    record.statistics = record.recompute()?;
    Ok(Filed {
        path: format!("records/kem-{candidate}/{label}__{operation}.json"),
        id: Some(ArtifactId::of(label.as_bytes())),
        content: record,
    })
}

fn profile(
    candidate: usize,
    label: &str,
    operation: &Operation,
) -> Result<Filed<ProfileRecord>, Box<dyn Error>> {
    let calls: Vec<Call> = ["drng", "pseudoXOF", "sm3hash"]
        .into_iter()
        .map(|function| Call {
            function: function.to_owned(),
            in_bits: 256,
            out_bits: 512,
            calls: 7000,
            ticks: 1000,
            rest: serde_json::Map::new(),
        })
        .collect();
    let total = ProfileTotal {
        operations: 1000,
        ticks: 9000,
        ..ProfileTotal::default()
    };
    Ok(Filed {
        path: format!("profile/kem-{candidate}/{label}__{operation}.json"),
        id: Some(ArtifactId::of(label.as_bytes())),
        content: ProfileRecord {
            status: COMPLETE.to_owned(),
            shares: shares(&calls, &total)?,
            total: Some(total),
            calls,
            ..ProfileRecord::default()
        },
    })
}

fn evidence(candidate: usize) -> Result<Evidence, Box<dyn Error>> {
    let operations = Kind::Kem.operations();
    let mut instances = Vec::new();
    for bits in [128, 256, 384, 512] {
        let label = format!("EXAMPLE-{bits}");
        let mut timings = std::collections::BTreeMap::new();
        let mut profiles = std::collections::BTreeMap::new();
        for operation in &operations {
            timings.insert(operation.clone(), timing(candidate, &label, operation)?);
            profiles.insert(operation.clone(), profile(candidate, &label, operation)?);
        }
        instances.push(InstanceEvidence {
            flags: Flags::Guide,
            verdict: Verdict::Pass,
            kat_log: Some(KatLogFile {
                path: format!("kat/kem-{candidate}/{label}.log"),
                sha256: "0123456789abcdef".repeat(4),
            }),
            elf_load_bytes: Some(24_544),
            library: None,
            api: Some(ApiSizes {
                public_key: Some(800),
                secret_key: Some(1600),
                ciphertext: Some(768),
                shared_secret: Some(32),
                ..ApiSizes::default()
            }),
            curated: CuratedSizes::default(),
            timings,
            profiles,
            label: label.parse()?,
        });
    }
    Ok(Evidence {
        origin: Origin::Own,
        system: "local".parse()?,
        systems: vec!["local".parse()?],
        architecture: "x86_64".to_owned(),
        candidate: format!("kem-{candidate}").parse()?,
        name: "Example".to_owned(),
        kind: Kind::Kem,
        control: false,
        variants: vec!["reference".to_owned()],
        sources: None,
        environment: HostTable::default(),
        started_utc: None,
        ended_utc: None,
        host_problems: Vec::new(),
        instances,
        kat_notes: Vec::new(),
        survey: None,
    })
}

fn timed<T>(
    work: impl FnOnce() -> Result<T, Box<dyn Error>>,
) -> Result<(T, Duration), Box<dyn Error>> {
    let start = Instant::now();
    let result = work()?;
    Ok((result, start.elapsed()))
}

fn main() -> Result<(), Box<dyn Error>> {
    let all: Vec<Evidence> = (1..=CANDIDATES).map(evidence).collect::<Result<_, _>>()?;
    let (texts, rendering) = timed(|| {
        let mut texts = Vec::new();
        for evidence in &all {
            let page = Page::from_evidence(evidence);
            texts.push(markdown::page(&page)?);
            texts.push(html::page(&page)?);
            texts.push(html::write(&cells_page(&page, &cells(&page, evidence)))?);
        }
        Ok(texts)
    })?;
    let bytes: usize = texts.iter().map(String::len).sum();
    let folder = tempfile::tempdir()?;
    let ((), writing) = timed(|| {
        for (index, text) in texts.iter().enumerate() {
            std::fs::File::create(folder.path().join(index.to_string()))?
                .write_all(text.as_bytes())?;
        }
        Ok(())
    })?;
    let ((), reading) = timed(|| {
        for text in texts.iter().enumerate().filter(|(index, _)| index % 3 != 2) {
            reader::read(text.1)?;
        }
        Ok(())
    })?;
    let each = |time: Duration, n: usize| time.as_secs_f64() * 1e3 / n as f64;
    println!(
        "rendered {CANDIDATES} candidates, {} files, {:.1} MB in {:.0} ms: {:.2} ms a candidate, {:.1} × writing them",
        texts.len(),
        bytes as f64 / 1e6,
        rendering.as_secs_f64() * 1e3,
        each(rendering, CANDIDATES),
        rendering.as_secs_f64() / writing.as_secs_f64(),
    );
    println!(
        "read back in {:.2} ms a page",
        each(reading, 2 * CANDIDATES)
    );
    Ok(())
}
