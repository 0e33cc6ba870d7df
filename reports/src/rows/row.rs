//! What a row of a page's table is: shown texts, and what its columns are called, hold and mean.

use artifacts::{Label, Operation};
use regex::Regex;
use std::fmt;

/// A column of a table.
#[derive(Debug)]
pub struct Column {
    /// Its title; others by which a reader knows it too.
    pub titles: &'static [&'static str],
    /// A regular expression for every text it may hold.
    pub pattern: &'static str,
    /// What it is for.
    pub role: Role,
}

/// What a column is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Says what the row is about.
    Key,
    /// As `Key` or `Text`, set as code.
    Code,
    /// Text that is no figure.
    Text,
    /// A figure of the row's operation, by its metric.
    Figure(&'static str),
    /// A figure of the whole instance, by its metric.
    InstanceFigure(&'static str),
}

impl Role {
    /// Whether the column holds a figure.
    pub fn is_figure(self) -> bool {
        matches!(self, Role::Figure(_) | Role::InstanceFigure(_))
    }
}

/// A cell that its column may not hold.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` cannot stand in column `{column}`")]
pub struct RowError {
    /// The column's place, from 0.
    pub index: usize,
    /// The column's title.
    pub column: &'static str,
    /// What stands there.
    pub text: String,
}

/// A row of one of a page's tables.
pub trait Row: Sized {
    /// The columns.
    const COLUMNS: &'static [Column];

    /// The texts, one a column.
    fn cells(&self) -> Vec<String>;

    /// The row of these texts, one a column.
    ///
    /// # Errors
    /// When a text cannot stand in its column.
    fn from_cells(cells: &[&str]) -> Result<Self, RowError>;

    /// The row written with blanks between the columns, if the text is one.
    fn from_words(line: &str) -> Option<Result<Self, RowError>>;

    /// The instance the row is about.
    fn instance(&self) -> Option<&Label> {
        None
    }

    /// The operation the row is about.
    fn operation(&self) -> Option<Operation> {
        None
    }
}

/// One regular expression a column, and one for the whole row with blanks between the columns.
pub(super) struct Patterns {
    pub(super) cells: Vec<Option<Regex>>,
    pub(super) words: Option<Regex>,
}

impl Patterns {
    pub(super) fn of(columns: &[Column]) -> Self {
        let all: Vec<String> = columns
            .iter()
            .map(|column| format!("({})", column.pattern))
            .collect();
        Patterns {
            cells: columns
                .iter()
                .map(|column| Regex::new(&format!("^(?:{})$", column.pattern)).ok())
                .collect(),
            words: Regex::new(&format!("^{}$", all.join("[ \\t]+"))).ok(),
        }
    }
}

pub(super) fn parse<T: std::str::FromStr>(
    cell: Option<(usize, &str)>,
    columns: &'static [Column],
    patterns: &Patterns,
) -> Result<T, RowError> {
    let (index, text) = cell.unwrap_or((0, ""));
    let matches = patterns
        .cells
        .get(index)
        .and_then(Option::as_ref)
        .is_some_and(|pattern| pattern.is_match(text));
    text.parse().ok().filter(|_| matches).ok_or(RowError {
        index,
        column: columns[index].titles[0],
        text: text.to_owned(),
    })
}

macro_rules! row {
    ($(#[$doc:meta])* $name:ident {
        $($(#[$field_doc:meta])* $field:ident: $type:ty, $role:expr, [$($title:literal),+], $pattern:expr;)+
    } $($methods:tt)*) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub struct $name {
            $($(#[$field_doc])* pub $field: $type,)+
        }

        impl $name {
            fn patterns() -> &'static Patterns {
                static PATTERNS: std::sync::OnceLock<Patterns> = std::sync::OnceLock::new();
                PATTERNS.get_or_init(|| Patterns::of(Self::COLUMNS))
            }
        }

        impl Row for $name {
            const COLUMNS: &'static [Column] = &[$(Column {
                titles: &[$($title),+],
                pattern: $pattern,
                role: $role,
            }),+];

            fn cells(&self) -> Vec<String> {
                vec![$(self.$field.to_string()),+]
            }

            fn from_cells(cells: &[&str]) -> Result<Self, RowError> {
                let patterns = Self::patterns();
                let mut cells = cells.iter().copied().enumerate();
                Ok(Self {
                    $($field: parse::<$type>(cells.next(), Self::COLUMNS, patterns)?,)+
                })
            }

            fn from_words(line: &str) -> Option<Result<Self, RowError>> {
                let found = Self::patterns().words.as_ref()?.captures(line)?;
                let cells: Vec<&str> = found
                    .iter()
                    .skip(1)
                    .map(|cell| cell.map_or("", |cell| cell.as_str()))
                    .collect();
                Some(Self::from_cells(&cells))
            }

            $($methods)*
        }
    };
}

pub(super) use row;

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.titles[0])
    }
}
