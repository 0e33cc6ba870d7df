//! Locks between processes, as guards: dropping one releases it and does nothing else.
//!
//! A lock file holds one line of JSON that names who took it last, for the message to those who
//! wait in vain. It is never removed: a lock is held by an open file, not by a file that exists, so
//! a killed holder blocks nobody.

use chrono::{DateTime, SecondsFormat, Utc};
use fs_err as fs;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::fs::{File, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long to wait for a lock unless told otherwise.
pub const LOCK_TIMEOUT: Duration = Duration::from_secs(5);

const PAUSE: Duration = Duration::from_millis(10);

/// Who holds a lock.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Holder {
    /// Its process id.
    pub pid: u32,
    /// The machine it runs on.
    pub host: String,
    /// Its command line.
    pub command: String,
    /// Since when.
    pub since_utc: DateTime<Utc>,
}

impl Holder {
    fn this_process() -> Self {
        let command: Vec<String> = std::env::args_os()
            .map(|arg| arg.to_string_lossy().into_owned())
            .collect();
        Holder {
            pid: std::process::id(),
            host: rustix::system::uname()
                .nodename()
                .to_string_lossy()
                .into_owned(),
            command: command.join(" "),
            since_utc: Utc::now(),
        }
    }
}

impl fmt::Display for Holder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let since = self.since_utc.to_rfc3339_opts(SecondsFormat::Secs, true);
        write!(
            f,
            "process {} (`{}`) on {} since {since}",
            self.pid, self.command, self.host
        )
    }
}

/// A lock was not to be had.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// Somebody else has it.
    #[error(
        "`{path}` is locked by {}; waited {} s: wait until it is done, or stop it{}",
        holder.as_ref().map_or("another process".to_owned(), Holder::to_string),
        waited.as_secs(),
        if holder.is_none() { "; on a network file system it may run on another machine" } else { "" }
    )]
    Held {
        /// The lock file.
        path: PathBuf,
        /// Who took it last, as far as it could say so.
        holder: Option<Holder>,
        /// How long this process waited.
        waited: Duration,
    },
    /// The lock file cannot be opened, or the file system knows no locks.
    #[error(
        "cannot lock `{path}`: {source}; a network file system must support file locks (flock)"
    )]
    Unavailable {
        /// The lock file.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
}

/// A lock that others may hold too, as long as they share it.
#[derive(Debug)]
#[must_use = "the lock is released when the guard is dropped"]
pub struct SharedLock(#[expect(dead_code, reason = "held open, for that is the lock")] File);

/// A lock that nobody else holds, shared or not.
#[derive(Debug)]
#[must_use = "the lock is released when the guard is dropped"]
pub struct ExclusiveLock(#[expect(dead_code, reason = "held open, for that is the lock")] File);

impl SharedLock {
    /// Takes the lock of this file, which is created where it can be.
    ///
    /// # Errors
    /// When somebody holds it exclusively for longer than `timeout`, or it cannot be opened.
    pub fn acquire(path: &Path, timeout: Duration) -> Result<Self, LockError> {
        acquire(path, timeout, File::try_lock_shared).map(SharedLock)
    }
}

impl ExclusiveLock {
    /// Takes the lock of this file, which is created where it can be.
    ///
    /// # Errors
    /// When somebody holds it in any way for longer than `timeout`, or it cannot be opened.
    pub fn acquire(path: &Path, timeout: Duration) -> Result<Self, LockError> {
        acquire(path, timeout, File::try_lock).map(ExclusiveLock)
    }
}

fn acquire(
    path: &Path,
    timeout: Duration,
    try_lock: fn(&File) -> Result<(), TryLockError>,
) -> Result<File, LockError> {
    let unavailable = |source| LockError::Unavailable {
        path: path.to_owned(),
        source,
    };
    let mut file = open(path).map_err(unavailable)?;
    let start = Instant::now();
    loop {
        match try_lock(&file) {
            Ok(()) => break,
            Err(TryLockError::WouldBlock) if start.elapsed() < timeout => {
                std::thread::sleep(PAUSE);
            }
            Err(TryLockError::WouldBlock) => {
                return Err(LockError::Held {
                    path: path.to_owned(),
                    holder: holder(&mut file),
                    waited: timeout,
                });
            }
            Err(TryLockError::Error(source)) => return Err(unavailable(source)),
        }
    }
    // Only a courtesy to those who wait: a lock is good without its holder's name, as in a store
    // that this process may read but not write.
    let _ = sign(&mut file);
    Ok(file)
}

/// In a store that may only be read, a lock can still be taken if its file is there.
fn open(path: &Path) -> io::Result<File> {
    let mut options = fs::OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    match options.open(path) {
        Ok(file) => Ok(file.into()),
        Err(error) => match fs::File::open(path) {
            Ok(file) => Ok(file.into()),
            Err(_) => Err(error),
        },
    }
}

fn sign(file: &mut File) -> io::Result<()> {
    let mut line = serde_json::to_vec(&Holder::this_process())?;
    line.push(b'\n');
    file.set_len(0)?;
    file.seek(SeekFrom::Start(0))?;
    file.write_all(&line)
}

fn holder(file: &mut File) -> Option<Holder> {
    let mut text = String::new();
    file.seek(SeekFrom::Start(0)).ok()?;
    file.take(64 * 1024).read_to_string(&mut text).ok()?;
    serde_json::from_str(&text).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOON: Duration = Duration::from_millis(30);

    #[test]
    fn shared_with_shared_exclusive_with_none() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lock");
        let one = SharedLock::acquire(&path, SOON).unwrap();
        let two = SharedLock::acquire(&path, SOON).unwrap();
        assert!(ExclusiveLock::acquire(&path, SOON).is_err());
        drop((one, two));
        let alone = ExclusiveLock::acquire(&path, SOON).unwrap();
        let error = SharedLock::acquire(&path, SOON).unwrap_err();
        let LockError::Held {
            holder: Some(holder),
            ..
        } = &error
        else {
            panic!("{error}");
        };
        assert_eq!(holder.pid, std::process::id());
        assert!(
            error
                .to_string()
                .contains(&format!("process {}", std::process::id()))
        );
        drop(alone);
        drop(SharedLock::acquire(&path, SOON).unwrap());
        assert!(path.exists());
    }

    #[test]
    fn waiting_ends_when_the_holder_does() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lock");
        let held = ExclusiveLock::acquire(&path, SOON).unwrap();
        let waiter = std::thread::spawn({
            let path = path.clone();
            move || ExclusiveLock::acquire(&path, Duration::from_secs(10)).is_ok()
        });
        std::thread::sleep(SOON);
        drop(held);
        assert!(waiter.join().unwrap());
    }

    #[test]
    fn a_lock_in_no_folder_says_so() {
        let error = SharedLock::acquire(Path::new("/nonexistent/lock"), SOON).unwrap_err();
        assert!(matches!(error, LockError::Unavailable { .. }), "{error}");
    }
}
