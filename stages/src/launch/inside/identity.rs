//! Who the command is: a user without rights, in a user namespace of its own.
//!
//! An ordinary user stays who it is. Root becomes user and group [`NOBODY`], because a process of
//! user 0 without capabilities still owns root's files and the kernel's settings, and because limits
//! on the number of processes do not bind it. In a user namespace they count its processes only.

use super::namespaces::{map_self, why};
use super::tree::Paths;
use super::{Refusal, refused};
use crate::launch::{Containment, Enforced, Piece};
use nix::sched::{CloneFlags, unshare};
use nix::sys::prctl;
use nix::sys::signal::Signal;
use nix::unistd::{Gid, Uid, chown, geteuid, setgroups, setresgid, setresuid};
use std::fs;
use walkdir::{DirEntry, WalkDir};

/// User and group that root gives the command: "nobody" by old custom, the kernel's overflow user.
const NOBODY: u32 = 65534;

/// Gives up root, and enters a user namespace if this process is not in one of its own.
pub(super) fn give_up(paths: &Paths, own_namespace: bool) -> Result<Vec<Containment>, Refusal> {
    let user = if geteuid().is_root() {
        let named = become_nobody(paths);
        let inside = if named.is_ok() { enter() } else { Ok(()) };
        match (named, inside) {
            (Ok(()), Ok(())) => Containment::yes(Piece::User),
            (Ok(()), Err(why)) => Containment::partly(Piece::User, why),
            (Err(why), _) => Containment::no(Piece::User, why),
        }
    } else if own_namespace {
        Containment::yes(Piece::User)
    } else {
        match unshare(CloneFlags::CLONE_NEWUSER) {
            Ok(()) => Containment::yes(Piece::User),
            Err(errno) => Containment::partly(Piece::User, why(errno)),
        }
    };
    // a change of user undoes it
    prctl::set_pdeathsig(Signal::SIGKILL).map_err(refused("die with the supervisor"))?;
    let more = "/proc/sys/user/max_user_namespaces";
    let alone = match user.enforced {
        Enforced::Yes => Containment::of(Piece::NoNamespaces, fs::write(more, "0")),
        _ => Containment::no(Piece::NoNamespaces, "not in a user namespace of its own"),
    };
    Ok(vec![user, alone])
}

fn become_nobody(paths: &Paths) -> Result<(), String> {
    let (uid, gid) = (Uid::from_raw(NOBODY), Gid::from_raw(NOBODY));
    // folders only: a file can have another name outside, where it must not change hands
    let folders = paths.write.iter().flat_map(|path| {
        let ours =
            |entry: &DirEntry| entry.file_type().is_dir() && !paths.read.contains(entry.path());
        WalkDir::new(path).into_iter().filter_entry(ours)
    });
    for folder in folders {
        let folder = folder.map_err(|error| format!("can't give a folder away: {error}"))?;
        chown(folder.path(), Some(uid), Some(gid))
            .map_err(|errno| format!("can't give {} away: {errno}", folder.path().display()))?;
    }
    setgroups(&[]).map_err(|errno| format!("can't leave groups: {errno}"))?;
    setresgid(gid, gid, gid).map_err(|errno| format!("can't change group: {errno}"))?;
    setresuid(uid, uid, uid).map_err(|errno| format!("can't change user: {errno}"))
}

fn enter() -> Result<(), String> {
    unshare(CloneFlags::CLONE_NEWUSER).map_err(why)?;
    // a process that changed its user can't open its own maps until it says it has no secrets
    prctl::set_dumpable(true).map_err(|errno| format!("can't open the map of users: {errno}"))?;
    map_self(NOBODY, NOBODY).map_err(|error| format!("can't write the map of users: {error}"))
}
