//! The page on which the figures of a candidate's page find their evidence.

use super::{INDEX, page_file, relative_href};
use crate::cells::CellValue;
use crate::document::{Block, Document, Grid, Setting, Span, Text, Tone};
use crate::format;
use crate::model::Page;

/// The page of a candidate's cells.
pub fn cells_page(page: &Page, cells: &[CellValue]) -> Document {
    let title = format!(
        "{} {} — cells (system {})",
        page.candidate, page.name, page.system
    );
    let mut grid = Grid::titled(&["cell", "shown", "exact", "spread", "formula", "evidence"])
        .set(Setting::Figures, &[3])
        .set(Setting::Prose, &[1, 2, 4]);
    for value in cells {
        let address = value.cell.to_string();
        let mut evidence: Text = Vec::new();
        for source in &value.evidence {
            let is_file = source.path.contains('/') || source.path.contains('.');
            let mut path = Span::code(&source.path);
            if is_file {
                path = path.link(relative_href(&source.path));
            }
            evidence.push(path);
            if let Some(hash) = &source.hash {
                evidence.push(Span::plain(" "));
                evidence.push(Span::code(hash));
            }
        }
        let mut name = Span::code(&address);
        name.id = Some(address);
        grid.rows.push(vec![
            vec![name],
            vec![Span::plain(&value.shown)],
            vec![Span::plain(&value.exact)],
            vec![Span::plain(format::or_missing(value.spread, |spread| {
                format!("{:.2}%", spread * 100.0)
            }))],
            vec![Span::plain(value.formula.as_ref())],
            evidence,
        ]);
    }
    Document {
        title: title.clone(),
        blocks: vec![
            Block::Paragraph(
                Tone::Trail,
                vec![
                    Span::plain("Performance measurements").quiet_link(Some(INDEX.to_owned())),
                    Span::plain(" › "),
                    Span::plain(page.candidate.as_str())
                        .quiet_link(Some(page_file(&page.candidate))),
                    Span::plain(" › cells"),
                ],
            ),
            Block::Heading(1, title),
            Block::paragraph(
                Tone::Plain,
                "Every figure of the page: as shown, unrounded, how far trials differ ((largest - \
                 smallest trial) / mean), and the evidence it follows from. Times are seconds, \
                 memory is bytes.",
            ),
            Block::Table(grid),
        ],
    }
}
