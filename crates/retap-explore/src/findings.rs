//! What a run has found so far. A fold over its entries: live and read back, it comes out the same.

use crate::exploration::is_over;
use crate::interesting::Met;
use retap_model::crash::CrashId;
use retap_model::observation::RecordedOutcome;
use retap_model::trace::{Return, StepResult};
use retap_model::{Coverage, StateId, Trace};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Findings {
    pub events: u64,
    /// Traces that began with a clean launch and nothing more.
    pub starts: u64,
    /// Traces that began by going back to a state, and those of them that led elsewhere.
    pub returns: u64,
    pub failed_returns: u64,
    /// How many of the events were those of a way back.
    pub return_events: u64,
    pub states: BTreeSet<StateId>,
    pub activities: BTreeSet<String>,
    pub coverage: Coverage,
    pub crashes: BTreeMap<CrashId, CrashFinding>,
    pub not_responding: u64,
    pub host_limitations: BTreeMap<String, u64>,
    pub digest: u64,
    /// Steps of the current trace.
    trace_length: u64,
    /// Launches in a row that the app did not survive.
    pub dead_launches: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CrashFinding {
    pub exception: String,
    /// Length of the shortest trace that ended in it.
    pub events: u64,
    pub seen: u64,
}

impl Findings {
    pub fn start(&mut self, result: &StepResult) {
        self.starts += 1;
        self.dead_launches = if is_over(result) { self.dead_launches + 1 } else { 0 };
        self.trace_length = 0;
        self.observe(result);
    }

    /// A trace that began with a return: all its steps so far are the way.
    pub fn back(&mut self, trace: &Trace, returns: &Return) {
        self.returns += 1;
        self.failed_returns += u64::from(!returns.arrived(trace.last()));
        self.events += returns.events;
        self.return_events += returns.events;
        self.trace_length = 0;
        self.observe(&trace.start);
        for step in &trace.steps {
            self.trace_length += 1;
            self.observe(&step.result);
        }
    }

    pub fn step(&mut self, result: &StepResult) {
        self.events += 1;
        self.trace_length += 1;
        self.observe(result);
    }

    pub fn cover(&mut self, units: &Coverage) {
        if !units.is_subset(&self.coverage) {
            self.coverage.union_with(units);
        }
    }

    /// What this is beside all that was found before. Its screen is the caller's to add.
    pub fn meet<'a>(
        &self,
        result: &'a StepResult,
        activity: &str,
        units: &Coverage,
        sees_code: bool,
    ) -> Met<'a> {
        let first = result.state.is_some_and(|state| !self.states.contains(&state));
        Met {
            result,
            first,
            new_units: units.count_new(&self.coverage),
            sees_code,
            new_activity: first && !activity.is_empty() && !self.activities.contains(activity),
            screen: None,
        }
    }

    pub fn see_activity(&mut self, activity: &str) {
        if !activity.is_empty() && !self.activities.contains(activity) {
            self.activities.insert(activity.to_string());
        }
    }

    /// Whether this crash is new, or came by a shorter trace than before.
    pub fn is_better(&self, crash: CrashId, events: u64) -> bool {
        self.crashes.get(&crash).is_none_or(|known| events < known.events)
    }

    fn observe(&mut self, result: &StepResult) {
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
                let new = CrashFinding { exception, events, seen: 0 };
                let finding = self.crashes.entry(*id).or_insert(new);
                finding.seen += 1;
                finding.events = finding.events.min(events);
            }
            _ => {}
        }
    }
}
