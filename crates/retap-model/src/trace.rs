//! Steps, traces and suites: events and their results.

use crate::abstraction::Abstraction;
use crate::coverage::CoverageId;
use crate::event::Event;
use crate::hash::StableHasher;
use crate::observation::{Observation, RecordedOutcome};
use crate::screen::ScreenId;
use crate::state::StateId;
use serde::{Deserialize, Serialize};

/// A step's result: the ids of the state, screen and coverage after the event, and the outcome.
/// Traces that were written by hand or imported may lack any of them.
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
    /// Returns the ids of an observation. Nothing is recorded.
    pub fn of(observation: &Observation, abstraction: Abstraction, package: &str) -> Self {
        Self {
            state: Some(abstraction.state(&observation.screen)),
            screen: Some(observation.screen.id()),
            coverage: (!observation.coverage.is_empty()).then(|| observation.coverage.id()),
            elapsed_ms: observation.elapsed_ms,
            outcome: observation.outcome.recorded(package),
            host_limitations: observation.host_limitations.clone(),
        }
    }

    /// Returns the digest of a run up to and including this result, from the digest `before` it.
    pub fn digest(&self, before: u64) -> u64 {
        let mut hasher = StableHasher::new("led");
        hasher.u64(before).u128(self.screen.map_or(0, |id| id.0));
        hasher.u64(self.state.map_or(0, |id| id.0)).u64(self.coverage.map_or(0, |id| id.0));
        hasher.u64(self.elapsed_ms);
        self.outcome.hash_into(&mut hasher);
        hasher.finish()
    }
}

/// An event and its result: `state --event, coverage--> state`. The state before is the result of
/// the previous step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    pub event: Event,
    pub result: StepResult,
}

/// A launch from a clean install, in one world, followed by steps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trace {
    pub world_seed: crate::WorldSeed,
    /// The result of the launch.
    pub start: StepResult,
    pub steps: Vec<Step>,
}

impl Trace {
    /// Returns a trace of events without results, as it is before anything has run.
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

    /// Returns the result after the first `n` steps; zero is the launch.
    pub fn result_after(&self, n: usize) -> &StepResult {
        if n == 0 { &self.start } else { &self.steps[n - 1].result }
    }

    /// Returns the result of the last step, or of the launch if there is none.
    pub fn last(&self) -> &StepResult {
        self.result_after(self.steps.len())
    }
}

/// The start of a trace that returns to an earlier state: its first steps are the path there. The
/// trace stays whole, so that it can be replayed and minimised like any other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Return {
    pub to: StateId,
    /// The number of the trace's first steps that are the path.
    pub steps: usize,
    /// The number of path steps that count as events of the run: all if the device had to run them,
    /// none if it can restore a snapshot.
    pub events: u64,
}

impl Return {
    /// Returns true if the path led to the right state, given the result of its last step.
    pub fn arrived(&self, last: &StepResult) -> bool {
        !last.outcome.is_final() && last.state == Some(self.to)
    }
}

/// Traces of one app that are kept together.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Suite {
    pub traces: Vec<Trace>,
}
