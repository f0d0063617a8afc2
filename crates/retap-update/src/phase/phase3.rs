//! Phase 3: a target input after a visit to a related window, whose choices the target may depend on.

use super::exercise::{ExerciseStep, WindowExercise};
use super::exploration::WindowExploration;
use super::related::RelatedWindows;
use super::score::{draw_by_score, open_inputs, target_windows, window_score};
use super::{PhaseStep, PlanContext};
use crate::input::locate;
use crate::model::{AbstractNode, InputNumber, RunWindowId};
use crate::travel::{Destination, ModelWalk, WalkStep};
use retap_explore::Move;
use retap_model::{Screen, StateId};
use retap_static::InputEvent;
use std::collections::{BTreeMap, VecDeque};

/// The events for each target transition, and those for exploring a related window.
const ACTIONS: u32 = 25;
const RANDOM_ACTIONS: u32 = 5;
/// Windows that share less with an input than this are not visited for it once everything is covered.
const MIN_SCORE: f64 = 0.1;
/// The phase ends after this many targets in a row for which nothing could be done.
const MAX_IDLE: u32 = 50;

#[derive(Debug, Clone, Default)]
pub struct Phase3 {
    /// Target inputs of the selected window that are still to be done.
    inputs: VecDeque<InputNumber>,
    current: Option<Dependence>,
    exercise: WindowExercise,
    related: Option<RelatedWindows>,
    idle: u32,
    /// Target windows and the related windows that were visited before them, with the times.
    tried: BTreeMap<(RunWindowId, RunWindowId), u32>,
}

/// A target input and the related window that is visited before it.
#[derive(Debug, Clone)]
struct Dependence {
    input: InputNumber,
    related: RunWindowId,
    stage: Stage,
    left: u32,
    fills: u32,
}

#[derive(Debug, Clone)]
enum Stage {
    /// Goes to where the target can be done, so that whatever it needs besides is there.
    ToStart(ModelWalk),
    ToRelated(ModelWalk),
    Explore(WindowExploration),
    ToTarget(ModelWalk),
    /// Explores because no path led on.
    Wander(WindowExploration, Destination),
    Do,
}

impl Phase3 {
    pub fn next(&mut self, context: &mut PlanContext<'_>) -> PhaseStep {
        while self.idle < MAX_IDLE {
            let Some(mut current) = self.current.take() else {
                match self.select(context) {
                    Some(current) => self.current = Some(current),
                    None => return PhaseStep::Over("no target window has anything left to cover"),
                }
                continue;
            };
            if let Some(step) = self.go_on(&mut current, context) {
                self.idle = 0;
                self.current = Some(current);
                return step;
            }
            self.idle += 1;
        }
        PhaseStep::Over("none of the targets left can be reached")
    }

    /// Selects the next target input, and the related window to visit first.
    fn select(&mut self, context: &mut PlanContext<'_>) -> Option<Dependence> {
        let (input, related) = if context.targets.are_covered() {
            self.select_untried(context)?
        } else {
            self.draw(context)?
        };
        *self.tried.entry((context.model.windows.inputs[input].window, related)).or_default() += 1;
        // The visit begins where the target can be done, if such a state is known: its other conditions hold there.
        let stage = match fullest_state(context, input) {
            Some(start) => Stage::ToStart(ModelWalk::anyhow(Destination::State(start)).surely()),
            None => Stage::ToRelated(ModelWalk::anyhow(Destination::Window(related))),
        };
        Some(Dependence { input, related, stage, left: context.scale * ACTIONS, fills: 0 })
    }

    /// Returns a target input and a related window that was not visited before any input of its window. All code may have run
    /// and still do something else after such a visit, which the comparison with the old version shows.
    fn select_untried(&mut self, context: &PlanContext<'_>) -> Option<(InputNumber, RunWindowId)> {
        let windows = &context.model.windows;
        let related = self.related.get_or_insert_with(|| RelatedWindows::new(windows));
        let inputs = windows.inputs.iter().enumerate();
        let mut targets = inputs
            .filter(|(_, input)| !input.targets.is_empty() && input.event != InputEvent::Result);
        targets.find_map(|(number, input)| {
            let scores = related.scores(number, windows);
            let close = scores.into_iter().filter(|(window, score)| {
                *score > MIN_SCORE && !self.tried.contains_key(&(input.window, *window))
            });
            let best = close.max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)))?;
            Some((number, best.0))
        })
    }

    /// Draws a target input that has something left to cover, and a related window.
    fn draw(&mut self, context: &mut PlanContext<'_>) -> Option<(InputNumber, RunWindowId)> {
        if self.inputs.is_empty() {
            let windows = target_windows(context).into_iter();
            let scored: Vec<(RunWindowId, f64)> =
                windows.map(|window| (window, window_score(context, window))).collect();
            let window = draw_by_score(&scored, &mut context.rng)?;
            self.inputs = open_inputs(context, window).into();
        }
        let input = self.inputs.pop_front()?;
        let related =
            self.related.get_or_insert_with(|| RelatedWindows::new(&context.model.windows));
        let window = context.model.windows.inputs[input].window;
        let mut scores = related.scores(input, &context.model.windows);
        for (related, score) in &mut scores {
            // A visit that was tried before is worth less than another.
            *score /= 1.0 + f64::from(self.tried.get(&(window, *related)).copied().unwrap_or(0));
        }
        let related = draw_by_score(&scores, &mut context.rng).unwrap_or(window);
        Some((input, related))
    }

    /// Returns the next step for a target, or `None` if it is done with.
    fn go_on(
        &mut self,
        current: &mut Dependence,
        context: &mut PlanContext<'_>,
    ) -> Option<PhaseStep> {
        let random = context.scale * RANDOM_ACTIONS;
        let names = &context.model.windows;
        let related = &names.get(current.related).name;
        while current.left > 0 {
            match &mut current.stage {
                Stage::ToStart(walk) => match walk.next(context) {
                    WalkStep::Go(next_move) => {
                        current.left -= 1;
                        return Some(PhaseStep::Move(
                            next_move,
                            "going to the target first".into(),
                        ));
                    }
                    WalkStep::Arrived | WalkStep::Lost => {
                        let walk = ModelWalk::onwards(Destination::Window(current.related));
                        current.stage = Stage::ToRelated(walk.surely());
                    }
                },
                Stage::ToRelated(walk) => match walk.next(context) {
                    WalkStep::Go(next_move) => {
                        current.left -= 1;
                        return Some(PhaseStep::Move(
                            next_move,
                            format!("going to the related {related}"),
                        ));
                    }
                    WalkStep::Arrived => {
                        let exploration = WindowExploration::new(current.related, random).varying();
                        current.stage = Stage::Explore(exploration);
                    }
                    WalkStep::Lost => {
                        current.wander(Destination::Window(current.related), random, context)?;
                    }
                },
                Stage::Explore(exploration) => {
                    if let Some(step) = exploration.next(context) {
                        return Some(step.into_phase("exploring the related window"));
                    }
                    let walk = ModelWalk::onwards(Destination::input(current.input));
                    current.stage = Stage::ToTarget(walk.surely());
                }
                Stage::ToTarget(walk) => match walk.next(context) {
                    WalkStep::Go(next_move) => {
                        current.left -= 1;
                        return Some(PhaseStep::Move(next_move, "going on to the target".into()));
                    }
                    WalkStep::Arrived => {
                        // Opening a window was all that its lifecycle needs.
                        if names.inputs[current.input].event == InputEvent::Lifecycle {
                            return None;
                        }
                        self.exercise.fill_again();
                        current.stage = Stage::Do;
                    }
                    WalkStep::Lost => {
                        current.wander(Destination::input(current.input), random, context)?;
                    }
                },
                Stage::Wander(exploration, destination) => {
                    if let Some(step) = exploration.next(context) {
                        return Some(step.into_phase("no path leads on"));
                    }
                    let walk = ModelWalk::onwards(destination.clone());
                    let is_target = matches!(destination, Destination::Inputs(_));
                    current.stage =
                        if is_target { Stage::ToTarget(walk) } else { Stage::ToRelated(walk) };
                }
                Stage::Do => {
                    return match self.exercise.next(&[current.input], context)? {
                        ExerciseStep::Fill(event) => {
                            current.fills += 1;
                            Some(PhaseStep::Move(Move::Do(event), "as a user would fill it".into()))
                        }
                        ExerciseStep::Do(_, event) => {
                            current.left = 0;
                            Some(PhaseStep::Move(Move::Do(event), "the target input".into()))
                        }
                    };
                }
            }
        }
        None
    }
}

impl Dependence {
    /// Explores the window that shows, because no path leads to the destination. If a state of it is known, what led there is
    /// missing, and exploring here would not bring it.
    fn wander(
        &mut self,
        destination: Destination,
        budget: u32,
        context: &PlanContext<'_>,
    ) -> Option<()> {
        let windows = &context.model.windows;
        let wanted = match &destination {
            Destination::Window(window) => *window,
            _ => windows.inputs[self.input].window,
        };
        let is_known = context.model.abstracted.states_of(wanted).next().is_some();
        if is_known || self.left <= budget {
            return None;
        }
        // It costs its budget even if there is nothing to explore: otherwise it would begin again for ever.
        self.left -= budget;
        let exploration = WindowExploration::new(context.here.window, budget).onwards();
        self.stage = Stage::Wander(exploration, destination);
        Some(())
    }
}

/// Returns the state of an input's window that shows most of all in which the input can be done: a full list says more than an
/// empty one.
fn fullest_state(context: &PlanContext<'_>, input: InputNumber) -> Option<StateId> {
    let known = &context.model.windows.inputs[input];
    let shown = |(state, node): (StateId, &AbstractNode)| {
        let screens = node.screens.iter().filter_map(|id| context.model.screen(*id));
        let screen = screens.max_by_key(|screen| widgets_of(screen))?;
        locate::is_available(known, screen).then(|| (widgets_of(screen), state))
    };
    let states = context.model.abstracted.states_of(known.window);
    states.filter_map(shown).max().map(|(_, state)| state)
}

fn widgets_of(screen: &Screen) -> usize {
    screen.windows.iter().map(|window| window.widgets.len()).sum()
}
