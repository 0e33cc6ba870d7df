//! Exit codes, the same for every command.

/// Done, also when a candidate failed its known answers.
pub const DONE: u8 = 0;
/// `audit`, `verify` or `check` found something, or a step has no receipt.
pub const FOUND: u8 = 1;
/// Used wrongly: an argument, a name or a file that is not what the command needs.
pub const USAGE: u8 = 2;
/// Stopped by SIGINT or SIGTERM, as shells expect.
pub const INTERRUPTED: u8 = 130;
