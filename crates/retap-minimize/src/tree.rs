//! The GUI state hierarchy tree (SimplyDroid, table 1), over states of any abstraction: one node per
//! position, a subtree is an interaction session.

use std::ops::Range;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tree {
    /// Children of the root, the empty node n0 (the launch).
    roots: Vec<u32>,
    children: Vec<Vec<u32>>,
    /// Positions are a preorder of the tree, so a subtree is a range: its end.
    ends: Vec<u32>,
}

impl Tree {
    /// `states[i]` is the state before the event at position i.
    pub fn from_states(states: &[u64]) -> Self {
        let mut tree = Self {
            roots: Vec::new(),
            children: vec![Vec::new(); states.len()],
            ends: vec![states.len() as u32; states.len()],
        };
        // The previous node and its ancestors, topmost first: the only ones a node can join.
        let mut path: Vec<u32> = Vec::new();
        for (position, &state) in states.iter().enumerate() {
            let node = position as u32;
            // Lines 5-13: beside the nearest with the same state, else below the previous node.
            if let Some(depth) = path.iter().rposition(|&on| states[on as usize] == state) {
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

    /// Every event beside the others: the hierarchy of a sequence whose states are not known.
    pub fn flat(length: usize) -> Self {
        Self::from_states(&vec![0; length])
    }

    pub fn len(&self) -> usize {
        self.children.len()
    }

    pub fn is_empty(&self) -> bool {
        self.children.is_empty()
    }

    pub fn roots(&self) -> &[u32] {
        &self.roots
    }

    pub fn children(&self, node: u32) -> &[u32] {
        &self.children[node as usize]
    }

    /// The positions of a node and everything below it.
    pub fn subtree(&self, node: u32) -> Range<u32> {
        node..self.ends[node as usize]
    }

    /// The nodes of one level of the whole tree, from 0.
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
        let tree = Tree::from_states(states);
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
    fn only_the_path_from_the_previous_node_to_the_root_is_looked_at() {
        // 3 was seen below the first 2, but that session is over: it opens a level again.
        check(&[1, 2, 3, 1, 3], &[&[0, 3], &[1, 4], &[2]]);
    }

    #[test]
    fn subtrees_are_ranges() {
        let tree = Tree::from_states(&[1, 2, 3, 2, 1, 2]);
        let ranges: Vec<_> = (0..6).map(|node| tree.subtree(node)).collect();
        assert_eq!(ranges, [0..4, 1..3, 2..3, 3..4, 4..6, 5..6]);
    }
}
