//! The steps of a trace as a report shows them: a description, and the screens before and after.

use super::KnownStates;
use super::touch::TouchMark;
use crate::text::EventDescription;
use retap_model::observation::RecordedOutcome;
use retap_model::trace::StepResult;
use retap_model::{ScreenId, StateId, Step, Trace};

/// A step of a trace in words.
#[derive(Debug, Clone, PartialEq)]
pub struct DescribedStep {
    /// The step's number in its trace, from 1.
    pub number: usize,
    pub description: EventDescription,
    /// Where it touches the screen before it.
    pub touches: Vec<TouchMark>,
    pub state_before: Option<StateId>,
    pub state_after: Option<StateId>,
    pub screen_before: Option<ScreenId>,
    pub screen_after: Option<ScreenId>,
    pub outcome: RecordedOutcome,
}

/// Describes the last steps of a trace, at most `limit` of them.
pub fn describe_last_steps(
    trace: &Trace,
    states: &KnownStates,
    limit: usize,
) -> Vec<DescribedStep> {
    let skipped = trace.steps.len().saturating_sub(limit);
    let describe = |(index, step): (usize, &Step)| {
        let before = trace.result_after(index);
        DescribedStep {
            number: index + 1,
            description: EventDescription::new(&step.event, activity_of(before.state, states)),
            touches: TouchMark::of(&step.event),
            state_before: before.state,
            state_after: step.result.state,
            screen_before: screen_of(before, states),
            screen_after: screen_of(&step.result, states),
            outcome: step.result.outcome.clone(),
        }
    };
    trace.steps.iter().enumerate().skip(skipped).map(describe).collect()
}

/// Lists the steps as numbered lines of plain text.
pub fn number_lines(steps: &[DescribedStep]) -> String {
    let line = |step: &DescribedStep| format!("{}. {}\n", step.number, step.description);
    steps.iter().map(line).collect()
}

fn activity_of(state: Option<StateId>, states: &KnownStates) -> &str {
    state.and_then(|state| states.get(&state)).map_or("", |first| &first.activity)
}

/// Returns the screen that the trace names, or else the screen on which its state was first seen.
fn screen_of(result: &StepResult, states: &KnownStates) -> Option<ScreenId> {
    result
        .screen
        .or_else(|| result.state.and_then(|state| states.get(&state)).map(|first| first.screen))
}
