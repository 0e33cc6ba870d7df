//! Temporary.
use super::CommandError;
use crate::cli::{AddSourceArgs, Common};
/// Temporary.
pub fn run(_common: &Common, _arguments: &AddSourceArgs) -> Result<u8, CommandError> {
    Err(CommandError::Usage("not yet".to_owned()))
}
