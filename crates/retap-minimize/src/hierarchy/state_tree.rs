//! The GUI state hierarchy tree (SimplyDroid, table 1), over states of any abstraction.
//!
//! Every event is a node, named by its position in the sequence. A subtree is an interaction session.

use std::ops::Range;

/// The tree of a sequence of states.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StateTree {
    /// Children of the root, the empty node n0 (the launch).
    roots: Vec<u32>,
    children: Vec<Vec<u32>>,
    /// The end of each node's subtree, exclusive. Positions are a preorder of the tree, so a subtree is
    /// a range of them.
    ends: Vec<u32>,
}

impl StateTree {
    /// Builds the tree; `states[i]` is the state before the event at position i.
    pub fn from_states(states: &[u64]) -> Self {
        let mut tree = Self {
            roots: Vec::new(),
            children: vec![Vec::new(); states.len()],
            ends: vec![states.len() as u32; states.len()],
        };
        // The previous node and its ancestors, topmost first. A node joins one of them.
        let mut path: Vec<u32> = Vec::new();
        for (position, &state) in states.iter().enumerate() {
            let node = position as u32;
            // Lines 5-13: the node becomes the next sibling of the nearest one with the same state,
            // or a child of the previous node if there is none.
            if let Some(depth) = path.iter().rposition(|&node| states[node as usize] == state) {
                for closed in path.drain(depth..) {
                    tree.ends[closed as usize] = node;
                }
            }
            match path.last() {
                Some(&parent) => tree.children[parent as usize].push(node),
                None => tree.roots.push(node),
            }
            path.push(node);
        }
        tree
    }

    /// Builds a tree of one level, for a sequence whose states are not known.
    pub fn flat(length: usize) -> Self {
        Self::from_states(&vec![0; length])
    }

    pub fn len(&self) -> usize {
        self.children.len()
    }

    pub fn is_empty(&self) -> bool {
        self.children.is_empty()
    }

    /// Returns the nodes of the topmost level.
    pub fn roots(&self) -> &[u32] {
        &self.roots
    }

    pub fn children(&self, node: u32) -> &[u32] {
        &self.children[node as usize]
    }

    /// Returns the positions of a node and everything below it.
    pub fn subtree(&self, node: u32) -> Range<u32> {
        node..self.ends[node as usize]
    }

    /// Returns the nodes of one level of the whole tree, counted from 0.
    pub fn level(&self, depth: usize) -> Vec<u32> {
        (0..depth).fold(self.roots.clone(), |level, _| {
            level.iter().flat_map(|&node| self.children(node)).copied().collect()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(states: &[u64], levels: &[&[u32]]) {
        let tree = StateTree::from_states(states);
        for (depth, level) in levels.iter().enumerate() {
            assert_eq!(tree.level(depth), *level, "level {depth}");
        }
        assert_eq!(tree.level(levels.len()), [0u32; 0]);
    }

    #[test]
    fn a_new_state_opens_a_level_and_a_known_one_returns_to_its_own() {
        check(&[], &[]);
        check(&[7], &[&[0]]);
        check(&[7, 7, 7], &[&[0, 1, 2]]);
        check(&[1, 2, 3], &[&[0], &[1], &[2]]);
        check(&[1, 2, 1, 3, 1], &[&[0, 2, 4], &[1, 3]]);
        check(&[1, 2, 3, 2, 1, 2], &[&[0, 4], &[1, 3, 5], &[2]]);
    }

    #[test]
    fn a_state_that_is_not_among_the_ancestors_opens_a_level_again() {
        // State 3 occurred below the first 2, but that session is over.
        check(&[1, 2, 3, 1, 3], &[&[0, 3], &[1, 4], &[2]]);
    }

    #[test]
    fn subtrees_are_ranges() {
        let tree = StateTree::from_states(&[1, 2, 3, 2, 1, 2]);
        let ranges: Vec<_> = (0..6).map(|node| tree.subtree(node)).collect();
        assert_eq!(ranges, [0..4, 1..3, 2..3, 3..4, 4..6, 5..6]);
    }
}
