//! Steps, traces and suites: what was done and what it led to.

use crate::abstraction::Abstraction;
use crate::coverage::CoverageId;
use crate::event::Event;
use crate::hash::StableHasher;
use crate::observation::{Observation, RecordedOutcome};
use crate::screen::ScreenId;
use crate::state::StateId;
use serde::{Deserialize, Serialize};

/// Where a step led: the observation in ids. All but the state may be missing in a trace that was
/// written by hand or imported.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct StepResult {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<StateId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub screen: Option<ScreenId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub coverage: Option<CoverageId>,
    #[serde(rename = "ms", skip_serializing_if = "is_zero")]
    pub elapsed_ms: u64,
    #[serde(skip_serializing_if = "RecordedOutcome::is_running")]
    pub outcome: RecordedOutcome,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub host_limitations: Vec<String>,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde asks for a reference
fn is_zero(ms: &u64) -> bool {
    *ms == 0
}

impl StepResult {
    /// An observation in ids, whether or not anything of it is kept.
    pub fn of(seen: &Observation, abstraction: Abstraction, package: &str) -> Self {
        Self {
            state: Some(abstraction.state(&seen.screen)),
            screen: Some(seen.screen.id()),
            coverage: (!seen.coverage.is_empty()).then(|| seen.coverage.id()),
            elapsed_ms: seen.elapsed_ms,
            outcome: seen.outcome.recorded(package),
            host_limitations: seen.host_limitations.clone(),
        }
    }

    /// Adds this observation to a digest over all observations of a run, in order.
    pub fn digest(&self, before: u64) -> u64 {
        let mut hasher = StableHasher::new("led");
        hasher.u64(before).u128(self.screen.map_or(0, |id| id.0));
        hasher.u64(self.state.map_or(0, |id| id.0)).u64(self.coverage.map_or(0, |id| id.0));
        hasher.u64(self.elapsed_ms);
        self.outcome.hash_into(&mut hasher);
        hasher.finish()
    }
}

/// `state --event, coverage--> state`; the state before is the one the step before led to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    pub event: Event,
    pub result: StepResult,
}

/// A launch from a clean install, in one world, followed by steps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trace {
    pub world_seed: crate::WorldSeed,
    /// Where the launch led.
    pub start: StepResult,
    pub steps: Vec<Step>,
}

impl Trace {
    /// A trace of events alone: what is known before anything was run.
    pub fn of_events(
        world_seed: crate::WorldSeed,
        events: impl IntoIterator<Item = Event>,
    ) -> Self {
        let steps =
            events.into_iter().map(|event| Step { event, result: StepResult::default() }).collect();
        Self { world_seed, start: StepResult::default(), steps }
    }

    pub fn events(&self) -> impl Iterator<Item = &Event> {
        self.steps.iter().map(|step| &step.event)
    }

    /// Where the first `n` steps led.
    pub fn result_after(&self, n: usize) -> &StepResult {
        if n == 0 { &self.start } else { &self.steps[n - 1].result }
    }

    pub fn last(&self) -> &StepResult {
        self.result_after(self.steps.len())
    }
}

/// How a trace begins that goes back to a state met before: its first steps are the way there. The trace
/// stays whole, so that it can be replayed and minimised like any other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Return {
    pub to: StateId,
    /// How many of the trace's first steps are the way there.
    pub steps: usize,
    /// How many of them count as events of the run: all where the device had to run them, none where it
    /// can restore a snapshot.
    pub events: u64,
}

impl Return {
    /// Whether the way led where it should, judged by the last of its steps.
    pub fn arrived(&self, last: &StepResult) -> bool {
        let gone = matches!(
            last.outcome,
            RecordedOutcome::Crashed { .. } | RecordedOutcome::NotResponding
        );
        !gone && last.state == Some(self.to)
    }
}

/// Traces of one app that belong together.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Suite {
    pub traces: Vec<Trace>,
}
