//! `campaign check`: is this host fit for measuring?

use super::{CommandError, create_store, print};
use crate::cli::{CheckArgs, Common};
use crate::exit;
use crate::gather::host::Host;
use serde::Serialize;
use systems::System;

#[derive(Debug, Serialize)]
struct CheckReport {
    system: String,
    cpu: u32,
    fixed: bool,
    problems: Vec<Problem>,
    mismatches: Vec<systems::Mismatch>,
    clock: String,
}

#[derive(Debug, Serialize)]
struct Problem {
    problem: String,
    remedy: String,
}

/// Checks the host.
///
/// # Errors
/// When the system or the core does not exist.
pub fn run(common: &Common, arguments: &CheckArgs) -> Result<u8, CommandError> {
    let system = System::named(&common.system)?;
    let cpu = match arguments.cpu {
        Some(cpu) => u32::try_from(cpu).unwrap_or(u32::MAX),
        None => system.measuring_core,
    };
    let store = create_store(common)?;
    let _lock = store.lock_shared()?;
    let (gathered, probe) = super::run::build_probe(common, arguments.cpu, &store)?;
    let host = Host::look(&system, cpu, probe.map(|probe| (&store, probe)))?;
    let mismatches: Vec<_> = host
        .mismatches
        .iter()
        .chain(&gathered.compiler_mismatch)
        .cloned()
        .collect();
    let report = CheckReport {
        fixed: host.problems.is_empty() && mismatches.is_empty(),
        cpu,
        problems: host
            .problems
            .iter()
            .map(|problem| Problem {
                problem: problem.to_string(),
                remedy: problem.remedy(),
            })
            .collect(),
        mismatches,
        clock: host.environment("").clock_line(),
        system: system.id,
    };
    print(common, &report, text)?;
    Ok(if report.fixed {
        exit::DONE
    } else {
        exit::FOUND
    })
}

fn text(report: &CheckReport) -> String {
    use std::fmt::Write;
    let mut out = String::new();
    let _ = writeln!(
        out,
        "system {}, core {}: {}",
        report.system, report.cpu, report.clock
    );
    for Problem { problem, remedy } in &report.problems {
        let _ = writeln!(out, "- {problem}\n  mend: {remedy}");
    }
    for mismatch in &report.mismatches {
        let _ = writeln!(
            out,
            "- {}: registered {}, found {}",
            mismatch.fact,
            mismatch.expected,
            mismatch.found.as_deref().unwrap_or("nothing")
        );
    }
    out.push_str(match report.fixed {
        true => "this host is fixed\n",
        false => "this host is not fixed: figures measured here are marked\n",
    });
    out
}
