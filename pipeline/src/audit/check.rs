//! The checks by id: level, name, and what each compares.

use serde::{Serialize, Serializer};
use std::fmt;

macro_rules! checks {
    ($($variant:ident = $id:literal, $level:literal, $name:literal, $compares:literal;)+) => {
        /// A check. Its id is stable: reports and scripts name it.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Check {
            $(#[doc = $compares] $variant,)+
        }

        impl Check {
            /// All of them, by level.
            pub const ALL: &'static [Check] = &[$(Check::$variant,)+];

            /// Such as `I3`.
            pub const fn id(self) -> &'static str {
                match self { $(Check::$variant => $id,)+ }
            }

            /// 1 integrity, 2 derivation, 3 page, 4 reproduction.
            pub const fn level(self) -> u8 {
                match self { $(Check::$variant => $level,)+ }
            }

            /// In a few words.
            pub const fn name(self) -> &'static str {
                match self { $(Check::$variant => $name,)+ }
            }

            /// What it compares with what.
            pub const fn compares(self) -> &'static str {
                match self { $(Check::$variant => $compares,)+ }
            }
        }
    };
}

checks! {
    Readable = "I1", 1, "readable",
        "each file with its kind: a regular file, JSON or text of the known schema";
    Place = "I2", 1, "place",
        "what a file says it is with the path it is filed under";
    LogHash = "I3", 1, "log-hash",
        "SHA-256 of each KAT log with build.json, records and page";
    LogVerdict = "I4", 1, "log-verdict",
        "the last RESULT line and the facts of each KAT log with build.json and records";
    Links = "I5", 1, "links",
        "files named by builds, records and pages with the files there are, both ways";
    NoPaths = "I6", 1, "no-absolute-paths",
        "every text with the rule that nothing published holds an absolute path";
    Manifest = "I7", 1, "manifest",
        "size, BLAKE3 and SHA-256 of every file with manifest.json";
    Merkle = "I8", 1, "merkle-tree",
        "the receipts' hashes and keys with the tree under the root";
    Provenance = "I9", 1, "provenance",
        "records, logs and libraries with the outputs of their receipts";
    Form = "I10", 1, "byte-form",
        "how each JSON file is laid out with the form of all others";
    Store = "I11", 1, "store",
        "every artifact of the campaign with its hash";
    Root = "I12", 1, "root",
        "the root hash of pages and manifest with the one asked for";
    Statistics = "D1", 2, "statistics",
        "each statistic with its recomputation from the raw trials";
    Shares = "D2", 2, "shares",
        "each hash share with its recomputation from the calls";
    Plan = "D3", 2, "plan-rules",
        "trials, iterations, warm-ups and time-outs with the planning rules";
    Counts = "D4", 2, "counts",
        "trials and calls in processes, plan, command line and totals";
    Host = "D5", 2, "host-state",
        "the machine's state in each record with the campaign and with a fixed clock";
    Clock = "D6", 2, "clock",
        "cycles / seconds of each trial with the fixed clock";
    Memory = "D7", 2, "memory",
        "resident sets with the maxima over processes, and with whole pages";
    Times = "D8", 2, "times",
        "start and end with the campaign, with wall times, and with what ran on the same core";
    Repeats = "D9", 2, "repeated-facts",
        "facts that several places state with each other";
    Flags = "D10", 2, "build-flags",
        "compiler options with the named set of flags";
    Profile = "D11", 2, "profile-bounds",
        "ticks, tick rate and operations of each profile with its timing record";
    Campaign = "D12", 2, "campaign",
        "planning, options and host checks of campaign.json with the registered system";
    LastDigits = "D13", 2, "last-digits",
        "the last digits of recomputed figures, where all others of the dataset are exact";
    Figures = "P1", 3, "figures",
        "each figure shown with the formatted recomputation";
    Wording = "P2", 3, "wording",
        "all else a page says with what evidence, catalog and system make it say";
    Index = "P3", 3, "evidence-index",
        "evidence files cited with those there are, and the reverse";
    Cells = "P4", 3, "cells",
        "each cell's value, formula, spread and hashes with the recomputation";
    PageBytes = "P5", 3, "page-bytes",
        "the bytes of own pages with rendering them again";
    ShownCounts = "Q1", 3, "implied-counts",
        "n with trials × iterations, and both with the planning rules";
    ShownRate = "Q2", 3, "implied-rate",
        "ops/s × mean time with 1, MB/s and cycles/byte with the message size";
    ShownClock = "Q3", 3, "implied-clock",
        "mean cycles / mean time with the clock stated";
    ShownMedian = "Q4", 3, "implied-median",
        "median trial with mean time";
    ShownSizes = "Q5", 3, "implied-sizes",
        "sizes with the curated catalog, over rows, and as sums";
    ShownShares = "Q6", 3, "implied-shares",
        "shares with their bounds and with the calls";
    ShownRows = "Q7", 3, "implied-rows",
        "the rows of each table with each other and with natural order";
    ShownForm = "Q8", 3, "implied-form",
        "each figure's digits with what its format can give";
    ShownMemory = "Q9", 3, "implied-memory",
        "peak with baseline, and both with whole memory pages";
    RebuiltLibrary = "R1", 4, "rebuilt-library",
        "the bytes of the library built again here";
    RebuiltKat = "R2", 4, "rebuilt-known-answers",
        "the known answers computed again here";
    RebuiltFigure = "R3", 4, "measured-again",
        "the figure measured again here, within its spread";
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.id(), self.name())
    }
}

impl Serialize for Check {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.id())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn ids_are_unique_and_in_the_order_of_levels() {
        let ids: BTreeSet<&str> = Check::ALL.iter().map(|check| check.id()).collect();
        assert_eq!(ids.len(), Check::ALL.len());
        assert!(Check::ALL.is_sorted_by_key(|check| check.level()));
    }
}
