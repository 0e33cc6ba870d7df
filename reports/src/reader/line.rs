//! The lines of a page, whatever its form: what both the text and the HTML form come down to.

use super::ReadError;

/// A line with something on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// Its number in the page, from 1.
    pub number: usize,
    /// What it is.
    pub mark: Mark,
    /// The cells of a row; the one text of any other line.
    pub cells: Vec<String>,
}

/// What a line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// A heading or a paragraph, or a row whose columns have only blanks between them.
    Plain,
    /// What must not be overlooked.
    Banner,
    /// An item of a list.
    Item,
    /// A row of a table, or a part of one.
    Row,
}

impl Line {
    /// The text of a line that is no row; of a row its first cell.
    pub fn text(&self) -> &str {
        self.cells.first().map_or("", String::as_str)
    }

    /// The error that this line does not belong where it stands.
    pub fn unexpected(&self, heading: &'static str) -> ReadError {
        ReadError::Unexpected {
            line: self.number,
            heading,
            text: self.cells.join(" | "),
        }
    }
}
