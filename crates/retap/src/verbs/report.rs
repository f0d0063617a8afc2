//! `retap report`: writes the page of a run, `junit.xml` and `report.sarif` from its directory alone.

use crate::cli::ReportArgs;
use crate::console::Console;
use crate::exit::Exit;
use retap_engine::{Failure, Reporter};
use retap_report::ReportError;
use std::path::Path;

pub fn run(args: &ReportArgs, console: &Console) -> Result<Exit, Failure> {
    if retap_report::is_suite(&args.run) {
        let report = retap_report::write_suite(&args.run).map_err(refuse)?;
        console.json(&report);
        console.result(&report.html.display().to_string());
        return judge(&report.damage);
    }
    let report = retap_report::write(&args.run).map_err(refuse)?;
    for remark in &report.remarks {
        console.remark(remark);
    }
    console.json(&report);
    let paths = [&report.html, &report.junit, &report.sarif].map(|path| path.display().to_string());
    console.result(&paths.join("\n"));
    judge(&report.damage)
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
pub fn write_at_end(run: &Path, console: &Console) {
    if let Err(error) = retap_report::write(run) {
        console.remark(&format!("the report cannot be written: {error}"));
    }
}
