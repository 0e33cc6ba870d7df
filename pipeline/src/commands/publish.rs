//! Temporary.
use super::CommandError;
use crate::cli::{Common, PublishArgs};
/// Temporary.
pub fn run(_common: &Common, _arguments: &PublishArgs) -> Result<u8, CommandError> {
    Err(CommandError::Usage("not yet".to_owned()))
}
