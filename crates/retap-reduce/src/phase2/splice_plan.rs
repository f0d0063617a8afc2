//! Plans a whole suite before any of it runs: greedy set cover over T_k. All traces of a plan can be replayed in
//! parallel.

use super::extension_search::{Extension, ExtensionSearch, OpenPath, Preference, SearchBreadth};
use super::transition_system::TransitionSystem;
use crate::model::bit_set::BitSet;
use crate::model::indexed_traces::TracePath;
use crate::model::verified_path::VerifiedPath;
use crate::options::ReductionLimits;
use crate::replay::prefix_trie::PrefixTrie;
use crate::stats::ReductionStats;

#[derive(Debug, Default)]
pub(super) struct SplicePlan {
    pub paths: Vec<TracePath>,
    pub cost: u64,
}

impl SplicePlan {
    fn add(&mut self, path: TracePath, cost: u64) {
        self.paths.push(path);
        self.cost += cost;
    }
}

pub(super) struct SplicePlanner<'p> {
    pub system: &'p TransitionSystem<'p>,
    pub trie: &'p PrefixTrie,
    pub limits: &'p ReductionLimits,
    pub stats: &'p mut ReductionStats,
    pub is_stopped: &'p dyn Fn() -> bool,
}

impl SplicePlanner<'_> {
    /// Plans paths that should cover `missing`, one after another: each starts with a clean install and is extended
    /// from there. Where the search finds nothing more, paths of phase 1 are taken as they are.
    pub fn plan(
        &mut self,
        paths: &[VerifiedPath],
        missing: &BitSet,
        preference: Preference,
    ) -> SplicePlan {
        let mut missing = missing.clone();
        let mut plan = SplicePlan::default();
        while let Some(start) = self.find_best(None, &missing, preference) {
            missing.remove_all(&start.gained);
            let path = match preference {
                Preference::LargestGain => self.extend(start.path, &mut missing),
                Preference::BestRatio => self.extend_while_cheaper(start.path, &mut missing),
            };
            plan.add(path.path, path.cost);
        }
        for verified in paths {
            if verified.groups.has_new(&self.system.traces.no_groups(), &missing) {
                missing.remove_all(&verified.groups);
                plan.add(verified.path.clone(), verified.cost);
            }
        }
        plan
    }

    /// Extends a path as long as that adds something.
    fn extend(&mut self, mut path: OpenPath, missing: &mut BitSet) -> OpenPath {
        while let Some(extension) = self.find_best(Some(&path), missing, Preference::BestRatio) {
            missing.remove_all(&extension.gained);
            path = extension.path;
        }
        path
    }

    /// Extends a path as long as that gains at least as much for its cost as a new path would.
    fn extend_while_cheaper(&mut self, mut path: OpenPath, missing: &mut BitSet) -> OpenPath {
        let mut new_path: Option<Extension> = None;
        while let Some(extension) = self.find_best(Some(&path), missing, Preference::BestRatio) {
            let is_better = |new_path: &Extension| new_path.ratio > extension.ratio;
            // The gain of a new path only falls: it is searched for again only when it seems better.
            if new_path.as_ref().is_none_or(is_better) {
                new_path = self.find_best(None, missing, Preference::BestRatio);
                if new_path.as_ref().is_some_and(is_better) {
                    break;
                }
            }
            missing.remove_all(&extension.gained);
            path = extension.path;
        }
        path
    }

    /// Plans with the paper's greedy choice over all of T_k. Returns none if T_k is too large to be searched to the
    /// end.
    pub fn plan_exhaustively(&mut self, missing: &BitSet) -> Option<SplicePlan> {
        let mut missing = missing.clone();
        let mut plan = SplicePlan::default();
        while !missing.is_empty() {
            let (preference, breadth) = (Preference::LargestGain, SearchBreadth::AllPaths);
            let Extension { path, gained, .. } =
                self.search(None, &missing, preference, breadth)?;
            missing.remove_all(&gained);
            plan.add(path.path, path.cost);
        }
        Some(plan)
    }

    fn find_best(
        &mut self,
        from: Option<&OpenPath>,
        missing: &BitSet,
        preference: Preference,
    ) -> Option<Extension> {
        self.search(from, missing, preference, SearchBreadth::CheapestPaths)
    }

    fn search(
        &mut self,
        from: Option<&OpenPath>,
        missing: &BitSet,
        preference: Preference,
        breadth: SearchBreadth,
    ) -> Option<Extension> {
        if missing.is_empty() || (self.is_stopped)() {
            return None;
        }
        let search = ExtensionSearch {
            system: self.system,
            trie: self.trie,
            missing,
            max_fragments: self.limits.fragments,
            breadth,
            node_limit: self.limits.nodes,
        };
        search.find_best(from, preference, self.stats)
    }
}
