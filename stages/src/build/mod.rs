//! The stage `build`: an instance's sources become a normalised library, and a second one with
//! link-time wrappers for the profile; or the probe's sources become the probe.
//!
//! The scratch folder: `src/` the instance's tree, `assay/` our glue and helpers, `obj/` objects,
//! `out/` what is linked. The compiler runs in the scratch folder on relative paths, so that nothing
//! it writes depends on where that is. The library is normalised (no build id, stripped, no
//! `.comment`): its artifact id is the identity of its machine code.

mod compile;
mod glue;
mod link;
mod report;

pub use report::{BUILD_REPORT, BuildReport};

use crate::compiler::{Compiler, CompilerError};
use crate::scratch::{Scratch, ScratchError, lay_out, read_tree};
use artifacts::Outcome;
use artifacts::store::{Store, StoreError};
use artifacts::tree::{TreePath, TreePathError};
use artifacts::words::Verdict;
use compile::Objects;
use contract::parameters::{BuildParameters, InstanceBuild, ProbeBuild};
use contract::request::RequestError;
use contract::{Request, StageResult};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Why a build step has no receipt.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// The request is incomplete.
    #[error(transparent)]
    Request(#[from] RequestError),
    /// Scratch folder.
    #[error(transparent)]
    Scratch(#[from] ScratchError),
    /// Store.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The compiler could not be run at all.
    #[error(transparent)]
    Compiler(#[from] CompilerError),
    /// A file of ours could not be written or read.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// A path of ours is not one inside a tree.
    #[error(transparent)]
    Path(#[from] TreePathError),
    /// What the linker wrote is no ELF file.
    #[error("the linked file is not readable as ELF: {0}")]
    Elf(#[from] object::Error),
    /// The probe is ours: that it does not build is a matter of the machine.
    #[error("the probe does not build with this compiler: {0}")]
    Probe(String),
}

/// What the candidate's sources did wrong; the step is done all the same.
enum Failure {
    Candidate(String),
    Ours(BuildError),
}

impl<E: Into<BuildError>> From<E> for Failure {
    fn from(error: E) -> Self {
        Failure::Ours(error.into())
    }
}

/// Does a build step.
///
/// # Errors
/// When the machine, not the candidate, failed.
pub fn run(request: &Request, store: &Store) -> Result<StageResult, BuildError> {
    let scratch = Scratch::new()?;
    let command = request.conditions.compiler.as_deref().unwrap_or("gcc");
    let compiler = Compiler::find(command, scratch.path())?;
    let mut job = Job {
        store,
        scratch: &scratch,
        compiler: &compiler,
        log: String::new(),
    };
    let mut result = match request.parameters()? {
        BuildParameters::Probe(build) => job.probe(request, &build)?,
        BuildParameters::Instance(build) => job.instance(request, &build)?,
    };
    result
        .outputs
        .insert("log".to_owned(), store.put_bytes(job.log.as_bytes())?);
    result.tools = compiler.versions()?;
    let compiling = compiler.compiling_ns().into();
    result
        .observations
        .insert("working_ns".to_owned(), compiling);
    let containment = serde_json::to_value(compiler.containment()).unwrap_or_default();
    result
        .observations
        .insert("containment".to_owned(), containment);
    Ok(result)
}

/// One build under way.
struct Job<'a> {
    store: &'a Store,
    scratch: &'a Scratch,
    compiler: &'a Compiler,
    log: String,
}

impl Job<'_> {
    fn probe(&mut self, request: &Request, build: &ProbeBuild) -> Result<StageResult, BuildError> {
        let glue = read_tree(self.store, request.input("glue")?)?;
        lay_out(self.store, &glue, &self.scratch.folder("assay")?)?;
        let folder = TreePath::new("src")?;
        let helpers = TreePath::new("iccs")?;
        let sources: Vec<String> = glue
            .files
            .keys()
            .filter(|p| p.is_under(&folder) && p.as_bytes().ends_with(b".c"))
            .map(|p| format!("assay/{p}"))
            .collect();
        let mut objects = Objects::default();
        let includes = vec!["assay/src".to_owned(), format!("assay/{helpers}")];
        for source in sources {
            compile::compile(self, &mut objects, &source, &build.options, &includes)
                .map_err(ours_alone)?;
        }
        let linked = link::probe(self, &objects, &build.link_options).map_err(ours_alone)?;
        let report = BuildReport::of_probe(&linked.bytes, self.compiler, build)?;
        Ok(StageResult {
            outputs: BTreeMap::from([
                ("probe".to_owned(), self.store.put_bytes(&linked.bytes)?),
                ("report".to_owned(), self.store.put_json(&report)?),
            ]),
            outcome: Outcome::done(),
            observations: BTreeMap::new(),
            tools: BTreeMap::new(),
        })
    }

    fn instance(
        &mut self,
        request: &Request,
        build: &InstanceBuild,
    ) -> Result<StageResult, BuildError> {
        let mut outputs = BTreeMap::new();
        let outcome = match self.link_instance(request, build) {
            Ok((library, wrapped, report)) => {
                outputs.insert("library".to_owned(), self.store.put_bytes(&library)?);
                outputs.insert("wrapped".to_owned(), self.store.put_bytes(&wrapped)?);
                outputs.insert("report".to_owned(), self.store.put_json(&report)?);
                Outcome::done()
            }
            Err(Failure::Candidate(why)) => {
                let _ = writeln!(self.log, "BUILDFAIL {why}");
                Outcome::with_verdict(Verdict::BuildFail, why)
            }
            Err(Failure::Ours(error)) => return Err(error),
        };
        let observations = BTreeMap::from([(
            "warnings".to_owned(),
            self.log
                .lines()
                .filter(|line| line.contains(": warning: "))
                .count()
                .into(),
        )]);
        Ok(StageResult {
            outputs,
            outcome,
            observations,
            tools: BTreeMap::new(),
        })
    }

    fn link_instance(
        &mut self,
        request: &Request,
        build: &InstanceBuild,
    ) -> Result<(Vec<u8>, Vec<u8>, BuildReport), Failure> {
        let tree = read_tree(self.store, request.input("source")?)?;
        lay_out(self.store, &tree, &self.scratch.folder("src")?)?;
        let ours = read_tree(self.store, request.input("glue")?)?;
        lay_out(self.store, &ours, &self.scratch.folder("assay")?)?;

        let sources = compile::sources(&tree, build);
        if sources.is_empty() {
            return Err(Failure::Candidate(format!(
                "no source file in `{}`: nothing there ends in .c, .cpp, .cc or .S and is not a \
                 driver",
                build.source_dir
            )));
        }
        let mut objects = Objects::default();
        let includes = compile::include_folders(build);
        for source in &sources {
            let options = if compile::is_cxx(source) {
                &build.cxx_options
            } else {
                &build.options
            };
            compile::compile(
                self,
                &mut objects,
                &format!("src/{source}"),
                options,
                &includes,
            )?;
        }
        glue::write_config(self.scratch.path(), build)?;
        let supplied = glue::compile(self, &mut objects, build, &includes)?;
        let library = link::library(self, &objects, build, &[])?;
        let wrapped_functions = objects.defined_of(&build.wrap);
        let mut wrapped_objects = objects.clone();
        glue::compile_wrappers(
            self,
            &mut wrapped_objects,
            build,
            &includes,
            &wrapped_functions,
        )?;
        let wrapped = link::library(self, &wrapped_objects, build, &wrapped_functions)?;
        let report = BuildReport::of_instance(
            &library.bytes,
            self.compiler,
            build,
            &sources,
            supplied,
            wrapped_functions,
        )?;
        Ok((library.bytes, wrapped.bytes, report))
    }
}

/// For sources of our own: there is no candidate to blame.
fn ours_alone(failure: Failure) -> BuildError {
    match failure {
        Failure::Candidate(why) => BuildError::Probe(why),
        Failure::Ours(error) => error,
    }
}
