//! Largest first, our own reduction of what local checks could not settle: the part with the most
//! events is tried first, whatever its level.
//!
//! A candidate costs as many events as it keeps. A large part that is not needed must therefore not be
//! carried through the tests of small ones. A part that is needed is halved. A single node that is
//! needed stays, and its children become a part. The path to the end is left to the 1-minimality pass
//! that follows.

use crate::hierarchy::{RemainingTree, StateTree};
use crate::search::{
    Candidate, CandidateGoal, Examiner, Forecast, SearchStop, partition_by_weight,
};
use std::cmp::Reverse;

/// Siblings that are removed together.
type Part = Vec<u32>;

pub(crate) fn reduce(
    examiner: &mut Examiner<'_>,
    tree: &StateTree,
    forecast: Forecast<'_>,
) -> Result<(), SearchStop> {
    let mut tree = RemainingTree::new(tree, examiner.best());
    let mut parts = Vec::new();
    add_siblings(&tree, tree.roots(), &mut parts);
    loop {
        parts = parts_to_try(&tree, parts, forecast);
        let Some(largest) = parts.first().map(|part| weight(&tree, part)) else { return Ok(()) };
        // Parts nearly as large are tried in the same rounds.
        let large = parts.partition_point(|part| 2 * weight(&tree, part) > largest);
        let candidates: Vec<Candidate> =
            parts[..large].iter().map(|part| tree.candidate_without(part)).collect();
        let passing = examiner.get_passing(CandidateGoal::Interesting, &candidates)?;
        let failed = passing.as_ref().map_or(large, |passing| passing.index);
        let needed: Vec<Part> = parts.drain(..failed).collect();
        if let Some(passing) = passing {
            tree.retain(&passing.candidate);
        }
        needed.iter().for_each(|part| split_needed(&tree, part, &mut parts));
    }
}

/// Returns the parts that are worth trying, largest first and ties from the front. Events long before
/// the end are the least likely to matter. A part without which the forecast does not reach the end is
/// split untried.
fn parts_to_try(
    tree: &RemainingTree<'_>,
    mut parts: Vec<Part>,
    forecast: Forecast<'_>,
) -> Vec<Part> {
    let mut worth_trying = Vec::new();
    while let Some(part) = parts.pop() {
        let part = tree.remaining(&part);
        if part.is_empty() {
            continue;
        }
        if forecast.allows_end(&tree.candidate_without(&part)) {
            worth_trying.push(part);
        } else {
            split_needed(tree, &part, &mut parts);
        }
    }
    worth_trying.sort_by_key(|part| (Reverse(weight(tree, part)), part[0]));
    worth_trying
}

fn weight(tree: &RemainingTree<'_>, part: &[u32]) -> usize {
    part.iter().map(|&node| tree.weight(node)).sum()
}

/// Splits a part that cannot be removed as a whole: into halves, or into the node's children.
fn split_needed(tree: &RemainingTree<'_>, part: &[u32], parts: &mut Vec<Part>) {
    if let [node] = part {
        add_siblings(tree, tree.children(*node), parts);
    } else {
        let weights: Vec<usize> = part.iter().map(|&node| tree.weight(node)).collect();
        let halves = partition_by_weight(&weights, 2);
        parts.extend(halves.into_iter().map(|half| part[half].to_vec()));
    }
}

/// Adds siblings as a part, all but the one that leads to the end. That one stays, and its children
/// are added in the same way.
fn add_siblings(tree: &RemainingTree<'_>, mut nodes: Vec<u32>, parts: &mut Vec<Part>) {
    while tree.leads_to_end(&nodes) {
        let Some(last) = nodes.pop() else { return };
        parts.push(nodes);
        nodes = tree.children(last);
    }
    parts.push(nodes);
}
