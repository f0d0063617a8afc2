//! Phase 1: every target input once. Budgets for reaching and exercising are infinite; stagnation ends the phase.
//!
//! It departs from the paper where that saves inputs: it goes to the nearest target input instead of a random one; where no
//! path is known, the explorer decides; after an input that made progress it looks once more at a window whose inputs
//! could not be done before, because that input may have brought what they need; it ends activities once; and it leaves a
//! window that nothing leads out of by ending the app, which keeps what the app has stored.

use super::exercise::{ExerciseStep, WindowExercise};
use super::exploration::WindowExploration;
use super::{PhaseStep, PlanContext};
use crate::input::locate;
use crate::model::{AbstractAction, InputNumber, ModelInput, RunWindowId};
use crate::travel::{Destination, ModelWalk, WalkStep, WayOn};
use retap_explore::Move;
use retap_model::{Event, Key, Orientation, StateId};
use retap_static::{AppWindowKind, InputEvent};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// After a walk that failed the explorer decides this many times, and twice as often after the next one.
const FIRST_WAIT: u32 = 4;
const MAX_WAIT: u32 = 32;
/// Steps of exploring without a new instruction of a target after which nothing more is expected.
const STAGNATION: u32 = 60;
/// An input whose targets never ran is done this often again.
const MAX_CHANCES: u32 = 2;
/// A window is looked at again this often.
const MAX_LOOKS: u32 = 6;

#[derive(Debug, Clone, Default)]
pub struct Phase1 {
    walk: Option<ModelWalk>,
    exploration: Option<WindowExploration>,
    exercise: WindowExercise,
    done: BTreeSet<InputNumber>,
    /// Steps of paths that have failed since the last progress.
    failed: BTreeSet<WayOn>,
    /// Steps of exploring, those before the next walk, and those to wait after a walk that fails.
    explored: u32,
    wait_until: u32,
    wait: u32,
    /// Windows that were explored for their hidden handlers.
    searched: BTreeSet<RunWindowId>,
    /// How often a window was looked at again.
    looks: BTreeMap<RunWindowId, u32>,
    /// How often an activity was ended for what its lifecycle runs.
    endings: BTreeMap<RunWindowId, usize>,
    /// Dead ends that were left.
    left: BTreeSet<StateId>,
    /// How often an input is done again whose targets never ran.
    chances: u32,
    /// The steps of exploring when a target last made progress, and the instructions covered then.
    progress: (u32, u64),
}

impl Phase1 {
    pub fn next(&mut self, context: &mut PlanContext<'_>) -> PhaseStep {
        self.note_progress(context);
        if let Some(step) = self.exercise_window(context) {
            return step;
        }
        if let Some(step) = self.leave_dead_end(context) {
            return step;
        }
        if let Some(exploration) = &mut self.exploration {
            if let Some(step) = exploration.next(context) {
                self.explored += 1;
                return step.into_phase("looking for a hidden handler");
            }
            self.exploration = None;
        }
        if self.walk.is_none() && self.explored >= self.wait_until {
            let open = Arc::new(self.open_inputs(context));
            let walk = ModelWalk::anyhow(Destination::Inputs(open));
            self.walk = Some(walk.without(self.failed.clone()));
        }
        if let Some(mut walk) = self.walk.take() {
            match walk.next(context) {
                WalkStep::Go(next_move) => {
                    self.walk = Some(walk);
                    return PhaseStep::Move(next_move, "going to a target input".into());
                }
                WalkStep::Arrived => {
                    if let Destination::Window(window) = walk.destination {
                        *self.looks.entry(window).or_default() += 1;
                    }
                }
                WalkStep::Lost => {
                    self.failed = walk.into_blocked();
                    self.wait = (2 * self.wait).clamp(FIRST_WAIT, MAX_WAIT);
                    self.wait_until = self.explored + self.wait;
                }
            }
        }
        if let Some(step) = self.end_activity(context) {
            return step;
        }
        let is_stagnant = self.explored - self.progress.0 >= context.scale * STAGNATION;
        if is_stagnant || !self.has_work(context) {
            return PhaseStep::Over("every target input was done or cannot be reached");
        }
        self.explored += 1;
        PhaseStep::Explore("no path to a target input")
    }

    /// Lets everything be tried again after a new instruction of a target has run, and looks at a window once more whose
    /// inputs could not be done.
    fn note_progress(&mut self, context: &mut PlanContext<'_>) {
        let covered = context.targets.covered_instructions();
        if covered <= self.progress.1 {
            return;
        }
        self.progress = (self.explored, covered);
        self.failed.clear();
        (self.wait, self.wait_until) = (0, self.explored);
        // The window that was looked at least often comes first.
        let looks = |it: &RunWindowId| self.looks.get(it).copied().unwrap_or_default();
        let waiting = self.waiting_windows(context);
        let least = waiting.iter().map(looks).min().filter(|least| *least < MAX_LOOKS);
        let waiting: Vec<RunWindowId> =
            waiting.into_iter().filter(|it| Some(looks(it)) == least).collect();
        if let Some(window) = context.rng.pick(&waiting).filter(|_| self.walk.is_none()) {
            self.walk = Some(ModelWalk::onwards(Destination::Window(*window)));
        }
    }

    /// Returns the windows that were visited and have target inputs which no state of theirs offered.
    fn waiting_windows(&self, context: &PlanContext<'_>) -> BTreeSet<RunWindowId> {
        let model = context.model;
        let is_offered = |input: &ModelInput| {
            let mut states = model.abstracted.states_of(input.window);
            states.any(|(_, node)| {
                let screen = node.screens.iter().next().and_then(|id| model.screen(*id));
                screen.is_some_and(|screen| locate::is_available(input, screen))
            })
        };
        let is_visited = |window: RunWindowId| model.abstracted.states_of(window).next().is_some();
        let open = self.open_inputs(context);
        let waiting = open.iter().map(|number| &model.windows.inputs[*number]).filter(|input| {
            input.window != context.here.window && is_visited(input.window) && !is_offered(input)
        });
        waiting.map(|input| input.window).collect()
    }

    /// Does a target input of the window that shows, whether or not it was the one to reach.
    fn exercise_window(&mut self, context: &mut PlanContext<'_>) -> Option<PhaseStep> {
        let window = context.here.window;
        let at = context.model.windows.inputs_at(window);
        let open: Vec<InputNumber> =
            at.filter(|(n, input)| self.is_open(*n, input, context)).map(|(n, _)| n).collect();
        match self.exercise.next(&open, context) {
            Some(ExerciseStep::Fill(event)) => {
                return Some(PhaseStep::Move(Move::Do(event), "as a user would fill it".into()));
            }
            Some(ExerciseStep::Do(input, event)) => {
                self.done.insert(input);
                return Some(PhaseStep::Move(Move::Do(event), "a target input".into()));
            }
            None => {}
        }
        if self.hidden_windows(context).contains(&window) && self.searched.insert(window) {
            let budget = context.scale * context.action_count();
            self.exploration = Some(WindowExploration::new(window, budget).onwards());
        }
        None
    }

    /// Ends an activity in each of two ways, if its lifecycle has targets that never ran: what it does at its end runs only
    /// then, and no path leads there.
    fn end_activity(&mut self, context: &PlanContext<'_>) -> Option<PhaseStep> {
        let windows = &context.model.windows;
        let window = context.here.window;
        let is_unreached = |target: &usize| !context.targets.get(*target).is_reached;
        let mut lifecycles = windows
            .inputs
            .iter()
            .filter(|input| input.window == window && input.event == InputEvent::Lifecycle);
        let is_worth_it = windows.get(window).kind == AppWindowKind::Activity
            && lifecycles.any(|input| input.targets.iter().any(is_unreached));
        let times = self.endings.entry(window).or_default();
        let turned = match context.screen()?.orientation {
            Orientation::Portrait => Orientation::Landscape,
            _ => Orientation::Portrait,
        };
        let event = [Event::Key(Key::back()), Event::Rotate(turned)].into_iter().nth(*times);
        let event = event.filter(|_| is_worth_it)?;
        *times += 1;
        Some(PhaseStep::Move(Move::Do(event), "ending the activity".into()))
    }

    /// Leaves a window that offers nothing to touch: by Back, and if that leads nowhere by ending the app. A restart would lose
    /// what the app has stored, and that may be what a target needs: a second backup, the next launch. So inputs whose targets
    /// never ran get another chance.
    fn leave_dead_end(&mut self, context: &PlanContext<'_>) -> Option<PhaseStep> {
        let screen = context.screen()?;
        let state = context.here.state;
        if screen.actionable().next().is_some() || self.left.contains(&state) {
            return None;
        }
        let node = context.model.abstracted.states.get(&state);
        let back = Event::Key(Key::back());
        let action = AbstractAction::of(&back, &screen, context.model.level(context.here.window));
        if node.is_none_or(|node| !node.out.contains_key(&action)) {
            return Some(PhaseStep::Move(Move::Do(back), "leaving a dead end".into()));
        }
        self.left.insert(state);
        self.chances = (self.chances + 1).min(MAX_CHANCES);
        self.done.clear();
        (self.walk, self.exploration) = (None, None);
        self.failed.clear();
        (self.wait, self.wait_until) = (0, self.explored);
        Some(PhaseStep::Move(Move::Do(Event::Close), "ending the app, which keeps its data".into()))
    }

    fn has_work(&self, context: &PlanContext<'_>) -> bool {
        !self.open_inputs(context).is_empty() || !self.hidden_windows(context).is_empty()
    }

    /// Returns the target inputs that were not done.
    fn open_inputs(&self, context: &PlanContext<'_>) -> BTreeSet<InputNumber> {
        let inputs = context.model.windows.inputs.iter().enumerate();
        inputs.filter(|(n, input)| self.is_open(*n, input, context)).map(|(n, _)| n).collect()
    }

    /// Returns the windows with hidden handlers that were not looked for.
    fn hidden_windows(&self, context: &PlanContext<'_>) -> BTreeSet<RunWindowId> {
        let hidden = context.model.windows.hidden.iter().filter(|hidden| {
            let is_uncovered = |target: &usize| context.targets.uncovered(*target) > 0;
            let is_open = !hidden.is_found && !self.searched.contains(&hidden.window);
            is_open && hidden.targets.iter().any(is_uncovered)
        });
        hidden.map(|hidden| hidden.window).collect()
    }

    fn is_open(&self, number: InputNumber, input: &ModelInput, context: &PlanContext<'_>) -> bool {
        let is_done = match input.event {
            // Opening the window was enough.
            InputEvent::Lifecycle => {
                context.model.abstracted.states_of(input.window).next().is_some()
            }
            // Nothing that is done here causes it.
            InputEvent::Result => true,
            _ => {
                let never_ran = |target: &usize| !context.targets.get(*target).is_reached;
                let has_chance = input.targets.iter().any(never_ran);
                let times = if has_chance { self.chances } else { 0 };
                input.times > times || self.done.contains(&number)
            }
        };
        let is_uncovered = |target: &usize| context.targets.uncovered(*target) > 0;
        !is_done && input.targets.iter().any(is_uncovered)
    }
}
