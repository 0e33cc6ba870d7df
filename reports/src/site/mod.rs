//! The pages beside those of candidates: index, cells and size audit, and how pages link.
//!
//! All pages lie in one folder, the dataset's root, beside `records/`, `profile/` and `kat/`:
//! `index.html`, `size-audit.html`, `<candidate>.html` and `<candidate>.cells.html`, each also as
//! `.md`.

mod cells;
mod index;
mod size_audit;

pub use cells::cells_page;
pub use index::{Index, IndexRow, MissingRow, YardstickRow};
pub use size_audit::{SizeRow, size_audit};

use artifacts::{CandidateId, Cell};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// The index page's file name.
pub const INDEX: &str = "index.html";
/// The size-audit page's file name.
pub const SIZE_AUDIT: &str = "size-audit.html";

/// What stands in a relative link as it is; parentheses would end a Markdown link.
const HREF: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'~')
    .remove(b'/');

/// The address of a file in the dataset, as a link.
pub fn relative_href(path: &str) -> String {
    utf8_percent_encode(path, HREF).to_string()
}

/// The file name of a candidate's page.
pub fn page_file(candidate: &CandidateId) -> String {
    format!("{candidate}.html")
}

/// The file name of the page of a candidate's cells.
pub fn cells_file(candidate: &CandidateId) -> String {
    format!("{candidate}.cells.html")
}

/// The link from a figure to its cell. An address is percent-encoded already: as a fragment it finds
/// the element of exactly that name.
pub fn cell_href(candidate: &CandidateId, cell: &Cell) -> String {
    format!("{}#{cell}", cells_file(candidate))
}
