//! Asking executables: what a compiler answers, and which libraries a program loads.

use crate::Error;
use object::read::elf::{FileHeader, ProgramHeader};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn command(program: impl AsRef<std::ffi::OsStr>) -> Command {
    let mut command = Command::new(program);
    command.env_clear().env("LC_ALL", "C").stdin(Stdio::null());
    if let Some(path) = std::env::var_os("PATH") {
        command.env("PATH", path);
    }
    command
}

pub(super) fn run(compiler: &str, arguments: &[&str]) -> Result<Output, Error> {
    let output = command(compiler)
        .args(arguments)
        .output()
        .map_err(|source| Error::CompilerStart {
            command: compiler.to_owned(),
            arguments: arguments.join(" "),
            source,
        })?;
    if output.status.success() {
        Ok(output)
    } else {
        Err(answer_error(compiler, arguments, "failed", &output))
    }
}

/// What the compiler answers on standard output, trimmed.
pub(super) fn ask(compiler: &str, arguments: &[&str]) -> Result<String, Error> {
    let output = run(compiler, arguments)?;
    let answer = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    if answer.is_empty() {
        Err(answer_error(
            compiler,
            arguments,
            "printed nothing",
            &output,
        ))
    } else {
        Ok(answer)
    }
}

fn answer_error(
    compiler: &str,
    arguments: &[&str],
    problem: &'static str,
    output: &Output,
) -> Error {
    Error::CompilerAnswer {
        command: compiler.to_owned(),
        arguments: arguments.join(" "),
        problem,
        stderr: stderr_lines(output).last().unwrap_or_default(),
    }
}

pub(super) fn first_line(program: &Path, arguments: &[&str]) -> Option<String> {
    let output = command(program).args(arguments).output().ok()?;
    let line = String::from_utf8_lossy(&output.stdout)
        .lines()
        .next()?
        .trim()
        .to_owned();
    (output.status.success() && !line.is_empty()).then_some(line)
}

pub(super) fn stderr_lines(output: &Output) -> impl Iterator<Item = String> {
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    text.lines()
        .map(str::to_owned)
        .collect::<Vec<_>>()
        .into_iter()
}

/// The shared libraries an executable loads, as its own loader lists them (`--list` of glibc and musl
/// resolves them without running the executable). Scripts and static executables load none.
pub(super) fn loaded_libraries(executable: &Path) -> Vec<PathBuf> {
    let Some(loader) = interpreter(executable) else {
        return Vec::new();
    };
    let Ok(output) = command(loader).arg("--list").arg(executable).output() else {
        return Vec::new();
    };
    String::from_utf8_lossy(&output.stdout)
        .lines()
        .filter_map(|line| {
            let path = line.split_once("=>").map_or(line, |(_, path)| path);
            let path = path.rsplit_once('(').map_or(path, |(path, _)| path);
            // the kernel's own, linux-vdso.so.1, is no file
            Path::new(path.trim())
                .canonicalize()
                .ok()
                .filter(|path| path.is_file())
        })
        .collect()
}

/// The dynamic loader an ELF executable names.
fn interpreter(executable: &Path) -> Option<PathBuf> {
    fn named<E: FileHeader>(header: &E, endian: E::Endian, data: &[u8]) -> Option<PathBuf> {
        let segments = header.program_headers(endian, data).ok()?;
        let name = segments
            .iter()
            .find_map(|segment| segment.interpreter(endian, data).ok()?)?;
        Some(PathBuf::from(String::from_utf8_lossy(name).into_owned()))
    }
    let file = fs_err::File::open(executable).ok()?;
    let mut head = Vec::new();
    // program headers and the loader's name stand at the beginning of every linked executable
    file.take(1 << 16).read_to_end(&mut head).ok()?;
    let data = head.as_slice();
    if let Ok(header) = object::elf::FileHeader64::<object::Endianness>::parse(data) {
        return named(header, header.endian().ok()?, data);
    }
    let header = object::elf::FileHeader32::<object::Endianness>::parse(data).ok()?;
    named(header, header.endian().ok()?, data)
}
