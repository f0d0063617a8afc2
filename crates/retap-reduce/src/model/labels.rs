//! Numbers for locations, launches and steps, so that equal ones are found by comparing numbers.

use retap_model::observation::RecordedOutcome;
use retap_model::trace::StepResult;
use retap_model::{Event, StateId, Trace};
use std::collections::BTreeMap;

/// The number of a location: a state, and whether the app runs in it.
pub(crate) type LocationIndex = u32;

/// The number of a launch (world seed and location) or of a step (event and location after it). Launches have even
/// labels, steps odd ones.
pub(crate) type StepLabel = u32;

#[derive(Debug, Default)]
pub(crate) struct LabelIndex<'a> {
    locations: BTreeMap<(Option<StateId>, RecordedOutcome), LocationIndex>,
    launches: BTreeMap<(u64, LocationIndex), StepLabel>,
    steps: BTreeMap<(&'a Event, LocationIndex), StepLabel>,
}

impl<'a> LabelIndex<'a> {
    /// Returns the number of the location that a result leads to, a new one if it is the first to lead there.
    pub fn add_location(&mut self, result: &StepResult) -> LocationIndex {
        let next = self.locations.len() as LocationIndex;
        *self.locations.entry(location(result)).or_insert(next)
    }

    pub fn add_launch(&mut self, world_seed: u64, to: LocationIndex) -> StepLabel {
        let next = 2 * self.launches.len() as StepLabel;
        *self.launches.entry((world_seed, to)).or_insert(next)
    }

    pub fn add_step(&mut self, event: &'a Event, to: LocationIndex) -> StepLabel {
        let next = 2 * self.steps.len() as StepLabel + 1;
        *self.steps.entry((event, to)).or_insert(next)
    }

    pub fn location_count(&self) -> usize {
        self.locations.len()
    }

    /// Returns the labels of a trace up to its first step that has none.
    pub fn find_labels(&self, trace: &Trace) -> Vec<StepLabel> {
        let find = |result: &StepResult| self.locations.get(&location(result)).copied();
        let launch = find(&trace.start).and_then(|to| self.launches.get(&(trace.world_seed, to)));
        let Some(launch) = launch else { return Vec::new() };
        let steps = trace.steps.iter().map_while(|step| {
            let to = find(&step.result)?;
            self.steps.get(&(&step.event, to))
        });
        std::iter::once(launch).chain(steps).copied().collect()
    }
}

/// Returns the state and outcome that tell locations apart.
fn location(result: &StepResult) -> (Option<StateId>, RecordedOutcome) {
    // An event that missed its widget left everything as it was.
    let outcome = match &result.outcome {
        RecordedOutcome::Missed => RecordedOutcome::Running,
        outcome => outcome.clone(),
    };
    (result.state, outcome)
}
