//! Level bisection, our own reduction of a level: every part is tried once at each size, and a part
//! that is needed is halved.
//!
//! ddmin and the paper's `inlevel_hdd` try the other parts again after each success, which pays only
//! where few nodes are needed. With k of n nodes needed, bisection takes about 2k·log(n/k) candidates.
//! The 1-minimality pass that follows tries what bisection skips.

use crate::hierarchy::{LevelCheck, RemainingTree, can_drop_level};
use crate::search::{Candidate, Examiner, SearchStop, partition_by_weight};

/// Returns the nodes of a level that stay.
pub(crate) fn bisect_level(
    examiner: &mut Examiner<'_>,
    tree: &mut RemainingTree<'_>,
    nodes: Vec<u32>,
    check: LevelCheck,
) -> Result<Vec<u32>, SearchStop> {
    if can_drop_level(examiner, tree, &nodes, check)? {
        return Ok(Vec::new());
    }
    let mut parts = vec![nodes];
    while parts.iter().any(|part| part.len() > 1) {
        parts = parts.iter().flat_map(|part| halve(tree, part, check)).collect();
        remove_parts(examiner, tree, &mut parts, check)?;
    }
    Ok(parts.concat())
}

/// Cuts a part into two of nearly equal weight; a single node stays whole.
fn halve(tree: &RemainingTree<'_>, part: &[u32], check: LevelCheck) -> Vec<Vec<u32>> {
    let halves = partition_by_weight(&check.weights(tree, part), part.len().min(2));
    halves.into_iter().map(|half| part[half].to_vec()).collect()
}

/// Tries to remove each part once, from the front, because the events long before the end are the
/// least likely to matter. The last part is tried only if it does not lead to the end.
fn remove_parts(
    examiner: &mut Examiner<'_>,
    tree: &mut RemainingTree<'_>,
    parts: &mut Vec<Vec<u32>>,
    check: LevelCheck,
) -> Result<(), SearchStop> {
    let mut next = 0;
    loop {
        let leads_to_end = tree.leads_to_end(&parts.concat());
        let untried = next..parts.len() - usize::from(leads_to_end);
        let candidates: Vec<Candidate> =
            untried.map(|part| check.candidate(tree, &all_but(parts, part))).collect();
        let Some(passing) = examiner.get_passing(check.goal(), &candidates)? else { return Ok(()) };
        next += passing.index;
        parts.remove(next);
        if matches!(check, LevelCheck::Full(_)) {
            tree.retain(&passing.candidate);
            parts.iter_mut().for_each(|part| *part = tree.remaining(part));
            parts.retain(|part| !part.is_empty());
        }
    }
}

fn all_but(parts: &[Vec<u32>], removed: usize) -> Vec<u32> {
    let others = parts.iter().enumerate().filter(|(index, _)| *index != removed);
    others.flat_map(|(_, part)| part).copied().collect()
}
