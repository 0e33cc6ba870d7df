//! The facts of a build that pages and audits show. Nothing volatile: the same library built from
//! the same files with the same options has the same report, whatever changed inside the files.

use crate::compiler::{Compiler, CompilerError};
use artifacts::format::{Format, Header};
use artifacts::tree::TreePath;
use contract::parameters::{InstanceBuild, ProbeBuild};
use object::read::elf::{ElfFile64, ProgramHeader};
use serde::{Deserialize, Serialize};

use super::BuildError;

/// The version of build reports this program writes. 1.0: first.
pub const BUILD_REPORT: Format = Format {
    kind: "assay-build-report",
    major: 1,
    minor: 0,
};

/// See the module.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BuildReport {
    /// Kind and version.
    #[serde(flatten)]
    pub header: Header,
    /// Sum of the memory sizes of the PT_LOAD segments, in bytes.
    pub elf_load_bytes: u64,
    /// The options given for C.
    pub options: String,
    /// The options given for C++, where any source is C++.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cxx_options: Option<String>,
    /// The options given for the link.
    pub link_options: String,
    /// What the compiler driver made of the options: the arguments of the compiler proper.
    pub effective_options: Vec<String>,
    /// Sources compiled, in link order.
    pub sources: Vec<String>,
    /// Helpers of ours linked in because the submission ships none (`drng`, `auxfunc`).
    pub supplied: Vec<String>,
    /// Functions wrapped in the second library.
    pub wrapped: Vec<String>,
}

/// Sum of PT_LOAD memory sizes.
fn load_bytes(elf: &[u8]) -> Result<u64, BuildError> {
    let file = ElfFile64::<object::Endianness>::parse(elf)?;
    let endian = file.endian();
    Ok(file
        .elf_program_headers()
        .iter()
        .filter(|segment| segment.p_type(endian) == object::elf::PT_LOAD)
        .map(|segment| segment.p_memsz(endian))
        .sum())
}

impl BuildReport {
    /// Of the probe.
    pub fn of_probe(
        elf: &[u8],
        compiler: &Compiler,
        build: &ProbeBuild,
    ) -> Result<Self, BuildError> {
        Ok(BuildReport {
            header: BUILD_REPORT.header(),
            elf_load_bytes: load_bytes(elf)?,
            options: build.options.join(" "),
            cxx_options: None,
            link_options: build.link_options.join(" "),
            effective_options: effective(compiler, &build.options)?,
            sources: Vec::new(),
            supplied: Vec::new(),
            wrapped: Vec::new(),
        })
    }

    /// Of an instance.
    pub fn of_instance(
        elf: &[u8],
        compiler: &Compiler,
        build: &InstanceBuild,
        sources: &[TreePath],
        supplied: Vec<String>,
        wrapped: Vec<String>,
    ) -> Result<Self, BuildError> {
        let cxx = sources.iter().any(super::compile::is_cxx);
        Ok(BuildReport {
            header: BUILD_REPORT.header(),
            elf_load_bytes: load_bytes(elf)?,
            options: build.options.join(" "),
            cxx_options: cxx.then(|| build.cxx_options.join(" ")),
            link_options: build.link_options.join(" "),
            effective_options: effective(compiler, &build.options)?,
            sources: sources.iter().map(TreePath::to_string).collect(),
            supplied,
            wrapped,
        })
    }
}

fn effective(compiler: &Compiler, options: &[String]) -> Result<Vec<String>, CompilerError> {
    compiler.effective_options(options)
}
