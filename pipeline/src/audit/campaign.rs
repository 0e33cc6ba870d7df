//! Level 2 on `campaign.json`, and on what no single record can tell: what ran at the same time on
//! the same core, and whether all records of one session state the same machine.

use super::book::{Book, shown};
use super::check::Check;
use super::facts::{Facts, in_seconds};
use super::timing::instant;
use crate::dataset::{CAMPAIGN, Dataset, environment};
use artifacts::records::{CampaignFile, TimingRecord};
use chrono::{DateTime, Utc};
use std::collections::BTreeMap;
use systems::System;
use systems::flags::{GuideVersion, HARNESS_ADDITIONS};

/// Phases of the published harness and of assay before which a host is checked.
const PHASES: [&str; 5] = ["build", "baseline", "calibrate", "measure", "profile"];

/// Checks `campaign.json`.
pub fn file(book: &mut Book, dataset: &Dataset<'_>, facts: &Facts<'_>) {
    let Some(campaign) = &dataset.campaign else {
        return;
    };
    let mut notes = book.at(CAMPAIGN, "");
    match &facts.system {
        Some(system) => registered(book, campaign, system, facts),
        None => notes.open(
            "system_id",
            "not a registered system: its planning and machine are held to nothing else",
        ),
    }
    let mut notes = book.at(CAMPAIGN, "");
    for (field, text) in [
        ("started_utc", &campaign.started_utc),
        ("ended_utc", &campaign.ended_utc),
    ] {
        let read = text.is_none() || instant(text.as_deref()).is_some();
        notes.holds(Check::Campaign, field, read, || {
            (shown(text), "an instant of RFC 3339".to_owned())
        });
    }
    if let (Some(started), Some(ended)) = (facts.started, facts.ended) {
        notes.holds(Check::Campaign, "ended_utc", started <= ended, || {
            (ended.to_string(), format!("not before the start, {started}"))
        });
    }
    for (index, check) in campaign.host_checks.iter().enumerate() {
        let field = |name: &str| format!("host_checks[{index}].{name}");
        notes.holds(
            Check::Campaign,
            &field("phase"),
            PHASES.contains(&check.phase.as_str()),
            || (check.phase.clone(), PHASES.join(", ")),
        );
        let time = instant(Some(&check.utc));
        let within = time.is_some_and(|time| {
            facts.started.is_none_or(|from| from <= time) && facts.ended.is_none_or(|to| time <= to)
        });
        notes.holds(Check::Campaign, &field("utc"), within, || {
            (check.utc.clone(), "an instant within the campaign".to_owned())
        });
        let measures = matches!(check.phase.as_str(), "measure" | "profile");
        if measures && !facts.own {
            let clean = check.problems.is_empty() || !campaign.host_problems.is_empty();
            notes.holds(Check::Host, &field("problems"), clean, || {
                (
                    check.problems.join("; "),
                    "none, as campaign.json claims a fixed host".to_owned(),
                )
            });
        }
    }
    fixed(book, campaign);
}

/// A campaign that states no problems claims a fixed host.
fn fixed(book: &mut Book, campaign: &CampaignFile) {
    let mut notes = book.at(CAMPAIGN, "");
    if !campaign.host_problems.is_empty() {
        notes.open(
            "host_problems",
            "the campaign states that its host was not fixed",
        );
        return;
    }
    let machine = environment(&campaign.environment_at_end);
    let rules = [
        (
            "cpufreq_governor",
            machine.cpufreq_governor.clone(),
            &["performance"][..],
        ),
        ("cpufreq_boost", machine.cpufreq_boost.clone(), &["0"]),
        (
            "intel_pstate_no_turbo",
            machine.intel_pstate_no_turbo.clone(),
            &["1"],
        ),
        (
            "perf_event_paranoid",
            machine.perf_event_paranoid.clone(),
            &["-1", "0", "1", "2"],
        ),
        (
            "smt_control",
            machine.smt_control.clone(),
            &["off", "forceoff", "notsupported", "notimplemented"],
        ),
    ];
    for (field, said, allowed) in rules {
        if let Some(said) = said {
            let field = format!("environment_at_end.{field}");
            notes.holds(
                Check::Host,
                &field,
                allowed.contains(&said.as_str()),
                || (said.clone(), allowed.join(" or ")),
            );
        }
    }
    notes.holds(
        Check::Host,
        "environment_at_end.virtualized",
        machine.virtualized != Some(true),
        || ("true".to_owned(), "false on a fixed host".to_owned()),
    );
}

/// What the file must say of a registered system.
fn registered(book: &mut Book, campaign: &CampaignFile, system: &System, facts: &Facts<'_>) {
    let mut notes = book.at(CAMPAIGN, "");
    // A campaign that says it was not fixed may have been measured elsewhere or in short.
    if !campaign.host_problems.is_empty() {
        notes.open(
            "planning",
            "the campaign states that it was not measured as registered",
        );
        return;
    }
    if let Some(planning) = &campaign.planning {
        let is = in_seconds(&system.planning);
        let said = |value: f64| value;
        for (field, said, is) in [
            ("trials", planning.trials as f64, is.trials as f64),
            ("trial_target_s", planning.trial_target_s, is.trial_target_s),
            ("min_total", planning.min_total as f64, is.min_total as f64),
            (
                "max_iters_per_trial",
                planning.max_iters_per_trial as f64,
                is.max_iters_per_trial as f64,
            ),
            ("op_budget_s", said(planning.op_budget_s), is.op_budget_s),
            (
                "separate_process_setup_s",
                planning.separate_process_setup_s,
                is.separate_process_setup_s,
            ),
        ] {
            notes.same(Check::Campaign, &format!("planning.{field}"), said, is);
        }
    }
    let expected = &system.expected;
    let text = |value: Option<u64>| value.map(|value| value.to_string());
    let flag = |value: Option<bool>| value.map(|on| u8::from(on).to_string());
    let rules = [
        (
            "architecture",
            system.architecture.map(|word| word.to_string()),
        ),
        ("cpu_model", expected.cpu_model.clone()),
        ("machine", expected.machine.clone()),
        ("cpufreq_governor", expected.cpufreq_governor.clone()),
        ("cpufreq_min_khz", text(expected.cpufreq_min_khz)),
        ("cpufreq_max_khz", text(expected.cpufreq_max_khz)),
        (
            "intel_pstate_no_turbo",
            flag(expected.intel_pstate_no_turbo),
        ),
        ("cpufreq_boost", flag(expected.cpufreq_boost)),
        ("smt_control", expected.smt_control.clone()),
    ];
    for (field, expected) in rules {
        if let Some(expected) = expected {
            let said = campaign.environment_at_end.get(field);
            let said = said.and_then(|value| value.as_str());
            let field = format!("environment_at_end.{field}");
            notes.same(Check::Host, &field, said, Some(expected.as_str()));
        }
    }
    if let Some(architecture) = system.architecture {
        for (name, version) in [
            ("reference", GuideVersion::Reference),
            ("performance", GuideVersion::Performance),
            ("resource", GuideVersion::Resource),
        ] {
            let said = campaign.arch_config.as_ref().and_then(|c| c.get(name));
            if let Some(said) = said.and_then(|value| value.as_str()) {
                let field = format!("arch_config.{name}");
                notes.same(Check::Flags, &field, said, architecture.guide(version));
            }
        }
        if let Some(said) = &campaign.harness_additions {
            notes.same(
                Check::Flags,
                "harness_additions",
                said.trim(),
                HARNESS_ADDITIONS,
            );
        }
    }
    if let Some(shards) = campaign.shards {
        let cores = facts.cores.len() as u64;
        notes.holds(Check::Campaign, "shards", shards >= 1, || {
            (shards.to_string(), format!("1 to {cores}"))
        });
    }
}

/// What one timing record tells of when and where it was measured.
#[derive(Debug, Clone)]
pub struct Session {
    path: String,
    subject: String,
    host: String,
    core: Option<u64>,
    started: Option<DateTime<Utc>>,
    ended: Option<DateTime<Utc>>,
    environment: String,
}

impl Session {
    /// That of a record.
    pub fn of(path: &str, subject: &str, record: &TimingRecord) -> Self {
        let core = record.environment.get("cpu_number");
        let host = record.environment.get("hostname");
        Session {
            path: path.to_owned(),
            subject: subject.to_owned(),
            host: host.map(ToString::to_string).unwrap_or_default(),
            core: core.and_then(serde_json::Value::as_u64),
            started: instant(record.started_utc.as_deref()),
            ended: instant(record.ended_utc.as_deref()),
            environment: serde_json::to_string(&record.environment).unwrap_or_default(),
        }
    }
}

/// Checks all records against each other.
pub fn sessions(book: &mut Book, facts: &Facts<'_>, mut all: Vec<Session>) {
    all.sort_by(|a, b| {
        (&a.host, a.core, a.started, &a.path).cmp(&(&b.host, b.core, b.started, &b.path))
    });
    for pair in all.windows(2) {
        let [before, after] = pair else { continue };
        if (&before.host, before.core) != (&after.host, after.core) {
            continue;
        }
        let (Some(ended), Some(started)) = (before.ended, after.started) else {
            continue;
        };
        let mut notes = book.at(&after.path, &after.subject);
        notes.holds(Check::Times, "started_utc", ended <= started, || {
            (
                format!("{started} on core {}", shown(&after.core)),
                format!("not before the end of {}, {ended}", before.path),
            )
        });
    }
    if !facts.own {
        same_machine(book, facts, &all);
    }
}

/// Published records of one session on one core state one look at the machine.
fn same_machine(book: &mut Book, facts: &Facts<'_>, all: &[Session]) {
    let look = |session: &Session| {
        let looks = facts.looks.iter();
        let before = looks.filter(|(core, at)| {
            Some(*core) == session.core && session.started.is_some_and(|started| *at <= started)
        });
        before.map(|(_, at)| *at).max()
    };
    let mut groups: BTreeMap<_, Vec<&Session>> = BTreeMap::new();
    for session in all {
        let key = (&session.host, session.core, look(session));
        groups.entry(key).or_default().push(session);
    }
    for group in groups.values() {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for session in group {
            *counts.entry(&session.environment).or_default() += 1;
        }
        let Some((usual, n)) = counts.iter().max_by_key(|(_, n)| **n) else {
            continue;
        };
        // Two that differ do not say which is right.
        if *n < 2 || group.len() < 3 {
            continue;
        }
        for session in group {
            let follows = session.environment == **usual;
            let field = format!("environment{}", differing(&session.environment, usual));
            book.at(&session.path, &session.subject)
                .custom(Check::Host, &field, follows, || {
                    (
                        "another machine or state than the session's other records".to_owned(),
                        "one look at the machine a session".to_owned(),
                    )
                });
        }
    }
}

/// The first member in which two objects differ, as `.name`.
fn differing(a: &str, b: &str) -> String {
    type Object = serde_json::Map<String, serde_json::Value>;
    let read = |text: &str| serde_json::from_str::<Object>(text).unwrap_or_default();
    if a == b {
        return String::new();
    }
    let (a, b) = (read(a), read(b));
    let names = a.keys().chain(b.keys());
    let mut names = names.filter(|name| a.get(*name) != b.get(*name));
    names.next().map(|name| format!(".{name}")).unwrap_or_default()
}
