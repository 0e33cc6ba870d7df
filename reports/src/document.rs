//! Any page as headings, paragraphs, lists and tables: what [`crate::markdown`] and [`crate::html`]
//! write. One form for candidate, cells, index and size-audit pages.

/// A page.
#[derive(Debug, Clone, Default)]
pub struct Document {
    /// The title of its window; the first heading is among the blocks.
    pub title: String,
    /// What it says.
    pub blocks: Vec<Block>,
}

/// A part of a page.
#[derive(Debug, Clone)]
pub enum Block {
    /// A heading of this level, from 1.
    Heading(u8, String),
    /// A paragraph.
    Paragraph(Tone, Text),
    /// A list.
    Items(Vec<Text>),
    /// A table.
    Table(Grid),
}

/// What a paragraph is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// Running text.
    Plain,
    /// The site's name.
    Brand,
    /// The way to the page.
    Trail,
    /// What must not be overlooked.
    Banner,
}

/// A table: titles, how columns are set, and rows.
#[derive(Debug, Clone, Default)]
pub struct Grid {
    /// Its columns.
    pub columns: Vec<GridColumn>,
    /// Its rows.
    pub rows: Vec<Vec<Text>>,
}

/// A column of a table.
#[derive(Debug, Clone)]
pub struct GridColumn {
    /// Its title.
    pub title: String,
    /// How it is set.
    pub setting: Setting,
}

/// How a column is set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Setting {
    /// Words: flush left, on one line.
    Words,
    /// Figures: flush right, on one line.
    Figures,
    /// Sentences, paths or hashes: flush left, broken where they must be.
    Prose,
}

/// Text in pieces.
pub type Text = Vec<Span>;

/// A piece of text.
#[derive(Debug, Clone, Default)]
pub struct Span {
    /// What it says.
    pub text: String,
    /// Whether it is set as code.
    pub code: bool,
    /// Where it leads, relative to the page; percent-encoded.
    pub href: Option<String>,
    /// By which name a link finds it.
    pub id: Option<String>,
    /// Whether only the HTML page links it: Markdown would be drowned in links.
    pub quiet: bool,
}

impl Span {
    /// Plain text.
    pub fn plain(text: impl Into<String>) -> Self {
        Span {
            text: text.into(),
            ..Span::default()
        }
    }

    /// Code.
    pub fn code(text: impl Into<String>) -> Self {
        Span {
            text: text.into(),
            code: true,
            ..Span::default()
        }
    }

    /// Leads to this place.
    pub fn link(mut self, href: impl Into<String>) -> Self {
        self.href = Some(href.into());
        self
    }

    /// Leads to this place in HTML only.
    pub fn quiet_link(mut self, href: Option<String>) -> Self {
        self.href = href;
        self.quiet = true;
        self
    }
}

impl Block {
    /// A paragraph of plain text.
    pub fn paragraph(tone: Tone, text: impl Into<String>) -> Self {
        Block::Paragraph(tone, vec![Span::plain(text)])
    }
}

impl Grid {
    /// A table with these titles, all of them over words.
    pub fn titled(titles: &[&str]) -> Self {
        Grid {
            columns: titles
                .iter()
                .map(|title| GridColumn {
                    title: (*title).to_owned(),
                    setting: Setting::Words,
                })
                .collect(),
            rows: Vec::new(),
        }
    }

    /// The same table with these columns, counted from 0, set in this way.
    pub fn set(mut self, setting: Setting, columns: &[usize]) -> Self {
        for column in columns {
            if let Some(column) = self.columns.get_mut(*column) {
                column.setting = setting;
            }
        }
        self
    }
}
