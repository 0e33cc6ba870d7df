//! The file tree of the command: an empty read-only tree into which the paths of the policy, four
//! devices and `/proc` are bound. It hides what else there is, from root's closed folders it opens
//! those that the policy names, and makes reading paths read-only whoever owns them.

use super::{Refusal, refused};
use crate::launch::{Containment, Piece, Policy};
use nix::mount::{MntFlags, MsFlags, mount, umount2};
use nix::sys::statvfs::{FsFlags, statvfs};
use nix::unistd::{Pid, pivot_root};
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// Where the new tree is put together. It must be a folder on every system; what it holds comes back
/// once the new tree is the root.
const BASE: &str = "/tmp";
/// The machine's tree while the new one is being filled.
const HOST: &str = "/.host";
/// Devices that do no harm and that programs expect.
pub(super) const DEVICES: [&str; 4] = ["/dev/null", "/dev/zero", "/dev/random", "/dev/urandom"];

/// The policy's paths without symbolic links.
pub(super) struct Paths {
    pub(super) read: BTreeSet<PathBuf>,
    pub(super) write: BTreeSet<PathBuf>,
}

impl Paths {
    pub(super) fn of(policy: &Policy) -> Result<Self, Refusal> {
        let resolved = |paths: &[PathBuf]| -> Result<BTreeSet<PathBuf>, Refusal> {
            let real = |path: &PathBuf| match path.canonicalize() {
                Ok(real) if real == Path::new("/") => Err("name folders in it instead".to_owned()),
                Ok(real) => Ok(real),
                Err(error) => Err(error.to_string()),
            };
            let refuse = |path: &PathBuf| refused(format!("allow {}", path.display()));
            paths
                .iter()
                .map(|path| real(path).map_err(refuse(path)))
                .collect()
        };
        Ok(Paths {
            read: resolved(&policy.read)?,
            write: resolved(&policy.write)?,
        })
    }
}

/// Makes the tree this process's root. Where the kernel refuses to begin, the machine's tree stays.
pub(super) fn build(policy: &Policy, paths: &Paths) -> Result<Vec<Containment>, Refusal> {
    if let Err(errno) = begin() {
        let (tree, proc) = (Piece::FileTree, Piece::Proc);
        let why = format!("the kernel refuses a file tree of its own: {errno}");
        return Ok(vec![
            Containment::no(tree, &why),
            Containment::no(proc, &why),
        ]);
    }
    links(policy).map_err(refused("copy symbolic links"))?;
    for device in DEVICES {
        bind(Path::new(device), MsFlags::MS_NOSUID | MsFlags::MS_NOEXEC)?;
    }
    // in order, a folder comes before what lies in it, so that the innermost path decides
    for path in paths.read.union(&paths.write) {
        let access = if paths.write.contains(path) {
            MsFlags::empty()
        } else {
            MsFlags::MS_RDONLY
        };
        bind(path, MsFlags::MS_NOSUID | MsFlags::MS_NODEV | access)?;
    }
    let proc = proc()?;
    umount2(HOST, MntFlags::MNT_DETACH).map_err(refused("leave the machine's file tree"))?;
    fs::remove_dir(HOST).map_err(refused("leave the machine's file tree"))?;
    let closed = MsFlags::MS_REMOUNT | MsFlags::MS_BIND | MsFlags::MS_RDONLY;
    let closed = closed | MsFlags::MS_NOSUID | MsFlags::MS_NODEV;
    mount_simply(None, "/", None, closed).map_err(refused("close the file tree"))?;
    Ok(vec![Containment::yes(Piece::FileTree), proc])
}

/// An empty tree as root, with the machine's under [`HOST`].
fn begin() -> nix::Result<()> {
    let (private, plain) = (MsFlags::MS_REC | MsFlags::MS_PRIVATE, MsFlags::MS_NOSUID);
    mount_simply(None, "/", None, private)?;
    mount(
        Some("tmpfs"),
        BASE,
        Some("tmpfs"),
        plain,
        Some("mode=0755,size=1m"),
    )?;
    let entered = fs::create_dir(Path::new(BASE).join(&HOST[1..]))
        .map_err(|error| nix::errno::Errno::from_raw(error.raw_os_error().unwrap_or_default()))
        .and_then(|()| pivot_root(BASE, format!("{BASE}{HOST}").as_str()));
    if entered.is_err() {
        // then the machine's tree stays, and so must what lies at BASE
        umount2(BASE, MntFlags::MNT_DETACH)?;
    }
    entered?;
    nix::unistd::chdir("/")
}

/// A path of the machine's tree.
fn on_host(path: &Path) -> PathBuf {
    Path::new(HOST).join(path.strip_prefix("/").unwrap_or(path))
}

/// Copies the links at the top (`/lib` and its like) and those on the way to the policy's paths, so
/// that the names the policy uses are names in the tree too.
fn links(policy: &Policy) -> io::Result<()> {
    for entry in fs::read_dir(HOST)? {
        let entry = entry?;
        if entry.file_type()?.is_symlink() {
            link(&Path::new("/").join(entry.file_name()))?;
        }
    }
    let named = policy.read.iter().chain(&policy.write).chain([&policy.cwd]);
    for path in named {
        let mut above: Vec<&Path> = path.ancestors().collect();
        above.reverse();
        for path in above {
            if on_host(path).is_symlink() {
                link(path)?;
            }
        }
    }
    Ok(())
}

fn link(path: &Path) -> io::Result<()> {
    if path.is_symlink() || path.exists() {
        return Ok(());
    }
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    std::os::unix::fs::symlink(fs::read_link(on_host(path))?, path)
}

/// Binds a path of the machine's tree to the same place in the new one.
fn bind(path: &Path, flags: MsFlags) -> Result<(), Refusal> {
    let what = || format!("bind {} into the file tree", path.display());
    let source = on_host(path);
    let found = fs::metadata(&source).map_err(refused(what()))?;
    if !path.exists() {
        let folder = if found.is_dir() {
            Some(path)
        } else {
            path.parent()
        };
        folder
            .map_or(Ok(()), fs::create_dir_all)
            .map_err(refused(what()))?;
        if !found.is_dir() {
            File::create(path).map_err(refused(what()))?;
        }
    }
    let whole = MsFlags::MS_BIND | MsFlags::MS_REC;
    mount_simply(Some(&source), path, None, whole).map_err(refused(what()))?;
    // a user namespace may add to the flags of a mount, but not take any away
    let kept = statvfs(path).map_err(refused(what()))?.flags();
    let kept = [
        (FsFlags::ST_RDONLY, MsFlags::MS_RDONLY),
        (FsFlags::ST_NOSUID, MsFlags::MS_NOSUID),
        (FsFlags::ST_NODEV, MsFlags::MS_NODEV),
        (FsFlags::ST_NOEXEC, MsFlags::MS_NOEXEC),
        (FsFlags::ST_NOATIME, MsFlags::MS_NOATIME),
        (FsFlags::ST_NODIRATIME, MsFlags::MS_NODIRATIME),
        (FsFlags::ST_RELATIME, MsFlags::MS_RELATIME),
    ]
    .into_iter()
    .filter(|(is, _)| kept.contains(*is))
    .fold(flags, |all, (_, keep)| all | keep);
    let change = MsFlags::MS_REMOUNT | MsFlags::MS_BIND | kept;
    mount_simply(None, path, None, change).map_err(refused(what()))
}

/// A `/proc` of this process namespace; where the kernel refuses it, the machine's.
fn proc() -> Result<Containment, Refusal> {
    // the kernel lets a user namespace have a new one only where the old one is seen in full
    let path = Path::new("/proc");
    fs::create_dir_all(path).map_err(refused("make /proc"))?;
    let whole = MsFlags::MS_BIND | MsFlags::MS_REC;
    mount_simply(Some(&on_host(path)), path, None, whole).map_err(refused("bind /proc"))?;
    if Pid::this() != Pid::from_raw(1) {
        return Ok(Containment::no(
            Piece::Proc,
            "there is no process namespace",
        ));
    }
    let flags = MsFlags::MS_NOSUID | MsFlags::MS_NODEV | MsFlags::MS_NOEXEC;
    Ok(Containment::of(
        Piece::Proc,
        mount_simply(Some(path), path, Some("proc"), flags),
    ))
}

fn mount_simply(
    source: Option<&Path>,
    target: impl AsRef<Path>,
    kind: Option<&str>,
    flags: MsFlags,
) -> nix::Result<()> {
    mount(source, target.as_ref(), kind, flags, None::<&str>)
}
