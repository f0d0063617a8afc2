//! Everything an exploration has learnt, as one fold over recorded entries.
//!
//! An entry that has just happened and an entry that is read back pass through the same three functions here. A
//! resumed run therefore knows exactly what the interrupted one knew.

use super::{AvoidedEvents, ExplorationTotals, Novelty, ends_trace};
use crate::graph::StateGraph;
use crate::policy::InterestingPolicy;
use crate::strategy::{RecordedEntry, Strategy};
use crate::travel::SnapshotLedger;
use retap_model::crash::CrashId;
use retap_model::trace::{Return, StepResult};
use retap_model::{App, Coverage, Screen, ScreenId, StateId, Step, Trace, WorldSeed};
use std::collections::BTreeMap;

pub(crate) struct RunMemory<'s> {
    pub(crate) strategy: &'s mut dyn Strategy,
    pub(crate) graph: StateGraph,
    pub(crate) totals: ExplorationTotals,
    pub(crate) avoided: AvoidedEvents,
    /// The current trace. A crash at its end is kept with it.
    pub(crate) trace: Option<Trace>,
    /// The return that the current trace began with; `None` after a clean launch.
    pub(crate) began_with: Option<Return>,
    pub(crate) snapshots: SnapshotLedger,
    /// The last screen of each state that the strategy was shown. Screens of one state may offer different events.
    shown_screens: BTreeMap<StateId, ScreenId>,
    has_coverage: bool,
}

/// The observed details of an entry, beside the result on its line.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EntryDetails<'a> {
    /// The units that ran.
    pub units: &'a Coverage,
    /// The activity; may be empty unless the state is new.
    pub activity: &'a str,
    /// The screen; may be absent unless the memory wants it.
    pub screen: Option<&'a Screen>,
}

/// The facts about a recorded step that its caller acts on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RecordedStepFacts {
    /// True if the step led to a new interesting state.
    pub is_interesting: bool,
    pub new_or_shorter_crash: Option<CrashId>,
}

impl<'s> RunMemory<'s> {
    pub(crate) fn new(
        strategy: &'s mut dyn Strategy,
        interesting: InterestingPolicy,
        app: &App,
    ) -> Self {
        Self {
            strategy,
            graph: StateGraph::new(interesting),
            totals: ExplorationTotals::default(),
            avoided: AvoidedEvents::default(),
            trace: None,
            began_with: None,
            snapshots: SnapshotLedger::default(),
            shown_screens: BTreeMap::new(),
            has_coverage: !app.units.is_empty(),
        }
    }

    /// Records a trace that begins with a clean launch. Returns the crash that it ends in, if no trace is known that
    /// ends in it as soon.
    pub(crate) fn record_start(
        &mut self,
        world_seed: WorldSeed,
        start: StepResult,
        details: &EntryDetails<'_>,
    ) -> Option<CrashId> {
        self.began_with = None;
        let details = &self.show_screen(&start, details);
        let trace = self.trace.insert(Trace { world_seed, start, steps: Vec::new() });
        let novelty = self.totals.assess(&trace.start, details, self.has_coverage);
        self.graph.record_start(trace, novelty);
        self.strategy.learn(RecordedEntry::Start(novelty));
        let crash = self.totals.new_or_shorter_crash(trace);
        self.totals.record_start(&trace.start);
        self.totals.record_details(details);
        if self.strategy.wants_snapshots() {
            self.record_snapshot();
        }
        crash
    }

    /// Records the next step of the current trace.
    ///
    /// # Panics
    /// Panics if no trace has begun. A trace file is checked for that when it is read, so only a bug can cause it.
    pub(crate) fn record_step(
        &mut self,
        step: Step,
        details: &EntryDetails<'_>,
    ) -> RecordedStepFacts {
        let details = &self.show_screen(&step.result, details);
        let Some(trace) = self.trace.as_mut() else {
            panic!("a step was recorded before any trace began: {}", step.event);
        };
        trace.steps.push(step);
        self.avoided.record(trace);
        let step = &trace.steps[trace.steps.len() - 1];
        let novelty = self.totals.assess(&step.result, details, self.has_coverage);
        let is_interesting = self.graph.record_step(trace, novelty);
        self.strategy.learn(RecordedEntry::Step(step, novelty));
        let new_or_shorter_crash = self.totals.new_or_shorter_crash(trace);
        self.totals.record_step(&step.result);
        self.totals.record_details(details);
        if is_interesting && self.strategy.wants_snapshots() {
            self.record_snapshot();
        }
        RecordedStepFacts { is_interesting, new_or_shorter_crash }
    }

    /// Records a trace that begins with a return, all its steps at once. There are details of its start and of each
    /// step. Returns the crash that it ends in, if no trace is known that ends in it as soon.
    ///
    /// # Panics
    /// Panics if the number of details does not fit the trace.
    pub(crate) fn record_return(
        &mut self,
        trace: Trace,
        returns: Return,
        details: &[EntryDetails<'_>],
    ) -> Option<CrashId> {
        let (steps, observed) = (trace.steps.len(), details.len());
        let Some(last_details) = details.last().filter(|_| observed == steps + 1) else {
            panic!("a return of {steps} steps was recorded with {observed} observations");
        };
        self.began_with = Some(returns);
        let last_details = &self.show_screen(trace.last(), last_details);
        let trace = self.trace.insert(trace);
        self.avoided.record(trace);
        let novelty: Novelty<'_> =
            self.totals.assess(trace.last(), last_details, self.has_coverage);
        self.graph.record_return(trace, &returns, novelty);
        self.strategy.learn(RecordedEntry::Return { trace, returns, novelty });
        let crash = self.totals.new_or_shorter_crash(trace);
        let has_arrived = returns.arrived(trace.last());
        self.totals.record_return(trace, &returns);
        for details in details {
            self.totals.record_details(details);
        }
        if has_arrived && self.strategy.wants_snapshots() {
            self.record_snapshot();
        }
        crash
    }

    /// Returns true if the details of an entry with this result must include the screen: the state is new, or it
    /// shows another screen than the last time.
    pub(crate) fn wants_screen(&self, result: &StepResult) -> bool {
        self.strategy.wants_screens()
            && result
                .state
                .is_some_and(|state| self.shown_screens.get(&state) != result.screen.as_ref())
    }

    /// Leaves the screen out of the details unless it is wanted, and remembers that it is shown.
    fn show_screen<'a>(
        &mut self,
        result: &StepResult,
        details: &EntryDetails<'a>,
    ) -> EntryDetails<'a> {
        let is_wanted = self.wants_screen(result);
        if let (true, Some(state), Some(screen)) = (is_wanted, result.state, result.screen) {
            self.shown_screens.insert(state, screen);
        }
        EntryDetails { screen: details.screen.filter(|_| is_wanted), ..*details }
    }

    /// Records that a snapshot lies at the end of the current trace, if the device can save one.
    pub(crate) fn record_snapshot(&mut self) {
        let Some(trace) = self.trace.as_ref() else { return };
        let Some(state) = trace.last().state.filter(|_| !ends_trace(trace.last())) else { return };
        let dropped = self.snapshots.record(state, trace.events());
        if let Some(dropped) = dropped {
            self.graph.set_has_snapshot(dropped, false);
        }
        self.graph.set_has_snapshot(state, true);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strategy::random::Random;
    use retap_model::Event;
    use retap_model::app::AppIdentity;

    fn memory_of(strategy: &mut dyn Strategy) -> RunMemory<'_> {
        let identity = AppIdentity { package: "a".into(), version: "1".into(), sha256: "0".into() };
        let app = App {
            identity,
            activities: Vec::new(),
            broadcasts: Vec::new(),
            libraries: Default::default(),
            units: Default::default(),
        };
        RunMemory::new(strategy, InterestingPolicy::default(), &app)
    }

    #[test]
    #[should_panic(expected = "a step was recorded before any trace began")]
    fn a_step_before_any_trace_is_a_bug() {
        let mut random = Random::new(1);
        let units = Coverage::new();
        let details = EntryDetails { units: &units, activity: "", screen: None };
        let step = Step { event: Event::Launch, result: StepResult::default() };
        memory_of(&mut random).record_step(step, &details);
    }

    #[test]
    #[should_panic(expected = "a return of 0 steps was recorded with 2 observations")]
    fn a_return_with_too_many_observations_is_a_bug() {
        let mut random = Random::new(1);
        let units = Coverage::new();
        let details = EntryDetails { units: &units, activity: "", screen: None };
        let trace = Trace { world_seed: 0, start: StepResult::default(), steps: Vec::new() };
        let returns = Return { to: retap_model::StateId(1), steps: 0, events: 0 };
        memory_of(&mut random).record_return(trace, returns, &[details, details]);
    }
}
