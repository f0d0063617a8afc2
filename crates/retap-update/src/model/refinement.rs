//! Raises the level of a window when one action of one state leads to several states.
//!
//! The first finer level that tells the recorded steps apart is taken, and no finer one. If none does, the app itself is
//! nondeterministic, or depends on what the screen does not show, and the level stays.

use super::RunModel;
use super::action::{AbstractAction, UiAction};
use retap_model::Key;
use retap_model::abstraction::Level;

impl RunModel {
    /// Refines the abstraction of the window that a recorded step was done in, if the step contradicts an earlier one.
    pub(super) fn refine(&mut self, number: usize) {
        let Some(earlier) = self.contradicted_step(number) else { return };
        let Some(window) = self.windows.known_window(self.concrete.steps[number].from) else {
            return;
        };
        let mut level = self.level(window);
        while let Some(finer) = level.finer() {
            level = finer;
            if self.are_apart(number, earlier, level) {
                self.levels.insert(window, level);
                self.refinements += 1;
                self.rebuild();
                return;
            }
        }
    }

    /// Returns an earlier step by the same action from the same state that led to another state.
    fn contradicted_step(&self, number: usize) -> Option<usize> {
        let step = &self.concrete.steps[number];
        let window = self.windows.known_window(step.from)?;
        let screen = self.concrete.screen(step.from)?;
        let action = AbstractAction::of(&step.event, screen, self.level(window));
        // Where these lead is decided by what came before, never by what the window shows.
        let is_history = match action.kind {
            UiAction::Key => action.data == Key::back().name(),
            UiAction::Launch | UiAction::Close | UiAction::Wait | UiAction::System => true,
            // A typed text is data, not state.
            UiAction::Text => true,
            _ => false,
        };
        if is_history {
            return None;
        }
        let to = self.concrete.screen(step.to)?;
        let to = self.state_of(to, self.windows.known_window(step.to)?);
        let node = self.abstracted.states.get(&self.state_of(screen, window))?;
        let other = node.out.get(&action)?.iter().find(|it| it.to != to && it.step != number)?;
        Some(other.step)
    }

    /// Returns true if a level tells the states or the widgets of two steps apart.
    fn are_apart(&self, one: usize, other: usize, level: Level) -> bool {
        let key = |number: usize| {
            let step = &self.concrete.steps[number];
            let screen = self.concrete.screen(step.from)?;
            let state = retap_model::Abstraction::Reducers(level).state(screen);
            Some((state, AbstractAction::of(&step.event, screen, level)))
        };
        key(one) != key(other)
    }
}

/// Returns the level with this name, if it is finer than L1.
pub(super) fn parse_level(name: &str) -> Option<Level> {
    let mut level = Level::L1;
    while let Some(finer) = level.finer() {
        level = finer;
        if format!("{level:?}") == name {
            return Some(level);
        }
    }
    None
}
