//! The stage's side: start the launcher, capture, time out.

use super::message::{Ending, Message};
use super::{Captured, Containment, LaunchError, Policy, Usage};
use command_fds::{CommandFdExt, FdMapping};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::Signal;
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Of standard output and error each, the first and the last bytes kept.
const OUTPUT_CAP: usize = 1 << 20;
/// Of the report, the first bytes kept.
const REPORT_CAP: usize = 16 << 20;
/// The launcher ends a command at its wall time; the stage kills the launcher this much later.
const SECOND_LINE: Duration = Duration::from_secs(2);
/// How long a killed launcher may take to be gone.
const DYING: Duration = Duration::from_secs(30);
/// Without a process namespace a survivor can hold pipes open: how long to read on then.
const DRAINING: Duration = Duration::from_secs(1);

/// How a command ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    /// It exited with this code.
    Exited(i32),
    /// A signal ended it.
    Signalled {
        /// Its number.
        signal: i32,
        /// Its name, `SIGSEGV`; `signal N` for one without a name.
        name: String,
    },
    /// The wall time was over and it was killed.
    TimedOut,
}

/// What came of a command.
#[derive(Debug, Clone, PartialEq)]
pub struct Finished {
    /// How it ended.
    pub end: End,
    /// What it and all it started wrote to standard output.
    pub stdout: Captured,
    /// What it and all it started wrote to standard error.
    pub stderr: Captured,
    /// What was written to descriptor 3, up to 16 MiB.
    pub report: Vec<u8>,
    /// Whether the report was longer than that.
    pub report_cut: bool,
    /// What it used.
    pub usage: Usage,
    /// What containment was in force.
    pub containment: Vec<Containment>,
}

/// Runs a command under a policy. `extra` becomes its descriptor 4.
///
/// # Errors
/// When it could not be started or its launcher was lost: a failed machine, never a result of the
/// candidate.
pub fn run(policy: &Policy, extra: Option<OwnedFd>) -> Result<Finished, LaunchError> {
    let command = policy
        .command
        .first()
        .map_or("nothing".into(), |c| c.to_string_lossy());
    let running = Running::start(policy, extra, &command)?;
    let (ended, killed) = running.wait(policy.wall, &command)?;
    ended.finish(killed, &command)
}

/// What this machine would enforce: a policy with every piece in it, restricted and run empty.
///
/// # Errors
/// When the launcher cannot be started.
pub fn containment_available() -> Result<Vec<Containment>, LaunchError> {
    let mut policy = Policy::new("/").proc();
    policy.command.clear();
    policy.read.clear();
    policy.cpu = allowed_core();
    Ok(run(&policy.read_system(), None)?.containment)
}

fn allowed_core() -> Option<usize> {
    let own = nix::unistd::Pid::from_raw(0);
    let allowed = nix::sched::sched_getaffinity(own).ok()?;
    (0..nix::sched::CpuSet::count()).find(|&cpu| allowed.is_set(cpu).unwrap_or(false))
}

/// The launcher beside the running program; tests and benchmarks run one folder below it.
fn launcher() -> Result<PathBuf, LaunchError> {
    let own = std::env::current_exe().unwrap_or_default();
    let mut folders = own.ancestors().skip(1).take(2);
    folders
        .find_map(|folder| Some(folder.join("launcher")).filter(|path| path.is_file()))
        .ok_or(LaunchError::NoLauncher {
            beside: own.clone(),
        })
}

/// A descriptor being read until its end.
struct Channel {
    file: Option<File>,
    captured: Captured,
}

impl Channel {
    fn new(fd: impl Into<OwnedFd>, head_cap: usize, tail_cap: usize) -> Self {
        Channel {
            file: Some(File::from(fd.into())),
            captured: Captured::new(head_cap, tail_cap),
        }
    }

    /// Reads what is there; end of file and errors close the channel.
    fn read(&mut self, buffer: &mut [u8]) {
        let Some(file) = &mut self.file else { return };
        match file.read(buffer) {
            Ok(0) => self.file = None,
            Ok(n) => self.captured.push(&buffer[..n]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => self.file = None,
        }
    }
}

/// All that is read from a launcher and its command.
struct Channels {
    /// Closes when both launcher processes are gone.
    control: Channel,
    stdout: Channel,
    stderr: Channel,
    report: Channel,
    buffer: Vec<u8>,
}

impl Channels {
    /// Waits for at most `timeout`, then reads once from each channel that has something. False:
    /// there was nothing.
    fn read(&mut self, timeout: Duration) -> io::Result<bool> {
        let Channels {
            control,
            stdout,
            stderr,
            report,
            buffer,
        } = self;
        let mut open: Vec<&mut Channel> = [control, stdout, stderr, report]
            .into_iter()
            .filter(|channel| channel.file.is_some())
            .collect();
        let mut polled: Vec<PollFd<'_>> = open
            .iter()
            .filter_map(|channel| channel.file.as_ref())
            .map(|file| PollFd::new(file.as_fd(), PollFlags::POLLIN))
            .collect();
        if polled.is_empty() {
            return Ok(false);
        }
        // rounded up: a timeout of 0 ms before the deadline would spin
        let millis = timeout.as_nanos().div_ceil(1_000_000);
        let timeout = PollTimeout::try_from(millis).unwrap_or(PollTimeout::MAX);
        match poll(&mut polled, timeout) {
            Ok(_) | Err(nix::errno::Errno::EINTR) => {}
            Err(errno) => return Err(errno.into()),
        }
        let ready: Vec<bool> = polled.iter().map(|fd| fd.any().unwrap_or(false)).collect();
        for (channel, ready) in open.iter_mut().zip(&ready) {
            if *ready {
                channel.read(buffer);
            }
        }
        Ok(ready.contains(&true))
    }
}

/// A launcher at work. Dropping it kills what is left.
struct Running {
    child: Child,
    channels: Channels,
    started: Instant,
}

impl Drop for Running {
    fn drop(&mut self) {
        // both fail only when it is gone already
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Running {
    fn start(policy: &Policy, extra: Option<OwnedFd>, command: &str) -> Result<Self, LaunchError> {
        let io = |what| {
            let command = command.to_owned();
            move |source| LaunchError::Io {
                what,
                command,
                source,
            }
        };
        let (mut ours, theirs) = UnixStream::pair().map_err(io("open a channel"))?;
        let (report, report_in) = std::io::pipe().map_err(io("open a pipe"))?;
        let mut fds = vec![FdMapping {
            parent_fd: report_in.into(),
            child_fd: 3,
        }];
        fds.extend(extra.map(|parent_fd| FdMapping {
            parent_fd,
            child_fd: 4,
        }));
        let mut launcher = Command::new(launcher()?);
        launcher
            .args(["supervise", &fds.len().to_string()])
            .env_clear()
            .stdin(OwnedFd::from(theirs))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        launcher
            .fd_mappings(fds)
            .map_err(|collision| io("pass descriptors")(io::Error::other(collision)))?;
        let started = Instant::now();
        let mut child = launcher.spawn().map_err(io("start the launcher"))?;
        // its ends of the channels are closed with it: from now on only the launcher has them
        drop(launcher);
        let pipes = child.stdout.take().zip(child.stderr.take());
        let (stdout, stderr) =
            pipes.ok_or_else(|| io("capture output")(io::ErrorKind::BrokenPipe.into()))?;
        let mut line = serde_json::to_vec(policy).map_err(|source| LaunchError::Policy {
            command: command.to_owned(),
            source,
        })?;
        line.push(b'\n');
        // a launcher that is gone says why, or that it is lost, below
        let _ = ours.write_all(&line);
        let channels = Channels {
            control: Channel::new(ours, REPORT_CAP, 0),
            stdout: Channel::new(stdout, OUTPUT_CAP, OUTPUT_CAP),
            stderr: Channel::new(stderr, OUTPUT_CAP, OUTPUT_CAP),
            report: Channel::new(report, REPORT_CAP, 0),
            buffer: vec![0; 1 << 16],
        };
        Ok(Running {
            child,
            channels,
            started,
        })
    }

    /// Reads until the launcher is gone, and kills it when the wall time is long over. Gives back
    /// the wall time if it did.
    fn wait(
        mut self,
        wall: Duration,
        command: &str,
    ) -> Result<(Self, Option<Duration>), LaunchError> {
        let failed = |source| LaunchError::Io {
            what: "read the launcher's channels",
            command: command.to_owned(),
            source,
        };
        let mut killed = None;
        let mut deadline = self.started + wall + SECOND_LINE;
        while self.channels.control.file.is_some() {
            let left = deadline.saturating_duration_since(Instant::now());
            if !left.is_zero() {
                self.channels.read(left).map_err(failed)?;
            } else if killed.is_some() {
                return Err(LaunchError::Stuck {
                    command: command.to_owned(),
                    pid: self.child.id(),
                });
            } else {
                // fails only when it is gone already
                let _ = self.child.kill();
                killed = Some(self.started.elapsed());
                deadline = Instant::now() + DYING;
            }
        }
        let drained = Instant::now() + DRAINING;
        while self.channels.read(Duration::ZERO).map_err(failed)? && Instant::now() < drained {}
        Ok((self, killed))
    }

    fn finish(mut self, killed: Option<Duration>, command: &str) -> Result<Finished, LaunchError> {
        let command = command.to_owned();
        let mut containment = Vec::new();
        let mut started = false;
        let mut end = None;
        for line in self
            .channels
            .control
            .captured
            .bytes()
            .split(|&byte| byte == b'\n')
        {
            match serde_json::from_slice(line) {
                Ok(Message::Containment(piece)) => containment.push(piece),
                Ok(Message::Started) => started = true,
                Ok(Message::Ended {
                    end: Ending::Signalled(signal),
                    ..
                }) if !started => {
                    let what = "start `launcher init`".to_owned();
                    return Err(LaunchError::Refused {
                        command,
                        what,
                        why: format!("signal {signal}"),
                    });
                }
                Ok(Message::Ended {
                    timed_out: true,
                    usage,
                    ..
                }) => {
                    end = Some((End::TimedOut, usage));
                }
                Ok(Message::Ended {
                    end: ending, usage, ..
                }) => end = Some((ending.into(), usage)),
                Ok(Message::Refused { what, why }) => {
                    return Err(LaunchError::Refused { command, what, why });
                }
                // the empty end of the last line, or one cut short: then no end follows
                Err(_) => {}
            }
        }
        if let (None, Some(wall)) = (&end, killed) {
            let wall_ns = u64::try_from(wall.as_nanos()).unwrap_or(u64::MAX);
            end = Some((
                End::TimedOut,
                Usage {
                    wall_ns,
                    ..Usage::default()
                },
            ));
        }
        let Channels {
            stdout,
            stderr,
            report,
            ..
        } = &mut self.channels;
        let Some((end, usage)) = end else {
            return Err(LaunchError::Lost {
                command,
                stderr: stderr.captured.text(),
            });
        };
        let report_cut = report.captured.lost() > 0;
        Ok(Finished {
            end,
            stdout: std::mem::take(&mut stdout.captured),
            stderr: std::mem::take(&mut stderr.captured),
            report: std::mem::take(&mut report.captured).into_head(),
            report_cut,
            usage,
            containment,
        })
    }
}

impl From<Ending> for End {
    fn from(ending: Ending) -> Self {
        match ending {
            Ending::Exited(code) => End::Exited(code),
            Ending::Signalled(signal) => End::Signalled {
                signal,
                name: Signal::try_from(signal)
                    .map_or_else(|_| format!("signal {signal}"), |name| name.to_string()),
            },
        }
    }
}
