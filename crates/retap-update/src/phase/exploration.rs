//! Random exploration of one window: the actions that were exercised least often come first.

use super::PlanContext;
use crate::input::{locate, offers};
use crate::model::{AbstractAction, InputNumber, RunWindowId};
use crate::travel::{Destination, ModelWalk, WalkStep};
use retap_explore::Move;

/// A window that was left is returned to at most this often.
const MAX_WALKS: u32 = 6;

#[derive(Debug, Clone)]
pub struct WindowExploration {
    pub window: RunWindowId,
    /// The actions left. Typing and ticking boxes do not count.
    left: u32,
    /// The exploration ends as soon as this input can be done.
    until: Option<InputNumber>,
    walk: Option<ModelWalk>,
    walks: u32,
    may_jump: bool,
    /// Bounds the actions that do not count.
    events_left: u32,
}

impl WindowExploration {
    pub fn new(window: RunWindowId, budget: u32) -> Self {
        Self {
            window,
            left: budget,
            until: None,
            walk: None,
            walks: 0,
            may_jump: true,
            events_left: budget.saturating_mul(2),
        }
    }

    pub fn until(self, input: InputNumber) -> Self {
        Self { until: Some(input), ..self }
    }

    /// Keeps what the app has stored so far: no restarts and no returns.
    pub fn onwards(self) -> Self {
        Self { may_jump: false, ..self }
    }

    /// Returns the next move, or `None` if the exploration is over.
    pub fn next(&mut self, context: &mut PlanContext<'_>) -> Option<Move> {
        let screen = context.screen()?;
        let windows = &context.model.windows;
        let here = context.here.window;
        let is_inside = here == self.window || windows.get(here).owner == Some(self.window);
        if !is_inside {
            return self.go_back(context);
        }
        self.walk = None;
        let is_found = |input: InputNumber| {
            let input = &windows.inputs[input];
            windows.is_at(input.window, here) && locate::is_available(input, &screen)
        };
        if self.until.is_some_and(is_found) || self.left == 0 || self.events_left == 0 {
            return None;
        }
        let values = (context.texts, context.manual);
        let event =
            offers::draw_least_exercised(context.model, &screen, here, values, &mut context.rng)?;
        self.events_left -= 1;
        if AbstractAction::is_counted(&event, &screen) {
            self.left -= 1;
        }
        Some(Move::Do(event))
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
            let destination = Destination::Window(self.window);
            let walk = if self.may_jump {
                ModelWalk::anyhow(destination)
            } else {
                ModelWalk::onwards(destination)
            };
            self.walk = Some(walk);
        }
        match self.walk.as_mut()?.next(context) {
            WalkStep::Go(next_move) => Some(next_move),
            WalkStep::Arrived | WalkStep::Lost => None,
        }
    }
}
