//! The steps of a trace as they are told: the sentence, and the screens before and after.

use crate::run::States;
use crate::sentence::Sentence;
use retap_model::observation::RecordedOutcome;
use retap_model::trace::StepResult;
use retap_model::{ScreenId, StateId, Trace};

#[derive(Debug, Clone, PartialEq)]
pub struct ToldStep {
    /// Counted from 1 in its trace.
    pub number: usize,
    pub sentence: Sentence,
    pub before: Option<ScreenId>,
    pub after: Option<ScreenId>,
    pub outcome: RecordedOutcome,
}

/// The last `most` steps of a trace.
pub fn tell(trace: &Trace, states: &States, most: usize) -> Vec<ToldStep> {
    let skipped = trace.steps.len().saturating_sub(most);
    let told = |(index, step): (usize, &retap_model::Step)| {
        let before = trace.result_after(index);
        ToldStep {
            number: index + 1,
            sentence: Sentence::new(&step.event, activity(before.state, states)),
            before: screen(before, states),
            after: screen(&step.result, states),
            outcome: step.result.outcome.clone(),
        }
    };
    trace.steps.iter().enumerate().skip(skipped).map(told).collect()
}

fn activity(state: Option<StateId>, states: &States) -> &str {
    state.and_then(|state| states.get(&state)).map_or("", |seen| &seen.activity)
}

/// The very screen where the trace names it, else the one its state was first seen with.
fn screen(result: &StepResult, states: &States) -> Option<ScreenId> {
    result
        .screen
        .or_else(|| result.state.and_then(|state| states.get(&state)).map(|seen| seen.screen))
}
