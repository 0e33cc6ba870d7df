//! Pages: what a campaign's evidence says, as people read it, and back.
//!
//! - [`evidence`]: what a page is made of; [`Page::from_evidence`] makes it.
//! - [`model`]: the page as shown: sections, rows of shown texts, the address of each figure.
//! - [`mod@cells`]: each figure's exact value, formula and evidence.
//! - [`mod@format`]: how figures are written; [`natural`]: the order of instances.
//! - [`document`]: any page as headings, paragraphs and tables; [`markdown`] and [`html`] write it.
//! - [`site`]: index, cells and size-audit pages.
//! - [`reader`]: turns a published page back into the model.
//!
//! Nothing here touches the disk. The same evidence gives the same bytes: no clock, no host, no map
//! without order is looked at.

pub mod cells;
pub mod document;
pub mod evidence;
pub mod format;
pub mod html;
pub mod markdown;
pub mod model;
pub mod natural;
pub mod reader;
pub mod site;

mod assemble;
mod rows;
mod view;
mod wording;

pub use cells::{CellValue, cells};
pub use evidence::{Evidence, Origin};
pub use model::Page;
pub use reader::ReadError;
