//! A whole suite put together from what is known, before any of it is run: greedy set cover over T_k.
//! Planning ahead lets all traces of a plan be replayed side by side.

use crate::bits::Bits;
use crate::ground::Path;
use crate::lts::Lts;
use crate::reach::{Greed, Reach, Way};
use crate::reduce::Limits;
use crate::tally::Tally;
use crate::trial::Proven;
use crate::trie::Trie;

#[derive(Debug, Default)]
pub(crate) struct Plan {
    pub paths: Vec<Path>,
    pub cost: u64,
}

impl Plan {
    fn add(&mut self, path: Path, cost: u64) {
        self.paths.push(path);
        self.cost += cost;
    }
}

/// Paths that should cover what is missing, made one after another: from a clean install to where most is
/// to be had, and on from there for as long as that is no worse than to begin anew. Where the search finds
/// nothing, a trace of phase 1 is taken as it is.
pub(crate) fn plan(
    lts: &Lts<'_>,
    traces: &[Proven],
    missing: &Bits,
    greed: Greed,
    (trie, limits, tally): (&Trie, &Limits, &mut Tally),
) -> Plan {
    let (k, limit) = (limits.fragments, limits.nodes);
    let mut missing = missing.clone();
    let mut plan = Plan::default();
    while !missing.is_empty() {
        let reach = Reach { lts, trie, missing: &missing, k, limit };
        let Some(Way { mut head, gained, .. }) = reach.best(None, greed, tally) else { break };
        missing.remove_all(&gained);
        loop {
            let reach = Reach { lts, trie, missing: &missing, k, limit };
            let Some(on) = reach.best(Some(&head), Greed::Cheapest, tally) else { break };
            if greed == Greed::Cheapest {
                let anew = reach.best(None, greed, tally);
                if anew.is_some_and(|anew| anew.is_cheaper(&on)) {
                    break;
                }
            }
            missing.remove_all(&on.gained);
            head = on.head;
        }
        plan.add(head.path, head.cost);
    }
    while let Some(proven) = traces.iter().find(|proven| proven.total.adds(&lts.ground.none(), &missing)) {
        missing.remove_all(&proven.total);
        plan.add(proven.path.clone(), proven.cost);
    }
    plan
}
