//! The labelled transition system of phase 2. Its transitions are the steps of the traces that phase 1 left and of the
//! recorded traces they came from, each labelled with its trace and position. T_k is the set of its paths of at
//! most k fragments.

use crate::model::bit_set::BitSet;
use crate::model::indexed_traces::{IndexedTraces, StepKey};
use crate::model::labels::{LocationIndex, StepLabel};
use crate::model::verified_path::VerifiedPath;
use std::collections::BTreeMap;

#[derive(Debug)]
pub(crate) struct TransitionSystem<'g> {
    pub traces: &'g IndexedTraces<'g>,
    pub transitions: Vec<Transition>,
    /// One launch per label.
    pub launches: BTreeMap<StepLabel, LaunchTransition>,
    /// The transitions that begin in each location: those that a path can switch to.
    pub leaving: Vec<Vec<usize>>,
}

/// A step at its position in a trace.
#[derive(Debug, Clone)]
pub(crate) struct Transition {
    /// The index of the step in [`IndexedTraces::steps`].
    pub step: usize,
    pub groups: BitSet,
    /// True if the next transition belongs to the same trace.
    pub has_successor: bool,
}

#[derive(Debug, Clone)]
pub(crate) struct LaunchTransition {
    /// The index of a selected trace that begins with this launch.
    pub trace: usize,
    pub groups: BitSet,
}

impl<'g> TransitionSystem<'g> {
    pub fn new<'p>(
        traces: &'g IndexedTraces<'g>,
        paths: impl IntoIterator<Item = &'p VerifiedPath>,
    ) -> Self {
        let mut transitions = Vec::new();
        let mut launches = BTreeMap::new();
        let mut leaving = vec![Vec::new(); traces.location_count()];
        for VerifiedPath { path, groups_by_step, .. } in paths {
            let launch =
                || LaunchTransition { trace: path.launch, groups: groups_by_step[0].clone() };
            launches.entry(traces.launches[path.launch].label).or_insert_with(launch);
            for (index, step) in path.steps.iter().enumerate() {
                leaving[traces.steps[*step].from as usize].push(transitions.len());
                transitions.push(Transition {
                    step: *step,
                    groups: groups_by_step[index + 1].clone(),
                    has_successor: index + 1 < path.steps.len(),
                });
            }
        }
        Self { traces, transitions, launches, leaving }
    }

    /// Returns a system with one transition per distinct step, the cheapest of equal ones. No transition has a
    /// successor, so fragments have no meaning in it.
    pub fn distinct(&self) -> Self {
        let cost = |transition: &Transition| self.traces.steps[transition.step].cost;
        let mut steps: BTreeMap<StepKey, &Transition> = BTreeMap::new();
        for transition in &self.transitions {
            let key = self.traces.steps[transition.step].key();
            let cheapest = steps.entry(key).or_insert(transition);
            if cost(transition) < cost(cheapest) {
                *cheapest = transition;
            }
        }
        let isolated =
            |transition: &Transition| Transition { has_successor: false, ..transition.clone() };
        Self {
            traces: self.traces,
            transitions: steps.into_values().map(isolated).collect(),
            launches: self.launches.clone(),
            leaving: vec![Vec::new(); self.leaving.len()],
        }
    }

    /// Returns the location after a transition.
    pub fn location_after(&self, transition: usize) -> LocationIndex {
        self.traces.steps[self.transitions[transition].step].to
    }

    /// Returns the next transition of the same trace.
    pub fn successor(&self, transition: usize) -> Option<usize> {
        self.transitions[transition].has_successor.then_some(transition + 1)
    }
}
