//! What of a dataset no check holds fast: listed in every report, so that silence is not a pass.

use super::book::Book;
use crate::dataset::{BUILDS, CAMPAIGN, Loaded};
use artifacts::records::{CampaignFile, Fields};

/// A field that nothing else states, or that is only bounded.
#[derive(Debug, Clone, Copy)]
pub struct Gap {
    /// The files, `*` for any part of a path.
    pub file: &'static str,
    /// The field, `*` for any index or name.
    pub field: &'static str,
    /// Why, and what bounds it.
    pub why: &'static str,
}

const RECORDS: &str = "records/*";
const PROFILES: &str = "profile/*";

/// Those of published records and profiles.
pub const GAPS: &[Gap] = &[
    Gap {
        file: RECORDS,
        field: "load_average_start",
        why: "a volatile observation that nothing else states",
    },
    Gap {
        file: RECORDS,
        field: "load_average_end",
        why: "a volatile observation that nothing else states",
    },
    Gap {
        file: RECORDS,
        field: "started_utc",
        why: "bounded by the campaign, by the end, and by what ran before on the same core",
    },
    Gap {
        file: RECORDS,
        field: "ended_utc",
        why: "bounded by the start and the processes' wall times",
    },
    Gap {
        file: RECORDS,
        field: "processes[*].wall_s",
        why: "bounded by its trials and by the record's start and end",
    },
    Gap {
        file: RECORDS,
        field: "processes[*].stderr",
        why: "text of the measured program that nothing else states",
    },
    Gap {
        file: RECORDS,
        field: "processes[*].meta.baseline_rss_bytes",
        why: "of processes that do not give the maximum: bounded by it and by whole pages",
    },
    Gap {
        file: RECORDS,
        field: "processes[*].meta.peak_rss_bytes",
        why: "of processes that do not give the maximum: bounded by it and by whole pages",
    },
    Gap {
        file: RECORDS,
        field: "processes[*].meta.sign_failures_retried",
        why: "a count of the process alone; pages show the sum",
    },
    Gap {
        file: RECORDS,
        field: "processes[*].meta.verify_rejections",
        why: "a count of the process alone",
    },
    Gap {
        file: RECORDS,
        field: "processes[*].meta.message_tweaks",
        why: "a count of the process alone",
    },
    Gap {
        file: RECORDS,
        field: "plan.estimated_s",
        why: "the calibration call is not published: bounded by the rules of planning; with the \
              time-out, which follows from it, it is exact",
    },
    Gap {
        file: RECORDS,
        field: "environment.core_clock_*",
        why: "one look at the clock a session, compared among the session's records",
    },
    Gap {
        file: RECORDS,
        field: "environment.cpufreq_avg_khz",
        why: "one look a session, compared among the session's records",
    },
    Gap {
        file: PROFILES,
        field: "calls[*].in_bits",
        why: "the shape of a call that nothing else states",
    },
    Gap {
        file: PROFILES,
        field: "calls[*].out_bits",
        why: "the shape of a call that nothing else states",
    },
    Gap {
        file: PROFILES,
        field: "calls[*].calls",
        why: "pages show the calls of an operation with three digits; no share depends on them",
    },
    Gap {
        file: PROFILES,
        field: "meta.tick_hz",
        why: "measured once a profile: bounded by the counter's rate",
    },
    Gap {
        file: PROFILES,
        field: "command[2]",
        why: "the core of a profile, which nothing else states",
    },
    Gap {
        file: PROFILES,
        field: "stderr",
        why: "text of the measured program that nothing else states",
    },
    Gap {
        file: CAMPAIGN,
        field: "started_utc",
        why: "pages show it to the second; below that only that nothing came before",
    },
    Gap {
        file: CAMPAIGN,
        field: "ended_utc",
        why: "pages show it to the second; below that only that nothing came after",
    },
    Gap {
        file: CAMPAIGN,
        field: "environment_at_start.*",
        why: "the host before it was set up; records are held to the end",
    },
    Gap {
        file: CAMPAIGN,
        field: "environment_at_end.core_clock_*",
        why: "one look at the clock that nothing else states",
    },
    Gap {
        file: CAMPAIGN,
        field: "environment_at_end.cpu_number",
        why: "the core looked at last, which need not have measured",
    },
    Gap {
        file: CAMPAIGN,
        field: "environment_at_end.cpufreq_avg_khz",
        why: "one look at the clock that nothing else states",
    },
    Gap {
        file: CAMPAIGN,
        field: "host_checks[*].*",
        why: "the log of looks at the host: bounded by the campaign; measuring ones found no problem",
    },
    Gap {
        file: CAMPAIGN,
        field: "arch_config.optimized_families",
        why: "not used by reference builds",
    },
    Gap {
        file: CAMPAIGN,
        field: "shards",
        why: "how the campaign was split; no figure depends on it",
    },
    Gap {
        file: BUILDS,
        field: "instances.*.elf_load_bytes",
        why: "the library is not published; only pages show the figure",
    },
    Gap {
        file: BUILDS,
        field: "instances.*.library_sha256",
        why: "the library is not published; records repeat the hash where there are any",
    },
    Gap {
        file: BUILDS,
        field: "instances.*.guide_result",
        why: "the first build with the guide's flags left no other trace",
    },
    Gap {
        file: BUILDS,
        field: "instances.*.variant",
        why: "records repeat it; of what was not built or timed nothing else states it",
    },
    Gap {
        file: BUILDS,
        field: "instances.*.flags",
        why: "records repeat it; of what was not timed only pages show it",
    },
    Gap {
        file: BUILDS,
        field: "instances.*.kat",
        why: "of what was not built there is no log; only pages show it",
    },
];

/// Whether a pattern with `*` for any text fits.
pub fn fits(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(rest) = parts.next().and_then(|first| text.strip_prefix(first)) else {
        return false;
    };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else {
        return rest.is_empty();
    };
    let mut rest = rest;
    for part in middle {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

/// Notes what no check holds of a candidate's files: the known gaps, and fields nobody knows.
pub fn candidate(book: &mut Book, loaded: &Loaded) {
    let (mut records, mut profiles) = (0, 0);
    for instance in loaded.instances.values() {
        for piece in instance.timings.values() {
            records += 1;
            unknown(book, RECORDS, "", &piece.content.rest);
            for process in &piece.content.processes {
                unknown(book, RECORDS, "processes[*].", &process.rest);
            }
        }
        for piece in instance.profiles.values() {
            profiles += 1;
            unknown(book, PROFILES, "", &piece.content.rest);
        }
        if let Some(entry) = &instance.entry {
            unknown(book, BUILDS, "instances.*.", &entry.rest);
        }
    }
    for gap in GAPS {
        let times = match gap.file {
            RECORDS => records,
            PROFILES => profiles,
            _ => 0,
        };
        if times > 0 {
            book.open_times(gap.file, gap.field, gap.why, times);
        }
    }
}

/// The same of the common files.
pub fn common(book: &mut Book, campaign: Option<&CampaignFile>) {
    for gap in GAPS.iter().filter(|gap| matches!(gap.file, CAMPAIGN | BUILDS)) {
        book.open(gap.file, gap.field, gap.why);
    }
    if let Some(campaign) = campaign {
        unknown(book, CAMPAIGN, "", &campaign.rest);
    }
}

/// Fields that this version does not know, and those of own records that their receipts cover.
fn unknown(book: &mut Book, file: &str, prefix: &str, rest: &Fields) {
    const KNOWN: [&str; 2] = [artifacts::records::ARTIFACT, artifacts::records::RECEIPT];
    for name in rest.keys().filter(|name| !KNOWN.contains(&name.as_str())) {
        let field = format!("{prefix}{name}");
        book.open(file, &field, "a field that no check of this version reads");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_fit_whole_fields() {
        assert!(fits("processes[*].wall_s", "processes[3].wall_s"));
        assert!(fits("records/*", "records/kem-11/x__dec.json"));
        assert!(fits("host_checks[*].*", "host_checks[0].utc"));
        assert!(fits("stderr", "stderr"));
        for (pattern, text) in [
            ("stderr", "stderr2"),
            ("processes[*].wall_s", "processes[3].wall_s2"),
            ("processes[*].wall_s", "wall_s"),
        ] {
            assert!(!fits(pattern, text), "{pattern} {text}");
        }
    }
}
