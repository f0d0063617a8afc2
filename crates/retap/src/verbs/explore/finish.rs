//! The work after an exploration: it is announced, because it may take as long as the run, and crashes are minimised.

use crate::cli::{ExploreArgs, OracleChoice};
use crate::interrupt;
use retap_device::Lab;
use retap_engine::explore::evidence;
use retap_engine::explore::oracles::VerifySettings;
use retap_engine::minimize::Judge;
use retap_engine::{Context, Failure, trace_file};
use retap_explore::{Exploration, ExplorationTotals};
use retap_model::Oracle;
use retap_model::format::run;
use std::time::Duration;

/// Says what follows, how long it may take, and the flags that leave it out.
pub fn announce(
    exploration: &Exploration<'_>,
    args: &ExploreArgs,
    max_probe_time: Duration,
) -> String {
    let ExplorationTotals { events, crashes, .. } = exploration.totals();
    let mut next = Vec::new();
    let probes = OracleChoice::kinds(&args.oracle).is_ok_and(|kinds| !kinds.is_empty());
    let looks_for_findings = probes || args.properties.is_some();
    if probes {
        let seconds = max_probe_time.as_secs();
        next.push(format!("probe states for at most {seconds} s (--oracle none skips this)"));
    }
    if !args.no_minimize && (looks_for_findings || !crashes.is_empty()) {
        let crashes = match crashes.len() {
            1 => "1 crash".to_string(),
            n => format!("{n} crashes"),
        };
        let findings = if looks_for_findings { " and all findings" } else { "" };
        next.push(format!("minimise {crashes}{findings} (--no-minimize skips this)"));
    }
    if args.pictures > 0 {
        next.push("take screenshots (--pictures 0 skips this)".into());
    }
    if next.is_empty() || interrupt::is_set() {
        return format!("Explored {events} events.");
    }
    let next = next.join(", ");
    format!("Explored {events} events. Next: {next}. Ctrl-C stops here and keeps everything.")
}

/// Minimises every crash, or at least takes its screenshot. A crash that does not reproduce stays as it was found.
pub fn finish_crashes(
    exploration: &Exploration<'_>,
    lab: &mut Lab<'_>,
    settings: VerifySettings<'_>,
    context: Context<'_>,
) -> Result<(), Failure> {
    for id in exploration.totals().crashes.keys() {
        let folder = run::crash_folder(settings.run, *id);
        let finished = if settings.minimizes {
            let abstraction = exploration.info().abstraction;
            let judge = Judge::new(Oracle::Crash(Some(*id)), settings.app, abstraction);
            evidence::minimize(lab, &folder, &judge, context)
        } else {
            trace_file::read(&folder.join(run::TRACE).display().to_string())
                .and_then(|(_, trace)| evidence::picture_last_screen(lab.rig(), &trace, &folder))
        };
        match finished {
            Err(Failure::NotReproduced(why)) => context.remark(&format!("crash {id}: {why}")),
            other => other?,
        }
    }
    Ok(())
}
