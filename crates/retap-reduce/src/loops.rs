//! L(τ): a trace with zero or more loops removed and its tail cut, enumerated lazily from the cheapest.
//! A member is a choice of steps in their order such that each begins where the one before it ended. The
//! set is exponential; this search walks it best first, and leaves out what begins with a known-bad
//! prefix, what can no longer reach the coverage it needs, and what another way to the same place already
//! beats.

use crate::bits::Bits;
use crate::blame::Blame;
use crate::ground::{Ground, Path};
use crate::tally::Tally;
use crate::trial::Proven;
use crate::trie::{Cursor, Trie};
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

const NEVER: u64 = u64::MAX;

/// The cheapest members that should cover `needed`, at most `wanted`; fewer when `limit` nodes were not
/// enough to find them.
pub(crate) fn cheapest(
    ground: &Ground<'_>,
    (trie, blame): (&Trie, &Blame),
    of: &Proven,
    needed: &Bits,
    wanted: usize,
    limit: u64,
    tally: &mut Tally,
) -> Vec<Path> {
    let Some(mut search) = Search::new(ground, (trie, blame), of, needed) else {
        return Vec::new();
    };
    let mut found: Vec<Path> = Vec::new();
    // Different choices of steps may be the same events: one of them is enough.
    let mut known = BTreeSet::new();
    let mut expanded = 0;
    while let Some((Reverse(_), _, at)) = search.open.pop() {
        if search.nodes[at].missing.is_empty() {
            let path = search.path(at);
            if known.insert(ground.labels(&path).collect::<Vec<_>>()) {
                found.push(path);
            }
            if found.len() == wanted {
                break;
            }
        } else if expanded < limit {
            expanded += 1;
            search.expand(at, tally);
        } else {
            tally.limits_hit += 1;
            break;
        }
    }
    tally.expanded += expanded;
    found
}

struct Search<'s> {
    ground: &'s Ground<'s>,
    trie: &'s Trie,
    blame: &'s Blame,
    of: &'s Proven,
    /// What the trace costs up to each of its steps.
    costs: Vec<u64>,
    /// Where the trace stands after each of its steps; first the launch.
    places: Vec<u32>,
    distances: Distances,
    nodes: Vec<Node>,
    /// Cheapest estimate first, then the one that is further along.
    open: BinaryHeap<(Reverse<u64>, usize, usize)>,
    /// Per position, nodes that later ones have to beat.
    best: Vec<Vec<usize>>,
}

struct Node {
    position: usize,
    parent: usize,
    /// With what is not to be counted on.
    cost: u64,
    missing: Bits,
    cursor: Cursor,
}

impl<'s> Search<'s> {
    fn new(
        ground: &'s Ground<'s>,
        (trie, blame): (&'s Trie, &'s Blame),
        of: &'s Proven,
        needed: &Bits,
    ) -> Option<Self> {
        let launch = &ground.launches[of.path.launch];
        let steps = of.path.edges.iter().map(|edge| ground.edges[*edge].to);
        let places: Vec<u32> = std::iter::once(launch.to).chain(steps).collect();
        let mut costs = vec![0];
        for edge in &of.path.edges {
            costs.push(costs[costs.len() - 1] + ground.edges[*edge].cost);
        }
        let missing = needed.minus(&of.covers[0]);
        let distances = Distances::new(ground, of, &places, &missing);
        let cursor = trie.step(Trie::ROOT, launch.label);
        let estimate = distances.estimate(0, &missing);
        if cursor == Cursor::Bad || estimate == NEVER {
            return None;
        }
        let best = vec![Vec::new(); places.len()];
        let root = Node { position: 0, parent: 0, cost: 0, missing, cursor };
        let mut open = BinaryHeap::new();
        open.push((Reverse(estimate), 0, 0));
        let nodes = vec![root];
        Some(Self { ground, trie, blame, of, costs, places, distances, nodes, open, best })
    }

    fn expand(&mut self, parent: usize, tally: &mut Tally) {
        let from = self.nodes[parent].position;
        let last = self.distances.next_sole(from).unwrap_or(self.places.len() - 1);
        // A step from here on that begins in this place; what lies between is a loop left out. Past the
        // next step that alone covers something there is nothing to find.
        for position in from + 1..=last {
            if self.places[position - 1] == self.places[from] {
                self.add(parent, position, tally);
            }
        }
    }

    fn add(&mut self, parent: usize, position: usize, tally: &mut Tally) {
        let edge = &self.ground.edges[self.of.path.edges[position - 1]];
        let cursor = self.trie.step(self.nodes[parent].cursor, edge.label);
        if cursor == Cursor::Bad {
            tally.cut += 1;
            return;
        }
        let seen = self.trie.seen(cursor).map(|seen| &seen.bits);
        let covers = seen.unwrap_or(&self.of.covers[position]);
        let missing = self.nodes[parent].missing.minus(covers);
        let cost = self.nodes[parent].cost + edge.cost + self.risk(parent, position);
        let ahead = self.distances.estimate(position, &missing);
        let node = Node { position, parent, cost, missing, cursor };
        if ahead == NEVER || self.is_beaten(&node) {
            return;
        }
        self.nodes.push(node);
        let at = self.nodes.len() - 1;
        // A way on which something failed may fail again: it must not hide the ways around it.
        if !self.trie.is_doomed(cursor) {
            self.best[position].push(at);
        }
        self.open.push((Reverse(cost.saturating_add(ahead)), position, at));
    }

    /// What leaving out the steps between is likely to come to nothing of.
    fn risk(&self, parent: usize, position: usize) -> u64 {
        let from = self.nodes[parent].position;
        if position == from + 1 {
            return 0;
        }
        let saved = self.costs[position - 1] - self.costs[from];
        self.blame.risk(self.ground, &self.of.path.edges[from..position - 1], saved)
    }

    fn is_beaten(&self, node: &Node) -> bool {
        self.best[node.position].iter().any(|at| {
            let other = &self.nodes[*at];
            other.cost <= node.cost && other.missing.is_subset(&node.missing)
        })
    }

    fn path(&self, mut at: usize) -> Path {
        let mut edges = Vec::new();
        while at != 0 {
            edges.push(self.of.path.edges[self.nodes[at].position - 1]);
            at = self.nodes[at].parent;
        }
        edges.reverse();
        Path { launch: self.of.path.launch, edges }
    }
}

/// From each position, what it costs at least to cover each bundle; and, over the steps that alone cover
/// something, what it costs to pass them all.
struct Distances {
    /// By bundle, then position; empty for bundles that are not needed.
    to: Vec<Vec<u64>>,
    /// The next step, from each position, that alone covers something needed.
    sole: Vec<Option<usize>>,
    /// From each position through all such steps.
    through: Vec<u64>,
}

impl Distances {
    fn new(ground: &Ground<'_>, of: &Proven, places: &[u32], needed: &Bits) -> Self {
        let steps = places.len() - 1;
        let cost = |step: usize| ground.edges[of.path.edges[step - 1]].cost;
        let mut to = vec![Vec::new(); ground.weights().len()];
        let mut alone: Vec<Option<usize>> = vec![None; steps + 1];
        for bundle in needed.iter() {
            let covers = |step: usize| of.covers[step].contains(bundle);
            to[bundle] = distances(ground.places, places, cost, covers);
            let mut providers = (1..=steps).filter(|step| covers(*step));
            if let (Some(step), None) = (providers.next(), providers.next()) {
                alone[step] = Some(bundle);
            }
        }
        let mut sole = vec![None; steps + 1];
        let mut through = vec![0; steps + 1];
        for position in (0..steps).rev() {
            let next = position + 1;
            sole[position] = if alone[next].is_some() { Some(next) } else { sole[next] };
            if let Some((step, bundle)) = sole[position].and_then(|s| alone[s].map(|b| (s, b))) {
                let way: u64 = to[bundle][position];
                through[position] = way.saturating_add(through[step]);
            }
        }
        Self { to, sole, through }
    }

    fn next_sole(&self, position: usize) -> Option<usize> {
        self.sole[position]
    }

    /// Never more than what is really needed from here.
    fn estimate(&self, position: usize, missing: &Bits) -> u64 {
        if missing.is_empty() {
            return 0;
        }
        let furthest = missing.iter().map(|bundle| self.to[bundle][position]).max().unwrap_or(0);
        furthest.max(self.through[position])
    }
}

/// Backwards over the trace: the cheapest way from each position to a step that covers.
fn distances(
    places: usize,
    at: &[u32],
    cost: impl Fn(usize) -> u64,
    covers: impl Fn(usize) -> bool,
) -> Vec<u64> {
    let steps = at.len() - 1;
    let mut from_place = vec![NEVER; places];
    let mut distance = vec![NEVER; steps + 1];
    for position in (0..steps).rev() {
        let next = position + 1;
        let ahead = if covers(next) { 0 } else { distance[next] };
        let best = &mut from_place[at[position] as usize];
        *best = (*best).min(cost(next).saturating_add(ahead));
        distance[position] = *best;
    }
    distance
}
