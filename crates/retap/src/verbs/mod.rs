//! One file per verb: resolve what was asked for, run it, say what came out.

pub mod bench;
pub mod doctor;
pub mod explore;
pub mod export;
pub mod import;
pub mod minimize;
pub mod reduce;
pub mod replay;
pub mod report;
pub mod shell;
mod suite;

use crate::failure::Failure;
use retap_model::format::run::{self, RunError, RunInfo};
use std::path::{Path, PathBuf};

/// `retap-out/PACKAGE-TIME`, numbered when two runs begin in the same second.
fn fresh_directory(package: &str) -> PathBuf {
    let stamp = jiff::Zoned::now().strftime("%Y%m%d-%H%M%S");
    let base = format!("{package}-{stamp}");
    let out = Path::new("retap-out");
    let numbered = (2..).map(|n| out.join(format!("{base}-{n}")));
    let mut names = std::iter::once(out.join(&base)).chain(numbered);
    names.find(|dir| !dir.exists()).unwrap_or_else(|| out.join(&base))
}

/// The command line that a run was started with, to be taken up again.
fn recorded_arguments(dir: &Path) -> Result<Vec<String>, Failure> {
    let path = dir.join(run::INFO);
    if !path.is_file() {
        return Err(RunError::NoRun(dir.to_path_buf()).into());
    }
    let info: RunInfo = run::read_json(&path, "what a run was asked to do")?;
    Ok(std::iter::once("retap".to_string()).chain(info.arguments).collect())
}

fn cannot_resume(dir: &Path, verb: &str) -> Failure {
    let path = dir.join(run::INFO);
    Failure::input(format!("{} was not written by `retap {verb}`", path.display()))
}
