//! A whole suite put together from what is known, before any of it is run: greedy set cover over T_k.
//! Planning ahead lets all traces of a plan be replayed side by side.

use crate::bits::Bits;
use crate::ground::Path;
use crate::limits::Limits;
use crate::lts::Lts;
use crate::reach::{Greed, Head, Reach, Way, Ways};
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

pub(crate) struct Planner<'p> {
    pub lts: &'p Lts<'p>,
    pub trie: &'p Trie,
    pub limits: &'p Limits,
    pub tally: &'p mut Tally,
    pub is_stopped: &'p dyn Fn() -> bool,
}

impl Planner<'_> {
    /// Paths that should cover what is missing, one after another: from a clean install to where most is
    /// to be had, and on from there. Where the search finds nothing more, traces of phase 1 are taken as
    /// they are.
    pub fn plan(&mut self, traces: &[Proven], missing: &Bits, greed: Greed) -> Plan {
        let mut missing = missing.clone();
        let mut plan = Plan::default();
        while let Some(Way { head, gained, .. }) = self.best(None, &missing, greed) {
            missing.remove_all(&gained);
            let head = match greed {
                Greed::Most => self.extend(head, &mut missing),
                Greed::Cheapest => self.extend_thriftily(head, &mut missing),
            };
            plan.add(head.path, head.cost);
        }
        for proven in traces {
            if proven.total.adds(&self.lts.ground.none(), &missing) {
                missing.remove_all(&proven.total);
                plan.add(proven.path.clone(), proven.cost);
            }
        }
        plan
    }

    /// On from a path for as long as that adds something.
    fn extend(&mut self, mut head: Head, missing: &mut Bits) -> Head {
        while let Some(on) = self.best(Some(&head), missing, Greed::Cheapest) {
            missing.remove_all(&on.gained);
            head = on.head;
        }
        head
    }

    /// On from a path for as long as that adds no less for its cost than to begin anew would.
    fn extend_thriftily(&mut self, mut head: Head, missing: &mut Bits) -> Head {
        let mut anew: Option<Way> = None;
        while let Some(on) = self.best(Some(&head), missing, Greed::Cheapest) {
            // What beginning anew adds only shrinks: it is looked for again only when it seems better.
            if anew.as_ref().is_none_or(|anew| anew.is_cheaper(&on)) {
                anew = self.best(None, missing, Greed::Cheapest);
                if anew.as_ref().is_some_and(|anew| anew.is_cheaper(&on)) {
                    break;
                }
            }
            missing.remove_all(&on.gained);
            head = on.head;
        }
        head
    }

    /// The paper's own greed over all of T_k, where that is small enough to be searched to the end.
    pub fn plan_exactly(&mut self, missing: &Bits) -> Option<Plan> {
        let mut missing = missing.clone();
        let mut plan = Plan::default();
        while !missing.is_empty() {
            let Way { head, gained, .. } = self.search(None, &missing, Greed::Most, Ways::All)?;
            missing.remove_all(&gained);
            plan.add(head.path, head.cost);
        }
        Some(plan)
    }

    fn best(&mut self, from: Option<&Head>, missing: &Bits, greed: Greed) -> Option<Way> {
        self.search(from, missing, greed, Ways::Cheapest)
    }

    fn search(
        &mut self,
        from: Option<&Head>,
        missing: &Bits,
        greed: Greed,
        ways: Ways,
    ) -> Option<Way> {
        if missing.is_empty() || (self.is_stopped)() {
            return None;
        }
        let Limits { fragments: k, nodes: limit, .. } = *self.limits;
        let reach = Reach { lts: self.lts, trie: self.trie, missing, k, ways, limit };
        reach.best(from, greed, self.tally)
    }
}
