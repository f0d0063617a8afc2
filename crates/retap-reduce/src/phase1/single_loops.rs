//! Removes one loop at a time where L(τ) is too large to be searched to the end. It starts from a path that replays and
//! goes on as long as the path keeps replaying, most promising loop first. All paths are members of L(τ).

use super::LARGEST_ROUND;
use super::loop_risks::LoopRisks;
use crate::model::bit_set::BitSet;
use crate::model::indexed_traces::{IndexedTraces, TracePath};
use crate::model::verified_path::VerifiedPath;
use crate::replay::Replay;
use crate::replay::path_tester::PathTester;
use crate::replay::prefix_trie::PrefixTrie;
use std::cmp::Reverse;

/// Loops that are considered for one path. More would take time without gain.
const MAX_LOOPS: usize = 4096;

/// Removes loops from `best` one by one while it replays and covers `needed`, and while candidates are left.
pub(super) fn remove_single_loops<R: Replay>(
    tester: &mut PathTester<'_, '_, R>,
    mut best: VerifiedPath,
    needed: &BitSet,
    mut candidates_left: usize,
    risks: &mut LoopRisks,
) -> Result<VerifiedPath, R::Error> {
    while candidates_left > 0 && tester.can_continue() {
        let candidates = without_one_loop(tester.traces, &tester.trie, risks, &best, needed);
        match test_in_rounds(tester, candidates, &best, needed, &mut candidates_left, risks)? {
            Some(shorter) => best = shorter.without_tail(tester.traces, needed),
            None => break,
        }
    }
    Ok(best)
}

/// Returns the first candidate that replays and covers `needed`.
fn test_in_rounds<R: Replay>(
    tester: &mut PathTester<'_, '_, R>,
    candidates: Vec<TracePath>,
    whole: &VerifiedPath,
    needed: &BitSet,
    candidates_left: &mut usize,
    risks: &mut LoopRisks,
) -> Result<Option<VerifiedPath>, R::Error> {
    let mut candidates = candidates.into_iter();
    let mut round = 1;
    loop {
        let batch: Vec<TracePath> = candidates.by_ref().take(round.min(*candidates_left)).collect();
        if batch.is_empty() || !tester.can_continue() {
            return Ok(None);
        }
        *candidates_left -= batch.len();
        let results = tester.test(batch.clone())?;
        for candidate in &batch {
            let failed_step = tester.find_failed_step(candidate);
            risks.learn(tester.traces, &whole.path, candidate, failed_step);
        }
        for verified in results.into_iter().flatten() {
            if needed.is_subset(&verified.groups) {
                return Ok(Some(verified));
            }
            tester.session.stats.insufficient += 1;
        }
        round = (2 * round).min(LARGEST_ROUND);
    }
}

/// The steps after position `begin` up to `end`. The largest expected saving comes first.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct RemovableLoop {
    expected_saving: Reverse<u64>,
    begin: usize,
    end: usize,
}

/// Returns every path with one loop less that should still cover `needed`, largest expected saving first.
fn without_one_loop(
    traces: &IndexedTraces<'_>,
    trie: &PrefixTrie,
    risks: &LoopRisks,
    whole: &VerifiedPath,
    needed: &BitSet,
) -> Vec<TracePath> {
    let steps = &whole.path.steps;
    let locations = traces.locations_of(&whole.path);
    // The groups covered up to each position.
    let mut before = vec![whole.groups_by_step[0].clone()];
    for groups in &whole.groups_by_step[1..] {
        let mut all = before[before.len() - 1].clone();
        all.union_with(groups);
        before.push(all);
    }
    let mut loops = Vec::new();
    let mut after = traces.no_groups();
    for end in (1..=steps.len()).rev() {
        for begin in (0..end).filter(|begin| locations[*begin] == locations[end]) {
            let mut rest = before[begin].clone();
            rest.union_with(&after);
            if needed.is_subset(&rest) {
                let removed = &steps[begin..end];
                let saving = traces.cost_of_steps(removed);
                let expected = saving - risks.expected_loss(traces, removed, saving);
                loops.push(RemovableLoop { expected_saving: Reverse(expected), begin, end });
            }
        }
        after.union_with(&whole.groups_by_step[end]);
    }
    loops.sort_unstable();
    let cut = |RemovableLoop { begin, end, .. }: RemovableLoop| {
        let steps = [&steps[..begin], &steps[end..]].concat();
        TracePath { launch: whole.path.launch, steps }
    };
    let can_replay = |path: &TracePath| !trie.has_failed(traces.labels_of(path));
    loops.into_iter().take(MAX_LOOPS).map(cut).filter(can_replay).collect()
}
