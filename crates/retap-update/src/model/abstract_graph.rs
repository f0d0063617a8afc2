//! The abstract graph (DSTG): states of each window, and the abstract actions between them.

use super::RunModel;
use super::action::AbstractAction;
use super::windows::RunWindowId;
use crate::targets::TargetNumber;
use retap_model::hash::StableHasher;
use retap_model::{Abstraction, Screen, ScreenId, StateId};
use std::collections::{BTreeMap, BTreeSet};

/// One state of a window.
#[derive(Debug, Clone)]
pub struct AbstractNode {
    pub window: RunWindowId,
    /// Screens that the abstraction does not tell apart.
    pub screens: BTreeSet<ScreenId>,
    pub out: BTreeMap<AbstractAction, Vec<AbstractTransition>>,
}

/// A way from a state to another by one action.
#[derive(Debug, Clone)]
pub struct AbstractTransition {
    pub to: StateId,
    pub times: u32,
    /// The positions of the first and the last recorded step that took it.
    pub step: usize,
    pub last_step: usize,
    pub covered: BTreeSet<TargetNumber>,
}

#[derive(Debug, Clone, Default)]
pub struct AbstractGraph {
    pub states: BTreeMap<StateId, AbstractNode>,
    /// How often each action was done in each window, whatever the state.
    exercised: BTreeMap<(RunWindowId, AbstractAction), u32>,
    transitions: usize,
    /// The number of transitions that covered each target.
    covering: BTreeMap<TargetNumber, usize>,
}

impl AbstractNode {
    /// Returns where an action leads as far as one can say: where it led last in the current trace, which began with this
    /// step; otherwise where it led most often. What the app has stored decides, and a new trace begins without it.
    pub fn believed(&self, action: &AbstractAction, trace_start: usize) -> Option<StateId> {
        let ways = self.out.get(action)?;
        let recent = ways.iter().filter(|way| way.last_step >= trace_start);
        let last = recent.max_by_key(|way| way.last_step);
        last.or_else(|| ways.iter().max_by_key(|way| (way.times, way.last_step))).map(|way| way.to)
    }
}

impl AbstractGraph {
    pub fn visit(&mut self, state: StateId, window: RunWindowId, screen: ScreenId) {
        let new = || AbstractNode { window, screens: BTreeSet::new(), out: BTreeMap::new() };
        self.states.entry(state).or_insert_with(new).screens.insert(screen);
    }

    /// Records a transition. Returns the recorded steps of other transitions that the same action took from this state.
    fn record(
        &mut self,
        from: StateId,
        action: AbstractAction,
        new: AbstractTransition,
    ) -> Vec<usize> {
        let Some(node) = self.states.get_mut(&from) else { return Vec::new() };
        *self.exercised.entry((node.window, action.clone())).or_default() += 1;
        let known = node.out.entry(action).or_default();
        let others = known.iter().filter(|it| it.to != new.to).map(|it| it.step).collect();
        match known.iter_mut().find(|it| it.to == new.to) {
            Some(same) => {
                same.times += 1;
                same.last_step = new.last_step;
                for target in new.covered.difference(&same.covered.clone()) {
                    *self.covering.entry(*target).or_default() += 1;
                    same.covered.insert(*target);
                }
            }
            None => {
                self.transitions += 1;
                for target in &new.covered {
                    *self.covering.entry(*target).or_default() += 1;
                }
                known.push(new);
            }
        }
        others
    }

    pub fn transition_count(&self) -> usize {
        self.transitions
    }

    /// Returns the share of transitions that did not cover a target: the paper's c_m.
    pub fn rareness(&self, target: TargetNumber) -> f64 {
        let covering = self.covering.get(&target).copied().unwrap_or_default();
        if self.transitions == 0 { 1.0 } else { 1.0 - covering as f64 / self.transitions as f64 }
    }

    pub fn times_exercised(&self, window: RunWindowId, action: &AbstractAction) -> u32 {
        self.exercised.get(&(window, action.clone())).copied().unwrap_or_default()
    }

    /// Returns true if an action was done in a state and never led anywhere nor covered a target.
    pub fn has_no_effect(&self, state: StateId, action: &AbstractAction) -> bool {
        let taken = self.states.get(&state).and_then(|node| node.out.get(action));
        taken.is_some_and(|ways| ways.iter().all(|way| way.to == state && way.covered.is_empty()))
    }

    /// Returns true if an action was done in a window, in whatever state, and never led anywhere nor covered a target.
    pub fn is_idle(&self, window: RunWindowId, action: &AbstractAction) -> bool {
        let mut tried = self.states_of(window).filter(|(_, node)| node.out.contains_key(action));
        let mut any = false;
        tried.all(|(state, _)| {
            any = true;
            self.has_no_effect(state, action)
        }) && any
    }

    pub fn states_of(&self, window: RunWindowId) -> impl Iterator<Item = (StateId, &AbstractNode)> {
        self.states
            .iter()
            .filter(move |(_, node)| node.window == window)
            .map(|(id, node)| (*id, node))
    }
}

impl RunModel {
    /// Returns the state of a screen by its window's abstraction.
    pub fn state_of(&self, screen: &Screen, window: RunWindowId) -> StateId {
        let state = Abstraction::Reducers(self.level(window)).state(screen);
        let mut hasher = StableHasher::new("window state");
        StateId(hasher.str(&self.windows.get(window).name).u64(state.0).finish())
    }

    /// Adds a recorded step to the abstract graph. Returns the steps by which the same action led elsewhere.
    pub(super) fn record_abstract_step(&mut self, number: usize) -> Vec<usize> {
        let step = &self.concrete.steps[number];
        let (Some(from), Some(to)) =
            (self.concrete.screen(step.from).cloned(), self.concrete.screen(step.to).cloned())
        else {
            return Vec::new();
        };
        let (from_id, to_id) = (step.from, step.to);
        let (Some(from_window), Some(to_window)) =
            (self.windows.known_window(from_id), self.windows.known_window(to_id))
        else {
            return Vec::new();
        };
        let action = AbstractAction::of(&step.event, &from, self.level(from_window));
        let covered = step.covered.clone();
        let (from, to) = (self.state_of(&from, from_window), self.state_of(&to, to_window));
        self.abstracted.visit(from, from_window, from_id);
        self.abstracted.visit(to, to_window, to_id);
        let new = AbstractTransition { to, times: 1, step: number, last_step: number, covered };
        self.abstracted.record(from, action, new)
    }

    /// Counts an event after which the app was gone, so that it is not the least exercised for ever.
    pub(super) fn count_ending(&mut self, number: usize) {
        let (id, event) = &self.concrete.endings[number];
        let Some(window) = self.windows.known_window(*id) else { return };
        let Some(screen) = self.concrete.screen(*id) else { return };
        let action = AbstractAction::of(event, screen, self.level(window));
        *self.abstracted.exercised.entry((window, action)).or_default() += 1;
    }

    /// Builds the abstract graph anew from everything recorded.
    pub(super) fn rebuild(&mut self) {
        self.abstracted = AbstractGraph::default();
        let screens: Vec<(ScreenId, std::sync::Arc<Screen>)> =
            self.concrete.screens().map(|(id, screen)| (id, screen.clone())).collect();
        for (id, screen) in screens {
            if let Some(window) = self.windows.known_window(id) {
                let state = self.state_of(&screen, window);
                self.abstracted.visit(state, window, id);
            }
        }
        for number in 0..self.concrete.steps.len() {
            self.record_abstract_step(number);
        }
        for number in 0..self.concrete.endings.len() {
            self.count_ending(number);
        }
    }
}
