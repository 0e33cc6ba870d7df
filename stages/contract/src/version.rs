//! Stage versions: raised by hand whenever a stage would answer the same request differently.
//!
//! A test holds each stage's output on a fixed input and fails until the version is raised with it.

use artifacts::Stage;

/// The version of this stage's output.
pub const fn version(stage: Stage) -> u32 {
    match stage {
        Stage::Build => 1,
        Stage::Kat => 1,
        Stage::Time => 1,
        Stage::Profile => 1,
        Stage::SizeAudit => 1,
        Stage::Render => 1,
    }
}

/// The name of the stage's binary, found beside the `campaign` binary.
pub const fn binary(stage: Stage) -> &'static str {
    match stage {
        Stage::Build => "stage-build",
        Stage::Kat => "stage-kat",
        Stage::Time => "stage-time",
        Stage::Profile => "stage-profile",
        Stage::SizeAudit => "stage-size-audit",
        Stage::Render => "stage-render",
    }
}
