//! Lower bounds on the cost of covering what is missing, from each position of a trace. They guide the search of L(τ).

use crate::model::bit_set::BitSet;
use crate::model::indexed_traces::IndexedTraces;
use crate::model::labels::LocationIndex;
use crate::model::verified_path::VerifiedPath;

/// The distance to something that no step ahead covers.
pub(super) const UNREACHABLE: u64 = u64::MAX;

pub(super) struct CoverageDistances {
    /// The least cost to cover a group, by group, then position. Empty for groups that are not needed.
    to_group: Vec<Vec<u64>>,
    /// The next step, from each position, that alone covers something needed.
    sole_steps: Vec<Option<usize>>,
    /// The least cost to pass all such steps, from each position.
    through_sole_steps: Vec<u64>,
}

impl CoverageDistances {
    pub fn new(
        traces: &IndexedTraces<'_>,
        whole: &VerifiedPath,
        locations: &[LocationIndex],
        needed: &BitSet,
    ) -> Self {
        let steps = locations.len() - 1;
        let cost = |step: usize| traces.steps[whole.path.steps[step - 1]].cost;
        let mut to_group = vec![Vec::new(); traces.weights().len()];
        // The group that a step alone covers.
        let mut sole_group: Vec<Option<usize>> = vec![None; steps + 1];
        for group in needed.iter() {
            let covers = |step: usize| whole.groups_by_step[step].contains(group);
            to_group[group] = distances(traces.location_count(), locations, cost, covers);
            let mut covering = (1..=steps).filter(|step| covers(*step));
            if let (Some(step), None) = (covering.next(), covering.next()) {
                sole_group[step] = Some(group);
            }
        }
        let mut sole_steps = vec![None; steps + 1];
        let mut through_sole_steps = vec![0; steps + 1];
        for position in (0..steps).rev() {
            let next = position + 1;
            let sole = if sole_group[next].is_some() { Some(next) } else { sole_steps[next] };
            sole_steps[position] = sole;
            if let Some((step, group)) = sole.and_then(|step| Some((step, sole_group[step]?))) {
                let distance: u64 = to_group[group][position];
                through_sole_steps[position] = distance.saturating_add(through_sole_steps[step]);
            }
        }
        Self { to_group, sole_steps, through_sole_steps }
    }

    pub fn next_sole_step(&self, position: usize) -> Option<usize> {
        self.sole_steps[position]
    }

    /// Returns a cost that covering `missing` from this position never goes below.
    pub fn estimate(&self, position: usize, missing: &BitSet) -> u64 {
        if missing.is_empty() {
            return 0;
        }
        let furthest = missing.iter().map(|group| self.to_group[group][position]).max();
        furthest.unwrap_or(0).max(self.through_sole_steps[position])
    }
}

/// Computes, backwards over the trace, the least cost from each position to a step that covers.
fn distances(
    location_count: usize,
    locations: &[LocationIndex],
    cost: impl Fn(usize) -> u64,
    covers: impl Fn(usize) -> bool,
) -> Vec<u64> {
    let steps = locations.len() - 1;
    let mut from_location = vec![UNREACHABLE; location_count];
    let mut from_position = vec![UNREACHABLE; steps + 1];
    for position in (0..steps).rev() {
        let next = position + 1;
        let remaining = if covers(next) { 0 } else { from_position[next] };
        let best = &mut from_location[locations[position] as usize];
        *best = (*best).min(cost(next).saturating_add(remaining));
        from_position[position] = *best;
    }
    from_position
}
