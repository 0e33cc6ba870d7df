//! Level 2 on a hash profile.

use super::book::{Book, Notes, shown};
use super::check::Check;
use super::facts::Facts;
use crate::dataset::Piece;
use artifacts::records::{ProfileRecord, TimingRecord, shares};
use artifacts::{CandidateId, Label, Operation};

/// See the records' check of statistics.
const TOLERANCE: f64 = 1e-9;
/// How far a profile's time of an operation may be from the timing record's: calls are wrapped, and
/// there are fewer of them.
const PROFILE_TO_TIME: f64 = 0.25;
/// The same on a host that is not fixed.
const PROFILE_TO_TIME_UNFIXED: f64 = 2.0;
/// Operations profiled at most; NGCC.md section 6.
const MOST_OPERATIONS: u64 = 1000;

/// Checks one profile; `timing` is the record of the same operation.
pub fn record(
    book: &mut Book,
    facts: &Facts<'_>,
    subject: &str,
    (candidate, label, operation): (&CandidateId, &Label, &Operation),
    piece: &Piece<ProfileRecord>,
    timing: Option<&TimingRecord>,
) {
    let record = &piece.content;
    let mut notes = book.at(&piece.path, subject);
    let Some(total) = record.total.as_ref().filter(|_| record.is_complete()) else {
        notes.open("status", "the profile did not come to its end: no shares");
        return;
    };
    let rule = "ticks that give shares";
    match shares(&record.calls, total) {
        Err(error) => notes.wrong(Check::Shares, "total.ticks", error.to_string(), rule),
        Ok(is) => {
            let names = record.shares.share.keys().chain(is.share.keys());
            for name in names {
                let said = record.shares.share.get(name).copied();
                let is = is.share.get(name).copied();
                close(&mut notes, &format!("share.{name}"), said, is);
            }
            let said = Some(record.shares.hash_share);
            close(&mut notes, "hash_share", said, Some(is.hash_share));
        }
    }
    let inside: u64 = record
        .calls
        .iter()
        .fold(0, |sum: u64, call| sum.saturating_add(call.ticks));
    notes.holds(Check::Profile, "calls", inside <= total.ticks, || {
        (
            format!("{inside} ticks in calls"),
            format!("at most the {} of all operations", total.ticks),
        )
    });
    let mut shapes = std::collections::BTreeSet::new();
    for (index, call) in record.calls.iter().enumerate() {
        let field = format!("calls[{index}]");
        let new = shapes.insert((&call.function, call.in_bits, call.out_bits));
        notes.same(Check::Profile, &field, new, true);
        notes.holds(Check::Profile, &field, call.calls > 0, || {
            ("0 calls".to_owned(), "calls that were made".to_owned())
        });
    }
    let bounded = (1..=MOST_OPERATIONS).contains(&total.operations);
    notes.holds(Check::Profile, "total.operations", bounded, || {
        (
            total.operations.to_string(),
            format!("1 to {MOST_OPERATIONS}"),
        )
    });
    rate(&mut notes, facts, record, timing);
    said_twice(&mut notes, record, timing);
    command(&mut notes, record, candidate, label, operation);
}

fn close(notes: &mut Notes<'_>, field: &str, said: Option<f64>, is: Option<f64>) {
    let (Some(said), Some(is)) = (said, is) else {
        notes.same(Check::Shares, field, said, is);
        return;
    };
    let near = (said - is).abs() <= TOLERANCE * is.abs();
    notes.holds(Check::Shares, field, near, || (shown(&said), shown(&is)));
    if near {
        notes.custom(Check::LastDigits, field, said == is, || {
            (shown(&said), shown(&is))
        });
    }
}

/// An operation takes as long as its timing record says.
fn rate(
    notes: &mut Notes<'_>,
    facts: &Facts<'_>,
    record: &ProfileRecord,
    timing: Option<&TimingRecord>,
) {
    let hz = record.meta.get("tick_hz").and_then(|value| match value {
        serde_json::Value::String(text) => text.parse::<f64>().ok(),
        other => other.as_f64(),
    });
    let Some(total) = &record.total else { return };
    let Some(hz) = hz.filter(|hz| *hz > 0.0) else {
        notes.wrong(
            Check::Profile,
            "meta.tick_hz",
            shown(&record.meta.get("tick_hz")),
            "the rate of the tick counter",
        );
        return;
    };
    let Some(mean) = timing.and_then(|record| record.statistics.mean_seconds) else {
        notes.open("total.ticks", "no timing record to hold the ticks to");
        return;
    };
    let seconds = total.ticks as f64 / hz / total.operations.max(1) as f64;
    let most = match facts.fixed_clock_hz {
        Some(_) => PROFILE_TO_TIME,
        None => PROFILE_TO_TIME_UNFIXED,
    };
    let near = (seconds / mean).ln().abs() <= (1.0 + most).ln();
    notes.holds(Check::Profile, "total.ticks", near, || {
        (
            format!("{seconds:.3e} s an operation at {hz} ticks a second"),
            format!("about the {mean:.3e} s of the timing record"),
        )
    });
    if facts.own {
        return;
    }
    // The counter of AArch64 runs at one rate; measured over 100 ms it comes out within 1e-4.
    if record.meta.get("tick_source").and_then(|s| s.as_str()) == Some("cntvct_el0") {
        let millions = (hz / 1e5).round() * 1e5;
        let near = (hz / millions - 1.0).abs() < 1e-4;
        notes.custom(Check::Profile, "meta.tick_hz", near, || {
            (format!("{hz}"), "a round rate, as in all others".to_owned())
        });
    }
}

/// Facts that the profile and its timing record both state.
fn said_twice(notes: &mut Notes<'_>, record: &ProfileRecord, timing: Option<&TimingRecord>) {
    let text = |name: &str| record.meta.get(name).and_then(|value| value.as_str());
    for (name, expected) in [
        ("id", record.candidate.as_deref()),
        (
            "instance",
            timing.and_then(|timing| timing.instance.as_deref()),
        ),
        ("operation", Some(record.operation.as_str())),
    ] {
        if let (Some(said), Some(expected)) = (text(name), expected) {
            notes.same(Check::Repeats, &format!("meta.{name}"), said, expected);
        }
    }
    if let Some(overflow) = text("overflow_calls") {
        notes.same(Check::Profile, "meta.overflow_calls", overflow, "0");
    }
    let warmups = text("warmups").is_none_or(|n| matches!(n, "0" | "1"));
    notes.holds(Check::Profile, "meta.warmups", warmups, || {
        (shown(&text("warmups")), "0 or 1".to_owned())
    });
    let known = text("tick_source")
        .is_none_or(|source| matches!(source, "cntvct_el0" | "rdtsc" | "clock_monotonic_raw"));
    notes.holds(Check::Profile, "meta.tick_source", known, || {
        (
            shown(&text("tick_source")),
            "rdtsc or cntvct_el0".to_owned(),
        )
    });
}

/// The command line of the published harness says the same as the profile.
fn command(
    notes: &mut Notes<'_>,
    record: &ProfileRecord,
    candidate: &CandidateId,
    label: &Label,
    operation: &Operation,
) {
    let words: Vec<&str> = record.command.iter().map(String::as_str).collect();
    let ["taskset", "-c", core, ..] = words.as_slice() else {
        return;
    };
    let number = core.parse::<u64>().is_ok();
    notes.holds(Check::Counts, "command[2]", number, || {
        ((*core).to_owned(), "a core's number".to_owned())
    });
    let operations = record.total.as_ref().map_or(0, |total| total.operations);
    let warmups = record.meta.get("warmups").and_then(|n| n.as_str());
    let expected = [
        "taskset".to_owned(),
        "-c".to_owned(),
        (*core).to_owned(),
        "performance/hashprof/hashprof".to_owned(),
        format!("performance/hashprof/lib/{candidate}/lib{label}.so"),
        operation.record_name(),
        operation.input_bytes().to_string(),
        operations.to_string(),
        warmups.unwrap_or_default().to_owned(),
    ];
    let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
    notes.same(Check::Counts, "command", words, expected);
}
