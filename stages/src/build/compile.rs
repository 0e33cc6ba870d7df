//! Sources to objects.

use super::{Failure, Job};
use contract::parameters::InstanceBuild;
use contract::sources::select_sources;
use object::{Object, ObjectSymbol};
use std::collections::BTreeSet;
use std::fmt::Write as _;

use artifacts::tree::{Tree, TreePath};

/// Objects in link order, and what they define.
#[derive(Debug, Clone, Default)]
pub struct Objects {
    /// Paths relative to the scratch folder.
    pub paths: Vec<String>,
    /// Global symbols defined.
    pub defined: BTreeSet<String>,
    /// Whether any of them is C++.
    pub cxx: bool,
}

impl Objects {
    /// Those of `names` that the objects define, in the given order.
    pub fn defined_of(&self, names: &[String]) -> Vec<String> {
        names
            .iter()
            .filter(|name| self.defined.contains(*name))
            .cloned()
            .collect()
    }

    fn add(&mut self, path: String, bytes: &[u8]) -> Result<(), object::Error> {
        let file = object::File::parse(bytes)?;
        for symbol in file.symbols() {
            if symbol.is_definition()
                && !symbol.is_local()
                && let Ok(name) = symbol.name()
            {
                self.defined.insert(name.to_owned());
            }
        }
        self.paths.push(path);
        Ok(())
    }
}

/// Whether this source goes through the C++ compiler.
pub fn is_cxx(source: &TreePath) -> bool {
    [&b".cpp"[..], b".cc"]
        .iter()
        .any(|end| source.as_bytes().ends_with(end))
}

/// The sources of an instance in path order: the explicit list, or the published rule and what is
/// added to and taken from it.
pub fn sources(tree: &Tree, build: &InstanceBuild) -> Vec<TreePath> {
    let mut sources: BTreeSet<TreePath> = if build.sources.is_empty() {
        select_sources(tree.files.keys(), &build.source_dir)
            .into_iter()
            .collect()
    } else {
        build.sources.iter().cloned().collect()
    };
    sources.extend(build.extra_sources.iter().cloned());
    sources.retain(|source| !build.exclude.contains(source));
    sources.into_iter().collect()
}

/// Folders searched for headers: the instance's, those it names, then our helpers for submissions
/// that ship none.
pub fn include_folders(build: &InstanceBuild) -> Vec<String> {
    std::iter::once(&build.source_dir)
        .chain(&build.include_dirs)
        .map(|dir| format!("src/{dir}"))
        .chain(["assay/iccs".to_owned()])
        .collect()
}

/// Compiles one source, given relative to the scratch folder.
pub fn compile(
    job: &mut Job<'_>,
    objects: &mut Objects,
    source: &str,
    options: &[String],
    includes: &[String],
) -> Result<(), Failure> {
    let number = objects.paths.len();
    job.scratch.folder("obj")?;
    let object = format!("obj/{number:04}.o");
    let cxx = source.ends_with(".cpp") || source.ends_with(".cc");
    let mut arguments: Vec<String> = options.to_vec();
    arguments.extend(includes.iter().map(|dir| format!("-I{dir}")));
    arguments.extend(["-c", source, "-o", &object].map(str::to_owned));
    let _ = writeln!(
        job.log,
        "$ {} {}",
        if cxx { "c++" } else { "cc" },
        arguments.join(" ")
    );
    let run = job.compiler.run(cxx, &arguments)?;
    job.log.push_str(&run.stderr);
    if let Some(why) = run.failed {
        return Err(Failure::Candidate(format!("{source}: {why}")));
    }
    objects.cxx |= cxx;
    let bytes = fs_err::read(job.scratch.path().join(&object))?;
    objects.add(object, &bytes).map_err(|e| {
        Failure::Candidate(format!(
            "{source}: the compiler's output is no object file: {e}"
        ))
    })
}
