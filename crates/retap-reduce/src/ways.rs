//! The nodes of a search for a way on: which ways were followed where, with how many fragments, and what
//! each gains.

use crate::bits::Bits;
use crate::ground::Path;
use crate::lts::{Lts, Rail};
use crate::reach::{Head, Reach, Way, Ways};
use crate::tally::Tally;
use crate::trie::{Cursor, Trie};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Ways to one rail that are followed although they may fail, since a continuation of theirs has.
const DOOMED: u8 = 3;

/// The place of the empty set in what is gained.
const NOTHING: usize = 0;

pub(crate) struct Search<'s> {
    reach: &'s Reach<'s>,
    nodes: Vec<Node>,
    /// What nodes gain, and its weight. Most gain nothing that the one before did not.
    gained: Vec<(Bits, u64)>,
    /// The cheapest first; among equals what has gained most, then what came first.
    pub open: BinaryHeap<(Reverse<u64>, u64, Reverse<usize>)>,
    /// With how few fragments each rail has been reached, and each place left.
    reached: Vec<usize>,
    left: Vec<usize>,
    doomed: Vec<u8>,
    /// Where all ways are followed: the fragments and gains with which each rail has been reached.
    ways: Vec<Vec<(usize, usize)>>,
}

struct Node {
    /// None for a launch.
    rail: Option<usize>,
    /// None for what a search begins with.
    parent: Option<usize>,
    launch: usize,
    fragments: usize,
    cost: u64,
    gained: usize,
    gain: u64,
    cursor: Cursor,
}

impl<'s> Search<'s> {
    pub fn new(reach: &'s Reach<'s>) -> Self {
        let Lts { ground, rails, from, .. } = reach.lts;
        Self {
            reach,
            nodes: Vec::new(),
            gained: vec![(ground.none(), 0)],
            open: BinaryHeap::new(),
            reached: vec![usize::MAX; rails.len()],
            left: vec![usize::MAX; from.len()],
            doomed: vec![0; rails.len()],
            ways: vec![Vec::new(); if reach.ways == Ways::All { rails.len() } else { 0 }],
        }
    }

    pub fn launch(&mut self) {
        let Reach { lts, trie, .. } = *self.reach;
        for (label, start) in &lts.launches {
            let cursor = trie.step(Trie::ROOT, *label);
            let cost = lts.ground.launches[start.trace].cost;
            let gained = self.gain(NOTHING, &start.covers);
            let gain = self.gained[gained].1;
            self.push(Node {
                rail: None,
                parent: None,
                launch: start.trace,
                fragments: 0,
                cost,
                gained,
                gain,
                cursor,
            });
        }
    }

    pub fn go_on(&mut self, head: &Head) {
        self.push(Node {
            rail: head.rail,
            parent: None,
            launch: head.path.launch,
            fragments: head.fragments,
            cost: 0,
            gained: NOTHING,
            gain: 0,
            cursor: head.cursor,
        });
    }

    /// Whether this is the way to be followed to where it leads: no cheaper one came there with as few
    /// fragments.
    pub fn settle(&mut self, at: usize) -> bool {
        let Node { rail, parent, fragments, cursor, gained, .. } = self.nodes[at];
        let (Some(rail), Some(_)) = (rail, parent) else { return true };
        if self.reach.ways == Ways::All {
            return self.is_new(rail, fragments, gained, cursor);
        }
        if self.reached[rail] <= fragments {
            return false;
        }
        // A way on which something failed may fail again: it must not hide the ways around it.
        if !self.reach.trie.is_doomed(cursor) {
            self.reached[rail] = fragments;
            return true;
        }
        self.doomed[rail] = self.doomed[rail].saturating_add(1);
        self.doomed[rail] <= DOOMED
    }

    fn is_new(&mut self, rail: usize, fragments: usize, gained: usize, cursor: Cursor) -> bool {
        let gains = &self.gained[gained].0;
        let beaten = |(few, more): &(usize, usize)| {
            *few <= fragments && gains.is_subset(&self.gained[*more].0)
        };
        if self.ways[rail].iter().any(beaten) {
            return false;
        }
        if !self.reach.trie.is_doomed(cursor) {
            self.ways[rail].push((fragments, gained));
        }
        true
    }

    pub fn expand(&mut self, at: usize, tally: &mut Tally) {
        let Reach { lts, k, ways, .. } = *self.reach;
        let Node { rail, fragments, launch, cursor, .. } = self.nodes[at];
        let next = rail.and_then(|rail| lts.next(rail));
        if let Some(next) = next {
            self.add(at, next, fragments, tally);
        }
        let place = rail.map_or(lts.ground.launches[launch].to, |rail| lts.place(rail)) as usize;
        if fragments == k || self.left[place] <= fragments {
            return;
        }
        if ways == Ways::Cheapest && !self.reach.trie.is_doomed(cursor) {
            self.left[place] = fragments;
        }
        for &rail in lts.from[place].iter().filter(|rail| next != Some(**rail)) {
            if self.reached[rail] > fragments + 1 {
                self.add(at, rail, fragments + 1, tally);
            }
        }
    }

    fn add(&mut self, parent: usize, rail: usize, fragments: usize, tally: &mut Tally) {
        let Reach { lts, trie, .. } = *self.reach;
        let Node { launch, cursor, cost, gained, .. } = self.nodes[parent];
        let Rail { edge, covers, .. } = &lts.rails[rail];
        let edge = &lts.ground.edges[*edge];
        let cursor = trie.step(cursor, edge.label);
        if cursor == Cursor::Bad {
            tally.cut += 1;
            return;
        }
        let covers = trie.seen(cursor).map_or(covers, |seen| &seen.bits);
        let cost = cost + edge.cost;
        let gained = self.gain(gained, covers);
        let gain = self.gained[gained].1;
        let (rail, parent) = (Some(rail), Some(parent));
        self.push(Node { rail, parent, launch, fragments, cost, gained, gain, cursor });
    }

    /// What is gained after a step that covers this.
    fn gain(&mut self, before: usize, covers: &Bits) -> usize {
        let missing = self.reach.missing;
        if !covers.adds(&self.gained[before].0, missing) {
            return before;
        }
        let mut bits = covers.clone();
        bits.intersect_with(missing);
        bits.union_with(&self.gained[before].0);
        let weight = bits.weight(self.reach.lts.ground.weights());
        self.gained.push((bits, weight));
        self.gained.len() - 1
    }

    fn push(&mut self, node: Node) {
        if node.cursor != Cursor::Bad {
            self.open.push((Reverse(node.cost), node.gain, Reverse(self.nodes.len())));
            self.nodes.push(node);
        }
    }

    pub fn way(mut self, at: usize, from: Option<&Head>) -> Way {
        let Node { rail, launch, fragments, cost, gained, gain, cursor, .. } = self.nodes[at];
        let mut edges = Vec::new();
        let mut node = &self.nodes[at];
        while let Some(parent) = node.parent {
            edges.extend(node.rail.map(|rail| self.reach.lts.rails[rail].edge));
            node = &self.nodes[parent];
        }
        edges.reverse();
        let before = from.map_or(0, |head| head.cost);
        let edges = from.map_or(&[][..], |head| &head.path.edges).iter().copied().chain(edges);
        let path = Path { launch, edges: edges.collect() };
        let head = Head { path, cost: before + cost, rail, fragments, cursor };
        Way { head, gained: self.gained.swap_remove(gained).0, gain, cost }
    }
}
