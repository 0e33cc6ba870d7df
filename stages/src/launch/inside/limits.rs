//! Limits, the core, capabilities and privileges.

use crate::launch::{Containment, Enforced, Limits, Piece};
use caps::CapSet;
use nix::errno::Errno;
use nix::sched::{CpuSet, sched_setaffinity};
use nix::sys::prctl;
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use nix::unistd::{Pid, geteuid};

/// Processes that a user may have besides, where the kernel can't count the command's alone: enough
/// for a desktop, few enough for a machine to bear.
const OTHERS: u64 = 4096;

/// No new privileges, no capabilities, and no way for the command to look into this process.
pub(super) fn disarm() -> Vec<Containment> {
    let privileges = Containment::of(Piece::NoNewPrivileges, prctl::set_no_new_privs());
    let secret = prctl::set_dumpable(false).map_err(|errno| errno.to_string());
    let dropped = secret.and_then(|()| drop_capabilities().map_err(|error| error.to_string()));
    vec![privileges, Containment::of(Piece::Capabilities, dropped)]
}

fn drop_capabilities() -> Result<(), caps::errors::CapsError> {
    let bounding = caps::read(None, CapSet::Bounding)?
        .into_iter()
        .try_for_each(|capability| caps::drop(None, CapSet::Bounding, capability));
    for set in [
        CapSet::Ambient,
        CapSet::Inheritable,
        CapSet::Effective,
        CapSet::Permitted,
    ] {
        caps::clear(None, set)?;
    }
    // the bounding set only matters to root: others gain none by executing, given no new privileges
    if geteuid().is_root() {
        bounding
    } else {
        Ok(())
    }
}

/// Pins this process, and so the command, to a core.
pub(super) fn pin(cpu: usize) -> Containment {
    let mut only = CpuSet::new();
    let pinned = only
        .set(cpu)
        .and_then(|()| sched_setaffinity(Pid::from_raw(0), &only));
    match pinned {
        Ok(()) => Containment::yes(Piece::Core),
        Err(errno) => Containment::no(Piece::Core, format!("core {cpu}: {errno}")),
    }
}

/// Sets the limits for this process, and so for the command. `own_threads` of the launcher are in
/// the command's user namespace and counted with its processes.
pub(super) fn limit(limits: &Limits, user: &Containment, own_threads: u64) -> Vec<Containment> {
    let Limits {
        cpu_s,
        address_space_bytes,
        file_size_bytes,
        processes,
        open_files,
        stack_bytes,
    } = *limits;
    let mut set = vec![
        lower(
            Piece::LimitCpu,
            Resource::RLIMIT_CPU,
            cpu_s,
            cpu_s.saturating_add(1),
        ),
        exactly(
            Piece::LimitAddressSpace,
            Resource::RLIMIT_AS,
            address_space_bytes,
        ),
        exactly(
            Piece::LimitFileSize,
            Resource::RLIMIT_FSIZE,
            file_size_bytes,
        ),
        exactly(Piece::LimitOpenFiles, Resource::RLIMIT_NOFILE, open_files),
        exactly(Piece::LimitStack, Resource::RLIMIT_STACK, stack_bytes),
        // one byte: no file, and unlike zero it does not call a crash handler either
        exactly(Piece::NoDumps, Resource::RLIMIT_CORE, 1),
    ];
    let (all, resource) = (Piece::LimitProcesses, Resource::RLIMIT_NPROC);
    let counted = processes.saturating_add(own_threads);
    set.push(match user.enforced {
        Enforced::Yes => exactly(all, resource, counted),
        Enforced::Partly => {
            let counted = counted.saturating_add(OTHERS);
            let bound = exactly(all, resource, counted);
            match bound.enforced {
                Enforced::Yes => Containment::partly(
                    all,
                    format!(
                        "counts all processes of this user, so {counted} are allowed: there is no \
                         user namespace"
                    ),
                ),
                _ => bound,
            }
        }
        Enforced::No => Containment::no(all, "does not bind root"),
    });
    set
}

fn exactly(piece: Piece, resource: Resource, wanted: u64) -> Containment {
    lower(piece, resource, wanted, wanted)
}

/// Sets a limit, or the caller's hard limit where that is lower.
fn lower(piece: Piece, resource: Resource, soft: u64, hard: u64) -> Containment {
    let lowered = || -> Result<u64, Errno> {
        let (_, ceiling) = getrlimit(resource)?;
        setrlimit(resource, soft.min(ceiling), hard.min(ceiling))?;
        Ok(ceiling)
    };
    match lowered() {
        Ok(ceiling) if ceiling < soft => Containment::partly(
            piece,
            format!("the hard limit of the caller, {ceiling}, is lower than {soft}"),
        ),
        set => Containment::of(piece, set),
    }
}
