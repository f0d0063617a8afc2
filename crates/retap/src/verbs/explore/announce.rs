//! Says what follows exploring, how long it may take, and what it has left undone.

use crate::cli::{ExploreArgs, OracleChoice};
use crate::interrupt;
use retap_explore::{Exploration, ExplorationTotals};
use std::path::Path;
use std::time::Instant;

/// Says what follows, how long it may take, and the flags that leave it out.
pub fn announce(
    exploration: &Exploration<'_>,
    args: &ExploreArgs,
    deadline: Option<Instant>,
) -> String {
    let ExplorationTotals { events, crashes, .. } = exploration.totals();
    let mut next = Vec::new();
    let probes = OracleChoice::kinds(&args.oracle).is_ok_and(|kinds| !kinds.is_empty());
    let looks_for_findings = probes || args.properties.is_some();
    if probes {
        next.push("probe states (--oracle none skips this)".to_string());
    }
    if !args.no_minimize && (looks_for_findings || !crashes.is_empty()) {
        let crashes = match crashes.len() {
            1 => "1 crash".to_string(),
            n => format!("{n} crashes"),
        };
        let findings = if looks_for_findings { " and the findings" } else { "" };
        next.push(format!("minimise {crashes}{findings} (--no-minimize skips this)"));
    }
    if args.pictures > 0 {
        next.push("take screenshots (--pictures 0 skips this)".into());
    }
    if next.is_empty() || interrupt::is_set() {
        return format!("Explored {events} events.");
    }
    let next = next.join(", ");
    let at_most = deadline.map_or_else(String::new, |deadline| {
        let left = deadline.saturating_duration_since(Instant::now());
        format!(", for at most {} s", left.as_secs_f64().ceil())
    });
    format!(
        "Explored {events} events. Next: {next}{at_most}. Ctrl-C stops here and keeps everything."
    )
}

/// Says that a run to resume has all its events already, and how to explore further.
pub fn describe_finished(exploration: &Exploration<'_>, args: &ExploreArgs) -> Option<String> {
    let (events, limit) = (exploration.totals().events, args.limits.max_events?);
    (events >= limit).then(|| {
        format!(
            "This run is finished: it has its {limit} events. Only checks that are missing run now. \
             `--resume --max-events N` with a larger N explores further."
        )
    })
}

/// Says how many crashes and findings are not minimised, why, and how to go on.
pub fn describe_left(count: usize, run: &Path, has_deadline: bool) -> String {
    let what = match count {
        1 => "1 crash or finding still has its long trace".to_string(),
        count => format!("{count} crashes and findings still have their long traces"),
    };
    let why = match has_deadline {
        true => "the time of this run is over",
        false => "the events that a run without --time spends on checks are used up",
    };
    let run = run.display();
    format!(
        "{what}: {why}. `retap explore --resume -o {run}` goes on with them; \
         `retap minimize TRACE` minimises one."
    )
}
