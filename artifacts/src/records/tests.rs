use super::*;
use crate::words::Verdict;
use serde::{Serialize, de::DeserializeOwned};
use std::path::{Path, PathBuf};

fn evidence() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/evidence/arm_1");
    if root.is_dir() {
        return Some(root);
    }
    println!(
        "skipped: the published evidence is not at {}",
        root.display()
    );
    None
}

fn files(root: &Path, folder: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for candidate in std::fs::read_dir(root.join(folder)).unwrap() {
        for file in std::fs::read_dir(candidate.unwrap().path()).unwrap() {
            found.push(file.unwrap().path());
        }
    }
    found
}

fn same_value<T: DeserializeOwned + Serialize>(path: &Path) -> T {
    let text = std::fs::read_to_string(path).unwrap();
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    let typed: T = serde_json::from_str(&text).unwrap();
    assert_eq!(
        serde_json::to_value(&typed).unwrap(),
        value,
        "{}",
        path.display()
    );
    typed
}

fn close(what: &str, ours: Option<f64>, published: Option<f64>) {
    match (ours, published) {
        (Some(a), Some(b)) => assert!((a - b).abs() <= 1e-9 * b.abs(), "{what}: {a} and {b}"),
        (a, b) => assert_eq!(a, b, "{what}"),
    }
}

#[test]
fn published_timing_records_survive_and_recompute() {
    let Some(root) = evidence() else { return };
    let files = files(&root, "records");
    assert_eq!(files.len(), 81);
    for path in files {
        let record: TimingRecord = same_value(&path);
        assert!(
            record.rest.is_empty(),
            "{}: {:?}",
            path.display(),
            record.rest
        );
        let (ours, theirs) = (record.recompute().unwrap(), &record.statistics);
        assert_eq!(ours.measurements, theirs.measurements);
        for (what, a, b) in [
            ("mean", ours.mean_seconds, theirs.mean_seconds),
            (
                "median",
                ours.median_trial_seconds,
                theirs.median_trial_seconds,
            ),
            ("min", ours.min_trial_seconds, theirs.min_trial_seconds),
            ("max", ours.max_trial_seconds, theirs.max_trial_seconds),
            ("cycles", ours.mean_cycles, theirs.mean_cycles),
            (
                "median cycles",
                ours.median_trial_cycles,
                theirs.median_trial_cycles,
            ),
            (
                "ops",
                ours.operations_per_second,
                theirs.operations_per_second,
            ),
            (
                "MB/s",
                ours.throughput_mb_per_second,
                theirs.throughput_mb_per_second,
            ),
        ] {
            close(&format!("{}: {what}", path.display()), a, b);
        }
        // the published sums are exactly rounded ones
        assert_eq!(ours.mean_seconds, theirs.mean_seconds, "{}", path.display());
    }
}

#[test]
fn published_profiles_survive_and_recompute() {
    let Some(root) = evidence() else { return };
    let files = files(&root, "profile");
    assert_eq!(files.len(), 53);
    for path in files {
        let record: ProfileRecord = same_value(&path);
        let ours = shares(&record.calls, record.total.as_ref().unwrap()).unwrap();
        close(
            "hash share",
            Some(ours.hash_share),
            Some(record.shares.hash_share),
        );
        assert_eq!(
            ours.share.keys().collect::<Vec<_>>(),
            record.shares.share.keys().collect::<Vec<_>>()
        );
        for (function, share) in &ours.share {
            close(function, Some(*share), Some(record.shares.share[function]));
        }
    }
}

#[test]
fn published_build_and_campaign_files_survive() {
    let Some(root) = evidence() else { return };
    let build: BuildFile = same_value(&root.join("build.json"));
    assert_eq!(build.instances["kem-06/BRA-128"].kat, "BUILDFAIL");
    let campaign: CampaignFile = same_value(&root.join("campaign.json"));
    assert_eq!(campaign.planning.unwrap().trial_target_s, 0.5);
}

#[test]
fn published_kat_logs_survive_and_agree_with_build_json() {
    let Some(root) = evidence() else { return };
    let build: BuildFile = same_value(&root.join("build.json"));
    for path in files(&root, "kat") {
        let text = std::fs::read_to_string(&path).unwrap();
        let log = KatLog::parse(&text);
        assert_eq!(log.to_string(), text);
        let candidate = path
            .parent()
            .unwrap()
            .file_name()
            .unwrap()
            .to_str()
            .unwrap();
        let label = path.file_stem().unwrap().to_str().unwrap();
        let entry = &build.instances[&format!("{candidate}/{label}")];
        let result = log.result().unwrap();
        assert_eq!(result.candidate, candidate);
        assert_eq!(Some(&result.instance), entry.instance.as_ref());
        assert_eq!(result.verdict.as_str(), entry.kat);
        assert_eq!(log.field("instance"), entry.instance.as_deref());
        assert_eq!(
            log.manifests().count() == 0,
            result.verdict == Verdict::NoKat
        );
    }
}

#[test]
fn figures_by_hand() {
    let trials = [
        Trial::from_nanoseconds(2, 2_000, Some(20)),
        Trial::from_nanoseconds(4, 8_000, Some(80)),
    ];
    // means 1 µs and 2 µs; 10 µs for 6 calls; 100 cycles for 6 calls
    let figures = statistics(&trials, 3).unwrap();
    assert_eq!(figures.measurements, Some(6));
    close("mean", figures.mean_seconds, Some(1e-5 / 6.0));
    close("median", figures.median_trial_seconds, Some(1.5e-6));
    close("min", figures.min_trial_seconds, Some(1e-6));
    close("max", figures.max_trial_seconds, Some(2e-6));
    close("cycles", figures.mean_cycles, Some(100.0 / 6.0));
    close("median cycles", figures.median_trial_cycles, Some(15.0));
    close("ops", figures.operations_per_second, Some(6e5));
    close("MB/s", figures.throughput_mb_per_second, Some(1.8));
    close("spread", figures.spread(), Some(0.6));

    let mut uncounted = trials.to_vec();
    uncounted[1].cycles = None;
    let figures = statistics(&uncounted, 0).unwrap();
    assert_eq!(figures.mean_cycles, None);
    assert_eq!(figures.throughput_mb_per_second, None);
}

#[test]
fn trials_that_give_no_figure() {
    let trial = Trial::from_nanoseconds;
    assert_eq!(statistics(&[], 0), Err(StatisticsError::NoTrials));
    assert_eq!(
        statistics(&[trial(1, 5, Some(9)), trial(1, 5, Some(0))], 0),
        Err(StatisticsError::ZeroCycles { trial: 2 })
    );
    assert_eq!(
        statistics(&[trial(0, 5, None)], 0),
        Err(StatisticsError::NoCalls { trial: 1 })
    );
    assert!(matches!(
        statistics(&[trial(1, 0, None)], 0),
        Err(StatisticsError::Time { trial: 1, .. })
    ));
    assert_eq!(
        shares(&[], &ProfileTotal::default()),
        Err(ShareError::NoTicks)
    );
}

#[test]
fn own_records_are_a_superset_and_unknown_fields_are_kept() {
    let text = r#"{"kind":"assay-timing","major":1,"minor":0,"schema":2,"status":"complete",
        "operation":"dec","host_problems":["turbo is on"],"event":"cycles","colour":"blue",
        "trials":[{"measurements":1,"seconds":0.5,"cycles":null,"note":1}]}"#;
    let record: TimingRecord = serde_json::from_str(text).unwrap();
    assert_eq!(record.candidate, None);
    assert_eq!(record.host_problems, ["turbo is on"]);
    let again = serde_json::to_value(&record).unwrap();
    assert_eq!(again["colour"], "blue");
    assert_eq!(again["trials"][0]["note"], 1);
    let bad = text.replace("0.5", "\"soon\"");
    assert!(serde_json::from_str::<TimingRecord>(&bad).is_err());
    let bad = text.replace("\"colour\":\"blue\"", "\"mean_seconds\":\"soon\"");
    assert!(serde_json::from_str::<TimingRecord>(&bad).is_err());
}

#[test]
fn logs_that_are_odd_are_kept() {
    for text in [
        "",
        "\n",
        "x",
        "RESULT\n",
        "RESULT a\n",
        "RESULT kem-1 an instance with blanks PASS \nRESULT kem-1 b MISMATCH: x\n",
        "manifest zz strict f\n",
        "a=b\n = c\n\nd  =  e \r\n",
    ] {
        assert_eq!(KatLog::parse(text).to_string(), text);
    }
    let log = KatLog::parse("RESULT kem-1 two words CRASH signal 11\nRESULT x\n");
    let result = log.result().unwrap();
    assert_eq!(result.instance, "two words");
    assert_eq!(result.verdict, Verdict::Crash);
    assert_eq!(result.detail, "signal 11");
}
