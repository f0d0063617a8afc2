//! Phase 1 removes redundant loops: the paper's Algorithm 1, part 2. One thing is added: a trace whose search meets its
//! limit is shortened loop by loop. Coverage that later traces give as well stays in, because phase 2 splices
//! with it.

mod coverage_distances;
mod loop_removal_yield;
mod loop_risks;
mod loop_search;
mod single_loops;

use crate::model::bit_set::BitSet;
use crate::model::verified_path::VerifiedPath;
use crate::options::ReductionLimits;
use crate::replay::path_tester::PathTester;
use crate::replay::{Replay, run_effort};
use loop_removal_yield::LoopRemovalYield;
use loop_risks::LoopRisks;
use loop_search::LoopSearch;
use single_loops::remove_single_loops;

/// The most candidates of one trace that are tested in parallel. The first that replays wins, so the rest of its round
/// ran for nothing. Rounds begin with one candidate and double.
const LARGEST_ROUND: usize = 8;

/// Candidates that a trace may always test while there is effort left at all.
const GUARANTEED_CANDIDATES: u64 = 4;

/// Shortens each chosen path by removing loops, and drops paths that the ones before make redundant.
pub(crate) fn remove_loops<R: Replay>(
    tester: &mut PathTester<'_, '_, R>,
    chosen: Vec<VerifiedPath>,
    limits: &ReductionLimits,
    effort_limit: u64,
) -> Result<Vec<VerifiedPath>, R::Error> {
    let mut shortened: Vec<VerifiedPath> = Vec::new();
    let mut covered = tester.traces.no_groups();
    let mut shortener = Shortener {
        tester,
        limits,
        risks: LoopRisks::default(),
        removal_yield: LoopRemovalYield::default(),
    };
    let count = chosen.len();
    for (index, whole) in chosen.into_iter().enumerate() {
        // No trace uses the share of the others, but each may test a few candidates.
        let spent = shortener.spent_effort();
        let share = effort_limit.saturating_sub(spent) / (count - index) as u64;
        let guaranteed = GUARANTEED_CANDIDATES * run_effort(whole.path.steps.len());
        shortener.tester.effort_limit = (spent + share.max(guaranteed)).min(effort_limit);
        let needed = whole.groups.minus(&covered);
        if !needed.is_empty() {
            let steps = whole.path.steps.len();
            let shorter = shortener.shorten(whole, &needed)?;
            let saved = steps - shorter.path.steps.len();
            shortener.removal_yield.add_effort(shortener.spent_effort() - spent, saved as u64);
            covered.union_with(&shorter.groups);
            shortened.push(shorter);
        }
    }
    Ok(shortened)
}

struct Shortener<'t, 'a, 'r, R> {
    tester: &'t mut PathTester<'a, 'r, R>,
    limits: &'t ReductionLimits,
    risks: LoopRisks,
    removal_yield: LoopRemovalYield,
}

impl<R: Replay> Shortener<'_, '_, '_, R> {
    fn spent_effort(&self) -> u64 {
        self.tester.session.stats.effort
    }

    /// Returns the cheapest member of L(τ) found that covers `needed` and replays. τ without its tail is one.
    fn shorten(&mut self, whole: VerifiedPath, needed: &BitSet) -> Result<VerifiedPath, R::Error> {
        let whole = whole.without_tail(self.tester.traces, needed);
        // Where loops can seldom be removed, phase 3 shortens traces for less effort.
        let is_worthwhile = !self.removal_yield.is_expensive() || !self.limits.minimize;
        let candidates = if is_worthwhile { self.limits.candidates } else { 1 };
        let effort_limit = self.tester.effort_limit;
        if !self.removal_yield.often_succeeds() {
            let spent = self.spent_effort();
            self.tester.effort_limit = spent + effort_limit.saturating_sub(spent) / 3;
        }
        let found = self.search(&whole, needed, candidates)?;
        self.removal_yield.add_trace(found.is_some());
        if let Some(shorter) = found {
            return Ok(shorter);
        }
        self.tester.effort_limit = effort_limit;
        if !is_worthwhile {
            return Ok(whole);
        }
        remove_single_loops(self.tester, whole, needed, self.limits.candidates, &mut self.risks)
    }

    /// Tests the members of L(τ) in rounds, cheapest first. Returns the first that covers `needed` and replays.
    fn search(
        &mut self,
        whole: &VerifiedPath,
        needed: &BitSet,
        mut candidates_left: usize,
    ) -> Result<Option<VerifiedPath>, R::Error> {
        let mut round = 1;
        while candidates_left > 0 && self.tester.can_continue() {
            let search = LoopSearch {
                traces: self.tester.traces,
                trie: &self.tester.trie,
                risks: &self.risks,
                node_limit: self.limits.nodes,
            };
            let wanted = round.min(candidates_left);
            let stats = &mut self.tester.session.stats;
            let candidates = search.find_cheapest(whole, needed, wanted, stats);
            if candidates.is_empty() {
                break;
            }
            candidates_left -= candidates.len();
            let results = self.tester.test(candidates.clone())?;
            for candidate in &candidates {
                let failed_step = self.tester.find_failed_step(candidate);
                self.risks.learn(self.tester.traces, &whole.path, candidate, failed_step);
            }
            for verified in results.into_iter().flatten() {
                if needed.is_subset(&verified.groups) {
                    return Ok(Some(verified));
                }
                self.tester.session.stats.insufficient += 1;
            }
            round = (2 * round).min(LARGEST_ROUND);
        }
        self.tester.session.stats.limits_hit += u64::from(candidates_left == 0);
        Ok(None)
    }
}
