//! Landlock: the allow-list for reading, executing and writing, no TCP, no reaching out.

use super::tree::{DEVICES, Paths};
use crate::launch::{Containment, Piece};
use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, LandlockStatus, RestrictionStatus, Ruleset,
    RulesetAttr, RulesetCreatedAttr, RulesetError, Scope, make_bitflags, path_beneath_rules,
};
use std::path::Path;

/// The newest rules asked for; an older kernel enforces what it knows.
const NEWEST: ABI = ABI::V6;

/// Restricts this process, and so the command.
pub(super) fn restrict(paths: &Paths, proc: bool) -> Vec<Containment> {
    let pieces = [
        (
            Piece::LandlockFiles,
            ABI::V5,
            "before ABI 5 truncating and device controls are free",
        ),
        (
            Piece::LandlockTcp,
            ABI::V4,
            "needs Landlock ABI 4 (Linux 6.7)",
        ),
        (
            Piece::LandlockScope,
            ABI::V6,
            "needs Landlock ABI 6 (Linux 6.12)",
        ),
    ];
    let status = match apply(paths, proc) {
        Ok(status) => status.landlock,
        Err(error) => {
            return pieces
                .map(|(piece, ..)| Containment::no(piece, error.to_string()))
                .into();
        }
    };
    let judge = |(piece, since, why)| match status {
        LandlockStatus::Available { effective_abi, .. } if effective_abi >= since => {
            Containment::yes(piece)
        }
        LandlockStatus::Available { effective_abi, .. }
            if piece == Piece::LandlockFiles && effective_abi >= ABI::V1 =>
        {
            Containment::partly(piece, why)
        }
        LandlockStatus::Available { .. } => Containment::no(piece, why),
        LandlockStatus::NotEnabled => Containment::no(piece, "Landlock is not enabled (lsm=)"),
        LandlockStatus::NotImplemented => Containment::no(piece, "the kernel has no Landlock"),
    };
    pieces.map(judge).into()
}

fn apply(paths: &Paths, proc: bool) -> Result<RestrictionStatus, RulesetError> {
    let read: BitFlags<AccessFs> = make_bitflags!(AccessFs::{ReadFile | ReadDir});
    let special = make_bitflags!(AccessFs::{MakeChar | MakeBlock | MakeSock | MakeFifo | IoctlDev});
    let write = read | AccessFs::from_write(NEWEST) & !special;
    let devices = make_bitflags!(AccessFs::{ReadFile | WriteFile});
    let proc = proc.then_some(Path::new("/proc"));
    Ruleset::default()
        .handle_access(AccessFs::from_all(NEWEST))?
        .handle_access(AccessNet::from_all(NEWEST))?
        .scope(Scope::from_all(NEWEST))?
        .create()?
        .add_rules(path_beneath_rules(&paths.read, read | AccessFs::Execute))?
        .add_rules(path_beneath_rules(&paths.write, write))?
        .add_rules(path_beneath_rules(DEVICES, devices))?
        .add_rules(path_beneath_rules(proc, read))?
        .restrict_self()
}
