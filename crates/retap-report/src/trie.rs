//! What is known of traces by their beginnings: prefixes that failed to replay, and what was covered by
//! those that did. Keys are sequences of labels: a launch, then (event, place) pairs.

use crate::bits::Bits;
use retap_model::Coverage;
use std::collections::BTreeMap;
use std::sync::Arc;

pub(crate) type Label = u32;

#[derive(Debug, Default)]
pub(crate) struct Trie {
    nodes: Vec<Node>,
}

#[derive(Debug, Default)]
struct Node {
    children: BTreeMap<Label, u32>,
    bad: bool,
    /// A bad prefix lies below.
    doomed: bool,
    seen: Option<Seen>,
}

/// What a step covered when it was last run here.
#[derive(Debug, Clone)]
pub(crate) struct Seen {
    pub bits: Bits,
    pub units: Arc<Coverage>,
}

/// A place in the trie while a path is walked label by label.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cursor {
    At(u32),
    /// Nothing is known from here on.
    Off,
    /// Known not to replay.
    Bad,
}

impl Trie {
    pub fn new() -> Self {
        Self { nodes: vec![Node::default()] }
    }

    pub const ROOT: Cursor = Cursor::At(0);

    pub fn step(&self, cursor: Cursor, label: Label) -> Cursor {
        let Cursor::At(node) = cursor else { return cursor };
        match self.nodes[node as usize].children.get(&label) {
            None => Cursor::Off,
            Some(child) if self.nodes[*child as usize].bad => Cursor::Bad,
            Some(child) => Cursor::At(*child),
        }
    }

    pub fn seen(&self, cursor: Cursor) -> Option<&Seen> {
        match cursor {
            Cursor::At(node) => self.nodes[node as usize].seen.as_ref(),
            _ => None,
        }
    }

    /// Whether some continuation from here is known to fail.
    pub fn is_doomed(&self, cursor: Cursor) -> bool {
        matches!(cursor, Cursor::At(node) if self.nodes[node as usize].doomed)
    }

    pub fn insert_bad(&mut self, labels: impl IntoIterator<Item = Label>) {
        let mut node = 0;
        for label in labels {
            self.nodes[node].doomed = true;
            node = self.child(node, label);
        }
        self.nodes[node].bad = true;
    }

    pub fn insert_seen(&mut self, path: impl IntoIterator<Item = (Label, Seen)>) {
        let mut node = 0;
        for (label, seen) in path {
            node = self.child(node, label);
            self.nodes[node].seen = Some(seen);
        }
    }

    fn child(&mut self, node: usize, label: Label) -> usize {
        let next = self.nodes.len();
        let child = *self.nodes[node].children.entry(label).or_insert(next as u32) as usize;
        if child == next {
            self.nodes.push(Node::default());
        }
        child
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn walk(trie: &Trie, labels: &[Label]) -> Cursor {
        labels.iter().fold(Trie::ROOT, |cursor, label| trie.step(cursor, *label))
    }

    #[test]
    fn everything_that_begins_with_a_bad_prefix_is_bad() {
        let mut trie = Trie::new();
        trie.insert_bad([1, 2, 3]);
        assert_eq!(walk(&trie, &[1, 2, 3]), Cursor::Bad);
        assert_eq!(walk(&trie, &[1, 2, 3, 4]), Cursor::Bad);
        assert!(trie.is_doomed(walk(&trie, &[1, 2])));
        assert_eq!(walk(&trie, &[1, 3]), Cursor::Off);
        assert!(!trie.is_doomed(walk(&trie, &[1, 3])));
    }
}
