//! An exploration on a fleet: legs elsewhere, one run here.

use super::{REFRESH, Session, TimePlan, status};
use crate::interrupt;
use retap_engine::explore::legs::{LegPlan, check_settings, plan_wave, read_trace};
use retap_engine::{Failure, Reporter};
use retap_explore::ExplorationProgress;
use retap_fleet::{ExploredTrace, SharedPool, TaskResult, Work};
use retap_model::RunPhase;
use std::collections::BTreeSet;
use std::time::Instant;

/// The flags that a leg needs, and whether a value follows.
const LEG_FLAGS: [(&str, bool); 9] = [
    ("--strategy", true),
    ("--interesting", true),
    ("--stuck", true),
    ("--fittest", true),
    ("--without", true),
    ("--abstraction", true),
    ("--trace-length", true),
    ("--map", false),
    ("--blind", false),
];

impl Session<'_, '_> {
    /// Explores in waves of legs until a limit is reached.
    pub(super) fn explore_elsewhere(&mut self, pool: &SharedPool<'_>) -> Result<(), Failure> {
        check_settings(self.settings)?;
        let words = leg_flags(&self.exploration.info().arguments);
        let world_seed = self.exploration.info().world_seed;
        let time = TimePlan::of(self.args).map(|plan| plan.exploring);
        let max_events = self.args.limits.max_events;
        let progress = self.console.limited_bar(max_events, time);
        let mut known: BTreeSet<_> = self.exploration.totals().crashes.keys().copied().collect();
        let mut shown: Option<Instant> = None;
        while !interrupt::is_set()
            && !self.is_limited()
            && time.is_none_or(|time| self.started.elapsed() < time)
        {
            let events = self.exploration.totals().events;
            let left = max_events.unwrap_or(u64::MAX).saturating_sub(events);
            let graph = self.exploration.graph();
            let plans = plan_wave(graph, self.seed, self.args.jobs, events, left);
            let work = |LegPlan { seed, path, max_events }| Work::Explore {
                strategy: words.clone(),
                seed,
                world_seed,
                path,
                max_events,
            };
            let results = pool.run_tasks(plans.into_iter().map(work).collect())?;
            for result in results {
                self.add_leg(result)?;
            }
            self.exploration.flush()?;
            let totals = self.exploration.totals();
            for (id, crash) in &totals.crashes {
                if known.insert(*id) {
                    let (after, exception) = (crash.events, &crash.exception);
                    progress.remark(&format!("crash {id} after {after} events: {exception}"));
                }
            }
            if shown.is_none_or(|shown| shown.elapsed() > REFRESH) {
                shown = Some(Instant::now());
                let state = ExplorationProgress { totals, app: self.app, last_decision: None };
                let text = status::describe(&state, self.started, (max_events, time));
                progress.update(totals.events, text);
            }
            // A wave of which nothing came would be planned again and again.
            if totals.events == events || left == 0 {
                break;
            }
        }
        Ok(())
    }

    /// Adds the traces of a leg to the run. A leg that was set aside is only missed.
    fn add_leg(&mut self, result: TaskResult) -> Result<(), Failure> {
        let Some(leg) = result.into_leg(&|text| self.console.remark(text))? else { return Ok(()) };
        self.costs.add(RunPhase::Explore, leg.cost);
        for (ExploredTrace { job, began_with, travel }, observations) in leg.traces {
            let trace = read_trace(job, began_with, travel, observations)?;
            self.exploration.add_trace(&trace, &mut |_| {})?;
        }
        Ok(())
    }
}

/// Returns the flags of the command line that decide how a leg explores.
fn leg_flags(arguments: &[String]) -> Vec<String> {
    let mut flags = Vec::new();
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        for (name, has_value) in LEG_FLAGS {
            if word == name {
                flags.push(word.clone());
                if has_value {
                    flags.extend(words.next().cloned());
                }
                break;
            }
            if word.strip_prefix(name).is_some_and(|rest| rest.starts_with('=')) {
                flags.push(word.clone());
            }
        }
    }
    flags
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_leg_gets_the_flags_of_the_strategy_and_no_others() {
        let words = "explore a.apk --strategy random --max-events 9 --blind --without=walk -o x";
        let words: Vec<String> = words.split(' ').map(String::from).collect();
        assert_eq!(leg_flags(&words), ["--strategy", "random", "--blind", "--without=walk"]);
    }
}
