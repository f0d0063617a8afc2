//! One file for each verb: resolve the flags, run the operation, print the result.

pub mod bench;
pub mod diff;
pub mod doctor;
pub mod explore;
pub mod export;
pub mod fleet;
pub mod import;
pub mod instrument;
pub mod mcp;
pub mod minimize;
pub mod model;
pub mod reduce;
pub mod replay;
pub mod report;
pub mod serve;
pub mod shell;
pub mod start;
pub mod test;
pub mod update;
pub mod worker;

use crate::cli::{Cli, SeedArgs, Verb};
use crate::console::Console;
use clap::Parser;
use retap_engine::{Failure, run_directory, trace_file};
use retap_model::Trace;
use retap_model::format::run::{self, write_whole};
use retap_model::format::trace::Header;
use std::path::{Path, PathBuf};

/// The folder of run directories.
const RUNS: &str = "retap-out";

/// Returns `retap-out/PACKAGE-TIME`, with a number where two runs begin in the same second.
fn fresh_directory(package: &str) -> PathBuf {
    let stamp = jiff::Zoned::now().strftime("%Y%m%d-%H%M%S");
    let base = format!("{}-{stamp}", file_name(package));
    let out = Path::new(RUNS);
    let numbered = (2..).map(|n| out.join(format!("{base}-{n}")));
    let mut names = std::iter::once(out.join(&base)).chain(numbered);
    names.find(|dir| !dir.exists()).unwrap_or_else(|| out.join(&base))
}

/// Returns a package as the beginning of a file's name. Fakes and traces name their packages as they like.
fn file_name(package: &str) -> String {
    const LIMIT: usize = 100;
    let plain = |c: char| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '_' };
    let name: String = package.chars().take(LIMIT).map(plain).collect();
    // A name that begins with a dot is hidden, and one that begins with a dash looks like a flag.
    if name.starts_with(['.', '-']) || name.is_empty() { format!("_{name}") } else { name }
}

/// Returns the verb that the run in this directory was started with, if this version still understands it, and the run's
/// seeds.
fn resumed_verb(dir: &Path) -> Result<(Option<Verb>, SeedArgs), Failure> {
    let info = run_directory::read_info(dir)?;
    let arguments = std::iter::once("retap".to_string()).chain(info.arguments);
    let verb = Cli::try_parse_from(arguments).ok().and_then(|cli| cli.verb);
    Ok((verb, SeedArgs { seed: Some(info.seed), world_seed: Some(info.world_seed) }))
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
        console.file(bytes);
        return Ok(());
    }
    if file.exists() {
        return Err(Failure::input(format!("{} exists; nothing is overwritten", file.display())));
    }
    Ok(write_whole(file, bytes)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_never_chooses_where_a_run_lies() {
        for package in ["../../etc", "/tmp/x", "..", "", "a\0b\n\u{1b}[2J", "-rf", &"x".repeat(999)]
        {
            let directory = fresh_directory(package);
            assert_eq!(directory.parent(), Some(Path::new("retap-out")), "{package:?}");
            let name = directory.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            let is_plain = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
            assert!(name.len() < 200 && name.chars().all(is_plain), "{name}");
            assert!(!name.starts_with(['.', '-']), "{name}");
        }
        assert!(fresh_directory("com.app_1").starts_with("retap-out"));
        assert_eq!(file_name("com.app_1"), "com.app_1");
    }
}
