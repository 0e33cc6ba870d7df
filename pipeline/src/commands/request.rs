//! `campaign request CELL`: the request of a figure's step, to be piped into its stage.

use super::measuring::{self, Asked};
use super::why::{Now, gather_cell};
use super::{CommandError, create_store};
use crate::cli::{CellArgs, Common};
use crate::exit;
use crate::plan::State;
use crate::runner::{Settings, request};
use artifacts::words::Stage;
use contract::Conditions;
use contract::version::binary;
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Prints the request.
///
/// # Errors
/// When there is no such figure, its step stands behind one that has yet to run, or the host must
/// not be measured on.
pub fn run(common: &Common, arguments: &CellArgs) -> Result<u8, CommandError> {
    let store = create_store(common)?;
    let _lock = store.lock_shared()?;
    let Now {
        gathered,
        steps,
        target,
        probe,
    } = gather_cell(common, arguments, &store)?;
    let step = steps.iter().find(|step| step.name == target);
    let material = match step.map(|step| &step.state) {
        Some(State::Reused { material, .. } | State::Ready(material)) => material,
        Some(State::Waiting) | None => {
            let ready = steps
                .iter()
                .find(|step| matches!(step.state, State::Ready(_)));
            return Err(CommandError::Missing(match ready {
                Some(ready) => format!(
                    "{target} stands behind {}, which has yet to run: `campaign run --only \
                     '^{}/{}$'` runs both",
                    ready.name, arguments.cell.candidate, arguments.cell.instance,
                ),
                None => format!(
                    "{target} is no step of this campaign: what does not build, or is excluded by \
                     the catalog, is not measured"
                ),
            }));
        }
    };
    let measuring = match material.stage {
        Stage::Time | Stage::Profile => {
            let asked = Asked {
                allow_unfixed_host: arguments.allow_unfixed_host,
                quick: arguments.quick,
                shard: None,
            };
            let host = measuring::look(&gathered, asked, &store, probe)?;
            measuring::conditions(&gathered, asked, &host)?
        }
        _ => Conditions::default(),
    };
    let settings = Settings {
        campaign: gathered.campaign.clone(),
        store_path: store.root().to_owned(),
        compiler: gathered.compiler.clone(),
        measuring: Conditions::default(),
        jobs: 1,
        stop: Arc::new(AtomicBool::new(false)),
    };
    let request = request(&gathered.world, &settings, &measuring, &target, material);
    eprintln!("{target}: pipe this into {}", binary(material.stage));
    let json = serde_json::to_string_pretty(&request)?;
    writeln!(std::io::stdout().lock(), "{json}")?;
    Ok(exit::DONE)
}
