//! HDD (Jiang, Wu, Li, Chan: SimplyDroid, ASE 2017, table 2): reduces the tree level by level from the
//! top and removes nodes with their subtrees.

use crate::hierarchy::{Balance, LevelCheck, RemainingTree, StateTree, can_drop_level};
use crate::search::{Candidate, Examiner, SearchStop, partition_by_weight};
use std::ops::Range;

pub(crate) fn reduce(examiner: &mut Examiner<'_>, tree: &StateTree) -> Result<(), SearchStop> {
    reduce_levels(examiner, tree, Balance::Nodes)
}

/// Reduces all levels from the top. HDD and BHDD differ only in the balance of the parts.
pub(crate) fn reduce_levels(
    examiner: &mut Examiner<'_>,
    tree: &StateTree,
    balance: Balance,
) -> Result<(), SearchStop> {
    let mut tree = RemainingTree::new(tree, examiner.best());
    let mut level = tree.roots();
    while !level.is_empty() {
        let check = LevelCheck::Full(balance);
        let nodes = inlevel_hdd(examiner, &mut tree, level.clone(), check)?;
        level = tree.finish_level(&level, &nodes);
    }
    Ok(())
}

/// Reduces the nodes of one level and returns those that stay.
pub(crate) type ReduceLevel = fn(
    &mut Examiner<'_>,
    &mut RemainingTree<'_>,
    Vec<u32>,
    LevelCheck,
) -> Result<Vec<u32>, SearchStop>;

/// `inlevel_hdd` (line 20), its tail calls written as a loop.
pub(crate) fn inlevel_hdd(
    examiner: &mut Examiner<'_>,
    tree: &mut RemainingTree<'_>,
    mut nodes: Vec<u32>,
    check: LevelCheck,
) -> Result<Vec<u32>, SearchStop> {
    if can_drop_level(examiner, tree, &nodes, check)? {
        return Ok(Vec::new());
    }
    let mut p = 2;
    while nodes.len() >= p {
        let parts = partition_by_weight(&check.weights(tree, &nodes), p);
        let node_sets = node_sets_to_try(&nodes, &parts, tree.leads_to_end(&nodes));
        let candidates: Vec<Candidate> =
            node_sets.iter().map(|nodes| check.candidate(tree, nodes)).collect();
        match examiner.get_passing(check.goal(), &candidates)? {
            Some(passing) => {
                let is_last_part = passing.index == 0;
                // The paper's p - 1 must not fall below 2.
                p = if is_last_part { 2 } else { (p - 1).max(2) };
                nodes = node_sets[passing.index].clone();
                if matches!(check, LevelCheck::Full(_)) {
                    // The events after the goal are removed, perhaps with nodes of this level.
                    tree.retain(&passing.candidate);
                    nodes = tree.remaining(&nodes);
                }
            }
            None if p == nodes.len() => break,
            // Line 43 recurses on N_p; the set to refine is N_0, as in DD.
            None => p = (2 * p).min(nodes.len()),
        }
    }
    Ok(nodes)
}

/// Returns the node sets to try: the last part alone, then all parts but one, from the back.
///
/// Departure: the paper never leaves out the last part. It is tried where it does not lead to the end.
fn node_sets_to_try(nodes: &[u32], parts: &[Range<usize>], leads_to_end: bool) -> Vec<Vec<u32>> {
    let last_part = parts.len() - 1;
    let removable = if leads_to_end { &parts[..last_part] } else { parts };
    let all_but = |part: &Range<usize>| [&nodes[..part.start], &nodes[part.end..]].concat();
    let alone = nodes[parts[last_part].clone()].to_vec();
    std::iter::once(alone).chain(removable.iter().rev().map(all_but)).collect()
}
