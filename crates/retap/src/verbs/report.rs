//! `retap report`: writes the page of a run, `junit.xml` and `report.sarif` from its directory alone.

use crate::cli::{PageArgs, ReportArgs};
use crate::console::Console;
use crate::exit::Exit;
use retap_engine::{Failure, Reporter, run_directory};
use retap_model::format::run::RunError;
use retap_report::{ReportError, ReportOptions};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

pub fn run(args: &ReportArgs, console: &Console) -> Result<Exit, Failure> {
    if let [suite] = args.runs.as_slice()
        && retap_report::is_suite(suite)
    {
        let report = retap_report::write_suite(suite).map_err(refuse)?;
        console.json(&report);
        console.result(&report.html.display().to_string());
        open(&report.html, &args.page, console);
        return judge(&report.damage);
    }
    let options =
        ReportOptions { sources: args.page.sources.clone(), earlier: args.earlier.clone() };
    check_folders(&options.sources)?;
    let output = output(args)?;
    let report = retap_report::write_joined(&args.runs, &output, &options).map_err(refuse)?;
    for remark in &report.remarks {
        console.remark(remark);
    }
    if args.github {
        console.result(&report.annotations);
    } else {
        console.json(&report);
        let paths = [&report.html, &report.junit, &report.sarif];
        console.result(&paths.map(|path| path.display().to_string()).join("\n"));
    }
    open(&report.html, &args.page, console);
    judge(&report.damage)
}

/// Returns the directory of the report: that of the run itself, or a new one for several runs.
fn output(args: &ReportArgs) -> Result<PathBuf, Failure> {
    let output = match (&args.output, args.runs.as_slice()) {
        (Some(output), _) => output.clone(),
        (None, [run]) => return Ok(run.clone()),
        (None, [first, ..]) => {
            super::fresh_directory(&run_directory::read_info(first)?.app.package)
        }
        (None, []) => return Err(Failure::input("no run given")),
    };
    std::fs::create_dir_all(&output).map_err(RunError::io(&output))?;
    Ok(output)
}

fn check_folders(folders: &[PathBuf]) -> Result<(), Failure> {
    match folders.iter().find(|folder| !folder.is_dir()) {
        Some(folder) => Err(Failure::input(format!(
            "--sources: {} is no folder: name one that holds Java or Kotlin files",
            folder.display()
        ))),
        None => Ok(()),
    }
}

/// Refuses damaged input. The report of the rest has been written.
fn judge(damage: &[String]) -> Result<Exit, Failure> {
    match damage.is_empty() {
        true => Ok(Exit::Clean),
        false => Err(Failure::input(damage.join("\n"))),
    }
}

fn refuse(error: ReportError) -> Failure {
    match error {
        ReportError::Run(error) => error.into(),
        other => Failure::input(other.to_string()),
    }
}

/// Writes the report at the end of a verb. A failure is only remarked, because the results are on disk already.
pub fn write_at_end(run: &Path, page: &PageArgs, console: &Console) {
    let options = ReportOptions { sources: page.sources.clone(), earlier: Vec::new() };
    match retap_report::write(run, &options) {
        Ok(report) => open(&report.html, page, console),
        Err(error) => console.remark(&format!("the report cannot be written: {error}")),
    }
}

/// Opens the report, if that was asked for.
fn open(page: &Path, args: &PageArgs, console: &Console) {
    if args.open {
        open_in_browser(&page.display().to_string(), console);
    }
}

/// Opens a page in the user's browser.
pub fn open_in_browser(page: &str, console: &Console) {
    let program = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let started = Command::new(program)
        .arg(page)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    if let Err(error) = started {
        console.remark(&format!("{program} cannot be started ({error}): open {page} yourself"));
    }
}
