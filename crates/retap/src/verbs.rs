//! One file for each verb: resolve the flags, run the operation, print the result.

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

use crate::console::Console;
use retap_engine::{Failure, run_directory, trace_file};
use retap_model::Trace;
use retap_model::format::run::{self, write_whole};
use retap_model::format::trace::Header;
use std::path::{Path, PathBuf};

/// Returns `retap-out/PACKAGE-TIME`, with a number where two runs begin in the same second.
fn fresh_directory(package: &str) -> PathBuf {
    let stamp = jiff::Zoned::now().strftime("%Y%m%d-%H%M%S");
    let base = format!("{package}-{stamp}");
    let out = Path::new("retap-out");
    let numbered = (2..).map(|n| out.join(format!("{base}-{n}")));
    let mut names = std::iter::once(out.join(&base)).chain(numbered);
    names.find(|dir| !dir.exists()).unwrap_or_else(|| out.join(&base))
}

/// Returns the command line that the run in this directory was started with.
fn recorded_arguments(dir: &Path) -> Result<Vec<String>, Failure> {
    let info = run_directory::read_info(dir)?;
    Ok(std::iter::once("retap".to_string()).chain(info.arguments).collect())
}

fn cannot_resume(dir: &Path, verb: &str) -> Failure {
    let path = dir.join(run::INFO);
    Failure::input(format!("{} was not written by `retap {verb}`", path.display()))
}

/// Writes a trace to a file, or to standard output for `-`.
fn write_trace(
    file: &Path,
    header: &Header,
    trace: &Trace,
    console: &Console,
) -> Result<(), Failure> {
    write_output(file, &trace_file::to_bytes(header, trace)?, console)
}

/// Writes bytes to a new file, or to standard output for `-`. Never overwrites a file.
fn write_output(file: &Path, bytes: &[u8], console: &Console) -> Result<(), Failure> {
    if file == Path::new("-") {
        console.raw(bytes);
        return Ok(());
    }
    if file.exists() {
        return Err(Failure::input(format!("{} exists; nothing is overwritten", file.display())));
    }
    Ok(write_whole(file, bytes)?)
}
