//! Folders on disk.

use super::*;
use crate::sources::{Special, read_folder};
use std::os::unix::fs::symlink;

fn write(folder: &Path, name: &str, content: &str) {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, content).unwrap();
}

#[test]
fn a_folder_works_as_an_archive_does() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "Impl 1/k/a.c", "1");
    write(folder.path(), ".git/HEAD", "x");
    symlink("a.c", folder.path().join("Impl 1/k/b.c")).unwrap();
    symlink("/nowhere", folder.path().join("dangling")).unwrap();
    let limits = Limits::default();
    let error = add_within(&simple(), folder.path(), &limits)
        .map(|_| ())
        .unwrap_err();
    assert!(matches!(error, SourceError::LinkOutside { .. }), "{error}");
    std::fs::remove_file(folder.path().join("dangling")).unwrap();
    let (import, _) = add_within(&simple(), folder.path(), &limits).unwrap();
    assert_eq!(paths(&import.tree), ["Impl 1/k/a.c", "Impl 1/k/b.c"]);
    assert_eq!((import.sha256, import.is_published), (None, false));
}

#[test]
fn only_what_is_asked_for_is_read() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["a/1", "a/b/2", "c/3", "d"] {
        write(folder.path(), name, name);
    }
    let read = |only: &[&str]| {
        let only: Vec<TreePath> = only.iter().map(|text| path(text)).collect();
        let limits = Limits::default();
        Vault::default().with(|put| read_folder(folder.path(), Some(&only), &limits, put))
    };
    assert_eq!(
        paths(&read(&["a/b", "a", "d"]).unwrap()),
        ["a/1", "a/b/2", "d"]
    );
    assert!(matches!(read(&["a", "e"]), Err(SourceError::Io(_))));
}

#[test]
fn pipes_are_not_opened_and_limits_hold() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "k/a.c", "123456");
    let read = |limits: Limits| {
        Vault::default()
            .with(|put| read_folder(folder.path(), None, &limits, put))
            .map(|_| ())
    };
    let small = Limits {
        total_bytes: 5,
        ..Limits::default()
    };
    assert!(matches!(
        read(small),
        Err(SourceError::TooLarge { limit: 5, .. })
    ));
    let few = Limits {
        entries: 2,
        ..Limits::default()
    };
    assert!(matches!(read(few), Err(SourceError::TooMany(2))));
    let fifo = folder.path().join("k/pipe");
    assert!(
        std::process::Command::new("mkfifo")
            .arg(&fifo)
            .status()
            .unwrap()
            .success()
    );
    let error = read(Limits::default()).unwrap_err();
    assert!(
        matches!(
            error,
            SourceError::Special {
                what: Special::Pipe,
                ..
            }
        ),
        "{error}"
    );
}
