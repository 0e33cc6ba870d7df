//! Lines of Markdown and of the text forms.

use super::line::{Line, Mark};

/// The lines of a text, without blank ones and the rules under table heads.
pub fn lines(text: &str) -> Vec<Line> {
    text.lines()
        .enumerate()
        .filter_map(|(index, line)| read(index + 1, line))
        .collect()
}

fn read(number: usize, line: &str) -> Option<Line> {
    let line = line.trim_matches([' ', '\r']);
    if line.trim().is_empty() {
        return None;
    }
    let (mark, rest) = if let Some(rest) = line.strip_prefix("> ") {
        (Mark::Banner, rest)
    } else if let Some(rest) = line.strip_prefix("- ") {
        (Mark::Item, rest)
    } else {
        let heading = line.trim_start_matches('#');
        let marks = line.len() - heading.len();
        let is_heading = (1..=6).contains(&marks) && heading.starts_with(' ');
        (Mark::Plain, if is_heading { heading } else { line })
    };
    let cells = cells(rest);
    let (mark, cells) = match (mark, cells.len()) {
        (Mark::Plain, 2..) => (Mark::Row, within_bars(rest, cells)),
        (_, 1) => (mark, cells),
        // a bar in a list or banner separates nothing
        _ => (mark, vec![cells.join("|")]),
    };
    let cells: Vec<String> = cells.iter().map(|cell| cell.trim().to_owned()).collect();
    let is_rule = |cell: &String| {
        let dashes = cell.trim_matches(':');
        dashes.len() >= 3 && dashes.bytes().all(|b| b == b'-')
    };
    (mark != Mark::Row || !cells.iter().all(is_rule)).then_some(Line {
        number,
        mark,
        cells,
    })
}

/// Without what stands outside the bars at the ends of a row.
fn within_bars(line: &str, mut cells: Vec<String>) -> Vec<String> {
    if line.ends_with('|') && !line.ends_with("\\|") {
        cells.pop();
    }
    if line.starts_with('|') && cells.len() > 1 {
        cells.remove(0);
    }
    cells
}

/// Splits a line at bars and tabs, and takes Markdown's marks off: code, strong, links, escapes.
fn cells(line: &str) -> Vec<String> {
    let mut cells = vec![String::new()];
    let mut in_code = false;
    // where in the last cell brackets opened that may turn out to be links
    let mut open: Vec<usize> = Vec::new();
    let mut rest = line.chars().peekable();
    while let Some(c) = rest.next() {
        let Some(cell) = cells.last_mut() else { break };
        match c {
            '\\' if in_code && rest.peek() == Some(&'|') => cell.extend(rest.next()),
            '\\' if !in_code && rest.peek().is_some_and(char::is_ascii_punctuation) => {
                cell.extend(rest.next());
            }
            '`' => in_code = !in_code,
            '*' if !in_code && rest.peek() == Some(&'*') => {
                rest.next();
            }
            '|' | '\t' if !in_code || c == '\t' => {
                cells.push(String::new());
                open.clear();
            }
            '[' if !in_code => {
                open.push(cell.len());
                cell.push(c);
            }
            ']' if !in_code && rest.peek() == Some(&'(') && !open.is_empty() => {
                if let Some(at) = open.pop() {
                    cell.remove(at);
                }
                rest.by_ref().take_while(|c| *c != ')').for_each(drop);
            }
            ']' if !in_code => {
                open.pop();
                cell.push(c);
            }
            c => cell.push(c),
        }
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(line: &str) -> Vec<String> {
        read(1, line).unwrap().cells
    }

    #[test]
    fn the_forms_of_a_row() {
        assert_eq!(row("| a | b |"), ["a", "b"]);
        assert_eq!(row("| a | |"), ["a", ""]);
        assert_eq!(row("COMPASS-KEM-128 |"), ["COMPASS-KEM-128"]);
        assert_eq!(row("guide | PASS |"), ["guide", "PASS"]);
        assert_eq!(
            row("`qube-128`\tguide\tPASS"),
            ["qube-128", "guide", "PASS"]
        );
        assert_eq!(
            row("| `a\\|b` | [`x/y`](x/y%20z) [1] |"),
            ["a|b", "x/y [1]"]
        );
        assert_eq!(row("a \\| b \\[c](d) **e**"), ["a | b [c](d) e"]);
        assert_eq!(read(1, "|---|---:|"), None);
        assert_eq!(read(1, "   \t"), None);
        assert_eq!(row("## 4. Performance"), ["4. Performance"]);
        assert_eq!(read(3, "> a | b").unwrap().mark, Mark::Banner);
    }
}
