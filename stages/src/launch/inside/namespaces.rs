//! New namespaces.
//!
//! Root makes all but the user namespace here, and that one last of all (see `identity`), so that
//! the others belong to the machine's own user namespace and the command has no rights over them. An
//! ordinary user gets the right to make the others from a user namespace, so all are made at once.

use super::{Refusal, refused};
use crate::launch::{Containment, Piece};
use caps::CapSet;
use nix::errno::Errno;
use nix::sched::{CloneFlags, unshare};
use nix::unistd::{getegid, geteuid};
use std::io;

const NAMESPACES: [(CloneFlags, Piece); 4] = [
    (CloneFlags::CLONE_NEWPID, Piece::Processes),
    (CloneFlags::CLONE_NEWNET, Piece::Network),
    (CloneFlags::CLONE_NEWIPC, Piece::Ipc),
    (CloneFlags::CLONE_NEWUTS, Piece::HostName),
];

/// Enters new namespaces; the process namespace begins with the next process started.
///
/// # Errors
/// When there is a user namespace, but it can't be made use of.
pub(super) fn enter() -> Result<Vec<Containment>, Refusal> {
    let root = geteuid().is_root();
    let (uid, gid) = (geteuid().as_raw(), getegid().as_raw());
    let wanted = NAMESPACES
        .iter()
        .fold(CloneFlags::CLONE_NEWNS, |all, (flag, _)| all | *flag);
    if root {
        return Ok(match unshare(wanted) {
            Ok(()) => each(|_| Ok(())),
            // as far as it goes: one by one
            Err(_) => {
                // without it there is no file tree, which says so itself
                let _ = unshare(CloneFlags::CLONE_NEWNS);
                each(unshare)
            }
        });
    }
    Ok(match unshare(wanted | CloneFlags::CLONE_NEWUSER) {
        Ok(()) => {
            let ready = map_self(uid, gid).map_err(refused("write the map of users"));
            ready.and_then(|()| keep_capabilities().map_err(refused("keep capabilities")))?;
            each(|_| Ok(()))
        }
        Err(errno) => each(|_| Err(errno)),
    })
}

fn each(enter: impl Fn(CloneFlags) -> Result<(), Errno>) -> Vec<Containment> {
    NAMESPACES
        .iter()
        .map(|&(flag, piece)| Containment::of(piece, enter(flag).map_err(why)))
        .collect()
}

/// Why the kernel makes no namespace. It says little, so the usual causes are named.
pub(super) fn why(errno: Errno) -> String {
    match errno {
        Errno::ENOSPC => {
            "no more namespaces are allowed (see sysctl user.max_user_namespaces)".into()
        }
        Errno::EPERM => "namespaces are not permitted (see sysctl \
                         kernel.apparmor_restrict_unprivileged_userns and \
                         kernel.unprivileged_userns_clone; in a container, its seccomp profile)"
            .into(),
        other => format!("no namespace: {other}"),
    }
}

/// Gives this process in its new user namespace the ids it had outside; no others exist there.
pub(super) fn map_self(uid: u32, gid: u32) -> io::Result<()> {
    // without it the kernel refuses an ordinary user's map of groups
    std::fs::write("/proc/self/setgroups", "deny")?;
    std::fs::write("/proc/self/uid_map", format!("{uid} {uid} 1"))?;
    std::fs::write("/proc/self/gid_map", format!("{gid} {gid} 1"))
}

/// Lets this process's capabilities outlast the execution of `launcher init`, which needs them to
/// build the file tree. Only a user 0 would keep them without.
fn keep_capabilities() -> Result<(), caps::errors::CapsError> {
    let all = caps::read(None, CapSet::Permitted)?;
    caps::set(None, CapSet::Inheritable, &all)?;
    caps::set(None, CapSet::Ambient, &all)
}
