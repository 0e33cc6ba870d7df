//! Which files of a submission are compiled: NGCC.md section 2.
//!
//! Every `*.c`, `*.cpp`, `*.cc` and `*.S` directly in the instance's folder, minus drivers and
//! benchmarks by their names. Planner and build stage both need the rule, so it stands here.

use artifacts::tree::TreePath;

const ENDINGS: [&[u8]; 4] = [b".c", b".cpp", b".cc", b".S"];

/// Names that begin like this are drivers or benchmarks.
const DRIVER_PREFIXES: [&[u8]; 13] = [
    b"KAT_",
    b"PQCgenKAT",
    b"main",
    b"test",
    b"bench",
    b"speed",
    b"cpucycles",
    b"osfreq",
    b"run_bench",
    b"selftest",
    b"self_test",
    b"example",
    b"demo",
];

/// As above; kept apart since `kat_` is matched in this case only and `kat.c` as a whole.
const KAT_PREFIX: &[u8] = b"kat_";

/// Names that end like this right before the dot are drivers or benchmarks.
const DRIVER_SUFFIXES: [&[u8]; 6] = [b"_test", b"test_", b"_bench", b"bench_", b"_main", b"_kat"];

/// The files among `files` that the published rule compiles for the instance in `dir`, as given.
pub fn select_sources<'a>(
    files: impl IntoIterator<Item = &'a TreePath>,
    dir: &TreePath,
) -> Vec<TreePath> {
    files
        .into_iter()
        .filter(|file| {
            file.as_bytes()
                .strip_prefix(dir.as_bytes())
                .and_then(|rest| rest.strip_prefix(b"/"))
                .is_some_and(|name| !name.contains(&b'/') && is_source(name))
        })
        .cloned()
        .collect()
}

fn is_source(name: &[u8]) -> bool {
    let Some(stem) = ENDINGS.iter().find_map(|ending| name.strip_suffix(*ending)) else {
        return false;
    };
    let driver = name == b"kat.c"
        || name.starts_with(KAT_PREFIX)
        || DRIVER_PREFIXES.iter().any(|prefix| name.starts_with(prefix))
        || DRIVER_SUFFIXES.iter().any(|suffix| stem.ends_with(suffix));
    !driver
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each pattern of NGCC.md section 2, written out by hand.
    #[test]
    fn the_published_rule() {
        let dir = TreePath::new("a b/inst").unwrap();
        let take = ["kem.c", "x.cpp", "y.cc", "z.S", "kat.cpp", "latest.c", "mains_not.s.c", "Kat_x.c"];
        let leave = [
            "KAT_KEM.c", "PQCgenKAT_kem.c", "main.c", "mainly.c", "test.c", "testvectors.c",
            "bench.c", "speed_print.c", "cpucycles.c", "osfreq.c", "run_bench.c", "selftest.c",
            "self_test.c", "example1.c", "demo.c", "kat_gen.c", "kat.c", "ntt_test.c", "x_test_.c",
            "ntt_bench.c", "x_bench_.c", "kem_main.c", "kem_kat.cpp", "x.h", "x.o", "x.s", "Makefile",
            "sub/kem.c",
        ];
        let path = |name: &str| TreePath::new(format!("a b/inst/{name}")).unwrap();
        let mut files: Vec<TreePath> = take.iter().chain(&leave).map(|name| path(name)).collect();
        files.push(TreePath::new("a b/inst2/kem.c").unwrap());
        files.push(TreePath::new("kem.c").unwrap());
        let kept: Vec<TreePath> = take
            .iter()
            .filter(|name| **name != "mains_not.s.c")
            .map(|name| path(name))
            .collect();
        assert_eq!(select_sources(&files, &dir), kept);
    }
}
