//! The three phases of ATUA. Each is a small machine that answers: what next, from here?

mod exercise;
mod exploration;
mod phase1;
mod phase2;
mod phase3;
mod related;
mod score;
#[cfg(test)]
mod tests;

pub use phase1::Phase1;
pub use phase2::Phase2;
pub use phase3::Phase3;
pub use related::RelatedWindows;

use crate::input::{ManualInputs, TextMemory, offers};
use crate::model::{AbstractAction, ModelPlace, RunModel};
use crate::targets::Targets;
use crate::travel::Visits;
use retap_explore::{DecisionRng, Move};
use retap_model::{Event, Screen, ScreenId, StateId};
use serde::Serialize;
use std::sync::Arc;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum PhaseName {
    /// Every target input once.
    #[serde(rename = "1")]
    Inputs,
    /// Target windows with other values.
    #[serde(rename = "2")]
    Values,
    /// Target inputs after a visit to a related window.
    #[serde(rename = "3")]
    Related,
}

impl PhaseName {
    pub const ALL: [PhaseName; 3] = [PhaseName::Inputs, PhaseName::Values, PhaseName::Related];

    pub fn number(self) -> u8 {
        self as u8 + 1
    }
}

/// What a phase wants.
#[derive(Debug, Clone, PartialEq)]
pub enum PhaseStep {
    Move(Move, String),
    /// Nothing that the phase knows of leads on: the explorer decides, and goes where targets may lie.
    Explore(&'static str),
    /// The phase has ended, and why.
    Over(&'static str),
}

/// Everything that a plan depends on.
#[derive(Debug, Clone)]
pub struct PlanContext<'a> {
    pub model: &'a RunModel,
    pub targets: &'a Targets,
    pub texts: &'a TextMemory,
    pub manual: &'a ManualInputs,
    pub visits: &'a Visits,
    pub here: ModelPlace,
    /// Grows whenever another window shows.
    pub visit: u64,
    /// 1 for an hour, 2 for five.
    pub scale: u32,
    /// The inputs that the run still has.
    pub inputs_left: u64,
    pub rng: DecisionRng,
}

impl PlanContext<'_> {
    pub fn screen(&self) -> Option<Arc<Screen>> {
        self.model.screen(self.here.screen).cloned()
    }

    /// Returns the abstract state of a screen that is kept.
    pub fn state_of(&self, screen: ScreenId) -> Option<StateId> {
        let window = self.model.windows.known_window(screen)?;
        Some(self.model.state_of(self.model.screen(screen)?, window))
    }

    /// Returns an event on a screen that does an abstract action.
    pub fn event_of_action(&mut self, action: &AbstractAction, screen: &Screen) -> Option<Event> {
        let level = self.model.level(self.here.window);
        let mut events = offers::list_events(screen, self.here.window, self.texts, &mut self.rng);
        events.retain(|event| AbstractAction::of(event, screen, level) == *action);
        self.rng.pick(&events).cloned()
    }

    /// Returns the number of distinct actions that the current screen offers.
    pub fn action_count(&self) -> u32 {
        let count = |screen: Arc<Screen>| {
            offers::count_actions(self.model, &screen, self.here.window, self.texts)
        };
        self.screen().map_or(1, count)
    }
}
