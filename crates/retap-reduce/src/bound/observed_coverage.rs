//! The coverage of a launch or step wherever it was seen.

use crate::model::bit_set::BitSet;
use crate::model::indexed_traces::{IndexedTraces, StepKey};
use crate::model::labels::StepLabel;
use crate::model::verified_path::VerifiedPath;
use crate::phase2::transition_system::TransitionSystem;
use std::collections::BTreeMap;

/// All groups that equal launches and equal steps were ever seen to cover.
pub(super) struct ObservedCoverage {
    pub launches: BTreeMap<StepLabel, BitSet>,
    pub steps: BTreeMap<StepKey, BitSet>,
}

impl ObservedCoverage {
    pub fn new(system: &TransitionSystem<'_>, answer: &[VerifiedPath]) -> Self {
        let traces = system.traces;
        let mut observed = Self { launches: BTreeMap::new(), steps: BTreeMap::new() };
        for (label, launch) in &system.launches {
            observed.add_launch(traces, *label, &launch.groups);
        }
        for transition in &system.transitions {
            observed.add_step(traces, transition.step, &transition.groups);
        }
        for VerifiedPath { path, groups_by_step, .. } in answer {
            observed.add_launch(traces, traces.launches[path.launch].label, &groups_by_step[0]);
            for (step, groups) in path.steps.iter().zip(&groups_by_step[1..]) {
                observed.add_step(traces, *step, groups);
            }
        }
        observed
    }

    fn add_launch(&mut self, traces: &IndexedTraces<'_>, label: StepLabel, groups: &BitSet) {
        self.launches.entry(label).or_insert_with(|| traces.no_groups()).union_with(groups);
    }

    fn add_step(&mut self, traces: &IndexedTraces<'_>, step: usize, groups: &BitSet) {
        let key = traces.steps[step].key();
        self.steps.entry(key).or_insert_with(|| traces.no_groups()).union_with(groups);
    }
}
