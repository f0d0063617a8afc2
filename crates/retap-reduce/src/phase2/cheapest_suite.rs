//! Chooses the cheapest suite from paths that are known to replay: leaves out paths that others cover, cuts tails, and
//! takes the cheapest of several suites. Nothing has to run for it.

use super::SplicedSuite;
use crate::model::bit_set::BitSet;
use crate::model::gain_ratio::GainRatio;
use crate::model::indexed_traces::IndexedTraces;
use crate::model::verified_path::{VerifiedPath, covered_groups};
use std::cmp::Reverse;

/// Returns the cheapest suite that covers what `shortened` covers: the paths of phase 1, the spliced suite, or a greedy
/// choice from both and the spare prefixes.
pub(crate) fn choose_cheapest(
    traces: &IndexedTraces<'_>,
    shortened: Vec<VerifiedPath>,
    spliced: SplicedSuite,
) -> Vec<VerifiedPath> {
    let SplicedSuite { suite: spliced, spare } = spliced;
    let all = covered_groups(traces, &shortened);
    let pool = spliced.iter().chain(&shortened).cloned().chain(spare).collect();
    let suites = [spliced, choose_greedily(traces, pool, &all), shortened];
    let trimmed = suites.into_iter().map(|suite| trim(traces, suite, &all));
    trimmed.min_by_key(|suite| suite.iter().map(|path| path.cost).sum::<u64>()).unwrap_or_default()
}

/// Drops paths and tails that `all` does not need, beginning with the most expensive path.
pub(crate) fn trim(
    traces: &IndexedTraces<'_>,
    mut suite: Vec<VerifiedPath>,
    all: &BitSet,
) -> Vec<VerifiedPath> {
    suite.sort_by_key(|path| Reverse(path.cost));
    let mut index = 0;
    while index < suite.len() {
        let others = suite.iter().enumerate().filter(|(other, _)| *other != index);
        let needed = all.minus(&covered_groups(traces, others.map(|(_, path)| path)));
        if needed.is_empty() {
            suite.remove(index);
        } else {
            suite[index] = suite[index].clone().without_tail(traces, &needed);
            index += 1;
        }
    }
    suite
}

/// Chooses paths that cover `all`, each time the one that adds most for its cost.
pub(crate) fn choose_greedily(
    traces: &IndexedTraces<'_>,
    mut pool: Vec<VerifiedPath>,
    all: &BitSet,
) -> Vec<VerifiedPath> {
    let mut chosen = Vec::new();
    let mut missing = all.clone();
    while !missing.is_empty() {
        let ratio = |index: usize| {
            let mut gained = pool[index].groups.clone();
            gained.intersect_with(&missing);
            GainRatio { gain: gained.weight(traces.weights()), cost: pool[index].cost }
        };
        let better = |best: usize, index: usize| {
            if ratio(index) > ratio(best) { index } else { best }
        };
        let Some(best) = (0..pool.len()).reduce(better) else { break };
        let path = pool.swap_remove(best);
        missing.remove_all(&path.groups);
        chosen.push(path);
    }
    chosen
}
