//! Archives that are refused, and how.

use super::*;

fn refused(bytes: &[u8]) -> SourceError {
    add(&simple(), bytes).map(|_| ()).unwrap_err()
}

fn refused_within(limits: Limits, bytes: &[u8]) -> SourceError {
    let archive = Archive::new(bytes);
    add_within(&simple(), &archive.path, &limits)
        .map(|_| ())
        .unwrap_err()
}

/// The same entries as a zip and as a tar archive.
fn both(entries: &[Entry]) -> [Vec<u8>; 2] {
    [zip(entries), tar(entries)]
}

fn good() -> Entry {
    file("k/a.c", "1")
}

#[test]
fn traversal_and_absolute_names() {
    for name in ["../evil", "k/../../evil", "/etc/passwd", "k/..", "//evil"] {
        for bytes in both(&[good(), file(name, "x")]) {
            let error = refused(&bytes);
            assert!(
                matches!(&error, SourceError::Name { entry, .. } if entry == name),
                "{error}"
            );
        }
    }
}

#[test]
fn links_outside_in_loops_and_through_links() {
    for target in ["/etc/passwd", "../x", "../../../etc/passwd", "/"] {
        for bytes in both(&[
            good(),
            link("k/l", &format!("../{target}").replace("..//", "/")),
        ]) {
            let error = refused(&bytes);
            assert!(
                matches!(&error, SourceError::LinkOutside { .. }),
                "{target}: {error}"
            );
            assert!(
                error.to_string().contains("link `k/l` points outside"),
                "{error}"
            );
        }
    }
    let loops = [
        vec![link("k/l", "l")],
        vec![link("k/l", "m"), link("k/m", "l")],
        vec![link("k/l", ".")],
        vec![link("k/l", "..")],
        vec![link("k/sub/l", "../../k")],
        vec![file("b/x", ""), link("k/l", "../b"), link("b/m", "../k")],
    ];
    for links in loops {
        for bytes in both(&[vec![good()], links.clone()].concat()) {
            let error = refused(&bytes);
            assert!(matches!(error, SourceError::LinkLoop(_)), "{error}");
        }
    }
    // A file written through a link: the name would be a folder and a link.
    for bytes in both(&[good(), link("k/l", "a.c"), file("k/l/x", "x")]) {
        let error = refused(&bytes);
        assert!(matches!(error, SourceError::FileAndFolder(_)), "{error}");
    }
}

#[test]
fn a_tree_of_links_that_doubles_at_each_level_is_stopped() {
    let mut entries = vec![good(), file("0/x", "x")];
    for level in 1..40 {
        let below = format!("../{}", level - 1);
        entries.push(link(&format!("{level}/a"), &below));
        entries.push(link(&format!("{level}/b"), &below));
    }
    let limits = Limits {
        entries: 10_000,
        ..Limits::default()
    };
    for bytes in both(&entries) {
        let error = refused_within(limits, &bytes);
        assert!(matches!(error, SourceError::TooMany(10_000)), "{error}");
    }
}

#[test]
fn devices_pipes_and_sockets() {
    for kind in [
        tar::EntryType::Char,
        tar::EntryType::Block,
        tar::EntryType::Fifo,
    ] {
        let error = refused(&tar_entry(kind, b"k/dev", b"", b""));
        assert!(matches!(error, SourceError::Special { .. }), "{error}");
    }
    for mode in [0o020_666, 0o060_666, 0o010_666, 0o140_666] {
        let error = refused(&zip(&[Entry {
            mode,
            ..file("k/dev", "")
        }]));
        assert!(matches!(error, SourceError::Special { .. }), "{error}");
    }
}

#[test]
fn bombs_are_stopped_by_size_and_by_ratio() {
    let zeros = vec![0; 1 << 20];
    let limits = Limits {
        total_bytes: 1 << 18,
        ..Limits::default()
    };
    let tar = tar(&[file("k/a.c", &zeros)]);
    let nested = zip(&[file("n.zip", zip(&[file("k/a.c", &zeros)]))]);
    for bytes in [zip(&[file("k/a.c", &zeros)]), gz(&tar), tar, nested] {
        let error = refused_within(limits, &bytes);
        assert!(
            matches!(error, SourceError::TooLarge { limit: 262_144, .. }),
            "{error}"
        );
    }
    let ratio = Limits {
        ratio: 10,
        ratio_free_bytes: 1 << 16,
        ..Limits::default()
    };
    let error = refused_within(ratio, &zip(&[file("k/a.c", &zeros)]));
    assert!(
        matches!(error, SourceError::TooLarge { limit: 65_536, .. }),
        "{error}"
    );
    // Many small files add up.
    let many: Vec<Entry> = (0..300)
        .map(|i| file(format!("k/{i}"), &zeros[..1024]))
        .collect();
    for bytes in both(&many) {
        let error = refused_within(limits, &bytes);
        assert!(matches!(error, SourceError::TooLarge { .. }), "{error}");
    }
}

#[test]
fn a_sparse_tar_entry_counts_as_what_it_unpacks_to() {
    let mut header = tar::Header::new_gnu();
    header.set_entry_type(tar::EntryType::GNUSparse);
    header.as_gnu_mut().unwrap().name[..5].copy_from_slice(b"k/a.c");
    let gnu = header.as_gnu_mut().unwrap();
    // One byte at 1 TiB.
    gnu.sparse[0].offset[..12].copy_from_slice(b"20000000000\0");
    gnu.sparse[0]
        .offset
        .copy_from_slice(&[0x80, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0]);
    gnu.sparse[0].numbytes.copy_from_slice(b"00000000001\0");
    gnu.realsize
        .copy_from_slice(&[0x80, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
    header.set_size(1);
    header.set_mode(0o644);
    header.set_cksum();
    let mut bytes = header.as_bytes().to_vec();
    bytes.push(b'x');
    bytes.resize(1024 + 1024, 0);
    let limits = Limits {
        total_bytes: 1 << 20,
        ..Limits::default()
    };
    let error = refused_within(limits, &bytes);
    assert!(matches!(error, SourceError::TooLarge { .. }), "{error}");
}

#[test]
fn memory_for_names_and_headers_is_bounded() {
    let many: Vec<Entry> = (0..1000).map(|i| file(format!("k/{i}"), "")).collect();
    for bytes in both(&many) {
        let limits = Limits {
            entries: 999,
            ..Limits::default()
        };
        assert!(matches!(
            refused_within(limits, &bytes),
            SourceError::TooMany(999)
        ));
        let limits = Limits {
            name_bytes: 1000,
            ..Limits::default()
        };
        assert!(matches!(
            refused_within(limits, &bytes),
            SourceError::TooLongNames(1000)
        ));
    }
    // A long-name record of 64 MiB, packed to 64 KiB.
    let name = vec![b'a'; 64 << 20];
    let mut long = tar_entry(tar::EntryType::GNULongName, b"././@LongLink", b"", &name);
    long.extend(tar(&[good()]));
    let error = refused(&gz(&long));
    assert!(
        error.to_string().contains("headers of more than"),
        "{error}"
    );
}

#[test]
fn one_name_with_two_contents() {
    let twice = [good(), file("k/./a.c", "2")];
    let link_too = [good(), link("k/a.c", "b")];
    let folder_too = [good(), file("k/a.c/x", "2")];
    for bytes in both(&twice).into_iter().chain(both(&link_too)) {
        let error = refused(&bytes);
        assert!(matches!(error, SourceError::Duplicate(_)), "{error}");
    }
    for bytes in both(&folder_too) {
        assert!(matches!(refused(&bytes), SourceError::FileAndFolder(_)));
    }
    // The same entry twice is no contradiction.
    for bytes in both(&[good(), good()]) {
        assert!(add(&simple(), &bytes).is_ok());
    }
}

#[test]
fn truncated_or_changed_anywhere_is_an_error_never_another_tree() {
    let entries = [
        file("k/a.c", "int a; ".repeat(400)),
        file("k/b.c", "int b;"),
    ];
    let (whole, _) = add(&simple(), &zip(&entries)).unwrap();
    for bytes in [zip(&entries), tar(&entries), gz(&tar(&entries))] {
        // Of a plain tar, the second empty block says nothing.
        for length in (0..bytes.len().saturating_sub(600)).step_by(7) {
            match add(&simple(), &bytes[..length]) {
                Ok((import, _)) => assert_eq!(import.tree, whole.tree, "{length}"),
                Err(error) => assert!(
                    matches!(
                        error,
                        SourceError::Damaged { .. } | SourceError::Kind { .. }
                    ),
                    "{length}: {error}"
                ),
            }
        }
    }
    // Zip entries carry checksums: no changed byte of content goes unseen.
    let bytes = zip(&entries);
    for at in 0..bytes.len() {
        let mut changed = bytes.clone();
        changed[at] ^= 0x55;
        if let Ok((import, _)) = add(&candidate("", &[("k", "")]), &changed) {
            let contents = |i: &Import| i.tree.files.values().copied().collect::<Vec<_>>();
            let known = contents(&whole);
            assert!(
                contents(&import).iter().all(|id| known.contains(id)),
                "byte {at}"
            );
        }
    }
}

#[test]
fn encrypted_and_rarely_packed_entries_are_named() {
    let mut encrypted = zip(&[good()]);
    let mut rare = encrypted.clone();
    let directory = encrypted
        .windows(4)
        .rposition(|w| w == b"PK\x01\x02")
        .unwrap();
    encrypted[directory + 8] |= 1;
    assert!(matches!(refused(&encrypted), SourceError::Encrypted(entry) if entry == "k/a.c"));
    rare[directory + 10] = 9;
    let error = refused(&rare);
    assert!(
        matches!(&error, SourceError::Method { entry, .. } if entry == "k/a.c"),
        "{error}"
    );
}

#[test]
fn the_catalog_can_leave_out_what_would_be_refused() {
    let candidate = candidate(
        "[archive]\nfile = \"a\"\nleave_out = [\"k/l\", \"../evil\", \"doc\"]",
        &[("k", "")],
    );
    let entries = [
        good(),
        link("k/l", "/etc/passwd"),
        file("../evil", ""),
        file("doc/x/y", ""),
        file("docs", ""),
    ];
    for bytes in both(&entries) {
        let (import, _) = add(&candidate, &bytes).unwrap();
        assert_eq!(paths(&import.tree), ["docs", "k/a.c"]);
        assert_eq!(import.notes.len(), 3);
    }
}

#[test]
fn nothing_to_measure() {
    for bytes in both(&[]) {
        let error = refused(&bytes);
        assert!(
            matches!(error, SourceError::Empty(_) | SourceError::Kind { .. }),
            "{error}"
        );
    }
}
