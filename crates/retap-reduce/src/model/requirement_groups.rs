//! Groups of requirements that always occur together. A search weighs a few hundred groups instead of fifty
//! thousand branches.

use super::bit_set::BitSet;
use crate::select::SelectedTrace;
use retap_model::Coverage;
use std::collections::{BTreeMap, BTreeSet};

/// The group of each requirement.
#[derive(Debug)]
pub(crate) struct RequirementGroups {
    group_of: BTreeMap<u32, u32>,
    /// The number of requirements in each group.
    weights: Vec<u64>,
}

impl RequirementGroups {
    /// Groups the requirements of the selected traces, without those that are `covered` already.
    pub fn new(selected: &[SelectedTrace], covered: &Coverage) -> Self {
        // Splits every group by every distinct set in turn. Requirements that are never split belong together.
        let mut group_of: BTreeMap<u32, u32> = BTreeMap::new();
        let mut groups = 0;
        let mut known_sets = BTreeSet::new();
        for set in selected.iter().flat_map(|selected| &selected.requirements_by_step) {
            if !known_sets.insert(set.id()) {
                continue;
            }
            let mut split: BTreeMap<Option<u32>, u32> = BTreeMap::new();
            for requirement in set.difference(covered).iter() {
                let old = group_of.get(&requirement).copied();
                let new = *split.entry(old).or_insert_with(|| {
                    groups += 1;
                    groups - 1
                });
                group_of.insert(requirement, new);
            }
        }
        // Splitting leaves empty groups behind: number the others without gaps.
        let mut dense: BTreeMap<u32, u32> = BTreeMap::new();
        let mut weights: Vec<u64> = Vec::new();
        for group in group_of.values_mut() {
            let next = weights.len() as u32;
            *group = *dense.entry(*group).or_insert(next);
            if *group == next {
                weights.push(0);
            }
            weights[*group as usize] += 1;
        }
        Self { group_of, weights }
    }

    pub fn weights(&self) -> &[u64] {
        &self.weights
    }

    pub fn empty_set(&self) -> BitSet {
        BitSet::empty(self.weights.len())
    }

    /// Returns the groups of which all requirements are in `requirements`.
    pub fn within(&self, requirements: &Coverage) -> BitSet {
        let mut found = vec![0; self.weights.len()];
        let groups = requirements.iter().filter_map(|requirement| self.group_of.get(&requirement));
        groups.for_each(|group| found[*group as usize] += 1);
        let mut set = self.empty_set();
        let whole = found.iter().zip(&self.weights).enumerate().filter(|(_, (a, b))| a == b);
        whole.for_each(|(group, _)| set.insert(group));
        set
    }
}
