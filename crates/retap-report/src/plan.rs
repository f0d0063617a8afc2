//! A whole suite put together from what is known, before any of it is run: greedy set cover over T_k.
//! Planning ahead lets all traces of a plan be replayed side by side.

use crate::bits::Bits;
use crate::ground::Path;
use crate::lts::{Lts, Pick};
use crate::reduce::Limits;
use crate::tally::Tally;
use crate::trial::Proven;
use crate::trie::Trie;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Greed {
    /// Whatever adds most: the paper's.
    Most,
    /// Whatever adds most for its cost.
    Cheapest,
}

#[derive(Debug)]
pub(crate) struct Plan {
    pub paths: Vec<Path>,
    pub cost: u64,
}

/// Paths that should cover `all` together with what is `covered`. Where the search finds nothing in its
/// limit, a trace of phase 1 is taken as it is.
pub(crate) fn plan(
    lts: &Lts<'_>,
    traces: &[Proven],
    (all, covered): (&Bits, &Bits),
    greed: Greed,
    (trie, limits, tally): (&Trie, &Limits, &mut Tally),
) -> Plan {
    let mut covered = covered.clone();
    let mut plan = Plan { paths: Vec::new(), cost: 0 };
    while !all.is_subset(&covered) {
        let picks = lts.pick(trie, &covered, limits.nodes, tally);
        let pick = match greed {
            Greed::Most => picks.most,
            Greed::Cheapest => picks.cheapest,
        };
        let Some(Pick { path, gained, cost, .. }) = pick.or_else(|| whole(traces, &covered)) else {
            break;
        };
        covered.union_with(&gained);
        plan.cost += cost;
        plan.paths.push(path);
    }
    plan
}

/// The first trace of phase 1 that still adds something.
fn whole(traces: &[Proven], covered: &Bits) -> Option<Pick> {
    let adds = |proven: &&Proven| !proven.total.is_subset(covered);
    traces.iter().find(adds).map(|proven| Pick {
        path: proven.path.clone(),
        gained: proven.total.minus(covered),
        gain: 0,
        cost: proven.cost,
    })
}
