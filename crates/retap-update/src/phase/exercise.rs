//! Exercises a window: enters what a user would enter, then does one of the window's target inputs.

use super::PlanContext;
use crate::input::{EmptyTexts, fill, locate};
use crate::model::{InputNumber, RunWindowId};
use retap_model::Event;
use std::collections::{BTreeSet, VecDeque};

#[derive(Debug, Clone, Default)]
pub struct WindowExercise {
    /// Events that fill the window.
    fills: VecDeque<Event>,
    /// The visit that the window was filled in.
    filled_in: Option<u64>,
    window: Option<RunWindowId>,
    /// Windows that were filled before.
    known: BTreeSet<RunWindowId>,
}

/// The event of an exercise.
#[derive(Debug, Clone, PartialEq)]
pub enum ExerciseStep {
    /// Enters a value.
    Fill(Event),
    Do(InputNumber, Event),
}

impl WindowExercise {
    /// Lets the window be filled again, with other values.
    pub fn fill_again(&mut self) {
        self.filled_in = None;
    }

    /// Returns the next event, or `None` if none of the inputs can be done here.
    pub fn next(
        &mut self,
        inputs: &[InputNumber],
        context: &mut PlanContext<'_>,
    ) -> Option<ExerciseStep> {
        let screen = context.screen()?;
        let window = context.here.window;
        if self.window != Some(window) {
            self.fills.clear();
            self.window = Some(window);
        }
        let known = &context.model.windows.inputs;
        let available: Vec<InputNumber> = inputs
            .iter()
            .copied()
            .filter(|input| locate::is_available(&known[*input], &screen))
            .collect();
        if available.is_empty() {
            self.fills.clear();
            return None;
        }
        if self.filled_in != Some(context.visit) {
            self.filled_in = Some(context.visit);
            let name = context.model.windows.get(window).name.as_str();
            let values = (context.texts, context.manual);
            let is_first = self.known.insert(window);
            let empties = if is_first { EmptyTexts::Avoided } else { EmptyTexts::Allowed };
            let fills =
                fill::user_like_inputs(&screen, (window, name), values, empties, &mut context.rng);
            self.fills = fills.into();
        }
        if let Some(event) = self.fills.pop_front() {
            return Some(ExerciseStep::Fill(event));
        }
        let input = *context.rng.pick(&available)?;
        let event = locate::event_for(&known[input], &screen, context.texts, &mut context.rng)?;
        Some(ExerciseStep::Do(input, event))
    }
}
