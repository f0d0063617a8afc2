//! What to do next: from a clean install or from the end of a path, the cheapest ways to steps that add
//! something. T_k is far too large to be listed: this search walks it best first, the cheapest way to each
//! rail alone, and ends where nothing that is still uncovered could make up for the way there. Where T_k is
//! small, every way that gains something else can be followed.

use crate::bits::Bits;
use crate::ground::Path;
use crate::lts::Lts;
use crate::tally::Tally;
use crate::trie::{Cursor, Trie};
use crate::ways::Search;
use std::cmp::Reverse;

/// What makes one way better than another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Greed {
    /// Whatever adds most: the paper's.
    Most,
    /// Whatever adds most for its cost: the textbook's.
    Cheapest,
}

/// Which ways to a rail are followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ways {
    Cheapest,
    /// All but those that gain nothing that a cheaper one does not. There is no answer unless all have
    /// been followed.
    All,
}

/// A path of T_k that can go on.
#[derive(Debug, Clone)]
pub(crate) struct Head {
    pub path: Path,
    pub cost: u64,
    /// The rail it ends on; none for a mere launch.
    pub rail: Option<usize>,
    pub fragments: usize,
    pub cursor: Cursor,
}

/// A way on, and what it should add.
#[derive(Debug)]
pub(crate) struct Way {
    pub head: Head,
    pub gained: Bits,
    pub gain: u64,
    /// What it costs beyond the path that it goes on from.
    pub cost: u64,
}

impl Way {
    /// Whether it adds more for its cost.
    pub fn is_cheaper(&self, other: &Way) -> bool {
        ratio((self.gain, self.cost), (other.gain, other.cost))
    }
}

/// Whether the first adds more for its cost than the second.
fn ratio(a: (u64, u64), b: (u64, u64)) -> bool {
    u128::from(a.0) * u128::from(b.1) > u128::from(b.0) * u128::from(a.1)
}

pub(crate) struct Reach<'s> {
    pub lts: &'s Lts<'s>,
    pub trie: &'s Trie,
    /// What is to be covered and is not yet.
    pub missing: &'s Bits,
    /// Fragments that a path may be made of.
    pub k: usize,
    pub ways: Ways,
    /// Nodes that one search expands.
    pub limit: u64,
}

impl Reach<'_> {
    /// The best way on from a path, or from a clean install.
    pub fn best(&self, from: Option<&Head>, greed: Greed, tally: &mut Tally) -> Option<Way> {
        let left = self.missing.weight(self.lts.ground.weights());
        let mut search = Search::new(self);
        match from {
            None => search.launch(),
            Some(head) => search.go_on(head),
        }
        // Which node, what it gains and what it costs.
        let mut best: Option<(usize, (u64, u64))> = None;
        let mut expanded = 0;
        while let Some((Reverse(cost), gain, Reverse(at))) = search.open.pop() {
            let worth = (gain, cost);
            let hopeless = |(_, best)| greed == Greed::Cheapest && !ratio((left, cost), best);
            if best.is_some_and(hopeless) {
                break;
            }
            if !search.settle(at) {
                continue;
            }
            let is_better = |(_, best): (usize, (u64, u64))| match greed {
                Greed::Most => gain > best.0,
                Greed::Cheapest => ratio(worth, best),
            };
            if gain > 0 && best.is_none_or(is_better) {
                best = Some((at, worth));
            }
            if expanded == self.limit {
                if self.ways == Ways::All {
                    return None;
                }
                tally.limits_hit += 1;
                break;
            }
            expanded += 1;
            search.expand(at, tally);
        }
        tally.expanded += expanded;
        best.map(|(at, _)| search.way(at, from))
    }
}
