//! `launcher supervise`: namespaces, `launcher init`, and killing what outlives it.

use super::{Refusal, namespaces, refused};
use crate::launch::message::{Ending, Message, Usage};
use nix::errno::Errno;
use nix::sys::prctl;
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::wait;
use nix::unistd::{Pid, setsid};
use signal_hook::consts::FORBIDDEN;
use std::os::unix::net::UnixStream;
use std::os::unix::process::ExitStatusExt;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// How long survivors are hunted. They exist only without a process namespace.
const HUNTING: Duration = Duration::from_secs(10);

/// Signals of the C library's own, which it lets nobody change.
const LIBC_SIGNALS: [i32; 2] = [32, 33];

pub(super) fn supervise(passed: &str, control: &UnixStream) -> Result<(), Refusal> {
    let passed: i32 = passed
        .parse()
        .map_err(refused("count the passed descriptors"))?;
    prctl::set_pdeathsig(Signal::SIGKILL).map_err(refused("die with the stage"))?;
    // what was started by accident with other descriptors open must not pass them on
    close_fds::set_fds_cloexec(3, &(3..3 + passed).collect::<Vec<_>>());
    setsid().map_err(refused("leave the stage's session"))?;
    catch_ignored()?;
    // orphans come to us, and are killed, where there is no process namespace
    prctl::set_child_subreaper(true).map_err(refused("adopt orphans"))?;
    for piece in namespaces::enter()? {
        Message::Containment(piece)
            .send(control)
            .map_err(refused("tell the stage"))?;
    }
    let start = Instant::now();
    let mut init = Command::new("/proc/self/exe")
        .arg("init")
        .env_clear()
        .spawn()
        .map_err(refused("start `launcher init`"))?;
    let ended = init.wait().map_err(refused("wait for `launcher init`"))?;
    hunt();
    // a command may lower the limits of a process of its own user, its `launcher init`, so that the
    // kernel kills that; it must not gain by it, so it is taken for its own end
    if let Some(signal) = ended.signal() {
        let wall_ns = u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX);
        let usage = Usage {
            wall_ns,
            ..Usage::default()
        };
        let killed = Message::Ended {
            end: Ending::Signalled(signal),
            timed_out: false,
            usage,
        };
        killed.send(control).map_err(refused("tell the stage"))?;
    }
    Ok(())
}

/// Makes signals that the stage ignores have their usual effect again: executing a program resets
/// handlers, but would pass on that a signal is ignored. `Command` sees to SIGPIPE and to the mask.
fn catch_ignored() -> Result<(), Refusal> {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status
        .lines()
        .find_map(|line| line.strip_prefix("SigIgn:"))
        .map(str::trim);
    let ignored = u64::from_str_radix(ignored.unwrap_or_default(), 16).unwrap_or_default();
    let own = |signal: &i32| FORBIDDEN.contains(signal) || LIBC_SIGNALS.contains(signal);
    for signal in (1..=64).filter(|signal| ignored >> (signal - 1) & 1 == 1 && !own(signal)) {
        signal_hook::flag::register(signal, Arc::new(AtomicBool::new(false)))
            .map_err(refused(format!("reset signal {signal}")))?;
    }
    Ok(())
}

/// Kills all descendants until there are none. Each round's orphans become our children.
fn hunt() {
    let give_up = Instant::now() + HUNTING;
    while Instant::now() < give_up {
        for child in children() {
            // fails when it is gone
            let _ = kill(child, Signal::SIGKILL);
        }
        if wait() == Err(Errno::ECHILD) {
            return;
        }
    }
}

fn children() -> Vec<Pid> {
    let own = format!("/proc/self/task/{}/children", Pid::this());
    let listed = std::fs::read_to_string(own).unwrap_or_default();
    listed
        .split_whitespace()
        .filter_map(|pid| pid.parse().ok())
        .map(Pid::from_raw)
        .collect()
}
