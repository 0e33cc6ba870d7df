//! A section: text, a table, text.

use super::ReadError;
use super::line::{Line, Mark};
use crate::model::{Table, Titled};
use crate::rows::Row;

/// The lines under a heading.
#[derive(Debug, Clone, Copy)]
pub struct Section<'a> {
    /// The heading.
    pub heading: &'static str,
    /// The lines.
    pub lines: &'a [Line],
}

impl<'a> Section<'a> {
    /// Whether there is a table with the titles of these rows.
    pub fn has_table<R: Row>(&self) -> bool {
        self.lines.iter().any(|line| head::<R>(line).is_some())
    }

    /// The text before the table and the table, after which nothing may stand.
    pub fn whole<R: Row>(&self) -> Result<Titled<R>, ReadError> {
        let (titled, after) = self.titled()?;
        match after.first() {
            Some(line) => Err(line.unexpected(self.heading)),
            None => Ok(titled),
        }
    }

    /// The text before the table, the table, and the lines after it.
    pub fn titled<R: Row>(&self) -> Result<(Titled<R>, &'a [Line]), ReadError> {
        let (at, head) = self
            .lines
            .iter()
            .enumerate()
            .find_map(|(at, line)| Some((at, head::<R>(line)?)))
            .ok_or_else(|| ReadError::NoTable {
                heading: self.heading,
                columns: R::COLUMNS
                    .iter()
                    .map(|column| column.titles[0])
                    .collect::<Vec<_>>()
                    .join(", "),
            })?;
        let (before, rest) = self.lines.split_at(at);
        let mut intro = Vec::new();
        for line in before {
            if line.mark != Mark::Plain {
                return Err(line.unexpected(self.heading));
            }
            intro.push(line.text());
        }
        let (title, body) = rest.split_at(1);
        let in_words = title.iter().any(|line| line.mark == Mark::Plain);
        let (rows, used) = if in_words {
            rows_of_words(body)?
        } else {
            rows_of_cells(body)?
        };
        let titled = Titled {
            intro: intro.join(" "),
            table: Table { head, rows },
        };
        Ok((titled, &body[used..]))
    }
}

/// The titles, if the line is the head of such a table.
fn head<R: Row>(line: &Line) -> Option<Vec<String>> {
    match line.mark {
        Mark::Row => {
            let fits = line.cells.len() == R::COLUMNS.len()
                && R::COLUMNS
                    .iter()
                    .zip(&line.cells)
                    .all(|(column, cell)| column.titles.contains(&cell.as_str()));
            fits.then(|| line.cells.clone())
        }
        Mark::Plain => {
            let mut rest = line.text();
            let mut titles = Vec::new();
            for column in R::COLUMNS {
                // the longest first: one title may begin with another
                let title = column
                    .titles
                    .iter()
                    .filter(|title| rest.starts_with(**title))
                    .max_by_key(|title| title.len())?;
                rest = rest[title.len()..].trim_start();
                titles.push((*title).to_owned());
            }
            rest.is_empty().then_some(titles)
        }
        Mark::Banner | Mark::Item => None,
    }
}

/// Rows whose columns have only blanks between them, up to the first line that is none.
fn rows_of_words<R: Row>(lines: &[Line]) -> Result<(Vec<R>, usize), ReadError> {
    let mut rows = Vec::new();
    for line in lines {
        if line.mark != Mark::Plain {
            break;
        }
        match R::from_words(line.text()) {
            Some(row) => rows.push(row.map_err(|error| field(line.number, error))?),
            None => break,
        }
    }
    let used = rows.len();
    Ok((rows, used))
}

/// Rows of cells, each on one line or on several.
fn rows_of_cells<R: Row>(lines: &[Line]) -> Result<(Vec<R>, usize), ReadError> {
    let expected = R::COLUMNS.len();
    let mut rows = Vec::new();
    // with the line of each, as a row may be spread over several
    let mut cells: Vec<(usize, &str)> = Vec::new();
    let mut used = 0;
    let mut last = 0;
    for line in lines.iter().take_while(|line| line.mark == Mark::Row) {
        used += 1;
        last = line.number;
        cells.extend(line.cells.iter().map(|cell| (line.number, cell.as_str())));
        if cells.len() > expected {
            return Err(ReadError::RowLength {
                line: line.number,
                found: cells.len(),
                expected,
            });
        }
        if cells.len() == expected {
            let texts: Vec<&str> = cells.iter().map(|(_, text)| *text).collect();
            let row = R::from_cells(&texts).map_err(|error| {
                let line = cells.get(error.index).map_or(last, |(line, _)| *line);
                field(line, error)
            })?;
            rows.push(row);
            cells.clear();
        }
    }
    if cells.is_empty() {
        Ok((rows, used))
    } else {
        Err(ReadError::RowLength {
            line: last,
            found: cells.len(),
            expected,
        })
    }
}

fn field(line: usize, error: crate::rows::RowError) -> ReadError {
    ReadError::Field {
        line,
        field: error.column.to_owned(),
        text: error.text,
    }
}
