//! Documents as Markdown (CommonMark with pipe tables). Texts are escaped so that every reader of
//! Markdown shows them as they are, but no more than that needs: seeds and pages read alike.

use crate::document::{Block, Document, Setting, Span, Tone};
use crate::model::Page;
use crate::view::ROOT;
use askama::Template;

#[derive(Template)]
#[template(path = "document.md", escape = "none")]
struct DocumentTemplate<'a> {
    document: &'a Document,
}

/// A document that could not be written: the template engine's fault, as writing to memory cannot
/// fail.
pub type TemplateError = askama::Error;

/// The document as Markdown.
///
/// # Errors
/// When the template engine fails.
pub fn write(document: &Document) -> Result<String, TemplateError> {
    DocumentTemplate { document }.render()
}

/// A candidate's page as Markdown, with its root hash if it has one.
///
/// # Errors
/// When the template engine fails.
pub fn page(page: &Page) -> Result<String, TemplateError> {
    let body = write(&page.document())?;
    Ok(match &page.root {
        Some(root) => with_root(&body, root),
        None => body,
    })
}

/// The page in its frame: the campaign's root hash as its last line. Rendering must not know the
/// root, for the root covers what was rendered from.
pub fn with_root(body: &str, root: &str) -> String {
    format!("{body}\n{ROOT}{}\n", text(root, true))
}

/// A piece of text, as it stands in a table or paragraph. `start`: whether it begins a line.
fn span(span: &Span, start: bool) -> String {
    // nothing can be escaped in a code span, so what would end one is no code
    let shown = if span.code && !span.text.contains(['`', '\\']) && !span.text.is_empty() {
        format!("`{}`", span.text.replace('|', "\\|"))
    } else {
        text(&span.text, start)
    };
    match &span.href {
        Some(href) if !span.quiet => match href.strip_suffix(".html") {
            // the same page in this form; evidence has no such files
            Some(page) => format!("[{shown}]({page}.md)"),
            None => format!("[{shown}]({href})"),
        },
        _ => shown,
    }
}

fn spans(all: &[Span], start: bool) -> String {
    all.iter()
        .enumerate()
        .map(|(index, part)| span(part, start && index == 0))
        .collect()
}

/// Plain text, escaped.
fn text(plain: &str, start: bool) -> String {
    let chars: Vec<char> = plain.chars().collect();
    let word = |index: Option<usize>| {
        index
            .and_then(|index| chars.get(index))
            .is_some_and(|c| c.is_alphanumeric())
    };
    let mut out = String::with_capacity(plain.len() + 8);
    let mut in_note = false;
    for (index, c) in chars.iter().enumerate() {
        let next = chars.get(index + 1);
        let special = match c {
            '\\' | '`' | '*' | '<' | '>' | '|' | '~' => true,
            // an underscore inside a word is one
            '_' => !(word(index.checked_sub(1)) && word(Some(index + 1))),
            '&' => next.is_some_and(|c| c.is_ascii_alphanumeric() || *c == '#'),
            // `[1]` is a note's number, anything else might be a link
            '[' => {
                in_note = is_note(&chars[index + 1..]);
                !in_note
            }
            ']' => !std::mem::take(&mut in_note),
            '#' | '+' | '-' | '=' => start && index == 0,
            '.' | ')' => start && index > 0 && chars[..index].iter().all(char::is_ascii_digit),
            _ => false,
        };
        if special {
            out.push('\\');
        }
        out.push(*c);
    }
    out
}

/// Whether this, after `[`, is a note's number followed by anything but a link's target.
fn is_note(rest: &[char]) -> bool {
    let digits = rest.iter().take_while(|c| c.is_ascii_digit()).count();
    digits > 0
        && rest.get(digits) == Some(&']')
        && !matches!(rest.get(digits + 1), Some('(' | '[' | ':'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_would_be_read_otherwise_is_escaped() {
        for (plain, shown) in [
            ("init_a and max_rss", "init_a and max_rss"),
            ("_x_", "\\_x\\_"),
            ("[1] see", "[1] see"),
            ("[1](x)", "\\[1\\](x)"),
            ("[a]", "\\[a\\]"),
            ("shake* names", "shake\\* names"),
            ("a & b &amp; c", "a & b \\&amp; c"),
            ("a|b", "a\\|b"),
            ("1. x", "1\\. x"),
            ("1.5 x", "1\\.5 x"),
            ("- x", "\\- x"),
        ] {
            assert_eq!(text(plain, true), shown);
        }
        assert_eq!(text("- x", false), "- x");
        assert_eq!(span(&Span::code("a|b"), true), "`a\\|b`");
        assert_eq!(span(&Span::code("a`b"), true), "a\\`b");
    }
}
