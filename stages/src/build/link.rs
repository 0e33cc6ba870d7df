//! Objects to a normalised library or probe.

use super::compile::Objects;
use super::{Failure, Job};
use artifacts::words::Kind;
use contract::parameters::InstanceBuild;
use std::fmt::Write as _;

/// A linked and normalised file.
pub struct Linked {
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// The symbols a library exports, as a linker version script; everything else is hidden.
fn exports(kind: Kind) -> String {
    let api = match kind {
        Kind::Kem => "kem_*",
        Kind::Sig => "sig_*",
        Kind::Hash => "CryptHash",
        Kind::Kex => "kex_*",
    };
    format!("{{ global: {api}; assay_*; local: *; }};\n")
}

/// Links the objects to a shared library, with `-Wl,--wrap` around `wrapped`.
pub fn library(
    job: &mut Job<'_>,
    objects: &Objects,
    build: &InstanceBuild,
    wrapped: &[String],
) -> Result<Linked, Failure> {
    fs_err::write(
        job.scratch.path().join("assay/exports.map"),
        exports(build.kind),
    )?;
    let mut arguments = build.link_options.clone();
    arguments.push("-Wl,--version-script=assay/exports.map".to_owned());
    arguments.extend(wrapped.iter().map(|name| format!("-Wl,--wrap={name}")));
    let mut libraries: Vec<String> = build.libraries.iter().map(|l| format!("-l{l}")).collect();
    libraries.push("-lm".to_owned());
    link(job, objects, arguments, libraries, "out/library.so")
}

/// Links the objects to the probe.
pub fn probe(
    job: &mut Job<'_>,
    objects: &Objects,
    link_options: &[String],
) -> Result<Linked, Failure> {
    link(
        job,
        objects,
        link_options.to_vec(),
        vec!["-ldl".to_owned()],
        "out/probe",
    )
}

fn link(
    job: &mut Job<'_>,
    objects: &Objects,
    mut arguments: Vec<String>,
    libraries: Vec<String>,
    output: &str,
) -> Result<Linked, Failure> {
    job.scratch.folder("out")?;
    // What would name the tool chain instead of being its code.
    arguments.extend(["-Wl,--build-id=none", "-s", "-o", output].map(str::to_owned));
    arguments.extend(objects.paths.iter().cloned());
    arguments.extend(libraries);
    let _ = writeln!(
        job.log,
        "$ {} {}",
        if objects.cxx { "c++" } else { "cc" },
        arguments.join(" ")
    );
    let run = job.compiler.run(objects.cxx, &arguments)?;
    job.log.push_str(&run.stderr);
    if let Some(why) = run.failed {
        return Err(Failure::Candidate(format!("link: {why}")));
    }
    let path = job.scratch.path().join(output);
    job.compiler.remove_comment(&path)?;
    Ok(Linked {
        bytes: fs_err::read(path)?,
    })
}
