//! Documents as HTML: one file each that needs no other, readable on paper and on a phone, without
//! scripts.

use crate::document::{Block, Document, GridColumn, Setting, Tone};
use crate::markdown::TemplateError;
use crate::model::Page;
use crate::view::ROOT;
use askama::Template;

#[derive(Template)]
#[template(path = "document.html")]
struct DocumentTemplate<'a> {
    document: &'a Document,
}

/// What ends the part of a page that the frame encloses.
const END: &str = "</main>";

/// The document as HTML.
///
/// # Errors
/// When the template engine fails.
pub fn write(document: &Document) -> Result<String, TemplateError> {
    DocumentTemplate { document }.render()
}

/// A candidate's page as HTML, with its root hash if it has one.
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

/// The page in its frame: the campaign's root hash as its last paragraph. Rendering must not know
/// the root, for the root covers what was rendered from.
pub fn with_root(body: &str, root: &str) -> String {
    let root = root
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;");
    let line = format!("<p class=\"root\">{ROOT}{root}</p>\n");
    match body.rfind(END) {
        Some(end) => format!("{}{line}{}", &body[..end], &body[end..]),
        None => format!("{body}{line}"),
    }
}

fn class(tone: &Tone) -> &'static str {
    match tone {
        Tone::Plain => "",
        Tone::Brand => "brand",
        Tone::Trail => "trail",
        Tone::Banner => "banner",
    }
}

/// The attribute of a cell in this column.
fn cell_class(column: &GridColumn) -> &'static str {
    match column.setting {
        Setting::Words => "",
        Setting::Figures => " class=\"f\"",
        Setting::Prose => " class=\"w\"",
    }
}
