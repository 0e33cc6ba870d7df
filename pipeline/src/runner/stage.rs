//! Starting a stage as a process.

use artifacts::Receipt;
use artifacts::words::Stage;
use contract::Request;
use contract::version::binary;
use std::path::PathBuf;

/// A step that has no receipt: the machine failed, not the candidate.
#[derive(Debug, thiserror::Error)]
pub enum StageError {
    /// The stage's binary is not where it should be.
    #[error("{path} is missing: build all of assay (`cargo build --release`) or reinstall it")]
    Missing {
        /// Where it should be.
        path: PathBuf,
    },
    /// The stage could not be started or spoken to.
    #[error("could not run {stage}: {source}")]
    Run {
        /// The stage.
        stage: Stage,
        /// Why.
        source: std::io::Error,
    },
    /// The stage ended without a receipt.
    #[error("{message}")]
    NoReceipt {
        /// What it said on standard error.
        message: String,
    },
    /// What the stage printed is no receipt.
    #[error("{stage} printed something that is no receipt: {source}")]
    Receipt {
        /// The stage.
        stage: Stage,
        /// Why it cannot be read.
        source: serde_json::Error,
    },
}

/// The folder in which all of assay's binaries lie: that of this program.
///
/// # Errors
/// When the system does not tell.
pub fn binaries() -> Result<PathBuf, std::io::Error> {
    let exe = std::env::current_exe()?;
    let folder = exe.parent().map(PathBuf::from).unwrap_or_default();
    // Test programs lie one folder below the binaries.
    Ok(
        match folder.file_name().is_some_and(|name| name == "deps") {
            true => folder.parent().map(PathBuf::from).unwrap_or(folder),
            false => folder,
        },
    )
}

/// Does a step: request in, receipt out.
///
/// # Errors
/// When there is no receipt; the message says what the stage said.
pub fn run(request: &Request) -> Result<Receipt, StageError> {
    let stage = request.material.stage;
    let run_error = |source| StageError::Run { stage, source };
    let path = binaries().map_err(run_error)?.join(binary(stage));
    if !path.exists() {
        return Err(StageError::Missing { path });
    }
    let json =
        serde_json::to_vec(request).map_err(|source| StageError::Receipt { stage, source })?;
    let output = duct::cmd!(&path)
        .stdin_bytes(json)
        .stdout_capture()
        .stderr_capture()
        .unchecked()
        .run()
        .map_err(run_error)?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        let message = if said.is_empty() {
            format!(
                "stage-{stage} ended with {} and said nothing",
                output.status
            )
        } else {
            said
        };
        return Err(StageError::NoReceipt { message });
    }
    serde_json::from_slice(&output.stdout).map_err(|source| StageError::Receipt { stage, source })
}
