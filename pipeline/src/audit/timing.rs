//! Level 2 on a timing record: its figures from its trials, and the rules it was measured by.

use super::book::{Book, Notes, shown};
use super::check::Check;
use super::facts::Facts;
use crate::dataset::{Piece, environment};
use artifacts::records::{ProcessRun, PublishedPlanning, Statistics, TimingRecord};
use artifacts::words::{ExchangeStep, Flags, Verdict};
use artifacts::{Label, Operation};
use chrono::{DateTime, Utc};
use systems::flags::{FALLBACK, FALLBACK_CXX};

/// Published sums are compensated; two ways to add differ by less than this.
const TOLERANCE: f64 = 1e-9;
/// A page of memory.
const PAGE: u64 = 4096;
/// What each process counts for itself, so that these facts of `meta` may differ.
const OWN_COUNTS: [&str; 10] = [
    "baseline_rss_bytes",
    "peak_rss_bytes",
    "setup_ns",
    "user_ns",
    "system_ns",
    "sign_failures_retried",
    "verify_rejections",
    "message_tweaks",
    "message_changes",
    "signature_excess_bytes",
];
/// From this on, a trial that is slower than the clock lost its core; NGCC.md section 5.
const DISTURBED: f64 = 0.95;
/// How often a disturbed trial is repeated at most.
const MOST_RETRIES: u64 = 2;
/// Shorter trials say too little of the clock, in seconds.
const SHORT: f64 = 0.010;

/// Checks one record.
pub fn record(
    book: &mut Book,
    facts: &Facts<'_>,
    subject: &str,
    label: &Label,
    operation: &Operation,
    piece: &Piece<TimingRecord>,
) {
    let record = &piece.content;
    let mut notes = book.at(&piece.path, subject);
    if record.is_complete() {
        statistics(&mut notes, record);
        counts(&mut notes, record, operation);
        plan(&mut notes, facts, record, operation);
        clock(&mut notes, facts, record);
    } else {
        notes.open(
            "status",
            "the measurement did not come to its end: it has no figures to recompute",
        );
    }
    memory(&mut notes, record);
    times(&mut notes, facts, record);
    repeats(&mut notes, record, operation);
    flags(&mut notes, facts, record);
    host(&mut notes, facts, record);
    command(&mut notes, record, label, operation);
}

/// Two numbers, exactly or to the last digits.
fn close(notes: &mut Notes<'_>, check: Check, field: &str, said: Option<f64>, is: Option<f64>) {
    let (Some(said), Some(is)) = (said, is) else {
        notes.same(check, field, said, is);
        return;
    };
    let near = (said - is).abs() <= TOLERANCE * is.abs();
    notes.holds(check, field, near, || (shown(&said), shown(&is)));
    if near {
        notes.custom(Check::LastDigits, field, said == is, || {
            (shown(&said), shown(&is))
        });
    }
}

fn statistics(notes: &mut Notes<'_>, record: &TimingRecord) {
    let is = match record.recompute() {
        Ok(is) => is,
        Err(error) => {
            notes.wrong(
                Check::Statistics,
                "trials",
                error.to_string(),
                "trials that give figures",
            );
            return;
        }
    };
    let said = &record.statistics;
    notes.same(
        Check::Statistics,
        "measurements",
        said.measurements,
        is.measurements,
    );
    type Value = fn(&Statistics) -> Option<f64>;
    let fields: [(&str, Value); 8] = [
        ("mean_seconds", |s| s.mean_seconds),
        ("median_trial_seconds", |s| s.median_trial_seconds),
        ("min_trial_seconds", |s| s.min_trial_seconds),
        ("max_trial_seconds", |s| s.max_trial_seconds),
        ("mean_cycles", |s| s.mean_cycles),
        ("median_trial_cycles", |s| s.median_trial_cycles),
        ("operations_per_second", |s| s.operations_per_second),
        ("throughput_MB_per_second", |s| s.throughput_mb_per_second),
    ];
    for (field, value) in fields {
        close(notes, Check::Statistics, field, value(said), value(&is));
    }
    notes.same(
        Check::Counts,
        "guide_100_measurements_met",
        record.guide_100_measurements_met,
        is.measurements.map(|n| n >= 100),
    );
}

fn counts(notes: &mut Notes<'_>, record: &TimingRecord, operation: &Operation) {
    let complete = record.processes.iter().filter(|p| p.status == "complete");
    let of_processes: Vec<_> = complete.flat_map(|p| p.trials.iter()).collect();
    let trials: Vec<_> = record.trials.iter().collect();
    if of_processes.len() == trials.len() {
        for (index, (said, is)) in trials.iter().zip(&of_processes).enumerate() {
            let field = |name: &str| format!("trials[{index}].{name}");
            notes.same(
                Check::Counts,
                &field("measurements"),
                said.measurements,
                is.measurements,
            );
            notes.same(Check::Counts, &field("seconds"), said.seconds, is.seconds);
            notes.same(Check::Counts, &field("cycles"), said.cycles, is.cycles);
        }
    } else {
        notes.same(
            Check::Counts,
            "trials",
            trials.len(),
            of_processes.len(),
        );
    }
    for (index, process) in record.processes.iter().enumerate() {
        let field = |name: &str| format!("processes[{index}].{name}");
        let calls: u64 = process.trials.iter().map(|trial| trial.measurements).sum();
        if let Some(said) = meta(process, "measurement_count") {
            notes.same(
                Check::Counts,
                &field("meta.measurement_count"),
                said,
                calls.to_string(),
            );
        }
        if let Some(said) = meta(process, "guide_100_measurements") {
            let is = if calls >= 100 { "met" } else { "not_met" };
            notes.same(
                Check::Counts,
                &field("meta.guide_100_measurements"),
                said,
                is.to_owned(),
            );
        }
        if process.status == "complete" {
            notes.same(
                Check::Counts,
                &field("exit_code"),
                process.exit_code,
                Some(0),
            );
        }
    }
    let retries: u64 = record
        .processes
        .iter()
        .filter_map(|process| process.disturbed_retries)
        .sum();
    notes.same(
        Check::Counts,
        "disturbed_retries",
        record.disturbed_retries.unwrap_or_default(),
        retries,
    );
    let scope = match operation {
        Operation::Exchange(step) if *step != ExchangeStep::Exchange => "per_call_step",
        _ => "loop",
    };
    notes.same(
        Check::Counts,
        "timing_scope",
        record.timing_scope.as_deref(),
        Some(scope),
    );
}

fn meta(process: &ProcessRun, name: &str) -> Option<String> {
    match process.meta.get(name)? {
        serde_json::Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    }
}

fn number(process: &ProcessRun, name: &str) -> Option<u64> {
    meta(process, name)?.parse().ok()
}

fn plan(notes: &mut Notes<'_>, facts: &Facts<'_>, record: &TimingRecord, operation: &Operation) {
    let Some(plan) = &record.plan else {
        notes.wrong(Check::Plan, "plan", "is absent", "the plan of the trials");
        return;
    };
    notes.same(
        Check::Counts,
        "plan.trials",
        plan.trials,
        record.trials.len() as u64,
    );
    for (index, trial) in record.trials.iter().enumerate() {
        notes.same(
            Check::Counts,
            &format!("trials[{index}].measurements"),
            trial.measurements,
            plan.iterations_per_trial,
        );
    }
    let processes = if plan.separate_processes { plan.trials } else { 1 };
    notes.same(
        Check::Counts,
        "plan.separate_processes",
        record.processes.len() as u64,
        processes,
    );
    for (index, process) in record.processes.iter().enumerate() {
        if let Some(said) = number(process, "warmups") {
            let field = format!("processes[{index}].meta.warmups");
            notes.same(Check::Counts, &field, said, plan.warmups);
        }
    }
    if let (Some(work), Some(timeout)) = (plan.estimated_s, plan.timeout_per_process_s) {
        let is = 3.0 * work / processes as f64 + 300.0;
        close(
            notes,
            Check::Plan,
            "plan.timeout_per_process_s",
            Some(timeout),
            Some(is),
        );
    }
    if facts.plannings.is_empty() {
        notes.open("plan", "no planning constants are known for this system");
        return;
    }
    let windows: Vec<(&PublishedPlanning, Option<Window>)> = facts
        .plannings
        .iter()
        .map(|constants| (constants, Window::of(constants, plan)))
        .collect();
    // An exchange's steps are planned from the exchange, whose time they do not tell.
    let step = matches!(operation, Operation::Exchange(s) if *s != ExchangeStep::Exchange);
    let mean = record.statistics.mean_seconds.filter(|_| !step);
    let fits = windows
        .iter()
        .filter_map(|(_, window)| window.as_ref())
        .any(|window| window.holds(plan.warmups, plan.estimated_s, plan.trials, mean));
    notes.holds(Check::Plan, "plan", fits, || {
        let said = format!(
            "{} × {} with {} warm-ups, estimated {}, mean {}",
            plan.trials,
            plan.iterations_per_trial,
            plan.warmups,
            shown(&plan.estimated_s),
            shown(&record.statistics.mean_seconds),
        );
        let rule = windows.iter().map(|(constants, window)| {
            let all = constants.trials;
            match window {
                Some(w) => format!(
                    "a call of {:.3e} to {:.3e} s, as {all} trials of {} s ask for",
                    w.low, w.high, constants.trial_target_s
                ),
                None => format!("at most {all} trials, and calls by the rules"),
            }
        });
        (said, rule.collect::<Vec<_>>().join(", or "))
    });
}

/// Between which times of the calibration call a plan comes out as it did; NGCC.md section 5.
#[derive(Debug, Clone, Copy)]
struct Window {
    low: f64,
    high: f64,
}

impl Window {
    fn of(constants: &PublishedPlanning, plan: &artifacts::records::Plan) -> Option<Window> {
        let all = constants.trials as f64;
        let (trials, iterations) = (plan.trials, plan.iterations_per_trial);
        let calls = iterations as f64;
        let budget = constants.op_budget_s;
        if iterations == 0 || iterations > constants.max_iters_per_trial {
            return None;
        }
        if trials != constants.trials {
            // Too slow for all trials: floor(budget / t1) of one call each.
            let fits = trials >= 1 && trials < constants.trials && iterations == 1;
            return fits.then(|| Window {
                low: match trials {
                    1 => budget / 2.0,
                    n => budget / (n as f64 + 1.0),
                },
                high: if trials == 1 {
                    f64::INFINITY
                } else {
                    budget / trials as f64
                },
            });
        }
        let least = constants.min_total.div_ceil(constants.trials.max(1)).max(1);
        // Longer calls would have been cut by the budget.
        let most = budget / (all * calls);
        let window = if iterations < least {
            Window {
                low: budget / (all * (calls + 1.0)),
                high: most,
            }
        } else {
            Window {
                low: match iterations == constants.max_iters_per_trial {
                    true => 0.0,
                    false => constants.trial_target_s / calls,
                },
                high: match iterations {
                    n if n == least => most,
                    1 => most,
                    _ => (constants.trial_target_s / (calls - 1.0)).min(most),
                },
            }
        };
        Some(window)
    }

    fn holds(
        &self,
        warmups: u64,
        estimated_s: Option<f64>,
        trials: u64,
        mean: Option<f64>,
    ) -> bool {
        /// Floats of both sides are rounded.
        const SLACK: f64 = 1e-9;
        let (low, high) = (self.low * (1.0 - SLACK), self.high * (1.0 + SLACK));
        let warm = match warmups {
            3 => low < 0.05,
            1 => low < 5.0 && high >= 0.05,
            0 => high >= 5.0,
            _ => false,
        };
        // Set-up comes on top of the calls.
        let estimated = estimated_s.is_none_or(|s| s >= low * trials as f64);
        // The calibration call is one call: cold, or disturbed. A mean far above it is none.
        let slow = mean.is_none_or(|mean| mean <= 2.0 * high + 1e-6);
        warm && estimated && slow
    }
}

fn clock(notes: &mut Notes<'_>, facts: &Facts<'_>, record: &TimingRecord) {
    let counted = record.trials.iter().any(|trial| trial.cycles.is_some());
    if !counted || record.timing_scope.as_deref() != Some("loop") {
        let why = "no cycles, or cycles of single calls: nothing ties them to the clock";
        notes.open("trials[*].cycles", why);
        return;
    }
    let Some(fixed) = facts.fixed_clock_hz else {
        notes.open("trials[*].cycles", "the system's clock is not fixed");
        return;
    };
    for (index, process) in record.processes.iter().enumerate() {
        for trial in &process.trials {
            let Some(cycles) = trial.cycles.filter(|_| trial.seconds > SHORT) else {
                continue;
            };
            let hz = cycles as f64 / trial.seconds;
            let given_up = process.disturbed_retries >= Some(MOST_RETRIES);
            let holds = hz <= fixed * 1.001 && (hz >= fixed * DISTURBED || given_up);
            let field = format!("processes[{index}].trials");
            notes.holds(Check::Clock, &field, holds, || {
                (
                    format!("{cycles} cycles in {} s are {hz:.0} Hz", trial.seconds),
                    format!("95 to 100 % of the fixed clock of {fixed:.0} Hz"),
                )
            });
        }
    }
}

fn memory(notes: &mut Notes<'_>, record: &TimingRecord) {
    for (name, said) in [
        ("baseline_rss_bytes", record.baseline_rss_bytes),
        ("peak_rss_bytes", record.peak_rss_bytes),
    ] {
        let is = record
            .processes
            .iter()
            .filter_map(|process| number(process, name))
            .max();
        notes.same(Check::Memory, name, said, is);
        for (index, process) in record.processes.iter().enumerate() {
            let Some(text) = meta(process, name) else {
                continue;
            };
            let bytes: Option<u64> = text.parse().ok();
            let whole = bytes.is_some_and(|bytes| bytes > 0 && bytes.is_multiple_of(PAGE));
            let field = format!("processes[{index}].meta.{name}");
            notes.holds(Check::Memory, &field, whole, || {
                (text, format!("whole pages of {PAGE} bytes"))
            });
        }
    }
    for (index, process) in record.processes.iter().enumerate() {
        let baseline = number(process, "baseline_rss_bytes");
        let peak = number(process, "peak_rss_bytes");
        if let (Some(baseline), Some(peak)) = (baseline, peak) {
            let field = format!("processes[{index}].meta.peak_rss_bytes");
            notes.holds(Check::Memory, &field, peak >= baseline, || {
                (peak.to_string(), format!("at least the baseline, {baseline}"))
            });
        }
    }
}

/// An instant as records write it.
pub fn instant(text: Option<&str>) -> Option<DateTime<Utc>> {
    text?.parse().ok()
}

fn times(notes: &mut Notes<'_>, facts: &Facts<'_>, record: &TimingRecord) {
    let mut read = |field: &str, text: &Option<String>| {
        let time = instant(text.as_deref());
        if time.is_none() {
            notes.wrong(
                Check::Times,
                field,
                shown(text),
                "an instant of RFC 3339",
            );
        }
        time
    };
    let (Some(started), Some(ended)) = (
        read("started_utc", &record.started_utc),
        read("ended_utc", &record.ended_utc),
    ) else {
        return;
    };
    let told = || {
        let said = format!("{started} to {ended}");
        (said, "within the campaign".to_owned())
    };
    let after = facts.started.is_none_or(|from| from <= started);
    notes.holds(Check::Times, "started_utc", after, told);
    let before = facts.ended.is_none_or(|to| ended <= to);
    notes.holds(Check::Times, "ended_utc", before, told);
    let elapsed = (ended - started).as_seconds_f64();
    let walls: Option<f64> = record.processes.iter().map(|process| process.wall_s).sum();
    if let Some(walls) = walls {
        notes.holds(Check::Times, "ended_utc", elapsed >= walls - 0.001, || {
            (
                format!("{elapsed} s passed"),
                format!("at least the {walls} s of the processes"),
            )
        });
        // Between the processes of published records next to nothing happens; own ones calibrate.
        if !facts.own {
            notes.custom(Check::Times, "ended_utc", elapsed <= walls + 0.01, || {
                (
                    format!("{elapsed} s passed"),
                    format!("the {walls} s of the processes"),
                )
            });
        }
    }
    for (index, process) in record.processes.iter().enumerate() {
        let calls: f64 = process.trials.iter().map(|trial| trial.seconds).sum();
        if let Some(wall) = process.wall_s {
            let field = format!("processes[{index}].wall_s");
            notes.holds(Check::Times, &field, wall >= calls, || {
                (
                    format!("{wall} s"),
                    format!("at least the {calls} s of its trials"),
                )
            });
        }
    }
}

fn repeats(notes: &mut Notes<'_>, record: &TimingRecord, operation: &Operation) {
    let Some(first) = record.processes.first() else {
        return;
    };
    for (index, process) in record.processes.iter().enumerate() {
        let names = process.meta.keys().chain(first.meta.keys());
        for name in names.filter(|name| !OWN_COUNTS.contains(&name.as_str())) {
            let field = format!("processes[{index}].meta.{name}");
            notes.same(
                Check::Repeats,
                &field,
                process.meta.get(name),
                first.meta.get(name),
            );
        }
        notes.same(
            Check::Repeats,
            &format!("processes[{index}].command"),
            &process.command,
            &first.command,
        );
        let failed = record.is_complete() && process.status != record.status;
        notes.same(
            Check::Repeats,
            &format!("processes[{index}].status"),
            failed,
            false,
        );
        let expected = [
            ("id", record.candidate.clone()),
            ("instance", record.instance.clone()),
            ("operation", Some(record.operation.clone())),
            ("input_bytes", Some(record.input_bytes.to_string())),
            ("timing_scope", record.timing_scope.clone()),
        ];
        for (name, expected) in expected {
            if let Some(said) = meta(process, name) {
                let field = format!("processes[{index}].meta.{name}");
                notes.same(Check::Repeats, &field, Some(said), expected);
            }
        }
        if let (Some(said), Some(flags)) = (meta(process, "build_flags"), &record.build_flags) {
            let field = format!("processes[{index}].meta.build_flags");
            notes.same(Check::Repeats, &field, said.trim(), flags.trim());
        }
        if let Some(said) = meta(process, "cpu_cycles_available") {
            let counted = process.trials.iter().all(|trial| trial.cycles.is_some());
            let field = format!("processes[{index}].meta.cpu_cycles_available");
            notes.same(Check::Repeats, &field, said == "yes", counted);
        }
    }
    for (name, value) in record.sizes.iter().chain(&record.kex) {
        if let Some(said) = meta(first, name) {
            let stated = value.to_string();
            notes.same(Check::Repeats, &format!("sizes.{name}"), stated, said);
        }
    }
    notes.same(
        Check::Repeats,
        "sizes.input_bytes",
        record.size("input_bytes").unwrap_or_default(),
        operation.input_bytes(),
    );
}

fn flags(notes: &mut Notes<'_>, facts: &Facts<'_>, record: &TimingRecord) {
    let Some(said) = record.build_flags.as_deref().map(str::trim) else {
        notes.open("build_flags", "the record does not state its compiler options");
        return;
    };
    let plus = |options: &str| options.split_whitespace().collect::<Vec<_>>().join(" ");
    let expected: Vec<String> = match record.flags.as_deref().map(str::parse::<Flags>) {
        Some(Ok(Flags::Guide)) => facts.guide_options.iter().cloned().collect(),
        Some(Ok(Flags::HarnessDefault)) => vec![plus(FALLBACK), plus(FALLBACK_CXX)],
        _ => {
            notes.wrong(
                Check::Flags,
                "flags",
                shown(&record.flags),
                "guide or harness-default",
            );
            return;
        }
    };
    if expected.is_empty() {
        notes.open("build_flags", "the guide has no options for this architecture");
        return;
    }
    let known = expected.iter().any(|options| *options == plus(said))
        || plus(said) == plus(FALLBACK_CXX);
    notes.holds(Check::Flags, "build_flags", known, || {
        (said.to_owned(), expected.join(" or "))
    });
}

fn host(notes: &mut Notes<'_>, facts: &Facts<'_>, record: &TimingRecord) {
    for field in facts.machine_facts() {
        let said = record.environment.get(field);
        let known = facts.machine.iter().any(|known| known.get(field) == said);
        let unknown = facts.machine.is_empty();
        notes.holds(
            Check::Host,
            &format!("environment.{field}"),
            known || unknown,
            || {
                let campaign = facts.machine.last().and_then(|known| known.get(field));
                (shown(&said), shown(&campaign))
            },
        );
    }
    let measured = environment(&record.environment);
    if let (Some(low), Some(middle), Some(high)) = (
        measured.core_clock_min_hz,
        measured.core_clock_hz,
        measured.core_clock_max_hz,
    ) {
        let ordered = low <= middle && middle <= high;
        let near = facts.fixed_clock_hz.is_none_or(|fixed| {
            (low as f64) >= fixed * 0.9 && (high as f64) <= fixed * 1.01
        });
        let rounded = measured
            .core_clock_mhz
            .is_none_or(|mhz| mhz == (middle + 50_000_000) / 100_000_000 * 100);
        notes.holds(
            Check::Host,
            "environment.core_clock_hz",
            ordered && near && rounded,
            || {
                (
                    format!("{low}, {middle}, {high} Hz"),
                    "minimum, median and maximum near the fixed clock".to_owned(),
                )
            },
        );
    }
    if let Some(average) = measured.cpufreq_avg_khz.as_deref()
        && let Some(fixed) = facts.fixed_clock_hz
    {
        let khz: Option<f64> = average.parse().ok();
        let near = khz.is_some_and(|khz| (khz * 1e3 / fixed - 1.0).abs() < 0.05);
        notes.holds(Check::Host, "environment.cpufreq_avg_khz", near, || {
            (
                average.to_owned(),
                format!("within 5 % of {:.0} kHz", fixed / 1e3),
            )
        });
    }
    for problem in &record.host_problems {
        let told = facts.host_problems.contains(problem);
        notes.holds(Check::Host, "host_problems", told, || {
            (problem.clone(), "a problem that campaign.json states".into())
        });
    }
    if let Some(core) = measured.cpu_number
        && !facts.cores.is_empty()
    {
        let known = facts.cores.contains(&u64::from(core));
        notes.holds(Check::Host, "environment.cpu_number", known, || {
            (core.to_string(), format!("one of {:?}", facts.cores))
        });
    }
}

/// The command line says the same as the record.
fn command(notes: &mut Notes<'_>, record: &TimingRecord, label: &Label, operation: &Operation) {
    let Some(process) = record.processes.first() else {
        return;
    };
    let words: Vec<&str> = process.command.iter().map(String::as_str).collect();
    let core = record
        .environment
        .get("cpu_number")
        .map(ToString::to_string)
        .unwrap_or_default();
    let Some(plan) = &record.plan else { return };
    match words.as_slice() {
        ["taskset", "-c", ..] if plan.separate_processes => {
            let expected = [
                "taskset".to_owned(),
                "-c".to_owned(),
                core,
                "performance/ngcc_perf".to_owned(),
                record.library.clone().unwrap_or_default(),
                operation.record_name(),
                operation.input_bytes().to_string(),
                "1".to_owned(),
                "1".to_owned(),
                plan.iterations_per_trial.to_string(),
                plan.warmups.to_string(),
            ];
            let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
            notes.same(Check::Counts, "processes[0].command", words, expected);
        }
        words => {
            let after = |option: &str| {
                let at = words.iter().position(|word| *word == option)?;
                words.get(at + 1).copied()
            };
            if let Some(said) = after("--cpu") {
                notes.same(Check::Counts, "processes[0].command", said, core.as_str());
            } else {
                notes.open(
                    "processes[*].command",
                    &format!("not a command line of a known harness ({label})"),
                );
            }
        }
    }
}

/// Whether a verdict allows figures.
pub fn is_timed(kat: &str) -> bool {
    kat.parse::<Verdict>().is_ok_and(Verdict::is_timed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use artifacts::records::Plan;

    fn arm() -> PublishedPlanning {
        PublishedPlanning {
            trials: 5,
            trial_target_s: 0.5,
            min_total: 100,
            max_iters_per_trial: 20_000,
            op_budget_s: 300.0,
            separate_process_setup_s: 60.0,
            ..PublishedPlanning::default()
        }
    }

    fn window(trials: u64, iterations: u64) -> Option<Window> {
        let plan = Plan {
            trials,
            iterations_per_trial: iterations,
            ..Plan::default()
        };
        Window::of(&arm(), &plan)
    }

    /// Worked by hand from NGCC.md section 5 for arm_1's constants.
    #[test]
    fn windows_of_the_calibration_call() {
        // ceil(0.5 / t1) = 1091
        let w = window(5, 1091).unwrap();
        assert!((w.low - 0.5 / 1091.0).abs() < 1e-12 && (w.high - 0.5 / 1090.0).abs() < 1e-12);
        // at least 100 / 5 calls, until 5 · 20 · t1 reaches the budget of 300 s
        let w = window(5, 20).unwrap();
        assert!((w.low - 0.025).abs() < 1e-12 && (w.high - 3.0).abs() < 1e-12);
        // floor(300 / 5 t1) = 10
        let w = window(5, 10).unwrap();
        assert!((w.low - 300.0 / 55.0).abs() < 1e-9 && (w.high - 6.0).abs() < 1e-12);
        // capped
        let w = window(5, 20_000).unwrap();
        assert!(w.low == 0.0 && w.high < 2.6e-5);
        // floor(300 / t1) = 3 trials of one call
        let w = window(3, 1).unwrap();
        assert!((w.low - 75.0).abs() < 1e-9 && (w.high - 100.0).abs() < 1e-9);
        assert!(window(4, 2).is_none() && window(6, 1).is_none() && window(5, 20_001).is_none());
        assert!(window(1, 1).unwrap().holds(0, None, 1, Some(1800.0)));
        assert!(!window(5, 1091).unwrap().holds(1, None, 5, Some(0.00046)));
        assert!(!window(5, 1091).unwrap().holds(3, None, 5, Some(0.46)));
    }
}
