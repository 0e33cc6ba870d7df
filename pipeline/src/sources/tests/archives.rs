//! Archives that are taken.

use super::*;
use crate::sources::Note;

fn entries() -> Vec<Entry> {
    vec![
        file("k/kem.c", "int x;"),
        file("k/api.h", "int x;"),
        file("k/sub folder+1/签名.txt", "x"),
        file("readme", ""),
    ]
}

const TAKEN: [&str; 4] = ["k/api.h", "k/kem.c", "k/sub folder+1/签名.txt", "readme"];

#[test]
fn every_kind_gives_the_same_tree() {
    let tar = tar(&entries());
    let mut bz2 = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::best());
    bz2.write_all(&tar).unwrap();
    let options = lzma_rust2::XzOptions::with_preset(6);
    let mut xz = lzma_rust2::XzWriter::new(Vec::new(), options).unwrap();
    xz.write_all(&tar).unwrap();
    let packed = [
        zip(&entries()),
        gz(&tar),
        bz2.finish().unwrap(),
        xz.finish().unwrap(),
        tar.clone(),
    ];
    for bytes in packed {
        let (import, vault) = add(&simple(), &bytes).unwrap();
        assert_eq!(paths(&import.tree), TAKEN);
        assert_eq!(vault.0[&import.tree.files[&path("k/kem.c")]], b"int x;");
        assert_eq!(vault.0[&import.tree.files[&path("readme")]], b"");
        assert_eq!((import.is_published, import.notes.len()), (false, 0));
    }
}

#[test]
fn the_digest_is_checked_before_anything_is_read() {
    let bytes = zip(&entries());
    let archive = Archive::new(&bytes);
    let output = std::process::Command::new("sha256sum")
        .arg(&archive.path)
        .output()
        .unwrap();
    let digest = String::from_utf8(output.stdout).unwrap()[..64].to_owned();
    let of = |digest: &str| {
        candidate(
            &format!("[archive]\nfile = \"a.zip\"\nsha256 = \"{digest}\""),
            &[("k", "")],
        )
    };
    let (import, _) = add(&of(&digest), &bytes).unwrap();
    assert!(import.is_published);
    assert_eq!(import.sha256, Some(digest.clone()));
    for bytes in [&bytes[1..], b"no archive at all"] {
        let error = add(&of(&digest), bytes).map(|_| ()).unwrap_err();
        assert!(matches!(error, SourceError::Digest { .. }), "{error}");
        assert!(error.to_string().contains(&digest), "{error}");
    }
}

#[test]
fn archives_in_archives_are_unpacked_beside_themselves_up_to_a_depth() {
    let inner = zip(&[
        file("k/kem.c", "1"),
        file("K 2.TGZ", gz(&tar(&[file("x", "2")]))),
    ]);
    let outer = zip(&[file("doc/Impl 1.zip", inner), file("doc/not.zip", "text")]);
    let (import, _) = add(&simple(), &outer).unwrap();
    assert_eq!(
        paths(&import.tree),
        ["doc/Impl 1/K 2/x", "doc/Impl 1/k/kem.c", "doc/not.zip"]
    );
    assert_eq!(
        import.notes,
        [Note::NotUnpacked {
            path: path("doc/not.zip"),
            why: "it is no archive, whatever its name says"
        }]
    );

    let mut quine = zip(&[file("k/kem.c", "deep")]);
    for _ in 0..5 {
        quine = zip(&[file("n.zip", quine)]);
    }
    let candidate = candidate("", &[("n", "")]);
    let (import, _) = add(&candidate, &quine).unwrap();
    assert_eq!(paths(&import.tree), ["n/n/n/n.zip"]);
    let why = "too many archives around it";
    assert_eq!(
        import.notes,
        [Note::NotUnpacked {
            path: path("n/n/n/n.zip"),
            why
        }]
    );
}

#[test]
fn rar_is_named_and_kept_unread_inside_others() {
    let rar = b"Rar!\x1a\x07\x01\0rest";
    let error = add(&simple(), rar).map(|_| ()).unwrap_err();
    assert!(error.to_string().contains("is a RAR archive"), "{error}");
    let error = add(&simple(), b"just text").map(|_| ()).unwrap_err();
    assert!(error.to_string().contains("is no archive"), "{error}");
    let (import, _) = add(&simple(), &zip(&[file("k/a.c", ""), file("doc.rar", rar)])).unwrap();
    assert_eq!(paths(&import.tree), ["doc.rar", "k/a.c"]);
    assert_eq!(
        import.notes,
        [Note::NotUnpacked {
            path: path("doc.rar"),
            why: "a RAR archive"
        }]
    );
}

#[test]
fn prebuilt_objects_are_kept_as_data_and_listed() {
    let bytes = zip(&[
        file("k/kem.c", "int x;"),
        file("k/kem.o", b"\x7fELF\x02\x01\x01\0rest"),
        file("k/libkem.a", b"!<arch>\nrest"),
        file("k/kem.exe", b"MZ\x90\0"),
    ]);
    let (import, _) = add(&simple(), &bytes).unwrap();
    assert_eq!(import.tree.files.len(), 4);
    let listed: Vec<String> = import.notes.iter().map(Note::to_string).collect();
    assert!(
        listed[0].starts_with("k/kem.exe: a prebuilt Windows program"),
        "{listed:?}"
    );
    assert!(
        listed[1].starts_with("k/kem.o: a prebuilt ELF object, kept as data"),
        "{listed:?}"
    );
    assert!(
        listed[2].starts_with("k/libkem.a: a prebuilt archive"),
        "{listed:?}"
    );
}

#[test]
fn names_are_kept_as_bytes_and_case_matters() {
    let entries = [
        file(b"k/\xc7\xa9.c", "gbk"),
        file("k/A.c", "1"),
        file("k/a.c", "2"),
    ];
    for bytes in [zip(&entries), tar(&entries)] {
        let (import, _) = add(&simple(), &bytes).unwrap();
        let names: Vec<&[u8]> = import.tree.files.keys().map(TreePath::as_bytes).collect();
        assert_eq!(names, [&b"k/A.c"[..], b"k/a.c", b"k/\xc7\xa9.c"]);
    }
}

#[test]
fn links_inside_become_copies() {
    let entries = [
        file("k/a.c", "1"),
        file("k/sub/b.c", "2"),
        link("k/here.c", "./sub/../a.c"),
        link("top", "k/sub"),
        link("k/sub/up.c", "../a.c"),
        link("behind.c", "top/b.c"),
        link(".#lock", "someone@host.123"),
    ];
    for bytes in [zip(&entries), tar(&entries)] {
        let (import, vault) = add(&simple(), &bytes).unwrap();
        let content = |p: &str| vault.0[&import.tree.files[&path(p)]].clone();
        assert_eq!(
            paths(&import.tree),
            [
                "behind.c",
                "k/a.c",
                "k/here.c",
                "k/sub/b.c",
                "k/sub/up.c",
                "top/b.c",
                "top/up.c"
            ]
        );
        assert_eq!(
            [
                content("k/here.c"),
                content("top/up.c"),
                content("k/sub/up.c")
            ],
            [b"1"; 3]
        );
        assert_eq!([content("behind.c"), content("top/b.c")], [b"2"; 2]);
        assert_eq!(import.notes, [Note::Dangling(path(".#lock"))]);
    }
}

#[test]
fn hard_links_name_their_target_from_the_top() {
    let mut bytes = tar_entry(tar::EntryType::Regular, b"./k/a.c", b"", b"1");
    bytes.extend(tar_entry(tar::EntryType::Link, b"k/sub/b.c", b"k/a.c", b""));
    bytes.resize(bytes.len() + 1024, 0);
    let (import, _) = add(&simple(), &bytes).unwrap();
    assert_eq!(paths(&import.tree), ["k/a.c", "k/sub/b.c"]);
    assert_eq!(
        import.tree.files[&path("k/a.c")],
        import.tree.files[&path("k/sub/b.c")]
    );
}

#[test]
fn long_names_of_gnu_and_pax_are_read() {
    let long = format!("k/{}/{}.c", "d".repeat(150), "f".repeat(150));
    let mut gnu = tar::Builder::new(Vec::new());
    let mut header = tar::Header::new_gnu();
    header.set_size(1);
    header.set_mode(0o644);
    gnu.append_data(&mut header, &long, &b"1"[..]).unwrap();
    let record = format!("path={long}\n");
    let record = format!("{} {record}", record.len() + 4);
    let mut pax = tar_entry(tar::EntryType::XHeader, b"pax", b"", record.as_bytes());
    pax.extend(tar_entry(tar::EntryType::Regular, b"short", b"", b"1"));
    pax.resize(pax.len() + 1024, 0);
    for bytes in [gnu.into_inner().unwrap(), pax] {
        let (import, _) = add(&simple(), &bytes).unwrap();
        assert_eq!(paths(&import.tree), std::slice::from_ref(&long));
    }
}
