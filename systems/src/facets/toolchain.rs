//! The compiler and all that it calls, found by asking it.
//!
//! It is asked in an empty environment but for `PATH`, as it builds candidates: variables such as `CPATH`
//! change neither the build nor the facet.

use super::ask::{ask, first_line, loaded_libraries, run, stderr_lines};
use super::{Facet, FileHashes};
use crate::Error;
use blake3::{Hash, Hasher};
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Output;

/// What the driver runs; absent ones (no C++, no LTO) have no entry in the facet.
const PROGRAMS: &[&str] = &[
    "cc1",
    "cc1plus",
    "lto1",
    "lto-wrapper",
    "collect2",
    "as",
    "ld",
];

/// What is linked into a shared library or read while linking one, beside the candidate's own code.
const LINK_INPUTS: &[&str] = &[
    "crti.o",
    "crtbeginS.o",
    "crtendS.o",
    "crtn.o",
    "libgcc.a",
    "libgcc_s.so.1",
    "libc.so",
    "libc.so.6",
    "libc_nonshared.a",
    "libm.so",
    "libm.so.6",
    "libstdc++.so",
    "liblto_plugin.so",
];

/// A compiler as it is installed here.
#[derive(Debug, Clone)]
pub struct Toolchain {
    command: String,
    executable: PathBuf,
    version_line: String,
    version: String,
    target: String,
    /// The driver behind a wrapper script.
    driver: Option<PathBuf>,
    header_folders: Vec<PathBuf>,
    loader: Option<PathBuf>,
}

impl Toolchain {
    /// Finds a compiler by its command (a path, or a name looked up in `PATH`) and asks it where its
    /// parts are.
    ///
    /// # Errors
    /// When there is none, or it does not answer as GCC does.
    pub fn locate(command: &str) -> Result<Toolchain, Error> {
        let executable = which::which(command).map_err(|source| Error::CompilerNotFound {
            command: command.to_owned(),
            source,
        })?;
        let executable = fs_err::canonicalize(executable).map_err(Error::Hash)?;
        let version_line = ask(command, &["--version"])?;
        // the two together print the full version with old and new compilers
        let version = ask(command, &["-dumpfullversion", "-dumpversion"])?;
        let target = ask(command, &["-dumpmachine"])?;
        let search = run(command, &["-v", "-E", "-x", "c", "/dev/null"])?;
        let mut header_folders = header_folders(&search);
        // fails where there is no C++ compiler
        if let Ok(cxx) = run(command, &["-v", "-E", "-x", "c++", "/dev/null"]) {
            for folder in self::header_folders(&cxx) {
                if !header_folders.contains(&folder) {
                    header_folders.push(folder);
                }
            }
        }
        let driver = stderr_lines(&search)
            .find_map(|line| line.strip_prefix("COLLECT_GCC=").map(str::to_owned))
            .and_then(|name| which::which(name).ok()?.canonicalize().ok())
            .filter(|driver| *driver != executable);
        let link = run(
            command,
            &["-###", "-x", "c", "/dev/null", "-o", "/dev/null"],
        )?;
        let loader = stderr_lines(&link)
            .filter_map(|line| loader_of(&line))
            .last()
            .and_then(|loader| {
                if loader.exists() {
                    return Some(loader);
                }
                // another architecture's loader lies with its libraries
                found_file(command, &loader.file_name()?.to_string_lossy())
            });
        Ok(Toolchain {
            command: command.to_owned(),
            executable,
            version_line: version_line.lines().next().unwrap_or_default().to_owned(),
            version,
            target,
            driver,
            header_folders,
            loader,
        })
    }

    /// The command it was found by.
    pub fn command(&self) -> &str {
        &self.command
    }

    /// The first line of `--version`, such as `gcc (Debian 14.2.0-19) 14.2.0`; pages show it.
    pub fn version_line(&self) -> &str {
        &self.version_line
    }

    /// The full version, such as `14.2.0`.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// What it compiles for, such as `x86_64-linux-gnu`.
    pub fn target(&self) -> &str {
        &self.target
    }

    /// The `toolchain` facet: version lines, target, and BLAKE3 of the executables, of the libraries
    /// they load, of the headers and of the link's own inputs. A wrapper script and the driver behind it
    /// both count.
    ///
    /// # Errors
    /// When a part cannot be read.
    pub fn facet(&self, hashes: &FileHashes) -> Result<Facet, Error> {
        let programs: Vec<(&str, PathBuf)> = PROGRAMS
            .par_iter()
            .filter_map(|name| Some((*name, self.program(name)?)))
            .collect();
        let mut facet = Facet::from([
            ("compiler".to_owned(), self.version_line.clone()),
            ("target".to_owned(), self.target.clone()),
        ]);
        let drivers = [
            ("compiler", Some(&self.executable)),
            ("driver", self.driver.as_ref()),
        ];
        let executables: Vec<(&str, &PathBuf)> = drivers
            .into_iter()
            .filter_map(|(name, path)| Some((name, path?)))
            .chain(programs.iter().map(|(name, path)| (*name, path)))
            .collect();
        let entries: Vec<(String, Hash)> = executables
            .par_iter()
            .map(|(name, path)| Ok((format!("{name}.hash"), hashes.file(path)?)))
            .collect::<Result<_, Error>>()?;
        facet.extend(
            entries
                .into_iter()
                .map(|(name, hash)| (name, hash.to_string())),
        );
        for (name, path) in programs
            .iter()
            .filter(|(name, _)| matches!(*name, "as" | "ld"))
        {
            // tools without `--version` are told by their hash alone
            if let Some(line) = first_line(path, &["--version"]) {
                facet.insert((*name).to_owned(), line);
            }
        }

        let libraries: BTreeSet<PathBuf> = executables
            .par_iter()
            .flat_map_iter(|(_, path)| loaded_libraries(path))
            .collect();
        let inputs: Vec<PathBuf> = LINK_INPUTS
            .par_iter()
            .filter_map(|name| found_file(&self.command, name))
            .collect();
        facet.insert(
            "headers.hash".to_owned(),
            hashes.tree(&self.header_folders)?.to_string(),
        );
        facet.insert(
            "libraries.hash".to_owned(),
            hash_all(hashes, &libraries)?.to_string(),
        );
        facet.insert(
            "link-inputs.hash".to_owned(),
            hash_all(hashes, &inputs)?.to_string(),
        );
        if let Some(name) = nix_store_name(&self.executable) {
            facet.insert("nix-store".to_owned(), name);
        }
        Ok(facet)
    }

    /// The `runtime` facet: BLAKE3 of the dynamic loader, libc and libm that the compiler's programs
    /// run with, and the loader's version line.
    ///
    /// # Errors
    /// When one of them cannot be read.
    pub fn runtime(&self, hashes: &FileHashes) -> Result<Facet, Error> {
        let mut facet = Facet::new();
        if let Some(line) = self
            .loader
            .as_deref()
            .and_then(|path| first_line(path, &["--version"]))
        {
            facet.insert("loader".to_owned(), line);
        }
        let files = [
            ("loader.hash", self.loader.clone()),
            ("libc.hash", found_file(&self.command, "libc.so.6")),
            ("libm.hash", found_file(&self.command, "libm.so.6")),
        ];
        for (name, path) in files {
            if let Some(path) = path {
                facet.insert(name.to_owned(), hashes.file(&path)?.to_string());
            }
        }
        Ok(facet)
    }

    fn program(&self, name: &str) -> Option<PathBuf> {
        let answer = ask(&self.command, &[&format!("-print-prog-name={name}")]).ok()?;
        which::which(answer).ok()?.canonicalize().ok()
    }
}

/// The file of this name that the compiler would link, or `None` when it knows none.
fn found_file(command: &str, name: &str) -> Option<PathBuf> {
    let answer = PathBuf::from(ask(command, &[&format!("-print-file-name={name}")]).ok()?);
    answer
        .is_absolute()
        .then(|| answer.canonicalize().ok())
        .flatten()
}

/// One hash over the names and contents of these files.
fn hash_all<'a>(
    hashes: &FileHashes,
    files: impl IntoIterator<Item = &'a PathBuf>,
) -> Result<Hash, Error> {
    let mut whole = Hasher::new();
    for path in files {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        whole.update(&(name.len() as u64).to_le_bytes());
        whole.update(name.as_bytes());
        whole.update(hashes.file(path)?.as_bytes());
    }
    Ok(whole.finalize())
}

/// The folders that GCC lists between `search starts here` and `End of search list`.
fn header_folders(output: &Output) -> Vec<PathBuf> {
    stderr_lines(output)
        .skip_while(|line| !line.ends_with("search starts here:"))
        .take_while(|line| line != "End of search list.")
        .filter_map(|line| Some(PathBuf::from(line.strip_prefix(' ')?)))
        .filter_map(|folder| folder.canonicalize().ok())
        .collect()
}

/// The loader that a link command gives its output; a later one wins over an earlier one.
fn loader_of(line: &str) -> Option<PathBuf> {
    let mut words = line.split_whitespace().map(|word| word.trim_matches('"'));
    let mut loader = None;
    while let Some(word) = words.next() {
        if word == "-dynamic-linker" || word == "--dynamic-linker" {
            loader = words.next();
        } else if let Some((_, path)) = word.split_once("-dynamic-linker=") {
            loader = Some(path);
        }
    }
    loader.map(PathBuf::from)
}

/// The name in the Nix store, without the store's own folder: published evidence holds no absolute path.
fn nix_store_name(path: &Path) -> Option<String> {
    let name = path.strip_prefix("/nix/store").ok()?.components().next()?;
    Some(name.as_os_str().to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_loader_of_a_link_wins() {
        let line = r#" collect2 -dynamic-linker /lib64/ld-linux-x86-64.so.2 "-o" a "-dynamic-linker=/nix/store/x/ld.so""#;
        assert_eq!(loader_of(line).unwrap(), Path::new("/nix/store/x/ld.so"));
        assert_eq!(loader_of("cc1 -quiet"), None);
    }

    #[test]
    fn a_store_name_has_no_folder() {
        let path = Path::new("/nix/store/abc-gcc-wrapper-14.2.0/bin/gcc");
        assert_eq!(nix_store_name(path).unwrap(), "abc-gcc-wrapper-14.2.0");
        assert_eq!(nix_store_name(Path::new("/usr/bin/gcc")), None);
    }
}
