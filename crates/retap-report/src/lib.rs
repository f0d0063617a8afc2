//! Reports of a run directory: `report.html` for people, `junit.xml` for CI servers and `report.sarif` for code scanning.
//!
//! Law: a report is a pure function of the run directory. This crate knows the model and nothing else: no device, no
//! algorithm, no clock, no printing. The same directory gives the same bytes. Texts that come from the app (labels,
//! messages, names) may be hostile, so every output escapes them. `clippy.toml` enforces the bans.

mod charts;
mod junit;
mod page;
mod run;
mod sarif;
mod suite;
mod text;

use retap_model::format::reduction::ReductionFile;
use retap_model::format::run::{RunError, write_whole};
use run::RunData;
use serde::Serialize;
use std::path::{Path, PathBuf};
use suite::SuiteData;

/// The reasons why a report cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    #[error("{0} holds no run (there is no run.json in it)")]
    NoRun(PathBuf),
    #[error("{0} holds no reduced suite (there is no reduction.json in it)")]
    NoSuite(PathBuf),
    #[error("cannot write {0}: {1}")]
    Junit(PathBuf, quick_junit::SerializeError),
    #[error(transparent)]
    Run(#[from] RunError),
}

/// The paths of the written files, and remarks about parts of the run that could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ReportFiles {
    pub html: PathBuf,
    pub junit: PathBuf,
    pub sarif: PathBuf,
    pub remarks: Vec<String>,
}

/// Writes the report of a run into its directory and replaces an earlier one.
pub fn write(dir: &Path) -> Result<ReportFiles, ReportError> {
    let run = RunData::read(dir)?;
    let files = ReportFiles {
        html: dir.join("report.html"),
        junit: dir.join("junit.xml"),
        sarif: dir.join("report.sarif"),
        remarks: run.remarks.clone(),
    };
    let junit = junit::render(&run).map_err(|e| ReportError::Junit(files.junit.clone(), e))?;
    write_whole(&files.html, page::run::render(&run).as_bytes())?;
    write_whole(&files.junit, junit.as_bytes())?;
    write_whole(&files.sarif, sarif::render(&run).as_bytes())?;
    Ok(files)
}

/// Writes the page of a reduced suite into its folder, replaces an earlier one, and returns its path.
pub fn write_suite(dir: &Path) -> Result<PathBuf, ReportError> {
    let html = dir.join("report.html");
    write_whole(&html, page::suite::render(dir, &SuiteData::read(dir)?).as_bytes())?;
    Ok(html)
}

/// Returns true if the directory holds a reduced suite.
pub fn is_suite(dir: &Path) -> bool {
    dir.join(ReductionFile::FILE).is_file()
}
