//! The evidence for a crash or a finding: its minimised trace, its success rate and a screenshot, kept in its folder.

use super::check_budget::CheckBudget;
use super::film;
use crate::minimize::{self, AnswerLog, FreshWorlds, Judge, MinimizeRequest, MinimizedTrace};
use crate::{Context, Failure, trace_file};
use retap_device::{DeviceError, Lab};
use retap_minimize::{MinimizeOptions, Prior, SearchBudget};
use retap_model::format::run::{self, minimize_summary::MinimizedRecord};
use retap_model::format::trace::Header;
use retap_model::{Abstraction, Cost, Trace};
use std::path::Path;
use std::time::{Duration, Instant};

/// Limits for each trace. `retap minimize` searches longer.
const MAX_TIME: Duration = Duration::from_secs(180);
const MAX_ORACLE_CALLS: u64 = 500;
/// A search that has begun may ask at least this much, and may cost at least this much, or as many events as so many runs
/// of the trace that it begins with.
const MIN_ORACLE_CALLS: u64 = 20;
const MIN_EFFORT: u64 = 6_000;
const MIN_TRACES: u64 = 60;
/// World seeds in which the answer's success rate is measured, and how many are enough if nothing differs in them.
const FRESH_WORLDS: FreshWorlds = FreshWorlds { most: 10, enough_if_alike: Some(3) };

/// A fault and a trace that was seen to show it again.
#[derive(Debug)]
pub struct ReproducedFault<'f> {
    pub header: Header,
    pub trace: Trace,
    pub folder: &'f Path,
    pub judge: &'f Judge,
}

/// Reads the record that an earlier call of [`minimize`] wrote.
pub fn read_record(folder: &Path) -> Option<MinimizedRecord> {
    run::read_json(&folder.join(MinimizedRecord::FILE), "the record of a minimised trace").ok()
}

/// Minimises the trace of a fault within what is left of the budget, and keeps the answer in the fault's folder. `label` is
/// what the progress calls it.
pub fn minimize(
    lab: &mut Lab<'_>,
    fault: &ReproducedFault<'_>,
    run: &Path,
    budget: &CheckBudget,
    label: &str,
    context: Context<'_>,
) -> Result<(), Failure> {
    let allowed = search_budget(budget.effort_left(lab), fault.trace.steps.len() as u64);
    let latest = Instant::now() + MAX_TIME;
    let deadline = budget.deadline().map_or(latest, |deadline| latest.min(deadline));
    let bounds = SearchBounds { allowed, deadline, label };
    let minimized = search(lab, fault, bounds, context)?;
    let folder = fault.folder;
    let answer = folder.join("minimized.jsonl");
    let keep = |trace: &Trace| -> Result<(), Failure> {
        Ok(run::write_whole(&answer, &trace_file::to_bytes(&fault.header, trace)?)?)
    };
    keep(&minimized.trace)?;
    let record = MinimizedRecord {
        events: minimized.trace.steps.len() as u64,
        success: minimized.success,
        oracle_calls: minimized.outcome.cost.oracle_calls,
        steps: minimized.trace.events().map(ToString::to_string).collect(),
    };
    let mut filmed = minimized.trace;
    film::keep(lab, &mut filmed, run, folder)?;
    keep(&filmed)?;
    // The record comes last: a run that is killed before it minimises this trace again.
    Ok(run::write_json(&folder.join(MinimizedRecord::FILE), &record)?)
}

/// The bounds of a search, and what the terminal calls it.
#[derive(Debug, Clone, Copy)]
struct SearchBounds<'a> {
    allowed: SearchBudget,
    deadline: Instant,
    label: &'a str,
}

/// Returns what a search may cost that begins with a trace of this many events. Its runs become shorter as it goes on, so
/// their events are counted and not foretold.
fn search_budget(effort_left: u64, trace_events: u64) -> SearchBudget {
    let effort = effort_left.max(MIN_EFFORT);
    let calls = effort / Cost { restarts: 1, ..Cost::default() }.effort();
    SearchBudget {
        oracle_calls: Some(calls.clamp(MIN_ORACLE_CALLS, MAX_ORACLE_CALLS)),
        events: Some(effort.max(MIN_TRACES * trace_events)),
        ..SearchBudget::default()
    }
}

fn search(
    lab: &mut Lab<'_>,
    fault: &ReproducedFault<'_>,
    SearchBounds { allowed: budget, deadline, label }: SearchBounds<'_>,
    context: Context<'_>,
) -> Result<MinimizedTrace, Failure> {
    let ReproducedFault { header, trace, judge, .. } = fault;
    let request = MinimizeRequest {
        header,
        trace,
        judge: (*judge).clone(),
        options: MinimizeOptions { budget, ..MinimizeOptions::default() },
        vary_world: false,
        hierarchy: Abstraction::Activity,
        simplify: true,
        launch_at_activity: false,
        fresh_worlds: FRESH_WORLDS,
        prior: Prior::default(),
        deadline: Some(deadline),
    };
    let progress = context.progress(None);
    let before = trace.steps.len();
    let mut answers = AnswerLog::default();
    let minimized = minimize::minimize(lab, &request, &mut answers, &mut |best, calls| {
        let after = best.len();
        progress.update(calls, format!("{label}: {before} → {after} events"));
    })?;
    if minimized.is_interrupted() {
        // An unfinished answer is not kept: a resumed run minimises the trace again.
        return Err(Failure::Device(DeviceError::Interrupted));
    }
    Ok(minimized)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_may_cost_what_is_left_and_a_long_trace_is_asked_about_some_times() {
        let limits = |effort, events| {
            let budget = search_budget(effort, events);
            (budget.oracle_calls.unwrap(), budget.events.unwrap())
        };
        assert_eq!(limits(0, 10).1, MIN_EFFORT);
        assert_eq!(limits(20_000, 10), (MAX_ORACLE_CALLS, 20_000));
        assert_eq!(limits(0, 5_000).1, MIN_TRACES * 5_000);
        assert!(limits(0, 100).0 >= MIN_ORACLE_CALLS);
    }
}
