//! The labelled transition system of phase 2: its edges are the steps of the traces that phase 1 left,
//! each labelled with its trace and position. T_k is the set of paths of at most k fragments, far too
//! large to hold: this search walks it best first and cuts what cannot gain more than the best found.

use crate::bits::Bits;
use crate::ground::{Ground, Path, Place};
use crate::tally::Tally;
use crate::trial::Proven;
use crate::trie::{Cursor, Label, Trie};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

#[derive(Debug)]
pub(crate) struct Lts<'g> {
    ground: &'g Ground<'g>,
    pub rails: Vec<Rail>,
    /// One launch of each kind.
    pub launches: BTreeMap<Label, Start>,
    from: Vec<Vec<usize>>,
    k: usize,
    /// What can still be covered after a rail, by how many switches are left.
    ahead: Vec<Vec<Bits>>,
    /// The same from a launch.
    reach: Vec<Vec<Bits>>,
}

/// A step in its trace.
#[derive(Debug)]
pub(crate) struct Rail {
    pub edge: usize,
    pub covers: Bits,
    /// The rail after it belongs to the same trace.
    pub goes_on: bool,
}

#[derive(Debug)]
pub(crate) struct Start {
    pub trace: usize,
    pub covers: Bits,
}

/// A path of T_k with what it should add.
#[derive(Debug, Clone)]
pub(crate) struct Pick {
    pub path: Path,
    pub gained: Bits,
    pub gain: u64,
    pub cost: u64,
}

/// The two best answers to "which next?".
#[derive(Debug, Default)]
pub(crate) struct Picks {
    /// Adds most: the paper's choice.
    pub most: Option<Pick>,
    /// Adds most for its cost: the textbook's.
    pub cheapest: Option<Pick>,
}

impl<'g> Lts<'g> {
    pub fn new(ground: &'g Ground<'g>, traces: &[Proven], k: usize) -> Self {
        let mut rails = Vec::new();
        let mut launches = BTreeMap::new();
        let mut from = vec![Vec::new(); ground.places];
        for Proven { path, covers, .. } in traces {
            let start = || Start { trace: path.launch, covers: covers[0].clone() };
            launches.entry(ground.launches[path.launch].label).or_insert_with(start);
            for (at, edge) in path.edges.iter().enumerate() {
                from[ground.edges[*edge].from as usize].push(rails.len());
                let goes_on = at + 1 < path.edges.len();
                rails.push(Rail { edge: *edge, covers: covers[at + 1].clone(), goes_on });
            }
        }
        let (ahead, reach) = horizon(ground, &rails, &from, k);
        Self { ground, rails, launches, from, k, ahead, reach }
    }

    /// The best paths that add to `covered`.
    pub fn pick(&self, trie: &Trie, covered: &Bits, limit: u64, tally: &mut Tally) -> Picks {
        Search { lts: self, trie, covered, nodes: Vec::new(), open: BinaryHeap::new() }
            .run(limit, tally)
    }

    fn place(&self, rail: usize) -> Place {
        self.ground.edges[self.rails[rail].edge].to
    }
}

/// What lies ahead of every rail, and of every place, with 0 … k fragments still to begin. Only the
/// suffix of one's own trace is left when none is.
fn horizon(
    ground: &Ground<'_>,
    rails: &[Rail],
    from: &[Vec<usize>],
    k: usize,
) -> (Vec<Vec<Bits>>, Vec<Vec<Bits>>) {
    let mut reach = vec![vec![ground.none(); from.len()]];
    let mut ahead = Vec::new();
    for fragments in 0..=k {
        let mut after: Vec<Bits> = vec![ground.none(); rails.len()];
        for at in (0..rails.len()).rev() {
            let mut bits = reach[fragments][ground.edges[rails[at].edge].to as usize].clone();
            if rails[at].goes_on {
                bits.union_with(&rails[at + 1].covers);
                bits.union_with(&after[at + 1]);
            }
            after[at] = bits;
        }
        let place = |rails_from: &Vec<usize>| {
            let mut bits = ground.none();
            for rail in rails_from {
                bits.union_with(&rails[*rail].covers);
                bits.union_with(&after[*rail]);
            }
            bits
        };
        reach.push(from.iter().map(place).collect());
        ahead.push(after);
    }
    (ahead, reach)
}

struct Search<'s> {
    lts: &'s Lts<'s>,
    trie: &'s Trie,
    covered: &'s Bits,
    nodes: Vec<Node>,
    /// Largest bound first; among equals what has gained most, at the least cost.
    open: BinaryHeap<(u64, u64, Reverse<u64>, Reverse<usize>)>,
}

struct Node {
    /// None for a launch.
    rail: Option<usize>,
    parent: usize,
    launch: usize,
    fragments: usize,
    gained: Bits,
    gain: u64,
    cost: u64,
    bound: u64,
    cursor: Cursor,
}

impl Search<'_> {
    fn run(mut self, limit: u64, tally: &mut Tally) -> Picks {
        let (mut most, mut cheapest): (Option<usize>, Option<usize>) = (None, None);
        let mut beaten: BTreeMap<(usize, usize), Vec<usize>> = BTreeMap::new();
        let mut expanded = 0;
        self.launch();
        while let Some((_, _, _, Reverse(at))) = self.open.pop() {
            let node = &self.nodes[at];
            if most.is_some_and(|best| !self.may_beat(node, &self.nodes[best])) {
                continue;
            }
            if node.gain > 0 {
                if most.is_none_or(|best| adds_more(node, &self.nodes[best])) {
                    most = Some(at);
                }
                if cheapest.is_none_or(|best| is_cheaper(node, &self.nodes[best])) {
                    cheapest = Some(at);
                }
            }
            if expanded == limit {
                tally.limits_hit += 1;
                break;
            }
            expanded += 1;
            self.expand(at, &mut beaten, tally);
        }
        tally.expanded += expanded;
        Picks { most: most.map(|at| self.pick(at)), cheapest: cheapest.map(|at| self.pick(at)) }
    }

    fn may_beat(&self, node: &Node, best: &Node) -> bool {
        node.bound > best.gain || (node.bound == best.gain && node.cost < best.cost)
    }

    fn launch(&mut self) {
        for (label, start) in &self.lts.launches {
            let launch = &self.lts.ground.launches[start.trace];
            let cursor = self.trie.step(Trie::ROOT, *label);
            if cursor == Cursor::Bad {
                continue;
            }
            let gained = start.covers.minus(self.covered);
            let gain = gained.weight(self.lts.ground.weights());
            let ahead = &self.lts.reach[self.lts.k][launch.to as usize];
            let parent = self.nodes.len();
            self.push(Node {
                rail: None,
                parent,
                launch: start.trace,
                fragments: 0,
                gain,
                bound: self.bound(&gained, ahead),
                gained,
                cost: launch.cost,
                cursor,
            });
        }
    }

    fn expand(
        &mut self,
        at: usize,
        beaten: &mut BTreeMap<(usize, usize), Vec<usize>>,
        tally: &mut Tally,
    ) {
        let Node { rail, fragments, launch, .. } = self.nodes[at];
        let next = rail.filter(|rail| self.lts.rails[*rail].goes_on).map(|rail| rail + 1);
        let place = match rail {
            Some(rail) => self.lts.place(rail),
            None => self.lts.ground.launches[launch].to,
        };
        let switches: &[usize] =
            if fragments < self.lts.k { &self.lts.from[place as usize] } else { &[] };
        let switches = switches.iter().filter(|rail| next != Some(**rail));
        let children = next.map(|rail| (rail, fragments)).into_iter();
        for (rail, fragments) in children.chain(switches.map(|rail| (*rail, fragments + 1))) {
            self.add(at, rail, fragments, beaten, tally);
        }
    }

    fn add(
        &mut self,
        parent: usize,
        rail: usize,
        fragments: usize,
        beaten: &mut BTreeMap<(usize, usize), Vec<usize>>,
        tally: &mut Tally,
    ) {
        let edge = &self.lts.ground.edges[self.lts.rails[rail].edge];
        let cursor = self.trie.step(self.nodes[parent].cursor, edge.label);
        if cursor == Cursor::Bad {
            tally.cut += 1;
            return;
        }
        let seen = self.trie.seen(cursor).map(|seen| &seen.bits);
        let mut gained = seen.unwrap_or(&self.lts.rails[rail].covers).minus(self.covered);
        gained.union_with(&self.nodes[parent].gained);
        let bound = self.bound(&gained, &self.lts.ahead[self.lts.k - fragments][rail]);
        let cost = self.nodes[parent].cost + edge.cost;
        let rivals = beaten.entry((rail, fragments)).or_default();
        let is_beaten = |rival: &usize| {
            let rival = &self.nodes[*rival];
            rival.cost <= cost && gained.is_subset(&rival.gained)
        };
        if rivals.iter().any(is_beaten) {
            return;
        }
        if !self.trie.is_doomed(cursor) {
            rivals.push(self.nodes.len());
        }
        let gain = gained.weight(self.lts.ground.weights());
        let launch = self.nodes[parent].launch;
        let rail = Some(rail);
        self.push(Node { rail, parent, launch, fragments, gained, gain, cost, bound, cursor });
    }

    fn bound(&self, gained: &Bits, ahead: &Bits) -> u64 {
        let mut all = ahead.minus(self.covered);
        all.union_with(gained);
        all.weight(self.lts.ground.weights())
    }

    fn push(&mut self, node: Node) {
        self.open.push((node.bound, node.gain, Reverse(node.cost), Reverse(self.nodes.len())));
        self.nodes.push(node);
    }

    fn pick(&self, at: usize) -> Pick {
        let Node { launch, gain, cost, ref gained, .. } = self.nodes[at];
        let mut edges = Vec::new();
        let mut node = at;
        while let Some(rail) = self.nodes[node].rail {
            edges.push(self.lts.rails[rail].edge);
            node = self.nodes[node].parent;
        }
        edges.reverse();
        Pick { path: Path { launch, edges }, gained: gained.clone(), gain, cost }
    }
}

fn adds_more(node: &Node, best: &Node) -> bool {
    (node.gain, Reverse(node.cost)) > (best.gain, Reverse(best.cost))
}

fn is_cheaper(node: &Node, best: &Node) -> bool {
    let ratio = |a: &Node, b: &Node| u128::from(a.gain) * u128::from(b.cost);
    ratio(node, best) > ratio(best, node)
}
