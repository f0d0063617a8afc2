//! A trie of everything known about traces by their prefixes: prefixes that failed to replay, and the coverage of those
//! that replayed. Its keys are sequences of labels: a launch, then steps.

use crate::model::bit_set::BitSet;
use crate::model::labels::StepLabel;
use retap_model::Coverage;
use std::collections::BTreeMap;
use std::sync::Arc;

#[derive(Debug)]
pub(crate) struct PrefixTrie {
    nodes: Vec<TrieNode>,
}

#[derive(Debug, Default)]
struct TrieNode {
    children: BTreeMap<StepLabel, u32>,
    has_failed: bool,
    has_failed_continuation: bool,
    coverage: Option<StepCoverage>,
}

/// The coverage of a step when it was last run after its prefix.
#[derive(Debug, Clone)]
pub(crate) struct StepCoverage {
    pub groups: BitSet,
    pub units: Arc<Coverage>,
}

/// A position in the trie while a path is followed label by label.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TrieCursor {
    Node(u32),
    /// Nothing is known of this prefix or of any continuation.
    Unknown,
    /// The prefix is known not to replay.
    Failed,
}

impl PrefixTrie {
    pub const ROOT: TrieCursor = TrieCursor::Node(0);

    pub fn new() -> Self {
        Self { nodes: vec![TrieNode::default()] }
    }

    /// Moves a cursor along one label.
    pub fn advance(&self, cursor: TrieCursor, label: StepLabel) -> TrieCursor {
        let TrieCursor::Node(node) = cursor else { return cursor };
        match self.nodes[node as usize].children.get(&label) {
            None => TrieCursor::Unknown,
            Some(child) if self.nodes[*child as usize].has_failed => TrieCursor::Failed,
            Some(child) => TrieCursor::Node(*child),
        }
    }

    /// Returns true if the labels begin with a prefix that failed.
    pub fn has_failed(&self, labels: impl IntoIterator<Item = StepLabel>) -> bool {
        let end = labels.into_iter().fold(Self::ROOT, |cursor, label| self.advance(cursor, label));
        end == TrieCursor::Failed
    }

    /// Returns the coverage of the last step before the cursor, if it has been seen to replay.
    pub fn coverage_at(&self, cursor: TrieCursor) -> Option<&StepCoverage> {
        match cursor {
            TrieCursor::Node(node) => self.nodes[node as usize].coverage.as_ref(),
            _ => None,
        }
    }

    /// Returns true if some continuation of the prefix is known to fail.
    pub fn has_failed_continuation(&self, cursor: TrieCursor) -> bool {
        matches!(cursor, TrieCursor::Node(node) if self.nodes[node as usize].has_failed_continuation)
    }

    /// Marks a prefix as failing.
    pub fn insert_failed(&mut self, labels: impl IntoIterator<Item = StepLabel>) {
        let mut node = 0;
        for label in labels {
            self.nodes[node].has_failed_continuation = true;
            node = self.find_or_add_child(node, label);
        }
        self.nodes[node].has_failed = true;
    }

    /// Stores the coverage of a path's steps. It replaces the coverage of earlier runs.
    pub fn insert_coverage(&mut self, path: impl IntoIterator<Item = (StepLabel, StepCoverage)>) {
        let mut node = 0;
        for (label, coverage) in path {
            node = self.find_or_add_child(node, label);
            self.nodes[node].coverage = Some(coverage);
        }
    }

    fn find_or_add_child(&mut self, node: usize, label: StepLabel) -> usize {
        let next = self.nodes.len();
        let child = *self.nodes[node].children.entry(label).or_insert(next as u32) as usize;
        if child == next {
            self.nodes.push(TrieNode::default());
        }
        child
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn walk(trie: &PrefixTrie, labels: &[StepLabel]) -> TrieCursor {
        labels.iter().fold(PrefixTrie::ROOT, |cursor, label| trie.advance(cursor, *label))
    }

    #[test]
    fn every_path_that_begins_with_a_failed_prefix_has_failed() {
        let mut trie = PrefixTrie::new();
        trie.insert_failed([1, 2, 3]);
        assert!(trie.has_failed([1, 2, 3]));
        assert!(trie.has_failed([1, 2, 3, 4]));
        assert!(trie.has_failed_continuation(walk(&trie, &[1, 2])));
        assert_eq!(walk(&trie, &[1, 3]), TrieCursor::Unknown);
        assert!(!trie.has_failed_continuation(walk(&trie, &[1, 3])));
    }
}
