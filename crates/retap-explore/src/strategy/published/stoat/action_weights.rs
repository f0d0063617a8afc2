//! The weights of Stoat's first phase: an action weighs less the more often it was run, and more the more untried
//! actions it has led to.

use super::super::actions::GuiAction;
use crate::strategy::auto::EventSignature;
use retap_model::{Event, Key};
use std::collections::{BTreeMap, BTreeSet};

/// An action that was never run counts as run so often.
const NEVER_RUN: f64 = 0.1;

#[derive(Debug, Clone, Default)]
pub struct ActionWeights {
    runs: BTreeMap<EventSignature, u64>,
    /// The actions that appeared after an action.
    children: BTreeMap<EventSignature, BTreeSet<EventSignature>>,
    last: Option<EventSignature>,
}

impl ActionWeights {
    /// Records an action, the actions that the screen offered before it, and those that it offers now.
    pub fn record(
        &mut self,
        action: EventSignature,
        before: &[EventSignature],
        after: &[EventSignature],
    ) {
        *self.runs.entry(action).or_default() += 1;
        let new = after.iter().filter(|child| !before.contains(child));
        self.children.entry(action).or_default().extend(new);
        self.last = Some(action);
    }

    /// Returns the weight of an action.
    pub fn weight(&self, GuiAction { id, event }: &GuiAction) -> f64 {
        let runs = self.runs.get(id).map_or(NEVER_RUN, |runs| *runs as f64);
        let children = self.children.get(id).into_iter().flatten();
        let untried = children.filter(|child| !self.runs.contains_key(child)).count() as f64;
        let weight = match event {
            Event::Key(key) if *key == Key::menu() => (1.0 + untried / 1.5) / runs,
            _ => (1.0 + untried / 3.0) / (1.5 * runs),
        };
        // The same action is not run twice in a row where another weighs nearly as much.
        let repeated = match event {
            _ if self.last != Some(*id) => 1.0,
            Event::Key(_) => 3.0,
            Event::Drag { .. } => 4.0,
            _ => 2.0,
        };
        weight / repeated
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::actions::action_of;
    use super::*;

    fn action(key: &str) -> GuiAction {
        let event = Event::Key(Key::new(key).unwrap());
        GuiAction { id: action_of(&event, "Main"), event }
    }

    #[test]
    fn an_action_weighs_more_untried_and_with_untried_children() {
        let [a, b, child, other] = ["a", "b", "child", "other"].map(action);
        let mut weights = ActionWeights::default();
        weights.record(a.id, &[a.id, b.id], &[a.id, child.id]);
        weights.record(b.id, &[a.id, b.id], &[a.id, b.id]);
        weights.record(other.id, &[], &[]);
        assert!(weights.weight(&child) > weights.weight(&a));
        assert!(weights.weight(&a) > weights.weight(&b), "its child was not run yet");
        weights.record(child.id, &[], &[]);
        assert_eq!(weights.weight(&a), weights.weight(&b));
        assert!(weights.weight(&child) < weights.weight(&a), "it was the last one");
    }
}
