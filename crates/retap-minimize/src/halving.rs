//! Our own way through a level, for the default: every part is tried once at a size, what cannot go
//! is halved. ddmin and the papers' `inlevel_hdd` try the other parts again after each success, which
//! pays only where few nodes are needed: with k of n needed this takes about 2k·log(n/k) candidates.
//! What went untried for that is the business of the 1-minimality pass that follows.

use crate::candidate::Candidate;
use crate::examiner::Examiner;
use crate::hdd::Rule;
use crate::oracle::{Goal, Stop};
use crate::partition;
use crate::pruned::Pruned;

/// The nodes of a level that stay.
pub(crate) fn in_level(
    examiner: &mut Examiner<'_>,
    pruned: &mut Pruned<'_>,
    nodes: Vec<u32>,
    rule: Rule,
) -> Result<Vec<u32>, Stop> {
    if !pruned.leads_to_end(&nodes) && examiner.passes(rule.goal(), &rule.candidate(pruned, &[]))? {
        return Ok(Vec::new());
    }
    let mut parts = vec![nodes];
    loop {
        let longer = parts.iter().any(|part| part.len() > 1);
        if !longer {
            return Ok(parts.concat());
        }
        parts = parts.iter().flat_map(|part| halves(pruned, part, rule)).collect();
        sweep(examiner, pruned, &mut parts, rule)?;
    }
}

fn halves(pruned: &Pruned<'_>, part: &[u32], rule: Rule) -> Vec<Vec<u32>> {
    let halves = partition::balanced(&rule.weights(pruned, part), part.len().min(2));
    halves.into_iter().map(|half| part[half].to_vec()).collect()
}

/// Tries to leave out each part once, from the front: what happened long before the end is the least
/// likely to matter. The last part is tried only where the end does not need it.
fn sweep(
    examiner: &mut Examiner<'_>,
    pruned: &mut Pruned<'_>,
    parts: &mut Vec<Vec<u32>>,
    rule: Rule,
) -> Result<(), Stop> {
    let mut next = 0;
    loop {
        let last_needed = pruned.leads_to_end(&parts.concat());
        let untried = next..parts.len() - usize::from(last_needed);
        let candidates: Vec<Candidate> =
            untried.map(|part| rule.candidate(pruned, &all_but(parts, part))).collect();
        let Some(passing) = examiner.get_passing(rule.goal(), &candidates)? else { return Ok(()) };
        next += passing.index;
        parts.remove(next);
        if rule.goal() == Goal::Interesting {
            pruned.cut_to(&passing.candidate);
            parts.iter_mut().for_each(|part| *part = pruned.living(part));
            parts.retain(|part| !part.is_empty());
        }
    }
}

fn all_but(parts: &[Vec<u32>], left_out: usize) -> Vec<u32> {
    let others = parts.iter().enumerate().filter(|(index, _)| *index != left_out);
    others.flat_map(|(_, part)| part).copied().collect()
}
