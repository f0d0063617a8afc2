//! The totals of a run: everything it has covered and met so far. They are a fold over recorded entries, the same live
//! and read back.

use super::memory::EntryDetails;
use super::{Novelty, ends_trace};
use retap_model::crash::CrashId;
use retap_model::observation::RecordedOutcome;
use retap_model::trace::{Return, StepResult};
use retap_model::{Coverage, StateId, Trace};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Debug, Clone, Default, PartialEq)]
pub struct ExplorationTotals {
    pub events: u64,
    /// Traces that began with a clean launch.
    pub starts: u64,
    /// Traces that began with a return.
    pub returns: u64,
    /// Returns that led to another state.
    pub failed_returns: u64,
    /// Events that returns took.
    pub return_events: u64,
    pub states: BTreeSet<StateId>,
    pub activities: BTreeSet<String>,
    pub coverage: Coverage,
    pub crashes: BTreeMap<CrashId, CrashTotals>,
    pub not_responding: u64,
    pub host_limitations: BTreeMap<String, u64>,
    /// A digest over all results of the run, in order.
    pub digest: u64,
    /// Steps of the current trace.
    trace_length: u64,
    /// Launches in a row that the app did not survive.
    pub failed_launches: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CrashTotals {
    pub exception: String,
    /// The length of the shortest trace that ended in the crash.
    pub events: u64,
    /// The number of times that the crash occurred.
    pub occurrences: u64,
}

impl ExplorationTotals {
    pub(super) fn record_start(&mut self, result: &StepResult) {
        self.starts += 1;
        self.failed_launches = if ends_trace(result) { self.failed_launches + 1 } else { 0 };
        self.trace_length = 0;
        self.record_result(result);
    }

    /// Records a trace that began with a return. All its steps so far are the path of the return.
    pub(super) fn record_return(&mut self, trace: &Trace, returns: &Return) {
        self.returns += 1;
        self.failed_returns += u64::from(!returns.arrived(trace.last()));
        self.events += returns.events;
        self.return_events += returns.events;
        self.trace_length = 0;
        self.record_result(&trace.start);
        for step in &trace.steps {
            self.trace_length += 1;
            self.record_result(&step.result);
        }
    }

    pub(super) fn record_step(&mut self, result: &StepResult) {
        self.events += 1;
        self.trace_length += 1;
        self.record_result(result);
    }

    /// Records the coverage and the activity of an entry.
    pub(super) fn record_details(&mut self, details: &EntryDetails<'_>) {
        if !details.units.is_subset(&self.coverage) {
            self.coverage.union_with(details.units);
        }
        if !details.activity.is_empty() && !self.activities.contains(details.activity) {
            self.activities.insert(details.activity.to_string());
        }
    }

    /// Compares an entry with everything recorded before it.
    pub(super) fn assess<'a>(
        &self,
        result: &'a StepResult,
        details: &EntryDetails<'a>,
        has_coverage: bool,
    ) -> Novelty<'a> {
        let is_new_state = self.is_new_state(result);
        let activity = details.activity;
        Novelty {
            result,
            is_new_state,
            new_units: details.units.count_new(&self.coverage),
            has_coverage,
            is_new_activity: is_new_state
                && !activity.is_empty()
                && !self.activities.contains(activity),
            units: Some(details.units),
            screen: details.screen,
        }
    }

    pub(super) fn is_new_state(&self, result: &StepResult) -> bool {
        result.state.is_some_and(|state| !self.states.contains(&state))
    }

    /// Returns the crash that the trace ends in, if no recorded trace of that length or shorter ends in it.
    pub(super) fn new_or_shorter_crash(&self, trace: &Trace) -> Option<CrashId> {
        let id = trace.last().outcome.crash()?;
        let known = self.crashes.get(&id);
        known.is_none_or(|known| (trace.steps.len() as u64) < known.events).then_some(id)
    }

    fn record_result(&mut self, result: &StepResult) {
        self.states.extend(result.state);
        self.digest = result.digest(self.digest);
        for limitation in &result.host_limitations {
            *self.host_limitations.entry(limitation.clone()).or_default() += 1;
        }
        match &result.outcome {
            RecordedOutcome::NotResponding => self.not_responding += 1,
            RecordedOutcome::Crashed { id, exception } => {
                let events = self.trace_length;
                let exception = exception.clone();
                let new = CrashTotals { exception, events, occurrences: 0 };
                let crash = self.crashes.entry(*id).or_insert(new);
                crash.occurrences += 1;
                crash.events = crash.events.min(events);
            }
            _ => {}
        }
    }
}
