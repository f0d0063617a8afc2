//! Exploration of one window. The explorer of `auto` decides, with what leads to targets in front. Where what the app has
//! stored must stay, an explorer that may go back in time cannot be used: there the actions that were exercised least often
//! come first.

use super::{PhaseStep, PlanContext};
use crate::input::offers;
use crate::model::{AbstractAction, RunWindowId, set_box};
use crate::travel::{Destination, ModelWalk, WalkStep};
use retap_explore::Move;
use retap_model::{Event, Screen};
use std::collections::BTreeSet;

/// A window that was left is returned to at most this often.
const MAX_WALKS: u32 = 6;
/// The chance that a visit leaves a box as it is.
const LEFT_ALONE: f64 = 0.3;

/// The next step of an exploration.
#[derive(Debug, Clone, PartialEq)]
pub enum ExplorationStep {
    Go(Move),
    /// The explorer decides.
    Decide,
}

impl ExplorationStep {
    /// Returns the step as that of a phase.
    pub fn into_phase(self, reason: &'static str) -> PhaseStep {
        match self {
            ExplorationStep::Go(next_move) => PhaseStep::Move(next_move, reason.into()),
            ExplorationStep::Decide => PhaseStep::Explore(reason),
        }
    }
}

#[derive(Debug, Clone)]
pub struct WindowExploration {
    pub window: RunWindowId,
    /// The actions left. Typing and ticking boxes do not count.
    left: u32,
    walk: Option<ModelWalk>,
    walks: u32,
    may_jump: bool,
    /// Bounds the actions that do not count.
    events_left: u32,
    /// Boxes and buttons that were set, or are left as they are. A box that is ticked twice leaves nothing behind.
    set: BTreeSet<String>,
    leaves_some_alone: bool,
}

impl WindowExploration {
    pub fn new(window: RunWindowId, budget: u32) -> Self {
        Self {
            window,
            left: budget,
            walk: None,
            walks: 0,
            may_jump: true,
            events_left: budget.saturating_mul(2),
            set: BTreeSet::new(),
            leaves_some_alone: false,
        }
    }

    /// Keeps what the app has stored so far: no restarts and no returns.
    pub fn onwards(self) -> Self {
        Self { may_jump: false, ..self }
    }

    /// Leaves some boxes as they are, so that visits differ, and keeps what the app has stored.
    pub fn varying(self) -> Self {
        Self { leaves_some_alone: true, ..self.onwards() }
    }

    /// Returns the next step, or `None` if the exploration is over.
    pub fn next(&mut self, context: &mut PlanContext<'_>) -> Option<ExplorationStep> {
        if self.may_jump { self.decide() } else { self.stay(context).map(ExplorationStep::Go) }
    }

    /// Lets the explorer decide as long as the budget lasts.
    fn decide(&mut self) -> Option<ExplorationStep> {
        if self.left == 0 {
            return None;
        }
        self.left -= 1;
        Some(ExplorationStep::Decide)
    }

    fn stay(&mut self, context: &mut PlanContext<'_>) -> Option<Move> {
        let screen = context.screen()?;
        let windows = &context.model.windows;
        let here = context.here.window;
        let is_inside = here == self.window || windows.get(here).owner == Some(self.window);
        if !is_inside {
            return self.go_back(context);
        }
        self.walk = None;
        if self.left == 0 || self.events_left == 0 {
            return None;
        }
        let values = (context.texts, context.manual);
        loop {
            let is_set =
                |event: &Event| set_box(event, &screen).is_some_and(|it| self.set.contains(&it));
            let event = offers::draw_least_exercised(
                context.model,
                &screen,
                here,
                values,
                &|event| !is_set(event),
                &mut context.rng,
            )?;
            let left_alone = set_box(&event, &screen)
                .is_some_and(|it| self.set.insert(it) && self.leaves_some_alone)
                && context.rng.chance(LEFT_ALONE);
            if left_alone {
                continue;
            }
            return Some(self.count(event, &screen));
        }
    }

    fn count(&mut self, event: Event, screen: &Screen) -> Move {
        self.events_left -= 1;
        if AbstractAction::is_counted(&event, screen) {
            self.left -= 1;
        }
        Move::Do(event)
    }

    fn go_back(&mut self, context: &mut PlanContext<'_>) -> Option<Move> {
        if self.left == 0 || self.events_left == 0 {
            return None;
        }
        if self.walk.is_none() {
            self.walks += 1;
            if self.walks > MAX_WALKS {
                return None;
            }
            self.walk = Some(ModelWalk::onwards(Destination::Window(self.window)));
        }
        match self.walk.as_mut()?.next(context) {
            WalkStep::Go(next_move) => Some(next_move),
            WalkStep::Arrived | WalkStep::Lost => None,
        }
    }
}
