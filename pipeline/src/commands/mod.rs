//! The commands, one module each. A command returns its exit code; an error is worded once, here.

mod add_source;
mod check;
mod gc;
mod measuring;
pub mod plan;
mod publish;
mod request;
mod run;
mod shard;
mod show;
mod status;
mod take;
mod verify;
mod why;

use crate::campaign::CampaignError;
use crate::catalog::CatalogError;
use crate::cli::{Cli, Command, Common, RunArgs};
use crate::exit;
use crate::gather::host::HostError;
use crate::gather::{GatherError, default_store};
use crate::lookup::LookupError;
use crate::plan::PlanError;
use crate::publish::PublishError;
use crate::runner::RunError;
use crate::sources::SourceError;
use artifacts::cell::CellError;
use artifacts::store::{CampaignName, Store, StoreError};
use artifacts::words::WordError;
use serde::Serialize;
use std::path::PathBuf;

/// Why a command could not do what was asked.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    /// Gathering.
    #[error(transparent)]
    Gather(#[from] GatherError),
    /// Store.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Planning.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// Running.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The host.
    #[error(transparent)]
    Host(#[from] HostError),
    /// Publishing.
    #[error(transparent)]
    Publish(#[from] PublishError),
    /// A figure asked for does not exist.
    #[error(transparent)]
    Lookup(#[from] LookupError),
    /// A campaign.
    #[error(transparent)]
    Campaign(#[from] CampaignError),
    /// Sources.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// A file.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// A word of the command line.
    #[error(transparent)]
    Word(#[from] WordError),
    /// A cell address.
    #[error(transparent)]
    Cell(#[from] CellError),
    /// JSON.
    #[error("could not write JSON: {0}")]
    Json(#[from] serde_json::Error),
    /// Something named does not exist.
    #[error("{0}")]
    Missing(String),
    /// Something was asked that does not make sense.
    #[error("{0}")]
    Usage(String),
    /// The host must not be measured on.
    #[error("{0}")]
    NotFixed(String),
}

impl From<CatalogError> for CommandError {
    fn from(error: CatalogError) -> Self {
        CommandError::Gather(error.into())
    }
}

impl From<systems::Error> for CommandError {
    fn from(error: systems::Error) -> Self {
        CommandError::Gather(error.into())
    }
}

impl CommandError {
    /// The exit code that goes with it.
    pub fn exit_code(&self) -> u8 {
        match self {
            CommandError::Gather(
                GatherError::Systems(_)
                | GatherError::Word(_)
                | GatherError::Regex { .. }
                | GatherError::NothingMatches(_)
                | GatherError::NothingAgain(_)
                | GatherError::Catalog(_)
                | GatherError::Architecture { .. },
            )
            | CommandError::Word(_)
            | CommandError::Cell(_)
            | CommandError::Lookup(_)
            | CommandError::Missing(_)
            | CommandError::Usage(_)
            | CommandError::Source(_)
            | CommandError::Publish(PublishError::Foreign { .. })
            | CommandError::Host(HostError::Systems(_)) => exit::USAGE,
            CommandError::Store(error)
            | CommandError::Gather(GatherError::Store(error))
            | CommandError::Campaign(CampaignError::Store(error))
            | CommandError::Publish(PublishError::Campaign(CampaignError::Store(error)))
                if used_wrongly(error) =>
            {
                exit::USAGE
            }
            _ => exit::FOUND,
        }
    }
}

/// Whether the store only says that what was named is not there, or cannot be.
fn used_wrongly(error: &StoreError) -> bool {
    matches!(
        error,
        StoreError::NoCampaign(_)
            | StoreError::OtherSystem { .. }
            | StoreError::Absent(_)
            | StoreError::NotAStore(_)
            | StoreError::Name { .. }
    )
}

/// Does what the command line asks.
///
/// # Errors
/// When it could not be done; [`CommandError::exit_code`] says how to exit.
pub fn dispatch(cli: Cli) -> Result<u8, CommandError> {
    let common = &cli.common;
    match cli
        .command
        .unwrap_or_else(|| Command::Run(RunArgs::default()))
    {
        Command::Run(arguments) => run::run(common, &arguments),
        Command::Plan(selection) => plan::run(common, &selection),
        Command::Status(arguments) => status::run(common, &arguments),
        Command::Check(arguments) => check::run(common, &arguments),
        Command::AddSource(arguments) => add_source::run(common, &arguments),
        Command::Show(arguments) => show::run(common, &arguments),
        Command::Why(arguments) => why::run(common, &arguments),
        Command::Request(arguments) => request::run(common, &arguments),
        Command::Publish(arguments) => publish::run(common, &arguments),
        Command::Verify(arguments) => verify::run(common, &arguments),
        Command::Gc(arguments) => gc::run(common, &arguments),
    }
}

/// Where the store is.
fn store_path(common: &Common) -> Result<PathBuf, CommandError> {
    let path = common.store.clone().unwrap_or_else(default_store);
    Ok(std::path::absolute(path)?)
}

/// The store, made where there is none.
fn create_store(common: &Common) -> Result<Store, CommandError> {
    let path = store_path(common)?;
    if let Some(parent) = path.parent() {
        fs_err::create_dir_all(parent)?;
    }
    Ok(Store::create_or_open(&path)?)
}

/// The store, which must exist.
fn open_store(common: &Common) -> Result<Store, CommandError> {
    Ok(Store::open(&store_path(common)?)?)
}

/// The campaign named on the command line, else the system's.
fn campaign_name(common: &Common) -> Result<CampaignName, CommandError> {
    let name = common.campaign.as_deref().unwrap_or(&common.system);
    Ok(CampaignName::new(name)?)
}

/// Prints a result: JSON with `--json`, else what `text` makes of it.
fn print<T: Serialize>(
    common: &Common,
    result: &T,
    text: impl FnOnce(&T) -> String,
) -> Result<(), CommandError> {
    use std::io::Write;
    let out = match common.json {
        true => serde_json::to_string_pretty(result)? + "\n",
        false => text(result),
    };
    match std::io::stdout().lock().write_all(out.as_bytes()) {
        // A reader that has seen enough (`| head`) is no failure.
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        result => Ok(result?),
    }
}
