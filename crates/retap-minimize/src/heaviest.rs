//! Our own way through what local reasoning could not settle: the heaviest part that may go is tried
//! first, whatever its level. Every candidate costs as many events as it keeps, so what is heavy and not
//! needed must not be carried through the tests of what is light. A part that cannot go is halved; a
//! lone node that cannot go stays, and what is below it becomes a part. What leads to the end is the
//! business of the 1-minimality pass that follows.

use crate::candidate::Candidate;
use crate::examiner::Examiner;
use crate::forecast::Forecast;
use crate::oracle::{Goal, Stop};
use crate::partition;
use crate::pruned::Pruned;
use crate::tree::Tree;
use std::cmp::Reverse;

pub(crate) fn reduce(
    examiner: &mut Examiner<'_>,
    tree: &Tree,
    forecast: Forecast<'_>,
) -> Result<(), Stop> {
    let mut pruned = Pruned::new(tree, examiner.best());
    let mut parts = Vec::new();
    open(&pruned, pruned.roots(), &mut parts);
    loop {
        parts = worth_trying(&pruned, parts, forecast);
        let Some(heaviest) = parts.first().map(|part| weight(&pruned, part)) else { return Ok(()) };
        // Those nearly as heavy are tried in the same rounds.
        let heavy = parts.partition_point(|part| 2 * weight(&pruned, part) > heaviest);
        let candidates: Vec<Candidate> =
            parts[..heavy].iter().map(|part| pruned.without_subtrees(part)).collect();
        let passing = examiner.get_passing(Goal::Interesting, &candidates)?;
        let failed = passing.as_ref().map_or(heavy, |passing| passing.index);
        let needed: Vec<Vec<u32>> = parts.drain(..failed).collect();
        if let Some(passing) = passing {
            pruned.cut_to(&passing.candidate);
        }
        needed.iter().for_each(|part| open_needed(&pruned, part, &mut parts));
    }
}

/// What is left of the parts, heaviest first, ties from the front: what happened long before the end is the
/// least likely to matter. Those without which the end should not be reached are opened untried.
fn worth_trying(
    pruned: &Pruned<'_>,
    mut parts: Vec<Vec<u32>>,
    forecast: Forecast<'_>,
) -> Vec<Vec<u32>> {
    let mut worth = Vec::new();
    while let Some(part) = parts.pop() {
        let part = pruned.living(&part);
        if part.is_empty() {
            continue;
        }
        if forecast.arrives(&pruned.without_subtrees(&part)) {
            worth.push(part);
        } else {
            open_needed(pruned, &part, &mut parts);
        }
    }
    worth.sort_by_key(|part| (Reverse(weight(pruned, part)), part[0]));
    worth
}

fn weight(pruned: &Pruned<'_>, part: &[u32]) -> usize {
    part.iter().map(|&node| pruned.weight(node)).sum()
}

/// A part that cannot go as a whole.
fn open_needed(pruned: &Pruned<'_>, part: &[u32], parts: &mut Vec<Vec<u32>>) {
    if let [node] = part {
        open(pruned, pruned.children(*node), parts);
    } else {
        let weights: Vec<usize> = part.iter().map(|&node| pruned.weight(node)).collect();
        let halves = partition::balanced(&weights, 2);
        parts.extend(halves.into_iter().map(|half| part[half].to_vec()));
    }
}

/// Siblings become a part, all but the one that leads to the end: that one stays, and its children become
/// a part likewise.
fn open(pruned: &Pruned<'_>, mut nodes: Vec<u32>, parts: &mut Vec<Vec<u32>>) {
    while pruned.leads_to_end(&nodes) {
        let Some(last) = nodes.pop() else { return };
        parts.push(nodes);
        nodes = pruned.children(last);
    }
    parts.push(nodes);
}
