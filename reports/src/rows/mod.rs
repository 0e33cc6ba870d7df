//! The rows of a page's tables, each a struct of shown texts. The pattern of a column says all that
//! may stand in it: a reader takes nothing else.

mod row;

pub use row::{Column, Role, Row, RowError};

use artifacts::{Label, Operation};
use row::{Patterns, parse, row};

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
