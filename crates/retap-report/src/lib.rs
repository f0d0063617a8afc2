//! Reports of run directories: `report.html` for people, `junit.xml` for CI servers, `report.sarif` for code scanning and
//! annotations for GitHub.
//!
//! Law: a report is a pure function of the run directory and the app's sources. This crate knows the model, pictures and
//! exports and nothing else: no device, no algorithm, no clock, no printing. The same directory gives the same bytes. Texts that come from the app (labels,
//! messages, names) may be hostile, so every output escapes them, and what is not printable is shown by its code. `clippy.toml` enforces the bans.

mod annotations;
mod charts;
mod junit;
mod page;
mod run;
mod sarif;
mod sources;
mod suite;
mod text;

use retap_model::format::reduction::ReductionFile;
use retap_model::format::run::{RunError, write_whole};
use retap_model::printable::{printable, printable_json};
use run::{EarlierRuns, RunData};
use serde::Serialize;
use sources::SourceIndex;
use std::path::{Path, PathBuf};
use suite::SuiteData;

/// The reasons why a report cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    #[error("{0} holds no run (there is no run.json in it)")]
    NoRun(PathBuf),
    #[error("{0} holds no reduced suite (there is no reduction.json in it)")]
    NoSuite(PathBuf),
    #[error("{dir} holds a run of {found}, which cannot be joined with one of {expected}")]
    OtherRun { dir: PathBuf, found: String, expected: String },
    #[error("cannot write {0}: {1}")]
    Junit(PathBuf, quick_junit::SerializeError),
    #[error(transparent)]
    Run(#[from] RunError),
}

/// What a report is made of besides the run directory.
#[derive(Debug, Clone, Default)]
pub struct ReportOptions {
    /// Folders with the app's sources.
    pub sources: Vec<PathBuf>,
    /// Runs that the reported ones are compared with.
    pub earlier: Vec<PathBuf>,
}

/// The paths of the written files, and sentences about parts of the run that they leave out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ReportFiles {
    pub html: PathBuf,
    pub junit: PathBuf,
    pub sarif: PathBuf,
    /// What GitHub shows in the code, if a step of a workflow prints it.
    #[serde(skip)]
    pub annotations: String,
    pub remarks: Vec<String>,
    /// One error for each file of the run that is damaged.
    pub damage: Vec<String>,
}

/// The page of a suite, and one error for each trace of the suite that is damaged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SuiteReport {
    pub html: PathBuf,
    pub damage: Vec<String>,
}

/// Writes the report of a run into its directory and replaces an earlier one.
pub fn write(dir: &Path, options: &ReportOptions) -> Result<ReportFiles, ReportError> {
    write_joined(&[dir.to_path_buf()], dir, options)
}

/// Writes one report of several runs of an app into a directory.
pub fn write_joined(
    runs: &[PathBuf],
    output: &Path,
    options: &ReportOptions,
) -> Result<ReportFiles, ReportError> {
    let mut run = RunData::read_joined(runs)?;
    run.sources = SourceIndex::list(&options.sources);
    if !options.earlier.is_empty() {
        let earlier = RunData::read_joined(&options.earlier)?;
        run.earlier = Some(EarlierRuns::new(earlier, &run.crashes));
    }
    let files = ReportFiles {
        html: output.join("report.html"),
        junit: output.join("junit.xml"),
        sarif: output.join("report.sarif"),
        annotations: annotations::render(&run),
        remarks: run.remarks.clone(),
        damage: run.damage.clone(),
    };
    let junit = junit::render(&run).map_err(|e| ReportError::Junit(files.junit.clone(), e))?;
    write_whole(&files.html, printable(&page::run::render(&run)).as_bytes())?;
    write_whole(&files.junit, printable(&junit).as_bytes())?;
    write_whole(&files.sarif, printable_json(&sarif::render(&run)).as_bytes())?;
    Ok(files)
}

/// Writes the page of a reduced suite into its folder and replaces an earlier one.
pub fn write_suite(dir: &Path) -> Result<SuiteReport, ReportError> {
    let html = dir.join("report.html");
    let suite = SuiteData::read(dir)?;
    write_whole(&html, printable(&page::suite::render(dir, &suite)).as_bytes())?;
    Ok(SuiteReport { html, damage: suite.damage })
}

/// Returns true if the directory holds a reduced suite.
pub fn is_suite(dir: &Path) -> bool {
    dir.join(ReductionFile::FILE).is_file()
}
