//! The rows of a page's tables: each a struct of shown texts, and what its columns are called, hold
//! and mean.

use artifacts::{Label, Operation};
use regex::Regex;
use std::fmt;
use std::sync::OnceLock;

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
struct Patterns {
    cells: Vec<Option<Regex>>,
    words: Option<Regex>,
}

impl Patterns {
    fn of(columns: &[Column]) -> Self {
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

fn parse<T: std::str::FromStr>(
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
                static PATTERNS: OnceLock<Patterns> = OnceLock::new();
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

const LABEL: &str = r"\S(?:.*?\S)??";
const OPERATION: &str = r"[a-z][a-z0-9_]*";
const CYCLES: &str = r"–|failed|[0-9]+(?:\.[0-9]+)?(?: [kMG])?";
const TIME: &str = r"–|[0-9]+(?:\.[0-9]+)?(?:e[+-][0-9]+)? (?:s|ms|µs|ns)";
const GENERAL: &str = r"–|[0-9]+(?:\.[0-9]+)?(?:e[+-][0-9]+)?";
const COUNT: &str = r"–|[0-9]+ \([0-9]+ × [0-9]+\)(?:; [0-9]+ failed signing attempts retried)?";
const BYTES: &str = r"–|[0-9]+";
const KIB: &str = r"–|[0-9]+ KiB";
const DECIMAL: &str = r"–|[0-9]+\.[0-9]";
const SHARE: &str = r"–|[0-9]+(?:\.[0-9])?%";
const CALLS: &str = r"–|[A-Za-z0-9_]+ [0-9.e+-]+(?:, [A-Za-z0-9_]+ [0-9.e+-]+)*";

macro_rules! of_instance {
    () => {
        fn instance(&self) -> Option<&Label> {
            Some(&self.instance)
        }
    };
}

macro_rules! of_operation {
    () => {
        fn instance(&self) -> Option<&Label> {
            Some(&self.instance)
        }

        fn operation(&self) -> Option<Operation> {
            Some(self.operation.clone())
        }
    };
}

row! {
    /// Section 2: a fact about the machine or the campaign.
    FactRow {
        /// What is told.
        item: String, Role::Key, ["item"],
            r"processor|machine|clock|memory|OS / kernel|compiler / build tool|campaign start / end \(UTC\)";
        /// What is so.
        value: String, Role::Text, ["value"], r"\S.*";
    }
}

row! {
    /// Section 3: a verdict.
    KatRow {
        /// The instance.
        instance: Label, Role::Code, ["instance"], LABEL;
        /// The set of build flags.
        flags: String, Role::InstanceFigure("flags"), ["build flags"], r"guide|harness-default|–";
        /// The verdict, the numbers of its notes, and whether it is timed: `MISMATCH [1]`.
        kat: String, Role::InstanceFigure("kat"), ["KAT"],
            r"[A-Z]+(?: \[[0-9]+\])*(?: \(not timed\))?";
    }
    of_instance!();
}

row! {
    /// Section 4 of KEM, signature and key exchange: an operation.
    PerfRow {
        /// The instance.
        instance: Label, Role::Code, ["instance"], LABEL;
        /// The operation.
        operation: Operation, Role::Key, ["operation"], OPERATION;
        /// Mean cycles of a call; `failed` where the measurement did not end.
        cycles: String, Role::Figure("mean_cycles"), ["mean cycles"], CYCLES;
        /// Mean time of a call.
        time: String, Role::Figure("mean_seconds"), ["mean time"], TIME;
        /// Calls a second.
        ops: String, Role::Figure("operations_per_second"), ["ops/s"], GENERAL;
        /// Median of the trials' mean times.
        median: String, Role::Figure("median_trial_seconds"), ["median trial"], TIME;
        /// Calls measured.
        n: String, Role::Figure("measurements"), ["n (trials × iters)", "n"], COUNT;
    }
    of_operation!();
}

row! {
    /// Section 4 of hashes: a message size.
    MessageRow {
        /// The instance.
        instance: Label, Role::Code, ["instance"], LABEL;
        /// The message's size: `32 B`.
        message: String, Role::Key, ["message"], r"[0-9]+ B";
        /// Mean cycles of a call; `failed` where the measurement did not end.
        cycles: String, Role::Figure("mean_cycles"), ["mean cycles"], CYCLES;
        /// Mean cycles for a byte of message.
        cycles_per_byte: String, Role::Figure("cycles_per_byte"), ["cycles/byte"], DECIMAL;
        /// Mean time of a call.
        time: String, Role::Figure("mean_seconds"), ["mean time"], TIME;
        /// 10^6 bytes a second.
        throughput: String, Role::Figure("throughput_MB_per_second"), ["MB/s"], DECIMAL;
        /// Calls measured.
        n: String, Role::Figure("measurements"), ["n", "n (trials × iters)"], COUNT;
    }
    of_instance!();

    fn operation(&self) -> Option<Operation> {
        let bytes = self.message.strip_suffix(" B")?.parse().ok()?;
        Some(Operation::Hash(bytes))
    }
}

row! {
    /// Section 5: memory.
    ResourceRow {
        /// The instance.
        instance: Label, Role::Code, ["instance"], LABEL;
        /// The operation.
        operation: Operation, Role::Key, ["operation"], OPERATION;
        /// Bytes of the library's loadable segments.
        elf: String, Role::InstanceFigure("elf_load_bytes"), ["static: ELF image (bytes)"], BYTES;
        /// Resident set before the timed part.
        baseline: String, Role::Figure("baseline_rss_bytes"), ["baseline RSS"], KIB;
        /// Largest resident set.
        peak: String, Role::Figure("peak_rss_bytes"), ["peak RSS"], KIB;
    }
    of_operation!();
}

row! {
    /// Section 6 of a KEM, in bytes.
    KemSizeRow {
        /// The instance.
        instance: Label, Role::Code, ["instance"], LABEL;
        /// Public key.
        public_key: String, Role::InstanceFigure("public_key_bytes"), ["public key"], BYTES;
        /// Secret key.
        secret_key: String, Role::InstanceFigure("secret_key_bytes"), ["secret key"], BYTES;
        /// Ciphertext.
        ciphertext: String, Role::InstanceFigure("ciphertext_bytes"), ["ciphertext"], BYTES;
        /// Shared secret.
        shared_secret: String, Role::InstanceFigure("shared_secret_bytes"), ["shared secret"], BYTES;
    }
    of_instance!();
}

row! {
    /// Section 6 of a signature, in bytes.
    SigSizeRow {
        /// The instance.
        instance: Label, Role::Code, ["instance"], LABEL;
        /// Public key.
        public_key: String, Role::InstanceFigure("public_key_bytes"), ["public key"], BYTES;
        /// Secret key.
        secret_key: String, Role::InstanceFigure("secret_key_bytes"), ["secret key"], BYTES;
        /// Signature.
        signature: String, Role::InstanceFigure("signature_bytes"), ["signature"], BYTES;
    }
    of_instance!();
}

row! {
    /// Section 6 of a key exchange, in bytes.
    KexSizeRow {
        /// The instance.
        instance: Label, Role::Code, ["instance"], LABEL;
        /// Passes of the protocol.
        passes: String, Role::InstanceFigure("kex_passes"), ["passes"], BYTES;
        /// Each message: `1230 / 1230`.
        messages: String, Role::InstanceFigure("message_bytes"), ["messages"],
            r"–|[0-9]+(?: / [0-9]+)*";
        /// All messages together.
        protocol: String, Role::InstanceFigure("protocol_bytes"), ["protocol bytes"], BYTES;
        /// Both parties' public keys.
        public_keys: String, Role::InstanceFigure("public_keys_bytes"), ["public keys"], BYTES;
        /// Messages and public keys.
        bandwidth: String, Role::InstanceFigure("bandwidth_bytes"), ["bandwidth"], BYTES;
        /// Secret key.
        secret_key: String, Role::InstanceFigure("secret_key_bytes"), ["secret key"], BYTES;
        /// Shared secret.
        shared_secret: String, Role::InstanceFigure("shared_secret_bytes"), ["shared secret"], BYTES;
    }
    of_instance!();
}

row! {
    /// Symmetric primitives: where an operation's time goes.
    ShareRow {
        /// The instance.
        instance: Label, Role::Code, ["instance"], LABEL;
        /// The operation.
        operation: Operation, Role::Key, ["operation"], OPERATION;
        /// Share of the hash functions.
        hash: String, Role::Figure("hash_share"), ["pseudohash/XOF/sm3", "hash functions"], SHARE;
        /// Share of the random number generator.
        drng: String, Role::Figure("drng_share"), ["DRNG", "randombytes"], SHARE;
        /// Calls in one operation.
        calls: String, Role::Figure("calls_per_operation"), ["calls per operation"], CALLS;
    }
    of_operation!();
}

row! {
    /// Section 7: a file of evidence.
    EvidenceRow {
        /// The instance.
        instance: Label, Role::Code, ["instance"], LABEL;
        /// What it is: `timing dec`.
        item: String, Role::Text, ["item"],
            r"KAT log \(sha256 [0-9a-f]{16}…\)|timing [a-z][a-z0-9_]*|hash profile [a-z][a-z0-9_]*";
        /// Where it is.
        file: String, Role::Code, ["file"], r"\S.*";
    }
    of_instance!();
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.titles[0])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_patterns_compile() {
        fn check<R: Row>() {
            let patterns = Patterns::of(R::COLUMNS);
            assert!(patterns.words.is_some() && patterns.cells.iter().all(Option::is_some));
        }
        check::<FactRow>();
        check::<KatRow>();
        check::<PerfRow>();
        check::<MessageRow>();
        check::<ResourceRow>();
        check::<KemSizeRow>();
        check::<SigSizeRow>();
        check::<KexSizeRow>();
        check::<ShareRow>();
        check::<EvidenceRow>();
    }

    #[test]
    fn words_are_cells() {
        let line = "Cheetah128 keygen 243.4 k 90.3 µs 1.11e+04 90.2 µs 30250 (5 × 6050)";
        let row = PerfRow::from_words(line).unwrap().unwrap();
        assert_eq!(row.operation, Operation::Keygen);
        assert_eq!(row.cycles, "243.4 k");
        assert_eq!(row.median, "90.2 µs");
        assert!(PerfRow::from_words("Scripts: performance/campaign.py").is_none());
        let error = PerfRow::from_cells(&["a", "dec", "1.5l M", "1 s", "1", "1 s", "1 (1 × 1)"]);
        assert_eq!(error.unwrap_err().column, "mean cycles");
    }
}
