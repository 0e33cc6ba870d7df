//! From evidence to page. A pure function: the same evidence gives the same page.

pub mod sizes;

use crate::evidence::{Evidence, InstanceEvidence, KatAction, Origin};
use crate::format::{self, FAILED, MISSING, or_missing};
use crate::model::{
    EvidenceRow, Fact, FactRow, Kat, KatRow, MessageRow, Page, PerfRow, Performance, ResourceRow,
    ShareRow, Sizes, Symmetric, Table, Titled,
};
use crate::{natural, wording};
use artifacts::Operation;
use artifacts::records::TimingRecord;
use artifacts::words::{ExchangeStep, Kind, Verdict};

impl Page {
    /// The page that this evidence gives.
    pub fn from_evidence(evidence: &Evidence) -> Page {
        let mut instances: Vec<&InstanceEvidence> = evidence.instances.iter().collect();
        instances.sort_by(|a, b| natural::compare(a.label.as_str(), b.label.as_str()));
        let hash = evidence.kind == Kind::Hash;
        Page {
            brand: Some(wording::brand(evidence.origin).to_owned()),
            trail: Some(wording::trail(evidence)),
            candidate: evidence.candidate.clone(),
            name: wording::one_line(&evidence.name),
            architecture: wording::architecture(&evidence.architecture).to_owned(),
            system: evidence.system.clone(),
            banners: wording::banners(evidence),
            intro: wording::intro(evidence),
            basic: basic(evidence, &instances),
            environment: Table::new(environment(evidence)),
            kat: kat(evidence, &instances),
            performance: performance(evidence.kind, &instances),
            resources: Titled {
                intro: wording::resources(evidence.origin),
                table: Table::new(resources(&instances)),
            },
            sizes: (!hash).then(|| Sizes {
                intro: wording::sizes(evidence.origin),
                table: sizes::table(evidence.kind, &instances),
            }),
            symmetric: (!hash).then(|| symmetric(evidence, &instances)),
            evidence: Titled {
                intro: wording::evidence(evidence),
                table: Table::new(index(&instances)),
            },
            scripts: wording::scripts(evidence.origin).to_owned(),
            root: None,
        }
    }
}

fn basic(evidence: &Evidence, instances: &[&InstanceEvidence]) -> Vec<Fact> {
    let labels: Vec<&str> = instances.iter().map(|i| i.label.as_str()).collect();
    let mut facts = vec![
        ("Category", wording::category(evidence.kind).to_owned()),
        ("Algorithm", wording::one_line(&evidence.name)),
        (
            "Implementation versions measured",
            evidence.variants.join(", "),
        ),
        ("Parameter sets", labels.join(", ")),
    ];
    match evidence.origin {
        Origin::Published => facts.extend([
            (
                "Security evaluation",
                format!("{} report", evidence.candidate),
            ),
            ("Measurement method", format!("{} method", evidence.system)),
            ("Submission", "NICCS page".to_owned()),
        ]),
        Origin::Own => {
            if let Some(sources) = &evidence.sources {
                facts.push(("Sources", wording::one_line(sources)));
            }
            facts.push((
                "Measurement method",
                "planning constants in campaign.json".to_owned(),
            ));
        }
    }
    facts
        .into_iter()
        .filter(|(_, value)| !value.is_empty())
        .map(|(name, value)| Fact {
            name: name.to_owned(),
            value,
        })
        .collect()
}

fn environment(evidence: &Evidence) -> Vec<FactRow> {
    let host = &evidence.environment;
    let core = match host.cpu_number {
        Some(number) => format!("{} (CPU {number}, one core)", known(&host.cpu_model)),
        None => format!("{} (one core)", known(&host.cpu_model)),
    };
    let instant = |time: &Option<String>| {
        or_missing(time.as_deref(), |time| format::instant(time).to_owned())
    };
    let pair = |a: &str, b: &str| format!("{} / {}", known(a), known(b));
    let mut rows = vec![("processor", core)];
    if let Some(machine) = &host.machine {
        rows.push(("machine", machine.clone()));
    }
    rows.extend([
        ("clock", known(&host.clock).to_owned()),
        (
            "memory",
            or_missing(host.memory_kib, |kib| format!("{} MiB", kib / 1024)),
        ),
        ("OS / kernel", pair(&host.os, &host.kernel)),
        (
            "compiler / build tool",
            pair(&host.compiler, &host.build_tool),
        ),
        (
            "campaign start / end (UTC)",
            format!(
                "{} / {}",
                instant(&evidence.started_utc),
                instant(&evidence.ended_utc)
            ),
        ),
    ]);
    rows.into_iter()
        .map(|(item, value)| FactRow {
            item: item.to_owned(),
            value: wording::one_line(&value),
        })
        .collect()
}

/// A text, or that there is none.
fn known(text: &str) -> &str {
    if text.trim().is_empty() {
        MISSING
    } else {
        text
    }
}

fn kat(evidence: &Evidence, instances: &[&InstanceEvidence]) -> Kat {
    let mut rows = Vec::new();
    // notes in the order in which instances need them
    let mut used: Vec<usize> = Vec::new();
    for instance in instances {
        let mut shown = instance.verdict.to_string();
        let mut timed = true;
        for (index, note) in evidence.kat_notes.iter().enumerate() {
            let spent = note.cause.starts_with("KAT TIMEOUT") && instance.verdict == Verdict::Pass;
            if spent || !note.instances.contains(&instance.label) {
                continue;
            }
            let number = used.iter().position(|u| *u == index).unwrap_or_else(|| {
                used.push(index);
                used.len() - 1
            });
            shown.push_str(&format!(" [{}]", number + 1));
            timed &= note.action == KatAction::Measure;
        }
        if !timed {
            shown.push_str(" (not timed)");
        }
        rows.push(KatRow {
            instance: instance.label.clone(),
            flags: instance.flags.to_string(),
            kat: shown,
        });
    }
    let notes = used
        .iter()
        .filter_map(|index| evidence.kat_notes.get(*index))
        .map(|note| {
            let mut text = wording::one_line(&note.cause);
            if !text.ends_with('.') {
                text.push('.');
            }
            if note.action == KatAction::Measure {
                text.push_str(" These instances are timed anyway; their output is not validated.");
            }
            text
        })
        .collect();
    Kat {
        intro: wording::kat(evidence),
        table: Table::new(rows),
        notes,
    }
}

/// Operations in the order of tables: a whole exchange before its steps.
fn in_table_order<T>(
    by_operation: &std::collections::BTreeMap<Operation, T>,
) -> Vec<(&Operation, &T)> {
    let mut all: Vec<_> = by_operation.iter().collect();
    let whole = Operation::Exchange(ExchangeStep::Exchange);
    all.sort_by_key(|(operation, _)| (**operation != whole, *operation));
    all
}

/// The calls measured, as the plan cut them.
fn measurements(record: &TimingRecord) -> String {
    or_missing(record.statistics.measurements, |total| {
        let iterations = record.plan.as_ref().map_or_else(
            || record.trials.first().map_or(0, |trial| trial.measurements),
            |plan| plan.iterations_per_trial,
        );
        format::measurements(
            total,
            record.trials.len() as u64,
            iterations,
            record.count("sign_failures_retried"),
        )
    })
}

/// A figure of a complete record, else [`MISSING`].
fn figure(record: &TimingRecord, value: Option<f64>, format: impl Fn(f64) -> String) -> String {
    or_missing(value.filter(|_| record.is_complete()), format)
}

/// Mean cycles, or that there are none because the measurement failed.
fn cycles(record: &TimingRecord) -> String {
    if record.is_complete() {
        or_missing(record.statistics.mean_cycles, format::cycles)
    } else {
        FAILED.to_owned()
    }
}

fn performance(kind: Kind, instances: &[&InstanceEvidence]) -> Performance {
    if kind == Kind::Hash {
        return Performance::Messages(Table::new(messages(instances)));
    }
    let mut rows = Vec::new();
    for instance in instances {
        for (operation, filed) in in_table_order(&instance.timings) {
            let record = &filed.content;
            let figures = &record.statistics;
            rows.push(PerfRow {
                instance: instance.label.clone(),
                operation: operation.clone(),
                cycles: cycles(record),
                time: figure(record, figures.mean_seconds, format::time),
                ops: figure(record, figures.operations_per_second, format::general),
                median: figure(record, figures.median_trial_seconds, format::time),
                n: if record.is_complete() {
                    measurements(record)
                } else {
                    MISSING.to_owned()
                },
            });
        }
    }
    Performance::Operations(Table::new(rows))
}

fn messages(instances: &[&InstanceEvidence]) -> Vec<MessageRow> {
    let mut rows = Vec::new();
    for instance in instances {
        for (operation, filed) in in_table_order(&instance.timings) {
            let Operation::Hash(bytes) = operation else {
                continue;
            };
            let record = &filed.content;
            let figures = &record.statistics;
            let per_byte = figures.mean_cycles.map(|cycles| cycles / *bytes as f64);
            rows.push(MessageRow {
                instance: instance.label.clone(),
                message: format!("{bytes} B"),
                cycles: cycles(record),
                cycles_per_byte: figure(record, per_byte, format::one_decimal),
                time: figure(record, figures.mean_seconds, format::time),
                throughput: figure(
                    record,
                    figures.throughput_mb_per_second,
                    format::one_decimal,
                ),
                n: if record.is_complete() {
                    measurements(record)
                } else {
                    MISSING.to_owned()
                },
            });
        }
    }
    rows
}

fn resources(instances: &[&InstanceEvidence]) -> Vec<ResourceRow> {
    let mut rows = Vec::new();
    for instance in instances {
        for (operation, filed) in in_table_order(&instance.timings) {
            rows.push(ResourceRow {
                instance: instance.label.clone(),
                operation: operation.clone(),
                elf: or_missing(instance.elf_load_bytes, |n| n.to_string()),
                baseline: or_missing(filed.content.baseline_rss_bytes, format::kib),
                peak: or_missing(filed.content.peak_rss_bytes, format::kib),
            });
        }
    }
    rows
}

fn symmetric(evidence: &Evidence, instances: &[&InstanceEvidence]) -> Symmetric {
    let mut rows = Vec::new();
    for instance in instances {
        for (operation, filed) in in_table_order(&instance.profiles) {
            let profile = &filed.content;
            let share = |share: f64| {
                or_missing(Some(share).filter(|_| profile.is_complete()), format::share)
            };
            rows.push(ShareRow {
                instance: instance.label.clone(),
                operation: operation.clone(),
                hash: share(profile.shares.hash_share),
                drng: share(profile.shares.drng_share()),
                calls: format::calls(&profile.calls_per_operation()),
            });
        }
    }
    let mut table = Table::new(rows);
    for (title, shown) in table
        .head
        .iter_mut()
        .skip(2)
        .zip(wording::share_titles(evidence))
    {
        *title = shown.to_owned();
    }
    Symmetric {
        survey: evidence.survey.as_ref().map(|survey| match &survey.note {
            Some(note) => wording::one_line(&format!("{} — {note}", survey.verdict)),
            None => wording::one_line(&survey.verdict),
        }),
        intro: wording::shares(evidence),
        table,
    }
}

fn index(instances: &[&InstanceEvidence]) -> Vec<EvidenceRow> {
    let mut rows = Vec::new();
    for instance in instances {
        let mut push = |item: String, file: &str| {
            rows.push(EvidenceRow {
                instance: instance.label.clone(),
                item,
                file: file.to_owned(),
            });
        };
        if let Some(log) = &instance.kat_log {
            let head = log.sha256.get(..16).unwrap_or(&log.sha256);
            push(format!("KAT log (sha256 {head}…)"), &log.path);
        }
        for (item, files) in [
            ("timing", by_name(&instance.timings)),
            ("hash profile", by_name(&instance.profiles)),
        ] {
            for (operation, file) in files {
                push(format!("{item} {operation}"), file);
            }
        }
    }
    rows
}

/// Files in the alphabetical order of their operations' names.
fn by_name<T>(
    filed: &std::collections::BTreeMap<Operation, crate::evidence::Filed<T>>,
) -> Vec<(String, &str)> {
    let mut files: Vec<(String, &str)> = filed
        .iter()
        .map(|(operation, filed)| (operation.to_string(), filed.path.as_str()))
        .collect();
    files.sort();
    files
}
