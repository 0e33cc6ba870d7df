//! What is compiled into a measured library besides the candidate's sources: the shim that gives the
//! probe one interface, the ICCS helpers where a submission ships none, and the wrappers.

use super::compile::{Objects, compile as compile_source};
use super::{Failure, Job};
use artifacts::words::Kind;
use contract::parameters::{Glue, InstanceBuild};
use std::fmt::Write as _;
use std::path::Path;

/// Writes `assay/assay_config.h`, which tells the shim what it is compiled for.
pub fn write_config(scratch: &Path, build: &InstanceBuild) -> Result<(), std::io::Error> {
    let kind = match build.kind {
        Kind::Kem => "KEM",
        Kind::Sig => "SIG",
        Kind::Hash => "HASH",
        Kind::Kex => "KEX",
    };
    let mut text = format!("/* written by assay */\n#define ASSAY_{kind} 1\n");
    match (build.glue, &build.namespace) {
        (Glue::Pqclean, Some(namespace)) => {
            let _ = write!(
                text,
                "#define ASSAY_NAMESPACE {namespace}\n#include \"api.h\"\n"
            );
        }
        _ => {
            if let Some(header) = &build.header {
                let _ = writeln!(text, "#include \"{header}\"");
            }
            let instance = build.instance.replace(['\\', '"'], "_");
            let _ = write!(
                text,
                "#ifndef ALGORITHM_INSTANCE\n#define ALGORITHM_INSTANCE \"{instance}\"\n#endif\n"
            );
        }
    }
    fs_err::write(scratch.join("assay/assay_config.h"), text)
}

/// Compiles the shim and the helpers the objects lack; says which helpers were supplied.
pub fn compile(
    job: &mut Job<'_>,
    objects: &mut Objects,
    build: &InstanceBuild,
    includes: &[String],
) -> Result<Vec<String>, Failure> {
    let mut supplied = Vec::new();
    let mut options = build.options.clone();
    if build.glue == Glue::Iccs {
        let has = |name: &str| objects.defined.contains(name);
        let helpers_needed = build.kind != Kind::Hash;
        let drng_needed = !has("get_random_number") && helpers_needed;
        let auxfunc_needed = helpers_needed
            && !["sm3hash", "pseudohash", "pseudoXOF"]
                .iter()
                .any(|name| has(name));
        if build.kind == Kind::Hash && !has("init_random_number") {
            options.push("-DASSAY_NO_DRNG".to_owned());
        }
        let mut needed = Vec::new();
        if drng_needed {
            supplied.push("drng".to_owned());
            needed.push("assay/iccs/drng.c");
        }
        if auxfunc_needed {
            supplied.push("auxfunc".to_owned());
            needed.push("assay/iccs/auxfunc.c");
        }
        if !needed.is_empty() {
            needed.push("assay/iccs/sm3.c");
        }
        for source in needed {
            compile_source(
                job,
                objects,
                source,
                &build.options,
                &["assay/iccs".to_owned()],
            )?;
        }
    }
    let shim = match build.glue {
        Glue::Iccs => "assay/glue/shim.c",
        Glue::Pqclean => "assay/glue/pqclean.c",
    };
    compile_source(job, objects, shim, &options, &with_ours(includes))?;
    Ok(supplied)
}

/// Compiles the wrappers of these functions.
pub fn compile_wrappers(
    job: &mut Job<'_>,
    objects: &mut Objects,
    build: &InstanceBuild,
    includes: &[String],
    functions: &[String],
) -> Result<(), Failure> {
    let source = match build.glue {
        Glue::Iccs => "assay/glue/wrap_iccs.c",
        Glue::Pqclean => "assay/glue/wrap_pqclean.c",
    };
    let mut options = build.options.clone();
    options.extend(functions.iter().map(|name| format!("-DASSAY_WRAP_{name}")));
    compile_source(job, objects, source, &options, &with_ours(includes))
}

fn with_ours(includes: &[String]) -> Vec<String> {
    ["assay", "assay/glue"]
        .map(str::to_owned)
        .into_iter()
        .chain(includes.iter().cloned())
        .collect()
}
