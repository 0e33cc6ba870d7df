//! Which files of an instance's folder are its sources: the rule of the published campaigns.
//!
//! Every `*.c`, `*.cpp`, `*.cc` and `*.S` directly in the folder, minus drivers and benchmarks, which
//! are told by their names. A submission's own build files decide nothing. Letter case matters, as
//! it does in the published rule.

use artifacts::tree::TreePath;

/// What a source ends in.
const ENDINGS: &[&[u8]] = &[b".c", b".cpp", b".cc", b".S"];

/// A driver begins like one of these.
const DRIVER_BEGINNINGS: &[&[u8]] = &[
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
    b"kat_",
];

/// A driver has one of these names.
const DRIVER_NAMES: &[&[u8]] = &[b"kat.c"];

/// A driver has one of these right before the dot.
const DRIVER_ENDINGS: &[&[u8]] = &[b"_test", b"test_", b"_bench", b"bench_", b"_main", b"_kat"];

/// The sources of the instance whose folder is `dir`, in the order of their paths.
pub fn select_sources<'a>(
    files: impl Iterator<Item = &'a TreePath>,
    dir: &TreePath,
) -> Vec<TreePath> {
    let mut sources: Vec<TreePath> = files
        .filter(|file| {
            file.relative_to(dir).is_some_and(|name| {
                let name = name.as_bytes();
                !name.contains(&b'/') && is_source(name)
            })
        })
        .cloned()
        .collect();
    sources.sort();
    sources
}

fn is_source(name: &[u8]) -> bool {
    let Some(stem) = ENDINGS.iter().find_map(|ending| name.strip_suffix(*ending)) else {
        return false;
    };
    let driver = DRIVER_NAMES.contains(&name)
        || DRIVER_BEGINNINGS.iter().any(|b| name.starts_with(b))
        || DRIVER_ENDINGS.iter().any(|e| stem.ends_with(e));
    !driver
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names of `names` that the rule takes in the folder `x y+1`.
    fn taken<'a>(names: &[&'a str]) -> Vec<&'a str> {
        let dir = TreePath::new("x y+1").unwrap();
        let path = |name: &str| TreePath::new(format!("x y+1/{name}")).unwrap();
        let files: Vec<TreePath> = names.iter().map(|name| path(name)).collect();
        let selected = select_sources(files.iter(), &dir);
        names
            .iter()
            .copied()
            .filter(|name| selected.contains(&path(name)))
            .collect()
    }

    #[test]
    fn sources_are_told_by_their_ending() {
        let sources = ["a.c", "a.cpp", "b.cc", "c.S", "签名.c", "a.b.c", ".c"];
        assert_eq!(taken(&sources), sources);
        let others = [
            "a.h", "a.s", "a.C", "a.cxx", "a.c.bak", "a.c~", "c", "Makefile", "a.o", "a.inc",
        ];
        assert_eq!(taken(&others), [""; 0]);
    }

    #[test]
    fn drivers_are_told_by_how_they_begin() {
        let drivers = [
            "KAT_KEM.c",
            "PQCgenKAT_kem.c",
            "main.c",
            "main_driver.cpp",
            "mainframe.c",
            "test.c",
            "test_kem.c",
            "testing.cc",
            "bench.c",
            "benchmark.c",
            "speed.c",
            "speed_print.c",
            "cpucycles.c",
            "osfreq.c",
            "run_bench.c",
            "selftest.c",
            "self_test.c",
            "example.c",
            "demo.c",
            "kat_gen.c",
        ];
        assert_eq!(taken(&drivers), [""; 0]);
        let sources = [
            "domain.c",
            "contest.c",
            "pretest.c",
            "Main.c",
            "Test.c",
            "katana.c",
        ];
        assert_eq!(taken(&sources), sources);
    }

    #[test]
    fn drivers_are_told_by_their_name_or_by_what_stands_before_the_dot() {
        let drivers = [
            "kat.c",
            "kem_test.c",
            "kem_test.cpp",
            "xtest_.c",
            "x_bench.c",
            "xbench_.c",
            "x_main.c",
            "x_kat.cc",
        ];
        assert_eq!(taken(&drivers), [""; 0]);
        let sources = [
            "kat.cpp",
            "x_test2.c",
            "x_test.x.c",
            "x_kats.c",
            "xkat.c",
            "latest.c",
        ];
        assert_eq!(taken(&sources), sources);
    }

    #[test]
    fn only_the_folder_itself_is_looked_into_and_order_is_by_path() {
        let path = |p: &str| TreePath::new(p).unwrap();
        let files = [
            path("d/z.c"),
            path("d/a.c"),
            path("d/sub/b.c"),
            path("dd/c.c"),
            path("e.c"),
        ];
        assert_eq!(
            select_sources(files.iter(), &path("d")),
            [path("d/a.c"), path("d/z.c")]
        );
    }
}
