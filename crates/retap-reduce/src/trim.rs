//! The last look at a suite whose traces are all known to replay: leave out what the others cover, cut
//! tails, and of several suites take the cheapest. Nothing has to be run for it.

use crate::bits::Bits;
use crate::ground::Ground;
use crate::trial::{Proven, union};
use std::cmp::Reverse;

/// The cheapest cover of what `reduced` covers: `reduced`, `spliced`, or the best of both and of `spare`.
pub(crate) fn cheapest(
    ground: &Ground<'_>,
    reduced: Vec<Proven>,
    spliced: Vec<Proven>,
    spare: Vec<Proven>,
) -> Vec<Proven> {
    let all = union(ground, &reduced);
    let pool: Vec<Proven> = spliced.iter().chain(&reduced).cloned().chain(spare).collect();
    let suites = [spliced, greedy(ground, pool, &all), reduced];
    let trimmed = suites.into_iter().map(|suite| trim(ground, suite, &all));
    trimmed
        .min_by_key(|suite| suite.iter().map(|proven| proven.cost).sum::<u64>())
        .unwrap_or_default()
}

pub(crate) fn trim(ground: &Ground<'_>, mut suite: Vec<Proven>, all: &Bits) -> Vec<Proven> {
    suite.sort_by_key(|proven| Reverse(proven.cost));
    let mut at = 0;
    while at < suite.len() {
        let others = suite.iter().enumerate().filter(|(other, _)| *other != at);
        let needed = all.minus(&union(ground, others.map(|(_, proven)| proven)));
        if needed.is_empty() {
            suite.remove(at);
        } else {
            suite[at] = suite[at].clone().cut_tail(ground, &needed);
            at += 1;
        }
    }
    suite
}

pub(crate) fn greedy(ground: &Ground<'_>, mut pool: Vec<Proven>, all: &Bits) -> Vec<Proven> {
    let mut chosen = Vec::new();
    let mut missing = all.clone();
    while !missing.is_empty() {
        let gain = |proven: &Proven| {
            let mut gained = proven.total.clone();
            gained.intersect_with(&missing);
            u128::from(gained.weight(ground.weights()))
        };
        let better = |best: usize, at: usize| {
            let (a, b) = (&pool[at], &pool[best]);
            let wins = gain(a) * u128::from(b.cost) > gain(b) * u128::from(a.cost);
            if wins { at } else { best }
        };
        let Some(best) = (0..pool.len()).reduce(better) else { break };
        let proven = pool.swap_remove(best);
        missing.remove_all(&proven.total);
        chosen.push(proven);
    }
    chosen
}
