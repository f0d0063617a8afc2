//! The settings of a run, read from its directory.

use crate::Failure;
use retap_model::format::run::{self, RunError, RunInfo};
use std::path::Path;

/// Reads the settings of the run in this directory.
pub fn read_info(dir: &Path) -> Result<RunInfo, Failure> {
    let path = dir.join(run::INFO);
    if !path.is_file() {
        return Err(RunError::NoRun(dir.to_path_buf()).into());
    }
    Ok(run::read_json(&path, "the settings of a run")?)
}
