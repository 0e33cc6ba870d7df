//! Checks of bytes, before anything is parsed: how a JSON file is laid out, and that nothing in it
//! is an absolute path.

/// The byte at which a valid JSON text departs from the form in which each member stands on a line
/// of its own, indented by so many blanks a level, with one line feed at the end: what Python's
/// `json.dump` and serde_json's pretty printer write.
pub fn departs_from_indented(text: &[u8], indent: usize) -> Option<usize> {
    let mut depth = 0usize;
    let mut at = 0;
    // Where the next line must begin, and how deep.
    let line = |text: &[u8], at: &mut usize, depth: usize| -> bool {
        let blanks = depth * indent;
        let end = *at + 1 + blanks;
        let fits = text.get(*at) == Some(&b'\n')
            && text
                .get(*at + 1..end)
                .is_some_and(|blanks| blanks.iter().all(|byte| *byte == b' '));
        *at = end;
        fits
    };
    while let Some(byte) = text.get(at) {
        let start = at;
        at += 1;
        let fits = match byte {
            b'"' => {
                at = string_end(text, at);
                true
            }
            b'{' | b'[' => {
                let close = if *byte == b'{' { b'}' } else { b']' };
                if text.get(at) == Some(&close) {
                    at += 1;
                    true
                } else {
                    depth += 1;
                    line(text, &mut at, depth)
                }
            }
            b',' => line(text, &mut at, depth),
            b':' => {
                at += 1;
                text.get(at - 1) == Some(&b' ') && text.get(at).is_some_and(|b| !is_blank(*b))
            }
            b'\n' => {
                // Before a closing bracket, or at the very end.
                let last = at == text.len();
                at = start;
                let outer = depth.checked_sub(1);
                match outer {
                    None => {
                        at += 1;
                        last
                    }
                    Some(outer) => {
                        depth = outer;
                        let fits = line(text, &mut at, depth);
                        let closes = matches!(text.get(at), Some(b'}' | b']'));
                        at += 1;
                        fits && closes
                    }
                }
            }
            byte => !is_blank(*byte),
        };
        if !fits {
            return Some(start);
        }
    }
    (text.last() != Some(&b'\n')).then_some(text.len())
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

/// The place after the quote that ends the string which begins at `at`.
fn string_end(text: &[u8], mut at: usize) -> usize {
    while let Some(byte) = text.get(at) {
        match byte {
            b'\\' => at += 2,
            b'"' => return at + 1,
            _ => at += 1,
        }
    }
    at
}

/// The first absolute path in a text, shortened: a slash that begins a word, with a name behind it.
pub fn absolute_path(text: &[u8]) -> Option<String> {
    let mut from = 0;
    while let Some(found) = text[from..].iter().position(|byte| *byte == b'/') {
        let at = from + found;
        from = at + 1;
        let named = text
            .get(at + 1)
            .is_some_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'~'));
        if named && begins_word(&text[..at]) {
            let end = text[at..]
                .iter()
                .position(|byte| byte.is_ascii_whitespace() || matches!(byte, b'"' | b'\'' | b','))
                .map_or(text.len(), |end| at + end);
            let path = &text[at..end.min(at + 80)];
            return Some(String::from_utf8_lossy(path).into_owned());
        }
    }
    None
}

/// Whether what follows this text begins a word: after nothing, a blank, a quote, a mark, or an
/// option's letter (`-I/usr`).
fn begins_word(before: &[u8]) -> bool {
    let before = before.strip_suffix(b"\\").unwrap_or(before);
    match before {
        [] => true,
        [.., b'-', b'I' | b'L' | b'B'] => true,
        [.., b'\\', b'n' | b't' | b'r'] => true,
        [.., last] => {
            last.is_ascii_whitespace()
                || matches!(last, b'"' | b'\'' | b'`' | b'=' | b':' | b',' | b';' | b'(' | b'[' | b'<')
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::{Value, json};

    /// What Python 3's `json.dumps(.., indent=1)` prints.
    const PYTHON: &str = "{\n \"a\": [],\n \"b\": {\n  \"c\": [\n   1.5,\n   \"x \\\" {\"\n  ]\n },\n \"d\": null\n}\n";

    #[test]
    fn the_form_of_published_files_is_known_and_every_other_blank_is_found() {
        assert_eq!(departs_from_indented(PYTHON.as_bytes(), 1), None);
        assert!(departs_from_indented(PYTHON.as_bytes(), 2).is_some());
        for (at, _) in PYTHON.match_indices([' ', '\n']) {
            if PYTHON[..at].ends_with("\"x") || PYTHON[..at].ends_with("\\\"") {
                continue;
            }
            for other in ["", "\t", "  ", "\r\n"] {
                let mut text = PYTHON.to_owned();
                text.replace_range(at..=at, other);
                assert!(
                    departs_from_indented(text.as_bytes(), 1).is_some(),
                    "{at} {other:?}: {text}"
                );
            }
        }
    }

    fn values() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            ".*".prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 30, 5, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
                prop::collection::btree_map(".*", inner, 0..5)
                    .prop_map(|map| Value::Object(map.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn what_serde_writes_has_the_form(value in values()) {
            let mut text = serde_json::to_vec_pretty(&value).unwrap();
            text.push(b'\n');
            prop_assert_eq!(departs_from_indented(&text, 2), None);
        }

        #[test]
        fn any_bytes_are_looked_at_without_harm(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = (departs_from_indented(&bytes, 1), absolute_path(&bytes));
        }
    }

    #[test]
    fn absolute_paths_are_told_from_other_slashes() {
        for path in [
            "/home/x",
            "\"/usr/bin/gcc\"",
            "-I/opt/include",
            "a=/tmp/x",
            "see /etc",
            "\"\\/root\\/x\"",
            "error:\\n/home/x/a.c:1",
        ] {
            assert!(absolute_path(path.as_bytes()).is_some(), "{path}");
        }
        let fine = json!([
            "kat/a.log",
            "Debian / trixie",
            "https://ngcc.dev/x",
            "pseudohash/XOF",
            "1/3",
            "a/b c/d"
        ]);
        assert_eq!(absolute_path(fine.to_string().as_bytes()), None);
        assert_eq!(
            absolute_path(b"x -I/usr/include y").as_deref(),
            Some("/usr/include")
        );
    }
}
