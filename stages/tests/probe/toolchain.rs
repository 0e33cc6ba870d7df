//! Compiles the probe and libraries the way the stage `build` does, and runs the probe.

use command_fds::{CommandFdExt, FdMapping};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Output};
use std::sync::OnceLock;
use tempfile::TempDir;

/// The guide's flags for reference code, as published campaigns complete them.
const REFERENCE: [&str; 7] = [
    "-std=c99",
    "-Wpedantic",
    "-Wall",
    "-Wextra",
    "-O2",
    "-fPIC",
    "-D_GNU_SOURCE",
];
const LINK: [&str; 5] = [
    "-shared",
    "-Wl,-Bsymbolic",
    "-Wl,--no-undefined",
    "-Wl,-z,noexecstack",
    "-Wl,-z,relro",
];
const EXPORTS: &str = "{ global: kem_*; sig_*; kex_*; CryptHash; assay_*; local: *; };";

/// A compiler and what runs its programs.
#[derive(Debug, Clone, Copy)]
pub struct Target {
    pub compiler: &'static str,
    pub runner: &'static [&'static str],
}

pub const HOST: Target = Target {
    compiler: "cc",
    runner: &[],
};
pub const ARM: Target = Target {
    compiler: "aarch64-linux-gnu-gcc",
    runner: &["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu"],
};

impl Target {
    /// Whether compiler and runner are installed; says so when a test is skipped for it.
    pub fn is_here(self) -> bool {
        let programs = [Some(self.compiler), self.runner.first().copied()];
        let missing = programs
            .into_iter()
            .flatten()
            .find(|program| Command::new(program).arg("--version").output().is_err());
        if let Some(program) = missing {
            println!("skipped: {program} is not installed");
        }
        missing.is_none()
    }

    fn command(self, program: &Path) -> Command {
        match self.runner {
            [] => Command::new(program),
            [first, rest @ ..] => {
                let mut command = Command::new(first);
                command.args(rest).arg(program);
                command
            }
        }
    }
}

pub fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("probe")
}

pub fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures")
        .join(name)
}

/// The folder of real evidence and vectors beside the checkout; says so when it is absent.
pub fn shared(part: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../shared")
        .join(part);
    if !path.exists() {
        println!("skipped: ../shared/{part} is not beside the checkout");
        return None;
    }
    Some(path)
}

fn run(command: &mut Command) -> Output {
    let output = command
        .output()
        .unwrap_or_else(|e| panic!("{command:?}: {e}"));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}\n{said}");
    output
}

/// The `.c` files of a folder, sorted.
pub fn c_files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap_or_else(|e| panic!("{}: {e}", folder.display()))
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "c"))
        .collect();
    files.sort();
    files
}

/// Sources compiled to objects in a folder of their own.
#[derive(Debug)]
pub struct Objects {
    folder: TempDir,
    target: Target,
    paths: Vec<PathBuf>,
}

impl Objects {
    pub fn new(target: Target) -> Self {
        Objects {
            folder: tempfile::tempdir().unwrap(),
            target,
            paths: Vec::new(),
        }
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    pub fn add(&mut self, files: &[PathBuf], options: &[&str], includes: &[&Path]) {
        for file in files {
            let object = self.path().join(format!("{}.o", self.paths.len()));
            let mut command = Command::new(self.target.compiler);
            command.args(REFERENCE).args(options);
            for include in includes {
                command.arg("-I").arg(include);
            }
            run(command.arg("-c").arg(file).arg("-o").arg(&object));
            self.paths.push(object);
        }
    }

    pub fn link(&self, name: &str, options: &[&str]) -> PathBuf {
        let output = self.path().join(name);
        run(Command::new(self.target.compiler)
            .args(options)
            .args(&self.paths)
            .arg("-o")
            .arg(&output)
            .args(["-ldl", "-lm"]));
        output
    }

    /// A library; `wrapped` functions go through `--wrap`.
    pub fn link_library(&self, wrapped: &[&str]) -> PathBuf {
        let map = self.path().join("exports.map");
        fs::write(&map, EXPORTS).unwrap();
        let map = format!("-Wl,--version-script={}", map.display());
        let wraps: Vec<String> = wrapped.iter().map(|f| format!("-Wl,--wrap={f}")).collect();
        let mut options = LINK.to_vec();
        options.push(&map);
        options.extend(wraps.iter().map(String::as_str));
        self.link(
            if wrapped.is_empty() {
                "library.so"
            } else {
                "wrapped.so"
            },
            &options,
        )
    }
}

/// A compiled library, kept as long as this lives.
#[derive(Debug)]
pub struct Library {
    _objects: Objects,
    pub path: PathBuf,
}

impl Library {
    pub fn of(objects: Objects, path: PathBuf) -> Self {
        Library {
            _objects: objects,
            path,
        }
    }
}

/// A toy submission with faults switched on, with our helpers, and with these functions wrapped.
pub fn toy(target: Target, kind: &str, defines: &[&str], wrapped: &[&str]) -> Library {
    let mut objects = Objects::new(target);
    let [iccs, glue] = ["iccs", "glue"].map(|part| sources().join(part));
    let config = format!(
        "#define ASSAY_{} 1\n#include \"toy.h\"\n",
        kind.to_uppercase()
    );
    fs::write(objects.path().join("assay_config.h"), config).unwrap();
    let defines: Vec<String> = defines.iter().map(|d| format!("-D{d}")).collect();
    let defines: Vec<&str> = defines.iter().map(String::as_str).collect();
    let folder = objects.path().to_owned();
    let includes = [folder.as_path(), &fixture(""), &iccs];
    objects.add(&[fixture(&format!("toy_{kind}.c"))], &defines, &includes);
    let ours: Vec<&str> = defines.iter().copied().chain(["-Werror"]).collect();
    objects.add(&c_files(&iccs), &["-Werror"], &[]);
    objects.add(&[glue.join("shim.c")], &ours, &includes);
    add_wrappers(&mut objects, "wrap_iccs.c", wrapped);
    let undefined = defines.contains(&"-DFAULT_UNDEFINED");
    let path = if undefined {
        objects.link("library.so", &["-shared"])
    } else {
        objects.link_library(wrapped)
    };
    Library::of(objects, path)
}

pub fn add_wrappers(objects: &mut Objects, file: &str, wrapped: &[&str]) {
    if wrapped.is_empty() {
        return;
    }
    let defines: Vec<String> = wrapped
        .iter()
        .map(|f| format!("-DASSAY_WRAP_{f}"))
        .collect();
    let mut options: Vec<&str> = defines.iter().map(String::as_str).collect();
    options.push("-Werror");
    objects.add(&[sources().join("glue").join(file)], &options, &[]);
}

/// The probe, without a warning.
pub fn build_probe(target: Target) -> Library {
    let mut objects = Objects::new(target);
    let options = ["-Werror", "-fPIE", "-fvisibility=hidden"];
    objects.add(&c_files(&sources().join("src")), &options, &[]);
    let link = ["-pie", "-Wl,-z,now", "-Wl,-z,relro", "-Wl,-z,noexecstack"];
    let path = objects.link("probe", &link);
    Library::of(objects, path)
}

/// What one run of the probe gave.
#[derive(Debug)]
pub struct Answer {
    pub report: Vec<String>,
    pub text: String,
    pub status: ExitStatus,
}

impl Answer {
    /// The values of all lines with this key.
    pub fn all(&self, key: &str) -> Vec<&str> {
        self.report
            .iter()
            .filter_map(|line| line.strip_prefix(key)?.strip_prefix(' '))
            .collect()
    }

    pub fn one(&self, key: &str) -> &str {
        match self.all(key).as_slice() {
            [value] => value,
            other => panic!("{key}: {other:?} in {:#?}", self.report),
        }
    }

    pub fn number(&self, key: &str) -> u64 {
        self.one(key).parse().unwrap()
    }

    pub fn numbers(&self, key: &str) -> Vec<u64> {
        self.one(key)
            .split(' ')
            .map(|n| n.parse().unwrap())
            .collect()
    }
}

/// Runs the probe with these arguments.
pub fn probe_on(target: Target, program: &Path, arguments: &[&str], env: &[(&str, u64)]) -> Answer {
    let folder = tempfile::tempdir().unwrap();
    let [report, text] = ["report", "text"].map(|name| folder.path().join(name));
    let mapping = |path: &Path, child_fd| FdMapping {
        parent_fd: File::create(path).unwrap().into(),
        child_fd,
    };
    let mut command = target.command(program);
    command
        .args(arguments)
        .envs(env.iter().map(|(k, v)| (k, v.to_string())));
    command
        .fd_mappings(vec![mapping(&report, 3), mapping(&text, 4)])
        .unwrap();
    let status = command.output().unwrap().status;
    let report = fs::read_to_string(report).unwrap();
    assert!(
        report.is_empty() || report.starts_with("assay-probe 1\n"),
        "{report}"
    );
    assert!(report.is_ascii(), "{report}");
    Answer {
        report: report.lines().map(str::to_owned).collect(),
        text: fs::read_to_string(text).unwrap(),
        status,
    }
}

/// The same on this machine, on a library.
pub fn probe(library: &Library, arguments: &[&str], env: &[(&str, u64)]) -> Answer {
    let mut all = vec![library.path.to_str().unwrap()];
    all.extend(arguments);
    probe_on(HOST, host_probe(), &all, env)
}

/// The probe for this machine, built once.
pub fn host_probe() -> &'static Path {
    static PROBE: OnceLock<Library> = OnceLock::new();
    &PROBE.get_or_init(|| build_probe(HOST)).path
}
