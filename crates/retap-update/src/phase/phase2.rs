//! Phase 2: target windows with other values, the windows with most left to cover more often.

use super::exercise::{ExerciseStep, WindowExercise};
use super::exploration::WindowExploration;
use super::score::{best_state, draw_by_score, open_inputs, target_windows, window_score};
use super::{PhaseStep, PlanContext};
use crate::model::{AbstractAction, InputNumber, RunWindowId};
use crate::travel::{Destination, ModelWalk, WalkStep};
use retap_explore::Move;
use retap_static::InputEvent;
use std::collections::BTreeMap;

/// The events for reaching and exercising one target, and those for exploring its window.
const ACTIONS: u32 = 25;
/// A target input is done this often for one selection, unless it covers something new: with other values, other rows. What
/// has neither is done once.
const MAX_TIMES: u32 = 3;

#[derive(Debug, Clone, Default)]
pub struct Phase2 {
    selected: Option<Selected>,
    exercise: WindowExercise,
    /// The number of windows selected so far.
    selections: u32,
    /// Instructions covered when the current round of all windows began.
    covered_before: u64,
    /// The inputs that the run had left when the phase began.
    inputs_at_start: Option<u64>,
}

#[derive(Debug, Clone)]
struct Selected {
    window: RunWindowId,
    walk: ModelWalk,
    has_arrived: bool,
    /// Events left for reaching and exercising.
    left: u32,
    exploration: Option<WindowExploration>,
    has_explored: bool,
    /// How often each target input was done since something new was covered, and the instructions covered then.
    done: BTreeMap<InputNumber, u32>,
    covered: u64,
}

impl Phase2 {
    pub fn next(&mut self, context: &mut PlanContext<'_>) -> PhaseStep {
        // Half of what is left belongs to phase 3, which a short run would never see otherwise.
        let at_start = *self.inputs_at_start.get_or_insert(context.inputs_left);
        if context.inputs_left < at_start / 2 {
            return PhaseStep::Over("half of the inputs that were left are used");
        }
        // Each turn ends in a move, or in a selection that the phase's budget counts.
        loop {
            let Some(mut selected) = self.selected.take() else {
                match self.select(context) {
                    Ok(selected) => self.selected = Some(selected),
                    Err(why) => return PhaseStep::Over(why),
                }
                continue;
            };
            if let Some(step) = self.go_on(&mut selected, context) {
                self.selected = Some(selected);
                return step;
            }
        }
    }

    fn select(&mut self, context: &mut PlanContext<'_>) -> Result<Selected, &'static str> {
        let windows = target_windows(context);
        let round = windows.len().max(1) as u32;
        if self.selections >= context.scale * round {
            return Err("its budget of windows is spent");
        }
        if self.selections.is_multiple_of(round) {
            let covered = context.targets.covered_instructions();
            if self.selections > 0 && covered == self.covered_before {
                return Err("all target windows were exercised and covered nothing new");
            }
            self.covered_before = covered;
        }
        let scored: Vec<(RunWindowId, f64)> =
            windows.into_iter().map(|window| (window, window_score(context, window))).collect();
        let window = draw_by_score(&scored, &mut context.rng).ok_or("all targets are covered")?;
        self.selections += 1;
        self.exercise.fill_again();
        let destination =
            best_state(context, window).map_or(Destination::Window(window), Destination::State);
        Ok(Selected {
            window,
            walk: ModelWalk::anyhow(destination).surely(),
            has_arrived: false,
            left: context.scale * ACTIONS,
            exploration: None,
            has_explored: false,
            done: BTreeMap::new(),
            covered: context.targets.covered_instructions(),
        })
    }

    /// Returns the next step of a selected window, or `None` if it is done with.
    fn go_on(
        &mut self,
        selected: &mut Selected,
        context: &mut PlanContext<'_>,
    ) -> Option<PhaseStep> {
        if let Some(exploration) = &mut selected.exploration {
            if let Some(step) = exploration.next(context) {
                return Some(step.into_phase("exploring the target window"));
            }
            selected.exploration = None;
        }
        if selected.left == 0 {
            return None;
        }
        let is_there = context.model.windows.is_at(selected.window, context.here.window);
        if !selected.has_arrived || !is_there {
            if selected.has_arrived {
                // An input led away from the window.
                selected.walk = ModelWalk::anyhow(Destination::Window(selected.window)).surely();
                selected.has_arrived = false;
            }
            let name = &context.model.windows.get(selected.window).name;
            match selected.walk.next(context) {
                WalkStep::Go(next_move) => {
                    selected.left -= 1;
                    return Some(PhaseStep::Move(next_move, format!("going to {name}")));
                }
                WalkStep::Arrived => {
                    selected.has_arrived = true;
                    self.exercise.fill_again();
                }
                WalkStep::Lost => return explore(selected, context.here.window, context),
            }
        }
        let inputs = selected.worthwhile_inputs(context);
        match self.exercise.next(&inputs, context) {
            Some(ExerciseStep::Fill(event)) => {
                Some(PhaseStep::Move(Move::Do(event), "as a user would fill it".into()))
            }
            Some(ExerciseStep::Do(input, event)) => {
                *selected.done.entry(input).or_default() += 1;
                let is_counted = context
                    .screen()
                    .is_none_or(|screen| AbstractAction::is_counted(&event, &screen));
                // A box that alone covers a target must not be ticked for ever.
                selected.left -= 1;
                if is_counted {
                    self.exercise.fill_again();
                }
                Some(PhaseStep::Move(Move::Do(event), "a target input".into()))
            }
            None => explore(selected, selected.window, context),
        }
    }
}

impl Selected {
    /// Returns the target inputs of the window that have something left to cover and were not done often enough.
    fn worthwhile_inputs(&mut self, context: &PlanContext<'_>) -> Vec<InputNumber> {
        let covered = context.targets.covered_instructions();
        if covered > self.covered {
            self.covered = covered;
            self.done.clear();
        }
        let times = |input: &InputNumber| self.done.get(input).copied().unwrap_or_default();
        let known = &context.model.windows.inputs;
        let is_left = |input: &InputNumber| {
            let limit = if has_values(known[*input].event) { MAX_TIMES } else { 1 };
            times(input) < context.scale * limit
        };
        open_inputs(context, self.window).into_iter().filter(is_left).collect()
    }
}

/// Returns true for inputs that may do something else the next time, because of a value, a row or a place.
fn has_values(event: InputEvent) -> bool {
    !matches!(
        event,
        InputEvent::Lifecycle | InputEvent::Menu | InputEvent::Back | InputEvent::Dismiss
    )
}

/// Explores a window once for each selection.
fn explore(
    selected: &mut Selected,
    window: RunWindowId,
    context: &mut PlanContext<'_>,
) -> Option<PhaseStep> {
    if selected.has_explored {
        return None;
    }
    selected.has_explored = true;
    selected.has_arrived = true;
    let mut exploration =
        WindowExploration::new(window, (context.scale * ACTIONS).min(selected.left));
    let step = exploration.next(context)?;
    selected.exploration = Some(exploration);
    Some(step.into_phase("exploring the target window"))
}
