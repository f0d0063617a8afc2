//! The line beside the bar of an exploration.

use retap_explore::{ExplorationProgress, ExplorationTotals};
use retap_model::UnitKind;
use std::time::{Duration, Instant};

/// Describes the run so far: events, time left, crashes, states, coverage. What matters most comes first, because a narrow
/// terminal cuts the line.
pub fn describe(
    state: &ExplorationProgress<'_>,
    started: Instant,
    limits: (Option<u64>, Option<Duration>),
) -> String {
    let ExplorationTotals { events, states, coverage, crashes, .. } = state.totals;
    let passed = started.elapsed().as_secs_f64().max(0.001);
    let rate = *events as f64 / passed;
    let (max_events, time) = limits;
    let of = max_events.map_or_else(String::new, |max| format!("/{max}"));
    let by_time = time.map(|time| time.as_secs_f64() - passed);
    let by_events = max_events
        .filter(|_| *events > 0)
        .map(|max| max.saturating_sub(*events) as f64 / rate.max(0.001));
    let left = by_time.into_iter().chain(by_events).reduce(f64::min);
    let left = left.map_or_else(String::new, |left| format!(", {:.0} s left", left.max(0.0)));
    let crashes = match crashes.len() {
        1 => "1 crash".to_string(),
        number => format!("{number} crashes"),
    };
    let counts = state.app.units.count(coverage);
    let covered = counts
        .get(&UnitKind::Branch)
        .map_or_else(String::new, |count| format!(", {:.0}% of branches", count.percent()));
    format!("{events}{of} events{left}, {crashes}, {} states{covered}, {rate:.0}/s", states.len())
}
