//! Paths that are known to replay, with the coverage that their replay or recording showed.

use super::bit_set::BitSet;
use super::indexed_traces::{IndexedTraces, TracePath};
use retap_model::Coverage;
use std::sync::Arc;

/// A path that replays, and what it covered when it did.
#[derive(Debug, Clone)]
pub(crate) struct VerifiedPath {
    pub path: TracePath,
    /// The groups that the launch and each step covered.
    pub groups_by_step: Vec<BitSet>,
    /// The units that ran during the launch and each step.
    pub units_by_step: Vec<Arc<Coverage>>,
    /// The groups that the whole path covered.
    pub groups: BitSet,
    pub cost: u64,
}

impl VerifiedPath {
    pub fn new(
        traces: &IndexedTraces<'_>,
        path: TracePath,
        groups_by_step: Vec<BitSet>,
        units_by_step: Vec<Arc<Coverage>>,
    ) -> Self {
        let groups = union_of(traces, &groups_by_step);
        let cost = traces.cost_of(&path);
        Self { path, groups_by_step, units_by_step, groups, cost }
    }

    /// Returns all of a selected trace, on the evidence of its recording.
    pub fn recorded(traces: &IndexedTraces<'_>, trace: usize) -> Self {
        Self::recorded_prefix(traces, trace, usize::MAX)
    }

    /// Returns the first `steps` steps of a selected trace, on the evidence of its recording.
    pub fn recorded_prefix(traces: &IndexedTraces<'_>, trace: usize, steps: usize) -> Self {
        let mut path = traces.whole_path(trace);
        path.steps.truncate(steps);
        let units_by_step = traces.selected[trace].recorded.covered[..=path.steps.len()].to_vec();
        let launch = traces.launches[trace].groups.clone();
        let steps = path.steps.iter().map(|step| traces.steps[*step].groups.clone());
        let groups_by_step = std::iter::once(launch).chain(steps).collect();
        Self::new(traces, path, groups_by_step, units_by_step)
    }

    /// Removes the steps after the last one that is the first to cover a group of `needed`.
    pub fn without_tail(mut self, traces: &IndexedTraces<'_>, needed: &BitSet) -> Self {
        let mut missing = needed.clone();
        let mut last_needed = 0;
        for (step, groups) in self.groups_by_step.iter().enumerate() {
            let before = missing.clone();
            missing.remove_all(groups);
            if missing != before {
                last_needed = step;
            }
        }
        self.path.steps.truncate(last_needed);
        self.groups_by_step.truncate(last_needed + 1);
        self.units_by_step.truncate(last_needed + 1);
        Self::new(traces, self.path, self.groups_by_step, self.units_by_step)
    }
}

/// Returns the groups that the paths cover together.
pub(crate) fn covered_groups<'p>(
    traces: &IndexedTraces<'_>,
    paths: impl IntoIterator<Item = &'p VerifiedPath>,
) -> BitSet {
    union_of(traces, paths.into_iter().map(|path| &path.groups))
}

fn union_of<'s>(traces: &IndexedTraces<'_>, sets: impl IntoIterator<Item = &'s BitSet>) -> BitSet {
    let mut all = traces.no_groups();
    sets.into_iter().for_each(|set| all.union_with(set));
    all
}
