//! Begins with the model of another version's run: what running had added to it, as far as this version has the same
//! windows and widgets. A transition that turns out otherwise is dropped at once.

use super::saved::{SavedInput, SavedModel, SavedTransition};
use super::windows::{InputNumber, ModelInput, ModelTransition, RunWindowId, WindowGraph};
use super::{RunModel, refinement};
use std::collections::{BTreeMap, BTreeSet};

/// What was taken over from another version's model.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct AdoptedCounts {
    pub windows: usize,
    pub transitions: usize,
    pub inputs: usize,
    /// Parts of the other model that this version has no place for.
    pub stale: usize,
}

impl RunModel {
    /// Takes over what another version's run has learnt.
    pub fn adopt(&mut self, saved: &SavedModel) -> AdoptedCounts {
        let mut counts = AdoptedCounts::default();
        for window in saved.windows.iter().filter(|it| it.is_added) {
            let owner = window.owner.as_ref().and_then(|it| self.windows.by_name.get(it).copied());
            if self.windows.by_name.contains_key(&window.name) {
                continue;
            }
            // An activity that was met only by running is met again by running.
            let Some(owner) = owner else {
                counts.stale += 1;
                continue;
            };
            let id = self.windows.add(window.name.clone(), window.kind, Some(owner));
            self.windows.windows[id].labels = window.labels.clone();
            counts.windows += 1;
        }
        for window in &saved.windows {
            let level = refinement::parse_level(&window.level);
            if let (Some(id), Some(level)) = (self.windows.by_name.get(&window.name), level) {
                self.levels.insert(*id, level);
            }
        }
        for input in &saved.found_inputs {
            let is_taken = self.windows.adopt_input(input);
            *(if is_taken { &mut counts.inputs } else { &mut counts.stale }) += 1;
        }
        for transition in saved.transitions.iter().filter(|it| it.is_added) {
            let is_taken = self.windows.adopt_transition(transition);
            *(if is_taken { &mut counts.transitions } else { &mut counts.stale }) += 1;
        }
        counts
    }
}

impl WindowGraph {
    /// Adds an input that another run found for a hidden handler which this version has, too.
    fn adopt_input(&mut self, saved: &SavedInput) -> bool {
        let Some(window) = self.by_name.get(&saved.window).copied() else { return false };
        let is_same = |it: &&mut super::windows::HiddenMethod| {
            it.window == window && saved.handlers.contains(&it.signature)
        };
        let mut targets = BTreeSet::new();
        for hidden in self.hidden.iter_mut().filter(is_same) {
            targets.extend(hidden.targets.iter().copied());
        }
        if targets.is_empty() {
            return false;
        }
        self.inputs.push(ModelInput {
            window,
            event: saved.event,
            widget: saved.widget.clone(),
            texts: Vec::new(),
            handlers: saved.handlers.clone(),
            targets,
            terms: BTreeMap::new(),
            reaches: BTreeSet::new(),
            times: 0,
            is_added: true,
        });
        true
    }

    fn adopt_transition(&mut self, saved: &SavedTransition) -> bool {
        let named = |name: &String| self.by_name.get(name).copied();
        let (Some(from), Some(to)) = (named(&saved.from), named(&saved.to)) else { return false };
        let Some(input) = self.same_input(from, saved) else { return false };
        let is_known = self.transitions.iter().any(|it| it.input == input && it.to == to);
        if !is_known {
            self.transitions.push(ModelTransition {
                from,
                to,
                input,
                is_added: true,
                is_adopted: true,
            });
        }
        true
    }

    /// Returns the input of this version that a saved transition was taken by.
    fn same_input(&self, from: RunWindowId, saved: &SavedTransition) -> Option<InputNumber> {
        self.inputs_at(from)
            .find(|(_, it)| it.event == saved.event && it.widget == saved.widget)
            .map(|(number, _)| number)
    }

    /// Drops adopted transitions of an input that has led elsewhere.
    pub(super) fn drop_contradicted(&mut self, input: InputNumber, to: RunWindowId) {
        self.transitions.retain(|it| !(it.is_adopted && it.input == input && it.to != to));
    }
}
