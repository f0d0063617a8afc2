//! The nodes of an extension search: which paths lead where, with how many fragments, and what each gains.

use super::extension_search::{Extension, ExtensionSearch, OpenPath, SearchBreadth};
use super::transition_system::{Transition, TransitionSystem};
use crate::model::bit_set::BitSet;
use crate::model::gain_ratio::GainRatio;
use crate::model::indexed_traces::TracePath;
use crate::replay::prefix_trie::{PrefixTrie, TrieCursor};
use crate::stats::ReductionStats;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Paths to one transition that are followed although a continuation of theirs has failed, so that they may fail too.
const MAX_RISKY_PATHS: u8 = 3;

/// The index of the empty set among the gains.
const NO_GAIN: usize = 0;

pub(super) struct SearchFrontier<'s> {
    search: &'s ExtensionSearch<'s>,
    nodes: Vec<SearchNode>,
    /// The distinct gains of the nodes. Most nodes gain nothing that their parent did not.
    gains: Vec<Gain>,
    pub open: BinaryHeap<OpenNode>,
    /// The fewest fragments with which each transition was reached.
    fragments_to: Vec<usize>,
    /// The fewest fragments with which each location was left by a switch.
    fragments_from: Vec<usize>,
    /// The risky paths followed to each transition.
    risky_paths: Vec<u8>,
    /// If all paths are followed: the arrivals at each transition.
    arrivals: Vec<Vec<Arrival>>,
}

/// A node to follow. The cheapest comes first; of equal costs the largest gain, then the oldest node.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct OpenNode {
    pub cost: Reverse<u64>,
    pub gain: u64,
    pub node: Reverse<usize>,
}

/// A set of gained groups, and the number of their requirements.
struct Gain {
    groups: BitSet,
    weight: u64,
}

/// A path's arrival at a transition.
struct Arrival {
    fragments: usize,
    gain: usize,
}

#[derive(Clone, Copy)]
struct SearchNode {
    /// None for a launch.
    transition: Option<usize>,
    /// None for the nodes that a search begins with.
    parent: Option<usize>,
    launch: usize,
    fragments: usize,
    cost: u64,
    /// An index into the gains.
    gain: usize,
    cursor: TrieCursor,
}

impl<'s> SearchFrontier<'s> {
    pub fn new(search: &'s ExtensionSearch<'s>) -> Self {
        let TransitionSystem { traces, transitions, leaving, .. } = search.system;
        let count = transitions.len();
        let follows_all = search.breadth == SearchBreadth::AllPaths;
        Self {
            search,
            nodes: Vec::new(),
            gains: vec![Gain { groups: traces.no_groups(), weight: 0 }],
            open: BinaryHeap::new(),
            fragments_to: vec![usize::MAX; count],
            fragments_from: vec![usize::MAX; leaving.len()],
            risky_paths: vec![0; count],
            arrivals: (0..if follows_all { count } else { 0 }).map(|_| Vec::new()).collect(),
        }
    }

    pub fn add_launches(&mut self) {
        let ExtensionSearch { system, trie, .. } = *self.search;
        for (label, launch) in &system.launches {
            let gain = self.add_gain(NO_GAIN, &launch.groups);
            self.push(SearchNode {
                transition: None,
                parent: None,
                launch: launch.trace,
                fragments: 0,
                cost: system.traces.launches[launch.trace].cost,
                gain,
                cursor: trie.advance(PrefixTrie::ROOT, *label),
            });
        }
    }

    pub fn add_path(&mut self, path: &OpenPath) {
        self.push(SearchNode {
            transition: path.last,
            parent: None,
            launch: path.path.launch,
            fragments: path.fragments,
            cost: 0,
            gain: NO_GAIN,
            cursor: path.cursor,
        });
    }

    /// Returns true if no cheaper path reached the same transition with as few fragments. Records the arrival.
    pub fn should_follow(&mut self, node: usize) -> bool {
        let SearchNode { transition, parent, fragments, cursor, gain, .. } = self.nodes[node];
        let (Some(transition), Some(_)) = (transition, parent) else { return true };
        // A path of which a continuation failed may fail again: it must not hide the alternatives.
        let is_risky = self.search.trie.has_failed_continuation(cursor);
        if self.search.breadth == SearchBreadth::AllPaths {
            return self.record_arrival(transition, Arrival { fragments, gain }, is_risky);
        }
        if self.fragments_to[transition] <= fragments {
            return false;
        }
        if !is_risky {
            self.fragments_to[transition] = fragments;
            return true;
        }
        self.risky_paths[transition] = self.risky_paths[transition].saturating_add(1);
        self.risky_paths[transition] <= MAX_RISKY_PATHS
    }

    /// Returns true if no earlier arrival had as few fragments and gained as much.
    fn record_arrival(&mut self, transition: usize, arrival: Arrival, is_risky: bool) -> bool {
        let groups = &self.gains[arrival.gain].groups;
        let is_beaten = |earlier: &Arrival| {
            earlier.fragments <= arrival.fragments
                && groups.is_subset(&self.gains[earlier.gain].groups)
        };
        if self.arrivals[transition].iter().any(is_beaten) {
            return false;
        }
        if !is_risky {
            self.arrivals[transition].push(arrival);
        }
        true
    }

    /// Adds the successor of a node's transition, and the transitions that the path can switch to.
    pub fn expand(&mut self, node: usize, stats: &mut ReductionStats) {
        let ExtensionSearch { system, max_fragments, breadth, .. } = *self.search;
        let SearchNode { transition, fragments, launch, cursor, .. } = self.nodes[node];
        let successor = transition.and_then(|transition| system.successor(transition));
        if let Some(successor) = successor {
            self.add(node, successor, fragments, stats);
        }
        let location = match transition {
            Some(transition) => system.location_after(transition),
            None => system.traces.launches[launch].to,
        } as usize;
        if fragments == max_fragments || self.fragments_from[location] <= fragments {
            return;
        }
        let is_risky = self.search.trie.has_failed_continuation(cursor);
        if breadth == SearchBreadth::CheapestPaths && !is_risky {
            self.fragments_from[location] = fragments;
        }
        for &next in system.leaving[location].iter().filter(|next| successor != Some(**next)) {
            if self.fragments_to[next] > fragments + 1 {
                self.add(node, next, fragments + 1, stats);
            }
        }
    }

    fn add(
        &mut self,
        parent: usize,
        transition: usize,
        fragments: usize,
        stats: &mut ReductionStats,
    ) {
        let ExtensionSearch { system, trie, .. } = *self.search;
        let SearchNode { launch, cursor, cost, gain, .. } = self.nodes[parent];
        let Transition { step, groups, .. } = &system.transitions[transition];
        let step = &system.traces.steps[*step];
        let cursor = trie.advance(cursor, step.label);
        if cursor == TrieCursor::Failed {
            stats.cut_branches += 1;
            return;
        }
        let groups = trie.coverage_at(cursor).map_or(groups, |coverage| &coverage.groups);
        let gain = self.add_gain(gain, groups);
        self.push(SearchNode {
            transition: Some(transition),
            parent: Some(parent),
            launch,
            fragments,
            cost: cost + step.cost,
            gain,
            cursor,
        });
    }

    /// Returns the index of the gain after a step that covers `groups`.
    fn add_gain(&mut self, before: usize, groups: &BitSet) -> usize {
        let missing = self.search.missing;
        if !groups.has_new(&self.gains[before].groups, missing) {
            return before;
        }
        let mut groups = groups.clone();
        groups.intersect_with(missing);
        groups.union_with(&self.gains[before].groups);
        let weight = groups.weight(self.search.system.traces.weights());
        self.gains.push(Gain { groups, weight });
        self.gains.len() - 1
    }

    fn push(&mut self, node: SearchNode) {
        if node.cursor != TrieCursor::Failed {
            let gain = self.gains[node.gain].weight;
            let (cost, index) = (Reverse(node.cost), Reverse(self.nodes.len()));
            self.open.push(OpenNode { cost, gain, node: index });
            self.nodes.push(node);
        }
    }

    /// Returns the extension that ends in a node; `from` is the path that was extended.
    pub fn into_extension(mut self, node: usize, from: Option<&OpenPath>) -> Extension {
        let SearchNode { transition, launch, fragments, cost, gain, cursor, .. } = self.nodes[node];
        let mut steps = Vec::new();
        let mut node = self.nodes[node];
        while let Some(parent) = node.parent {
            let step = |transition: usize| self.search.system.transitions[transition].step;
            steps.extend(node.transition.map(step));
            node = self.nodes[parent];
        }
        steps.extend(from.into_iter().flat_map(|path| path.path.steps.iter().rev()));
        steps.reverse();
        let cost_before = from.map_or(0, |path| path.cost);
        let Gain { groups: gained, weight } = self.gains.swap_remove(gain);
        Extension {
            path: OpenPath {
                path: TracePath { launch, steps },
                cost: cost_before + cost,
                last: transition,
                fragments,
                cursor,
            },
            gained,
            ratio: GainRatio { gain: weight, cost },
        }
    }
}
