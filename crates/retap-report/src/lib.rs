//! A run directory as something to look at: `report.html`, one page that needs nothing else;
//! `junit.xml` and `report.sarif` for the machines that watch over a project.
//!
//! Law: a function of the run directory. It knows the model and nothing else: no device, no algorithm,
//! no clock, no printing. The same directory gives the same bytes. What the app wrote (texts, messages,
//! names) is somebody else's and is escaped wherever it is shown. `clippy.toml` enforces the rest.

mod album;
mod chart;
mod crash;
mod curve;
mod finding;
mod history;
mod junit;
mod map;
mod minimization;
mod page;
mod place;
mod reduction;
mod rows;
mod run;
mod sarif;
mod sentence;
mod step;
mod totals;

use reduction::Reduction;
use retap_model::format::run::{RunError, write_whole};
use run::Run;
use serde::Serialize;
use std::path::{Path, PathBuf};

#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    #[error("{0} holds no run (there is no run.json in it)")]
    NoRun(PathBuf),
    #[error("{0} holds no reduced suite (there is no reduction.json in it)")]
    NoSuite(PathBuf),
    #[error("{0} cannot be written: {1}")]
    Junit(PathBuf, quick_junit::SerializeError),
    #[error(transparent)]
    Run(#[from] RunError),
}

/// Where the report lies, and what of the run could not be read for it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Report {
    pub html: PathBuf,
    pub junit: PathBuf,
    pub sarif: PathBuf,
    pub remarks: Vec<String>,
}

/// Writes the report of a run into its directory, in place of an earlier one.
pub fn write(dir: &Path) -> Result<Report, ReportError> {
    let run = Run::read(dir)?;
    let report = Report {
        html: dir.join("report.html"),
        junit: dir.join("junit.xml"),
        sarif: dir.join("report.sarif"),
        remarks: run.remarks.clone(),
    };
    let junit = junit::render(&run).map_err(|e| ReportError::Junit(report.junit.clone(), e))?;
    write_whole(&report.html, page::render(&run).as_bytes())?;
    write_whole(&report.junit, junit.as_bytes())?;
    write_whole(&report.sarif, sarif::render(&run).as_bytes())?;
    Ok(report)
}

/// Writes the page of a reduced suite into its folder, in place of an earlier one; answers where it lies.
pub fn write_suite(dir: &Path) -> Result<PathBuf, ReportError> {
    let html = dir.join("report.html");
    write_whole(&html, page::suite::render(dir, &Reduction::read(dir)?).as_bytes())?;
    Ok(html)
}

/// Whether there is a reduced suite to make a page of.
pub fn is_suite(dir: &Path) -> bool {
    dir.join(reduction::FILE).is_file()
}
