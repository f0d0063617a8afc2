//! Phase 2 splices: the paper's Algorithm 2 (whose line 8 means T_m ← T_m ∪ {τ}). The paper runs each choice before it
//! makes the next. Here a whole plan is made and run in parallel. Candidates that fail teach the trie, and a new plan
//! is made for what is still uncovered.

pub(crate) mod cheapest_suite;
mod extension_search;
mod search_frontier;
mod splice_plan;
pub(crate) mod transition_system;

use crate::model::bit_set::BitSet;
use crate::model::verified_path::{VerifiedPath, covered_groups};
use crate::options::ReductionLimits;
use crate::replay::Replay;
use crate::replay::path_tester::PathTester;
use crate::replay::session::ReplaySession;
use extension_search::Preference;
use splice_plan::{SplicePlan, SplicePlanner};
use transition_system::TransitionSystem;

#[derive(Debug)]
pub(crate) struct SplicedSuite {
    /// Covers what the traces of phase 1 cover.
    pub suite: Vec<VerifiedPath>,
    /// Prefixes of candidates that did not replay as a whole.
    pub spare: Vec<VerifiedPath>,
}

/// Splices the paths of phase 1 and the recorded traces into a suite that covers what the paths cover.
pub(crate) fn splice<R: Replay>(
    tester: &mut PathTester<'_, '_, R>,
    paths: &[VerifiedPath],
    system: &TransitionSystem<'_>,
    limits: &ReductionLimits,
    effort_limit: u64,
) -> Result<SplicedSuite, R::Error> {
    let traces = tester.traces;
    let all = covered_groups(traces, paths);
    let mut covered = traces.no_groups();
    let mut spliced = SplicedSuite { suite: Vec::new(), spare: Vec::new() };
    tester.effort_limit = effort_limit;
    for _ in 0..limits.plans {
        if all.is_subset(&covered) {
            return Ok(spliced);
        }
        if !tester.can_continue() {
            break;
        }
        let candidates = plan_cheapest(tester, system, paths, &all.minus(&covered), limits).paths;
        let results = tester.test(candidates.clone())?;
        for (candidate, result) in candidates.into_iter().zip(results) {
            match result {
                Some(verified) if verified.groups.has_new(&covered, &all) => {
                    covered.union_with(&verified.groups);
                    spliced.suite.push(verified);
                }
                Some(_) => {}
                None => spliced.spare.extend(tester.find_verified_prefix(candidate)),
            }
        }
    }
    let is_limit_hit = !tester.stopped && !all.is_subset(&covered);
    tester.session.stats.limits_hit += u64::from(is_limit_hit);
    for path in paths {
        if path.groups.has_new(&covered, &all) {
            covered.union_with(&path.groups);
            spliced.suite.push(path.clone());
        }
    }
    Ok(spliced)
}

/// Returns the cheapest of three plans: one for each preference, and the paper's own if T_k is small enough for it.
fn plan_cheapest<R: Replay>(
    tester: &mut PathTester<'_, '_, R>,
    system: &TransitionSystem<'_>,
    paths: &[VerifiedPath],
    missing: &BitSet,
    limits: &ReductionLimits,
) -> SplicePlan {
    let PathTester { session, trie, .. } = tester;
    let ReplaySession { replay, stats, .. } = &mut **session;
    let is_stopped = &|| replay.is_stopped();
    let mut planner = SplicePlanner { system, trie, limits, stats, is_stopped };
    let largest_gain = planner.plan(paths, missing, Preference::LargestGain);
    let best_ratio = planner.plan(paths, missing, Preference::BestRatio);
    let exhaustive = planner.plan_exhaustively(missing);
    let cheaper =
        |best: SplicePlan, plan: SplicePlan| if plan.cost < best.cost { plan } else { best };
    [Some(best_ratio), exhaustive].into_iter().flatten().fold(largest_gain, cheaper)
}
