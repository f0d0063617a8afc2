//! L(τ): a trace with zero or more loops removed and its tail cut, enumerated lazily from the cheapest. A member is a
//! choice of steps in their order such that each begins where the one before it ended. The set is exponential, so a
//! best-first search explores it. The search leaves out members that begin with a failed prefix, that can no
//! longer reach the needed coverage, or that a cheaper choice of steps to the same position beats.

use super::coverage_distances::{CoverageDistances, UNREACHABLE};
use super::loop_risks::LoopRisks;
use crate::model::bit_set::BitSet;
use crate::model::indexed_traces::{IndexedTraces, TracePath};
use crate::model::labels::LocationIndex;
use crate::model::verified_path::VerifiedPath;
use crate::replay::prefix_trie::{PrefixTrie, TrieCursor};
use crate::stats::ReductionStats;
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

#[derive(Clone, Copy)]
pub(super) struct LoopSearch<'s> {
    pub traces: &'s IndexedTraces<'s>,
    pub trie: &'s PrefixTrie,
    pub risks: &'s LoopRisks,
    /// Nodes that one search expands.
    pub node_limit: u64,
}

impl LoopSearch<'_> {
    /// Returns at most `wanted` of the cheapest members of L(τ) that should cover `needed`. Returns fewer if the node
    /// limit ends the search.
    pub fn find_cheapest(
        &self,
        whole: &VerifiedPath,
        needed: &BitSet,
        wanted: usize,
        stats: &mut ReductionStats,
    ) -> Vec<TracePath> {
        let Some(mut frontier) = Frontier::new(*self, whole, needed) else {
            return Vec::new();
        };
        let mut found: Vec<TracePath> = Vec::new();
        // Different choices of steps may be the same events: one of them is enough.
        let mut known = BTreeSet::new();
        let mut expanded = 0;
        while let Some(OpenNode { node, .. }) = frontier.open.pop() {
            if frontier.nodes[node].missing.is_empty() {
                let path = frontier.path_to(node);
                if known.insert(self.traces.labels_of(&path).collect::<Vec<_>>()) {
                    found.push(path);
                }
                if found.len() == wanted {
                    break;
                }
            } else if expanded < self.node_limit {
                expanded += 1;
                frontier.expand(node, stats);
            } else {
                stats.limits_hit += 1;
                break;
            }
        }
        stats.expanded += expanded;
        found
    }
}

struct Frontier<'s> {
    search: LoopSearch<'s>,
    whole: &'s VerifiedPath,
    /// The cost of the trace's steps up to each position.
    costs: Vec<u64>,
    /// The location of the trace after each of its steps, the launch first.
    locations: Vec<LocationIndex>,
    distances: CoverageDistances,
    nodes: Vec<SearchNode>,
    open: BinaryHeap<OpenNode>,
    /// For each position, the nodes that later ones have to beat.
    best: Vec<Vec<usize>>,
}

/// A node to expand. The cheapest estimate comes first, then the node that is further along.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct OpenNode {
    estimate: Reverse<u64>,
    position: usize,
    node: usize,
}

/// A choice of steps that ends at a position of the trace.
struct SearchNode {
    position: usize,
    parent: usize,
    /// The cost of the steps, and the expected loss of the removals.
    cost: u64,
    missing: BitSet,
    cursor: TrieCursor,
}

impl<'s> Frontier<'s> {
    /// Returns none if the trace cannot cover `needed`.
    fn new(search: LoopSearch<'s>, whole: &'s VerifiedPath, needed: &BitSet) -> Option<Self> {
        let LoopSearch { traces, trie, .. } = search;
        let locations = traces.locations_of(&whole.path);
        let mut costs = vec![0];
        for step in &whole.path.steps {
            costs.push(costs[costs.len() - 1] + traces.steps[*step].cost);
        }
        let missing = needed.minus(&whole.groups_by_step[0]);
        let distances = CoverageDistances::new(traces, whole, &locations, &missing);
        let launch = &traces.launches[whole.path.launch];
        let cursor = trie.advance(PrefixTrie::ROOT, launch.label);
        let estimate = distances.estimate(0, &missing);
        if cursor == TrieCursor::Failed || estimate == UNREACHABLE {
            return None;
        }
        let best = vec![Vec::new(); locations.len()];
        let nodes = vec![SearchNode { position: 0, parent: 0, cost: 0, missing, cursor }];
        let open =
            BinaryHeap::from([OpenNode { estimate: Reverse(estimate), position: 0, node: 0 }]);
        Some(Self { search, whole, costs, locations, distances, nodes, open, best })
    }

    /// Adds every later step that begins in the node's location. The steps between are a removed loop. The search need
    /// not look beyond the next step that alone covers something needed.
    fn expand(&mut self, parent: usize, stats: &mut ReductionStats) {
        let from = self.nodes[parent].position;
        let last = self.distances.next_sole_step(from).unwrap_or(self.locations.len() - 1);
        for position in from + 1..=last {
            if self.locations[position - 1] == self.locations[from] {
                self.add(parent, position, stats);
            }
        }
    }

    fn add(&mut self, parent: usize, position: usize, stats: &mut ReductionStats) {
        let LoopSearch { traces, trie, .. } = self.search;
        let step = &traces.steps[self.whole.path.steps[position - 1]];
        let cursor = trie.advance(self.nodes[parent].cursor, step.label);
        if cursor == TrieCursor::Failed {
            stats.cut_branches += 1;
            return;
        }
        let known = trie.coverage_at(cursor).map(|coverage| &coverage.groups);
        let groups = known.unwrap_or(&self.whole.groups_by_step[position]);
        let missing = self.nodes[parent].missing.minus(groups);
        let loss = self.expected_loss(self.nodes[parent].position, position);
        let cost = self.nodes[parent].cost + step.cost + loss;
        let remaining = self.distances.estimate(position, &missing);
        let node = SearchNode { position, parent, cost, missing, cursor };
        if remaining == UNREACHABLE || self.is_beaten(&node) {
            return;
        }
        self.nodes.push(node);
        let index = self.nodes.len() - 1;
        // A prefix of which a continuation failed may fail again: it must not hide the alternatives.
        if !trie.has_failed_continuation(cursor) {
            self.best[position].push(index);
        }
        let estimate = Reverse(cost.saturating_add(remaining));
        self.open.push(OpenNode { estimate, position, node: index });
    }

    /// Returns the expected loss of removing the steps between two positions.
    fn expected_loss(&self, from: usize, position: usize) -> u64 {
        if position == from + 1 {
            return 0;
        }
        let removed = &self.whole.path.steps[from..position - 1];
        let saving = self.costs[position - 1] - self.costs[from];
        self.search.risks.expected_loss(self.search.traces, removed, saving)
    }

    fn is_beaten(&self, node: &SearchNode) -> bool {
        self.best[node.position].iter().any(|index| {
            let other = &self.nodes[*index];
            other.cost <= node.cost && other.missing.is_subset(&node.missing)
        })
    }

    fn path_to(&self, mut node: usize) -> TracePath {
        let mut steps = Vec::new();
        while node != 0 {
            steps.push(self.whole.path.steps[self.nodes[node].position - 1]);
            node = self.nodes[node].parent;
        }
        steps.reverse();
        TracePath { launch: self.whole.path.launch, steps }
    }
}
