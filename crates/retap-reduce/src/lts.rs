//! The labelled transition system of phase 2: its edges are the steps of the traces that phase 1 left, and of
//! the recordings that they came from, each labelled with its trace and position. T_k is the set of its paths of at most k fragments.

use crate::bits::Bits;
use crate::ground::{Ground, Place};
use crate::trial::Proven;
use crate::trie::Label;
use std::collections::BTreeMap;

#[derive(Debug)]
pub(crate) struct Lts<'g> {
    pub ground: &'g Ground<'g>,
    pub rails: Vec<Rail>,
    /// One launch of each kind.
    pub launches: BTreeMap<Label, Start>,
    /// The rails that begin in each place: where one may switch to.
    pub from: Vec<Vec<usize>>,
}

/// A step in its trace.
#[derive(Debug, Clone)]
pub(crate) struct Rail {
    pub edge: usize,
    pub covers: Bits,
    /// The rail after it belongs to the same trace.
    pub goes_on: bool,
}

#[derive(Debug, Clone)]
pub(crate) struct Start {
    pub trace: usize,
    pub covers: Bits,
}

impl<'g> Lts<'g> {
    pub fn new<'p>(ground: &'g Ground<'g>, traces: impl IntoIterator<Item = &'p Proven>) -> Self {
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
        Self { ground, rails, launches, from }
    }

    /// Each step once, the cheapest where it was recorded several times, and none that goes on.
    pub fn distinct(&self) -> Self {
        let mut steps: BTreeMap<(Place, Label), &Rail> = BTreeMap::new();
        for rail in &self.rails {
            let cost = |rail: &Rail| self.ground.edges[rail.edge].cost;
            let step = steps.entry(self.ground.edges[rail.edge].key()).or_insert(rail);
            if cost(rail) < cost(step) {
                *step = rail;
            }
        }
        let alone = |rail: &Rail| Rail { goes_on: false, ..rail.clone() };
        Self {
            ground: self.ground,
            rails: steps.into_values().map(alone).collect(),
            launches: self.launches.clone(),
            from: vec![Vec::new(); self.from.len()],
        }
    }

    /// Where a rail leads.
    pub fn place(&self, rail: usize) -> Place {
        self.ground.edges[self.rails[rail].edge].to
    }

    /// The rail after this one in its trace.
    pub fn next(&self, rail: usize) -> Option<usize> {
        self.rails[rail].goes_on.then_some(rail + 1)
    }
}
