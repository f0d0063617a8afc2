//! Searches the best extension of a path, or the best path from a clean install. T_k is far too large to be listed. The
//! search goes best first, follows only the cheapest path to each transition, and ends where nothing uncovered
//! could make up for the cost. Where T_k is small, it can follow every path that gains something different.

use super::search_frontier::{OpenNode, SearchFrontier};
use super::transition_system::TransitionSystem;
use crate::model::bit_set::BitSet;
use crate::model::gain_ratio::GainRatio;
use crate::model::indexed_traces::TracePath;
use crate::replay::prefix_trie::{PrefixTrie, TrieCursor};
use crate::stats::ReductionStats;
use std::cmp::Reverse;

/// The measure by which one extension is better than another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Preference {
    /// The largest gain, as in the paper.
    LargestGain,
    /// The largest gain per cost, the textbook's greedy set cover.
    BestRatio,
}

/// The paths to a transition that a search follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SearchBreadth {
    CheapestPaths,
    /// All paths but those that gain nothing that a cheaper one does not. There is no result unless all of them have
    /// been followed.
    AllPaths,
}

/// A path of T_k that can be extended.
#[derive(Debug, Clone)]
pub(super) struct OpenPath {
    pub path: TracePath,
    pub cost: u64,
    /// The last transition; none for a mere launch.
    pub last: Option<usize>,
    pub fragments: usize,
    pub cursor: TrieCursor,
}

/// An extended path, and what the extension should add.
#[derive(Debug)]
pub(super) struct Extension {
    pub path: OpenPath,
    /// The groups that the extension adds.
    pub gained: BitSet,
    /// The number of requirements gained, and the cost beyond the path that was extended.
    pub ratio: GainRatio,
}

pub(super) struct ExtensionSearch<'s> {
    pub system: &'s TransitionSystem<'s>,
    pub trie: &'s PrefixTrie,
    /// The groups that are still uncovered.
    pub missing: &'s BitSet,
    /// The fragments that a path may consist of: k.
    pub max_fragments: usize,
    pub breadth: SearchBreadth,
    /// Nodes that one search expands.
    pub node_limit: u64,
}

impl ExtensionSearch<'_> {
    /// Returns the best extension of a path, or the best path from a clean install.
    pub fn find_best(
        &self,
        from: Option<&OpenPath>,
        preference: Preference,
        stats: &mut ReductionStats,
    ) -> Option<Extension> {
        let largest_gain = self.missing.weight(self.system.traces.weights());
        let mut frontier = SearchFrontier::new(self);
        match from {
            None => frontier.add_launches(),
            Some(path) => frontier.add_path(path),
        }
        let mut best: Option<(usize, GainRatio)> = None;
        let mut expanded = 0;
        while let Some(OpenNode { cost: Reverse(cost), gain, node: Reverse(node) }) =
            frontier.open.pop()
        {
            let ratio = GainRatio { gain, cost };
            let cannot_improve = |(_, best)| {
                preference == Preference::BestRatio
                    && GainRatio { gain: largest_gain, cost } <= best
            };
            if best.is_some_and(cannot_improve) {
                break;
            }
            if !frontier.should_follow(node) {
                continue;
            }
            let is_better = |(_, best): (usize, GainRatio)| match preference {
                Preference::LargestGain => gain > best.gain,
                Preference::BestRatio => ratio > best,
            };
            if gain > 0 && best.is_none_or(is_better) {
                best = Some((node, ratio));
            }
            if expanded == self.node_limit {
                if self.breadth == SearchBreadth::AllPaths {
                    return None;
                }
                stats.limits_hit += 1;
                break;
            }
            expanded += 1;
            frontier.expand(node, stats);
        }
        stats.expanded += expanded;
        best.map(|(node, _)| frontier.into_extension(node, from))
    }
}
