//! Temporary.
use super::CommandError;
use crate::cli::{CellArgs, Common, ShowArgs};
/// Temporary.
pub fn show(_common: &Common, _arguments: &ShowArgs) -> Result<u8, CommandError> {
    Err(CommandError::Usage("not yet".to_owned()))
}
/// Temporary.
pub fn why(_common: &Common, _arguments: &CellArgs) -> Result<u8, CommandError> {
    Err(CommandError::Usage("not yet".to_owned()))
}
/// Temporary.
pub fn request(_common: &Common, _arguments: &CellArgs) -> Result<u8, CommandError> {
    Err(CommandError::Usage("not yet".to_owned()))
}
