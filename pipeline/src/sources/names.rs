//! Names of entries: bytes in an archive to paths in a tree.

use super::error::SourceError;
use artifacts::tree::TreePath;

/// A name as messages and `leave_out` give it.
pub(super) fn shown(raw: &[u8]) -> String {
    String::from_utf8_lossy(raw)
        .chars()
        .map(|c| {
            if c.is_control() {
                c.escape_default().to_string()
            } else {
                c.to_string()
            }
        })
        .collect()
}

/// The path of an entry below the folder `prefix` of its archive. `None`: the top folder itself.
///
/// Empty parts and `.` are dropped, as every unpacker does; whatever could lead out is refused, not
/// mended.
pub(super) fn entry_path(
    prefix: Option<&TreePath>,
    raw: &[u8],
) -> Result<Option<TreePath>, SourceError> {
    let refused = |why| {
        Err(SourceError::Name {
            entry: shown(raw),
            why,
        })
    };
    if raw.starts_with(b"/") {
        return refused("its name is an absolute path");
    }
    if raw.contains(&0) {
        return refused("its name holds a NUL byte");
    }
    let parts: Vec<&[u8]> = raw
        .split(|b| *b == b'/')
        .filter(|part| !part.is_empty() && *part != b".")
        .collect();
    if parts.contains(&&b".."[..]) {
        return refused("its name climbs with `..`");
    }
    if parts.is_empty() {
        return Ok(None);
    }
    match (TreePath::new(parts.join(&b'/')), prefix) {
        (Err(_), _) => refused("its name is too long"),
        (Ok(path), None) => Ok(Some(path)),
        (Ok(path), Some(prefix)) => Ok(Some(prefix.join(&path)?)),
    }
}

/// Where a symbolic link at `link` points to, below the folder `prefix` of its archive. `None`: it
/// points outside. `Some(None)`: to the top folder.
pub(super) fn link_target(
    prefix: Option<&TreePath>,
    link: &TreePath,
    target: &[u8],
) -> Option<Option<TreePath>> {
    if target.starts_with(b"/") || target.is_empty() {
        return None;
    }
    let floor = prefix.map_or(0, |prefix| prefix.as_bytes().split(|b| *b == b'/').count());
    let mut parts: Vec<&[u8]> = link.as_bytes().split(|b| *b == b'/').collect();
    parts.pop();
    for part in target.split(|b| *b == b'/') {
        match part {
            b"" | b"." => {}
            b".." if parts.len() <= floor => return None,
            b".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    if parts.is_empty() {
        return Some(None);
    }
    TreePath::new(parts.join(&b'/')).ok().map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(text: &str) -> TreePath {
        TreePath::new(text).unwrap()
    }

    #[test]
    fn names_are_normalised_or_refused_never_mended() {
        let of = |raw: &[u8]| entry_path(None, raw);
        assert_eq!(of(b"./a//b/./c").unwrap(), Some(path("a/b/c")));
        assert_eq!(of(b"a\\..\\b").unwrap(), Some(path("a\\..\\b")));
        assert_eq!(of(b"./").unwrap(), None);
        assert_eq!(of(b"...").unwrap(), Some(path("...")));
        for bad in [
            &b"/etc/passwd"[..],
            b"..",
            b"a/../b",
            b"a/..",
            b"../x",
            b"a\0b",
        ] {
            assert!(matches!(of(bad), Err(SourceError::Name { .. })), "{bad:?}");
        }
        assert!(of(&[b'a'; 256]).is_err());
        let below = entry_path(Some(&path("x/y")), b"a").unwrap();
        assert_eq!(below, Some(path("x/y/a")));
        assert_eq!(shown(b"a\x1b[31m\xff"), "a\\u{1b}[31m\u{fffd}");
    }

    #[test]
    fn links_lead_no_higher_than_their_archive() {
        let of = |link: &str, target: &str| link_target(None, &path(link), target.as_bytes());
        assert_eq!(of("a/l", "b"), Some(Some(path("a/b"))));
        assert_eq!(of("a/l", "../b/./c"), Some(Some(path("b/c"))));
        assert_eq!(of("a/l", ".."), Some(None));
        assert_eq!(of("a/l", "../.."), None);
        assert_eq!(of("l", "../a"), None);
        assert_eq!(of("l", "/etc/passwd"), None);
        let nested = path("x");
        assert_eq!(link_target(Some(&nested), &path("x/a/l"), b"../.."), None);
        assert_eq!(
            link_target(Some(&nested), &path("x/a/l"), b".."),
            Some(Some(nested.clone()))
        );
    }
}
