//! The check of one level: builds the level's candidates and says which goal they must meet.

use super::remaining_tree::RemainingTree;
use crate::search::{Candidate, CandidateGoal, Examiner, SearchStop};

/// The quantity that is balanced between the parts of a level: the one difference between HDD and BHDD.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Balance {
    /// HDD: the number of nodes.
    Nodes,
    /// BHDD: the number of events in the nodes' subtrees.
    Events,
}

/// The check of a level's candidates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LevelCheck {
    /// Candidates have every subtree and must be interesting.
    Full(Balance),
    /// LHDD's local check: candidates lack the last node's subtree and must reach the state before this
    /// position, the first node of the next level.
    Local(u32),
}

impl LevelCheck {
    pub fn goal(self) -> CandidateGoal {
        match self {
            Self::Full(_) => CandidateGoal::Interesting,
            Self::Local(position) => CandidateGoal::Reach(position),
        }
    }

    /// Returns the candidate that keeps `nodes` of the level.
    pub fn candidate(self, tree: &RemainingTree<'_>, nodes: &[u32]) -> Candidate {
        match self {
            Self::Full(_) => tree.candidate_with(nodes),
            Self::Local(_) => tree.candidate_without_last_subtree(nodes),
        }
    }

    /// Returns the weights by which `nodes` are partitioned. In the local check the last node counts
    /// as 1, because its subtree is left out.
    pub fn weights(self, tree: &RemainingTree<'_>, nodes: &[u32]) -> Vec<usize> {
        if self == Self::Full(Balance::Nodes) {
            return vec![1; nodes.len()];
        }
        let mut weights: Vec<usize> = nodes.iter().map(|&node| tree.weight(node)).collect();
        if let (Self::Local(_), Some(last)) = (self, weights.last_mut()) {
            *last = 1;
        }
        weights
    }
}

/// Returns true if a whole level can be removed.
///
/// Only a level beside or below the path to the end can. The paper has no such case, because all of
/// its levels end in that path.
pub(crate) fn can_drop_level(
    examiner: &mut Examiner<'_>,
    tree: &RemainingTree<'_>,
    nodes: &[u32],
    check: LevelCheck,
) -> Result<bool, SearchStop> {
    Ok(!tree.leads_to_end(nodes) && examiner.passes(check.goal(), &check.candidate(tree, &[]))?)
}
