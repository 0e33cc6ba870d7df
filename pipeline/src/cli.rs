//! The command line of `campaign`.

use artifacts::Cell;
use clap::{Args, Parser, Subcommand};
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// Measures cryptographic C implementations so that every published number can be traced,
/// recomputed and rebuilt.
#[derive(Debug, Parser)]
#[command(name = "campaign", version, propagate_version = true, after_help = EXAMPLES)]
pub struct Cli {
    /// What to do; `run` when absent.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// Options of every command.
    #[command(flatten)]
    pub common: Common,
}

const EXAMPLES: &str = "Examples:
  campaign                                   measure the controls and all candidates with sources
  campaign plan --only '^kem-'               what would run, and why
  campaign add-source kem-09 CheetahKEM.zip  check, unpack and keep a submission
  campaign show local/ml-kem/ML-KEM-512/enc/mean_seconds
  campaign why  local/ml-kem/ML-KEM-512/enc/mean_seconds

Exit status: 0 done (also when a candidate failed its known answers); 1 verify or check found
something, or a step has no receipt; 2 used wrongly; 130 interrupted.";

/// Options of every command.
#[derive(Debug, Args, Clone)]
pub struct Common {
    /// Where artifacts, receipts and campaigns are kept [default: $XDG_STATE_HOME/assay/store, which
    /// is ~/.local/state/assay/store]
    #[arg(long, global = true, value_name = "DIR", env = "ASSAY_STORE")]
    pub store: Option<PathBuf>,
    /// The system to measure as: a registered one, or `local` for any other machine
    #[arg(long, global = true, value_name = "ID", default_value = "local")]
    pub system: String,
    /// The campaign's name [default: the system's id]
    #[arg(long, global = true, value_name = "NAME")]
    pub campaign: Option<String>,
    /// A folder of candidate files that add to or replace the built-in ones
    #[arg(long, global = true, value_name = "DIR", env = "ASSAY_CANDIDATES")]
    pub candidates: Option<PathBuf>,
    /// PQClean's folder, from which the controls are built [default: the pinned package]
    #[arg(long, global = true, value_name = "DIR", env = "ASSAY_CONTROLS")]
    pub controls: Option<PathBuf>,
    /// The C compiler [default: the system's]
    #[arg(long, global = true, value_name = "COMMAND", env = "ASSAY_CC")]
    pub cc: Option<String>,
    /// Print results as JSON
    #[arg(long, global = true)]
    pub json: bool,
}

/// Which part of the catalog, and how.
#[derive(Debug, Args, Clone)]
pub struct Selection {
    /// Only instances whose `candidate/instance` matches this regular expression
    #[arg(long, value_name = "REGEX")]
    pub only: Option<String>,
    /// Only these stages and what they need (build, kat, time, profile, size-audit, render)
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub stages: Vec<String>,
    /// The measuring core [default: the system's]
    #[arg(long, value_name = "N")]
    pub cpu: Option<usize>,
    /// 0.05 s a trial, for a look; such records are kept apart from full ones
    #[arg(long)]
    pub quick: bool,
    /// Measure on a host that is not fixed, or is not the machine registered; every record and page
    /// says so
    #[arg(long)]
    pub allow_unfixed_host: bool,
    /// Measure steps whose name matches anew, although there is a receipt
    #[arg(long, value_name = "REGEX")]
    pub again: Option<String>,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Build, check, measure, audit sizes and render: the main job
    Run(RunArgs),
    /// Print what would run, why, how long it takes and how much disk
    Plan(Selection),
    /// What the campaign holds
    Status(StatusArgs),
    /// Whether this host is fit for measuring, each problem with its remedy
    Check(CheckArgs),
    /// Check, unpack and keep a candidate's sources
    AddSource(AddSourceArgs),
    /// A figure: value, formula, inputs, and the chain down to source and machine
    Show(ShowArgs),
    /// What made a figure stale or current: the fields of the key
    Why(CellArgs),
    /// The request of a figure's step, to be piped into its stage
    Request(CellArgs),
    /// Write the campaign's evidence and pages for others to read
    Publish(PublishArgs),
    /// Re-hash every blob and follow every link
    Verify(VerifyArgs),
    /// Remove what no campaign refers to; prints the plan unless --delete is given
    Gc(GcArgs),
}

/// Arguments of `run`.
#[derive(Debug, Args, Clone)]
pub struct RunArgs {
    /// What to run.
    #[command(flatten)]
    pub selection: Selection,
    /// Where the site is written
    #[arg(
        long,
        value_name = "DIR",
        default_value = "assay-out",
        env = "ASSAY_OUT"
    )]
    pub out: PathBuf,
    /// Builds and KATs at a time [default: all cores]
    #[arg(long, value_name = "N")]
    pub jobs: Option<NonZeroUsize>,
    /// This process measures part K of N
    #[arg(long, value_name = "K/N")]
    pub shard: Option<String>,
    /// Take over the builds and known answers of this store, such as Nix built for a candidate; more
    /// than once for several
    #[arg(long, value_name = "DIR")]
    pub take: Vec<PathBuf>,
}

impl Default for RunArgs {
    fn default() -> Self {
        RunArgs {
            selection: Selection {
                only: None,
                stages: Vec::new(),
                cpu: None,
                quick: false,
                allow_unfixed_host: false,
                again: None,
            },
            out: std::env::var_os("ASSAY_OUT").map_or_else(|| "assay-out".into(), PathBuf::from),
            jobs: None,
            shard: None,
            take: Vec::new(),
        }
    }
}

/// Arguments of `status`.
#[derive(Debug, Args)]
pub struct StatusArgs {
    /// Print again whenever something changes
    #[arg(long)]
    pub watch: bool,
}

/// Arguments of `check`.
#[derive(Debug, Args)]
pub struct CheckArgs {
    /// The core to measure on [default: the system's]
    #[arg(long, value_name = "N")]
    pub cpu: Option<usize>,
}

/// Arguments of `add-source`.
#[derive(Debug, Args)]
pub struct AddSourceArgs {
    /// The candidate, such as kem-09
    pub candidate: String,
    /// Its archive, or a folder
    pub source: PathBuf,
}

/// Arguments of `show`.
#[derive(Debug, Args)]
pub struct ShowArgs {
    /// [campaign@]system/candidate/instance/operation/metric
    pub cell: Cell,
    /// Print the raw trials too
    #[arg(long)]
    pub evidence: bool,
}

/// A cell, and the circumstances that decide its step's key.
#[derive(Debug, Args)]
pub struct CellArgs {
    /// [campaign@]system/candidate/instance/operation/metric
    pub cell: Cell,
    /// The planning of `run --quick`
    #[arg(long)]
    pub quick: bool,
    /// The measuring core [default: the system's]
    #[arg(long, value_name = "N")]
    pub cpu: Option<usize>,
    /// Give a request also for a host that is not fixed, or is not the machine registered
    #[arg(long)]
    pub allow_unfixed_host: bool,
}

/// Arguments of `publish`.
#[derive(Debug, Args)]
pub struct PublishArgs {
    /// The folder to write: new, empty, or an earlier publication, which is replaced
    pub folder: PathBuf,
}

/// Arguments of `verify`.
#[derive(Debug, Args)]
pub struct VerifyArgs {
    /// First make the index anew from the recorded receipts
    #[arg(long)]
    pub rebuild_index: bool,
}

/// Arguments of `gc`.
#[derive(Debug, Args)]
pub struct GcArgs {
    /// Delete what the plan names
    #[arg(long)]
    pub delete: bool,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definition_is_sound() {
        Cli::command().debug_assert();
    }
}
