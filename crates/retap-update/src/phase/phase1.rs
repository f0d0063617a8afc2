//! Phase 1: every target input once. Budgets for reaching and exercising are infinite; stagnation ends the phase.

use super::exercise::{ExerciseStep, WindowExercise};
use super::exploration::WindowExploration;
use super::{PhaseStep, PlanContext};
use crate::input::offers;
use crate::model::{InputNumber, ModelInput, RunWindowId};
use crate::travel::{Destination, ModelWalk, WalkStep};
use retap_explore::Move;
use retap_model::StateId;
use retap_static::{AppWindowKind, InputEvent};
use std::collections::{BTreeMap, BTreeSet};

/// An input whose widget an exploration did not bring up is given up after this many of them.
const MAX_EXPLORATIONS: u32 = 2;
/// A window that no path leads to is tried again whenever the model has grown, up to this often.
const MAX_LOST: u32 = 6;

#[derive(Debug, Clone, Default)]
pub struct Phase1 {
    walk: Option<(RunWindowId, ModelWalk)>,
    exploration: Option<WindowExploration>,
    exercise: WindowExercise,
    done: BTreeSet<InputNumber>,
    /// Explorations for inputs whose widget does not show.
    missing: BTreeMap<InputNumber, u32>,
    /// How often no path led to a window, and the version of the model then.
    lost: BTreeMap<RunWindowId, (u32, usize)>,
    /// Windows that were explored whole.
    explored: BTreeSet<RunWindowId>,
    /// Windows that were explored for their hidden handlers.
    searched: BTreeSet<RunWindowId>,
    /// A window to explore because it may show the way to others.
    frontier: Option<(RunWindowId, ModelWalk)>,
    /// States that were gone to because they offered something new.
    untried_states: BTreeSet<StateId>,
}

impl Phase1 {
    pub fn next(&mut self, context: &mut PlanContext<'_>) -> PhaseStep {
        if let Some(exploration) = &mut self.exploration {
            if let Some(next_move) = exploration.next(context) {
                return PhaseStep::Move(next_move, "exploring the window".into());
            }
            self.exploration = None;
        }
        if let Some(step) = self.exercise_window(context) {
            return step;
        }
        if let Some(step) = self.walk_to_frontier(context) {
            return step;
        }
        loop {
            let (window, mut walk) = match self.walk.take().or_else(|| self.select_target(context))
            {
                Some(chosen) => chosen,
                None => return PhaseStep::Over("every target input was done or cannot be reached"),
            };
            let name = context.model.windows.get(window).name.clone();
            match walk.next(context) {
                WalkStep::Go(next_move) => {
                    self.walk = Some((window, walk));
                    return PhaseStep::Move(next_move, format!("going to {name}"));
                }
                // Whatever could be done there was done above.
                WalkStep::Arrived => self.give_up_inputs(window, context),
                WalkStep::Lost => {
                    let (times, version) = self.lost.entry(window).or_default();
                    (*times, *version) = (*times + 1, context.model.version());
                    if let Some(step) = self.explore_frontier(context) {
                        return step;
                    }
                }
            }
        }
    }

    /// Does a target input of the window that shows, whether or not it was the one to reach.
    fn exercise_window(&mut self, context: &mut PlanContext<'_>) -> Option<PhaseStep> {
        let window = context.here.window;
        let at = context.model.windows.inputs_at(window);
        let open: Vec<InputNumber> =
            at.filter(|(n, input)| self.is_open(*n, input, context)).map(|(n, _)| n).collect();
        if !open.is_empty() {
            match self.exercise.next(&open, context) {
                Some(ExerciseStep::Fill(event)) => {
                    return Some(PhaseStep::Move(
                        Move::Do(event),
                        "as a user would fill it".into(),
                    ));
                }
                Some(ExerciseStep::Do(input, event)) => {
                    self.done.insert(input);
                    return Some(PhaseStep::Move(Move::Do(event), "a target input".into()));
                }
                None => {}
            }
            let own =
                open.iter().copied().find(|n| context.model.windows.inputs[*n].window == window);
            if let Some(input) = own {
                for number in open {
                    *self.missing.entry(number).or_default() += 1;
                }
                let budget = context.scale * context.action_count();
                return self.explore(WindowExploration::new(window, budget).until(input), context);
            }
        }
        let is_hidden_here = context.model.windows.hidden.iter().any(|hidden| {
            let is_uncovered = |target: &usize| context.targets.uncovered(*target) > 0;
            hidden.window == window && !hidden.is_found && hidden.targets.iter().any(is_uncovered)
        });
        if is_hidden_here && self.searched.insert(window) {
            let budget = context.scale * context.action_count();
            return self.explore(WindowExploration::new(window, budget), context);
        }
        None
    }

    fn explore(
        &mut self,
        mut exploration: WindowExploration,
        context: &mut PlanContext<'_>,
    ) -> Option<PhaseStep> {
        let next_move = exploration.next(context)?;
        self.exploration = Some(exploration);
        Some(PhaseStep::Move(next_move, "exploring the window".into()))
    }

    /// Chooses a random window with target inputs that were not done.
    fn select_target(&self, context: &mut PlanContext<'_>) -> Option<(RunWindowId, ModelWalk)> {
        let version = context.model.version();
        let mut windows: BTreeSet<RunWindowId> = context
            .model
            .windows
            .inputs
            .iter()
            .enumerate()
            .filter(|(number, input)| self.is_open(*number, input, context))
            .map(|(_, input)| input.window)
            .collect();
        windows.extend(context.model.windows.hidden.iter().filter_map(|hidden| {
            let is_uncovered = |target: &usize| context.targets.uncovered(*target) > 0;
            let is_open = !hidden.is_found && !self.searched.contains(&hidden.window);
            (is_open && hidden.targets.iter().any(is_uncovered)).then_some(hidden.window)
        }));
        windows.retain(|window| match self.lost.get(window) {
            Some((times, then)) => *times < MAX_LOST && *then < version,
            None => true,
        });
        let windows: Vec<RunWindowId> = windows.into_iter().collect();
        let window = *context.rng.pick(&windows)?;
        Some((window, ModelWalk::anyhow(Destination::Window(window))))
    }

    fn is_open(&self, number: InputNumber, input: &ModelInput, context: &PlanContext<'_>) -> bool {
        let is_done = match input.event {
            // Opening the window was enough.
            InputEvent::Lifecycle => {
                context.model.abstracted.states_of(input.window).next().is_some()
            }
            // Nothing that is done here causes it.
            InputEvent::Result => true,
            _ => input.times > 0 || self.done.contains(&number),
        };
        let is_uncovered = |target: &usize| context.targets.uncovered(*target) > 0;
        !is_done
            && input.targets.iter().any(is_uncovered)
            && self.missing.get(&number).is_none_or(|times| *times < MAX_EXPLORATIONS)
    }

    /// Gives up what a window should offer and did not.
    fn give_up_inputs(&mut self, window: RunWindowId, context: &PlanContext<'_>) {
        for (number, input) in context.model.windows.inputs.iter().enumerate() {
            if input.window == window && self.is_open(number, input, context) {
                *self.missing.entry(number).or_default() += MAX_EXPLORATIONS;
            }
        }
        self.searched.insert(window);
    }

    /// Explores a visited window that was not explored yet: the way that is missing may begin there.
    fn explore_frontier(&mut self, context: &mut PlanContext<'_>) -> Option<PhaseStep> {
        let here = context.here.window;
        if self.explored.insert(here) {
            let budget = context.scale * context.action_count();
            if let Some(step) = self.explore(WindowExploration::new(here, budget), context) {
                return Some(step);
            }
        }
        let windows = &context.model.windows;
        let is_left = |window: &RunWindowId| {
            windows.get(*window).kind != AppWindowKind::OutOfApp
                && !self.explored.contains(window)
                && context.model.abstracted.states_of(*window).next().is_some()
        };
        let left: Vec<RunWindowId> = windows.ids().filter(is_left).collect();
        let (window, destination) = match context.rng.pick(&left) {
            Some(window) => (*window, Destination::Window(*window)),
            // All windows were explored, but some in states that did not offer everything.
            None => {
                let state = self.state_with_untried_action(context)?;
                let window = context.model.abstracted.states.get(&state)?.window;
                (window, Destination::State(state))
            }
        };
        self.frontier = Some((window, ModelWalk::anyhow(destination)));
        self.walk_to_frontier(context)
    }

    /// Returns a state that offers something which was never done in its window. Each state is returned once.
    fn state_with_untried_action(&mut self, context: &PlanContext<'_>) -> Option<StateId> {
        let states = context.model.abstracted.states.iter();
        let found =
            states.filter(|(state, _)| !self.untried_states.contains(state)).find(|(_, node)| {
                let screen = node.screens.iter().next().and_then(|id| context.model.screen(*id));
                screen.is_some_and(|screen| {
                    offers::has_untried_action(context.model, screen, node.window, context.texts)
                })
            });
        let state = *found?.0;
        self.untried_states.insert(state);
        Some(state)
    }

    fn walk_to_frontier(&mut self, context: &mut PlanContext<'_>) -> Option<PhaseStep> {
        let (window, mut walk) = self.frontier.take()?;
        match walk.next(context) {
            WalkStep::Go(next_move) => {
                self.frontier = Some((window, walk));
                Some(PhaseStep::Move(next_move, "going to a window that was not explored".into()))
            }
            WalkStep::Arrived => {
                self.explored.insert(window);
                let budget = context.scale * context.action_count();
                self.explore(WindowExploration::new(window, budget), context)
            }
            WalkStep::Lost => {
                self.explored.insert(window);
                None
            }
        }
    }
}
