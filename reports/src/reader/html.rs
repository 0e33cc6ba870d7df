//! Lines of our HTML, also after a browser saved it.

use super::line::{Line, Mark};
use scraper::{ElementRef, Html, Selector};

/// The lines of a page: its headings, paragraphs, items and table rows in order.
pub fn lines(page: &str) -> Vec<Line> {
    let Ok(selector) = Selector::parse("h1, h2, h3, p, li, tr") else {
        return Vec::new();
    };
    let document = Html::parse_document(page);
    let mut place = Place::at_start(page);
    document
        .select(&selector)
        .filter_map(|element| {
            let number = place.find(element);
            let (mark, cells) = match element.value().name() {
                "tr" => (
                    Mark::Row,
                    element.child_elements().map(text).collect::<Vec<_>>(),
                ),
                "li" => (Mark::Item, vec![text(element)]),
                "p" if element.value().classes().any(|class| class == "banner") => {
                    (Mark::Banner, vec![text(element)])
                }
                _ => (Mark::Plain, vec![text(element)]),
            };
            let blank = cells.iter().all(String::is_empty);
            (!blank).then_some(Line {
                number,
                mark,
                cells,
            })
        })
        .collect()
}

fn text(element: ElementRef) -> String {
    let text: String = element.text().collect();
    text.replace(['\n', '\r', '\t'], " ").trim().to_owned()
}

/// Where in the source we are: the parser keeps no line numbers, but texts come in order.
struct Place<'a> {
    page: &'a str,
    at: usize,
    line: usize,
}

impl<'a> Place<'a> {
    fn at_start(page: &'a str) -> Self {
        Place {
            page,
            at: 0,
            line: 1,
        }
    }

    /// The line on which the element's first text stands; the last one found where its text is
    /// written in another way than we write it.
    fn find(&mut self, element: ElementRef) -> usize {
        let mut first = None;
        for text in element.text().filter(|text| !text.trim().is_empty()) {
            // our own texts are short: do not search a long page for what is written otherwise
            let end = self.page.floor_char_boundary(self.at + 20_000);
            let wanted = escaped(text);
            let Some(found) = self.page[self.at..end].find(&wanted) else {
                continue;
            };
            let end = self.at + found;
            self.line += self.page[self.at..end].matches('\n').count();
            self.at = end;
            first.get_or_insert(self.line);
            self.at += wanted.len();
        }
        first.unwrap_or(self.line)
    }
}

/// The text after the end of a tag, as our templates write it.
fn escaped(text: &str) -> String {
    let mut out = String::from(">");
    for c in text.chars() {
        match c {
            '&' => out.push_str("&#38;"),
            '<' => out.push_str("&#60;"),
            '>' => out.push_str("&#62;"),
            '"' => out.push_str("&#34;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}
