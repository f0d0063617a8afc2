//! What is done when a run has ended: it is announced, because it may take as long as the run, and crashes are minimised.

use super::evidence;
use crate::cli::{ExploreArgs, OracleChoice};
use crate::console::Console;
use crate::failure::Failure;
use crate::minimizing::Judge;
use crate::{interrupt, trace_file};
use retap_device::Lab;
use retap_explore::{Exploration, Findings};
use retap_model::format::run;
use retap_model::{App, Oracle};
use std::path::Path;
use std::time::Duration;

/// A run that has ended has work left that may take as long again: what, and how to be spared it.
pub fn announce(exploration: &Exploration<'_>, args: &ExploreArgs, patience: Duration) -> String {
    let Findings { events, crashes, .. } = exploration.findings();
    let mut next = Vec::new();
    if OracleChoice::kinds(&args.oracle).is_ok_and(|kinds| !kinds.is_empty()) {
        next.push(format!(
            "the oracles are asked, {} s at most (--oracle none)",
            patience.as_secs()
        ));
    }
    if !args.no_minimize {
        let crashes = crashes.len();
        next.push(format!(
            "{crashes} crashes and what the oracles find are minimised (--no-minimize)"
        ));
    }
    if args.pictures > 0 {
        next.push("pictures are taken (--pictures 0)".into());
    }
    if next.is_empty() || interrupt::is_set() {
        return format!("{events} events explored");
    }
    let next = next.join("; ");
    format!("{events} events explored. Now {next}. Ctrl-C ends it here and keeps everything.")
}

/// Every crash minimised, or at least pictured. One that cannot be is left as it was found.
pub fn finish_crashes(
    exploration: &Exploration<'_>,
    run: &Path,
    lab: &mut Lab<'_>,
    app: &App,
    minimizes: bool,
    console: &Console,
) -> Result<(), Failure> {
    for id in exploration.findings().crashes.keys() {
        let folder = run::crash_folder(run, *id);
        let done = if minimizes {
            let abstraction = exploration.info().abstraction;
            let judge = Judge::new(Oracle::Crash(Some(*id)), app, abstraction);
            evidence::minimize(lab, &folder, &judge, console)
        } else {
            trace_file::read(&folder.join(run::TRACE).display().to_string())
                .and_then(|(_, trace)| evidence::picture(lab.rig(), &trace, &folder))
        };
        match done {
            Err(Failure::NotReproduced(why)) => console.remark(&format!("crash {id}: {why}")),
            other => other?,
        }
    }
    Ok(())
}
