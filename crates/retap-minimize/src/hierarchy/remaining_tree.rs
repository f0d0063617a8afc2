//! The state tree during a reduction: some subtrees are removed, and the levels are reduced one after
//! the other.

use super::state_tree::StateTree;
use crate::search::Candidate;

#[derive(Debug, Clone)]
pub(crate) struct RemainingTree<'t> {
    tree: &'t StateTree,
    /// True for the positions of the trace that the reduction began with.
    initial: Vec<bool>,
    /// True for the positions that are not removed.
    present: Vec<bool>,
    /// The positions that every candidate has: the nodes kept on the levels already reduced, the
    /// papers' `nodeseq`, and other nodes that were found to be needed.
    kept: Vec<u32>,
}

impl<'t> RemainingTree<'t> {
    pub fn new(tree: &'t StateTree, trace: &Candidate) -> Self {
        let initial = mark_positions(tree.len(), trace);
        Self { tree, present: initial.clone(), initial, kept: Vec::new() }
    }

    /// Returns the remaining nodes of the topmost level.
    pub fn roots(&self) -> Vec<u32> {
        self.remaining(self.tree.roots())
    }

    /// Returns the remaining children of a node.
    pub fn children(&self, node: u32) -> Vec<u32> {
        self.remaining(self.tree.children(node))
    }

    /// Returns the first remaining child of a node.
    pub fn first_child(&self, node: u32) -> Option<u32> {
        self.children(node).first().copied()
    }

    /// Returns those of `nodes` that are not removed.
    pub fn remaining(&self, nodes: &[u32]) -> Vec<u32> {
        nodes.iter().copied().filter(|&node| self.is_present(node)).collect()
    }

    /// Returns the number of events that remain in a node's subtree.
    pub fn weight(&self, node: u32) -> usize {
        self.tree.subtree(node).filter(|&position| self.is_present(position)).count()
    }

    /// Returns the last remaining event: the one that shows what is interesting.
    fn end(&self) -> Option<u32> {
        self.present.iter().rposition(|&present| present).map(|position| position as u32)
    }

    /// Returns true if the end is in the subtree of the last of these nodes.
    pub fn leads_to_end(&self, nodes: &[u32]) -> bool {
        let last = nodes.last().map(|&node| self.tree.subtree(node));
        last.zip(self.end()).is_some_and(|(subtree, end)| subtree.contains(&end))
    }

    /// Returns the nodes above the end, topmost first, and the end itself.
    pub fn path_to_end(&self) -> Vec<u32> {
        let mut path = Vec::new();
        let mut level = self.roots();
        while self.leads_to_end(&level) {
            path.extend(level.last());
            level = level.last().map(|&last| self.children(last)).unwrap_or_default();
        }
        path
    }

    /// Returns the candidate of everything that remains.
    pub fn candidate(&self) -> Candidate {
        (0..self.present.len() as u32).filter(|&position| self.is_present(position)).collect()
    }

    /// Returns the candidate of the kept nodes and these nodes with their subtrees.
    pub fn candidate_with(&self, nodes: &[u32]) -> Candidate {
        self.kept.iter().copied().chain(self.subtree_positions(nodes)).collect()
    }

    /// Returns [`Self::candidate_with`] these nodes, but of the last node without its subtree: LHDD's
    /// `eventsInSubTree`.
    pub fn candidate_without_last_subtree(&self, nodes: &[u32]) -> Candidate {
        let Some((&last, before)) = nodes.split_last() else { return self.candidate_with(nodes) };
        self.candidate_with(before).positions().iter().copied().chain([last]).collect()
    }

    /// Returns the candidate of everything that remains but these nodes and their subtrees.
    pub fn candidate_without(&self, nodes: &[u32]) -> Candidate {
        let mut present = self.present.clone();
        for position in nodes.iter().flat_map(|&node| self.tree.subtree(node)) {
            present[position as usize] = false;
        }
        (0..present.len() as u32).filter(|&position| present[position as usize]).collect()
    }

    /// Removes everything that is not in `trace`.
    pub fn retain(&mut self, trace: &Candidate) {
        self.present = mark_positions(self.tree.len(), trace);
        self.drop_removed_from_kept();
    }

    /// Removes everything behind the end of another tree.
    pub fn truncate_like(&mut self, other: &Self) {
        let length = other.end().map_or(0, |end| end as usize + 1);
        self.present[length..].fill(false);
        self.drop_removed_from_kept();
    }

    /// Brings back removed nodes with their subtrees.
    pub fn restore(&mut self, nodes: &[u32]) {
        for position in nodes.iter().flat_map(|&node| self.tree.subtree(node)) {
            self.present[position as usize] = self.initial[position as usize];
        }
    }

    /// Adds these nodes with their subtrees to every further candidate.
    pub fn keep(&mut self, nodes: &[u32]) {
        let positions: Vec<u32> = self.subtree_positions(nodes).collect();
        self.kept.extend(positions);
    }

    /// Adds everything that remains to every further candidate.
    pub fn keep_all(&mut self) {
        self.kept = self.candidate().into();
    }

    /// Ends a level: of `level` only `nodes` stay, and the others are removed with their subtrees.
    /// Returns the next level, the children of the nodes that stay.
    pub fn finish_level(&mut self, level: &[u32], nodes: &[u32]) -> Vec<u32> {
        for &node in level.iter().filter(|node| !nodes.contains(node)) {
            self.tree.subtree(node).for_each(|position| self.present[position as usize] = false);
        }
        let nodes = self.remaining(nodes);
        let next_level = nodes.iter().flat_map(|&node| self.children(node)).collect();
        self.kept.extend(nodes);
        next_level
    }

    fn is_present(&self, position: u32) -> bool {
        self.present[position as usize]
    }

    /// Returns the remaining positions of these nodes and their subtrees.
    fn subtree_positions(&self, nodes: &[u32]) -> impl Iterator<Item = u32> {
        let positions = nodes.iter().flat_map(|&node| self.tree.subtree(node));
        positions.filter(|&position| self.is_present(position))
    }

    fn drop_removed_from_kept(&mut self) {
        self.kept.retain(|&node| self.present[node as usize]);
    }
}

/// Returns true at the positions of `trace`, false elsewhere.
fn mark_positions(length: usize, trace: &Candidate) -> Vec<bool> {
    let mut marked = vec![false; length];
    trace.positions().iter().for_each(|&position| marked[position as usize] = true);
    marked
}
