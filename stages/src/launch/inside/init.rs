//! `launcher init`: restrict, start the command, wait for it.

use super::tree::Paths;
use super::{Refusal, identity, landlocked, limits, refused, tree};
use crate::launch::message::{Ending, Message, Usage};
use crate::launch::{Containment, Piece, Policy};
use nix::sys::prctl;
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::signal::{Signal, kill};
use nix::sys::time::TimeValLike;
use nix::unistd::{Pid, geteuid, setsid};
use rustix::process::{WaitOptions, wait};
use std::io::{BufRead, BufReader, Read};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::time::{Duration, Instant};

pub(super) fn init(control: &UnixStream) -> Result<(), Refusal> {
    prctl::set_pdeathsig(Signal::SIGKILL).map_err(refused("die with the supervisor"))?;
    let mut line = String::new();
    // the policy is all that the stage ever says, so reading ahead loses nothing
    BufReader::new(control)
        .read_line(&mut line)
        .map_err(refused("read the policy"))?;
    let policy: Policy = serde_json::from_str(&line).map_err(refused("read the policy"))?;
    for piece in restrict(&policy)? {
        Message::Containment(piece)
            .send(control)
            .map_err(refused("tell the stage"))?;
    }
    execute(&policy, control)?
        .send(control)
        .map_err(refused("tell the stage"))
}

/// Takes away from this process all that the policy does not give. The order matters: each step
/// needs rights that a later one gives up.
fn restrict(policy: &Policy) -> Result<Vec<Containment>, Refusal> {
    let own_processes = first_process();
    if own_processes {
        setsid().map_err(refused("leave the supervisor's session"))?;
    }
    // this process's two, and the supervisor where it made the user namespace
    let own_threads = if geteuid().is_root() || !own_processes {
        2
    } else {
        3
    };
    let paths = Paths::of(policy)?;
    let mut pieces = tree::build(policy, &paths)?;
    // an ordinary user that made a process namespace made it in a user namespace of its own
    pieces.extend(identity::give_up(&paths, own_processes)?);
    let user = pieces
        .iter()
        .find(|piece| piece.piece == Piece::User)
        .cloned();
    let user = user.unwrap_or_else(|| Containment::no(Piece::User, "unknown"));
    pieces.extend(limits::disarm());
    pieces.extend(landlocked::restrict(&paths, policy.proc));
    pieces.extend(policy.cpu.map(limits::pin));
    pieces.extend(limits::limit(&policy.limits, &user, own_threads));
    Ok(pieces)
}

/// Whether this is the first process of a process namespace of its own.
fn first_process() -> bool {
    Pid::this() == Pid::from_raw(1)
}

/// Runs the command to its end.
fn execute(policy: &Policy, control: &UnixStream) -> Result<Message, Refusal> {
    let Some((program, args)) = policy.command.split_first() else {
        return Ok(Message::Ended {
            end: Ending::Exited(0),
            timed_out: false,
            usage: Usage::default(),
        });
    };
    let what = format!("execute {}", program.display());
    if !Path::new(program).is_absolute() {
        return Err(refused(what)("not an absolute path"));
    }
    // first: the command must not be able to hinder the watch from starting
    let watched = watch(control, policy.wall)?;
    Message::Started
        .send(control)
        .map_err(refused("tell the stage"))?;
    let start = Instant::now();
    let child = Command::new(program)
        .args(args)
        .env_clear()
        .envs(policy.environment.iter().map(|(name, value)| (name, value)))
        .current_dir(&policy.cwd)
        .stdin(Stdio::null())
        .process_group(0)
        .spawn()
        .map_err(refused(what))?;
    let child = Pid::from_raw(child.id().cast_signed());
    watched.command.store(child.as_raw(), Ordering::Relaxed);
    let end = wait_for(child)?;
    let wall = start.elapsed();
    Ok(Message::Ended {
        end,
        timed_out: end == Ending::Signalled(Signal::SIGKILL as i32)
            && watched.timed_out.load(Ordering::Relaxed),
        usage: usage(wall)?,
    })
}

/// What the watch and the main thread tell each other.
#[derive(Default)]
struct Watched {
    /// The command's process and group; 0 before it is started.
    command: AtomicI32,
    /// Whether the wall time was over.
    timed_out: AtomicBool,
}

/// Starts a thread that kills everything at the wall time, and ends this process when the stage is
/// gone.
fn watch(control: &UnixStream, wall: Duration) -> Result<Arc<Watched>, Refusal> {
    let mut control = control.try_clone().map_err(refused("watch the stage"))?;
    let deadline = Instant::now() + wall;
    let watched = Arc::new(Watched::default());
    let shared = Arc::clone(&watched);
    let watching = move || {
        if stays_until(deadline, &mut control) {
            shared.timed_out.store(true, Ordering::Relaxed);
            kill_all(&shared);
            // the main thread ends this process soon; until then the stage may still go
            let _ = control.set_read_timeout(None);
            while control.read(&mut [0]).is_err() {}
        }
        kill_all(&shared);
        std::process::exit(1);
    };
    std::thread::Builder::new()
        .spawn(watching)
        .map_err(refused("watch the stage"))?;
    Ok(watched)
}

/// Waits for the deadline. False: the stage closed the control channel before.
fn stays_until(deadline: Instant, control: &mut UnixStream) -> bool {
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return true;
        }
        // an error is a timeout or an interruption: a process of ours ended, say
        if control
            .set_read_timeout(Some(left))
            .and_then(|()| control.read(&mut [0]))
            .is_ok()
        {
            return false;
        }
    }
}

/// Kills the command and, in a process namespace, all there is but this process. Elsewhere -1 would
/// mean all processes of this user; there the supervisor kills the rest.
fn kill_all(watched: &Watched) {
    let command = watched.command.load(Ordering::Relaxed);
    let target = if first_process() { -1 } else { -command };
    // 0 would mean our own group; -1 and a group fail when there is nothing left
    if target != 0 {
        let _ = kill(Pid::from_raw(target), Signal::SIGKILL);
    }
}

/// Waits for the command; orphans that end before it are buried on the way.
fn wait_for(child: Pid) -> Result<Ending, Refusal> {
    loop {
        // not nix's: it knows no real-time signals
        let (pid, status) = match wait(WaitOptions::empty()) {
            Ok(Some(ended)) => ended,
            Ok(None) | Err(rustix::io::Errno::INTR) => continue,
            Err(errno) => return Err(refused("wait for the command")(errno)),
        };
        let exited = status.exit_status().map(Ending::Exited);
        let ending = exited.or(status.terminating_signal().map(Ending::Signalled));
        if let (true, Some(ending)) = (pid.as_raw_nonzero().get() == child.as_raw(), ending) {
            return Ok(ending);
        }
    }
}

fn usage(wall: Duration) -> Result<Usage, Refusal> {
    let used = getrusage(UsageWho::RUSAGE_CHILDREN).map_err(refused("count what was used"))?;
    let count = |value: i64| u64::try_from(value).unwrap_or_default();
    Ok(Usage {
        wall_ns: u64::try_from(wall.as_nanos()).unwrap_or(u64::MAX),
        user_ns: count(used.user_time().num_nanoseconds()),
        system_ns: count(used.system_time().num_nanoseconds()),
        max_rss_bytes: count(used.max_rss()) * 1024,
    })
}
