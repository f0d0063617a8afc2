//! HDD and BHDD (Jiang, Wu, Li, Chan: SimplyDroid, ASE 2017, table 2): level by level from the top,
//! dropping nodes with their subtrees.

use crate::candidate::Candidate;
use crate::examiner::Examiner;
use crate::oracle::{Goal, Stop};
use crate::partition;
use crate::pruned::Pruned;
use crate::tree::Tree;

/// What the parts of a level are balanced by: the one difference between HDD and BHDD.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Balance {
    Nodes,
    /// Events in the nodes' subtrees.
    Events,
}

pub(crate) fn reduce(
    examiner: &mut Examiner<'_>,
    tree: &Tree,
    balance: Balance,
) -> Result<(), Stop> {
    let mut pruned = Pruned::new(tree, examiner.best());
    let mut level = pruned.roots();
    while !level.is_empty() {
        let nodes = in_level(examiner, &mut pruned, level.clone(), Rule::Whole(balance))?;
        level = pruned.descend(&level, &nodes);
    }
    Ok(())
}

/// Reduces the nodes of one level to those that stay.
pub(crate) type InLevel =
    fn(&mut Examiner<'_>, &mut Pruned<'_>, Vec<u32>, Rule) -> Result<Vec<u32>, Stop>;

/// How a level's candidates are built and judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rule {
    /// With every subtree, by what is interesting.
    Whole(Balance),
    /// LHDD's local check: without the last node's subtree, by the state before this position.
    Local(u32),
}

impl Rule {
    pub fn goal(self) -> Goal {
        match self {
            Self::Whole(_) => Goal::Interesting,
            Self::Local(position) => Goal::Reach(position),
        }
    }

    pub fn candidate(self, pruned: &Pruned<'_>, nodes: &[u32]) -> Candidate {
        match self {
            Self::Whole(_) => pruned.with_subtrees(nodes),
            Self::Local(_) => pruned.without_last_subtree(nodes),
        }
    }

    pub fn weights(self, pruned: &Pruned<'_>, nodes: &[u32]) -> Vec<usize> {
        if self == Self::Whole(Balance::Nodes) {
            return vec![1; nodes.len()];
        }
        let mut weights: Vec<usize> = nodes.iter().map(|&node| pruned.weight(node)).collect();
        if let (Self::Local(_), Some(last)) = (self, weights.last_mut()) {
            *last = 1;
        }
        weights
    }
}

/// `inlevel_hdd` (line 20), its tail calls written as a loop: the nodes that stay.
pub(crate) fn in_level(
    examiner: &mut Examiner<'_>,
    pruned: &mut Pruned<'_>,
    mut nodes: Vec<u32>,
    rule: Rule,
) -> Result<Vec<u32>, Stop> {
    // Beside and below the path to the end a level may go altogether; the paper, whose levels all
    // end in that path, has no such case.
    if !pruned.leads_to_end(&nodes) && examiner.passes(rule.goal(), &rule.candidate(pruned, &[]))? {
        return Ok(Vec::new());
    }
    let mut p = 2;
    while nodes.len() >= p {
        let choices =
            choices(&nodes, &rule.weights(pruned, &nodes), p, pruned.leads_to_end(&nodes));
        let candidates: Vec<Candidate> =
            choices.iter().map(|choice| rule.candidate(pruned, choice)).collect();
        match examiner.get_passing(rule.goal(), &candidates)? {
            Some(passing) => {
                p = if passing.index == 0 { 2 } else { (p - 1).max(2) };
                nodes = choices[passing.index].clone();
                if rule.goal() == Goal::Interesting {
                    // What followed the goal is gone, perhaps with nodes of this level.
                    pruned.cut_to(&passing.candidate);
                    nodes = pruned.living(&nodes);
                }
            }
            // Line 43 recurses on N_p here; the set to refine is N_0, as in DD.
            None if p == nodes.len() => break,
            None => p = (2 * p).min(nodes.len()),
        }
    }
    Ok(nodes)
}

/// The node sets to try with `p` parts: the last part alone, then all but one, from the back. The
/// last part is left out only where it does not lead to the end of the trace.
fn choices(nodes: &[u32], weights: &[usize], p: usize, last_needed: bool) -> Vec<Vec<u32>> {
    let parts = partition::balanced(weights, p);
    let last = nodes[parts[p - 1].clone()].to_vec();
    let removable = if last_needed { p - 1 } else { p };
    let all_but = |part: &std::ops::Range<usize>| {
        nodes[..part.start].iter().chain(&nodes[part.end..]).copied().collect()
    };
    std::iter::once(last).chain(parts[..removable].iter().rev().map(all_but)).collect()
}
