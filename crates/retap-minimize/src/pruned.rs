//! A tree with subtrees cut off and its levels being reduced one after the other: what the
//! hierarchical algorithms work on.

use crate::candidate::Candidate;
use crate::tree::Tree;

#[derive(Debug, Clone)]
pub(crate) struct Pruned<'t> {
    tree: &'t Tree,
    /// Positions there were at the start.
    start: Vec<bool>,
    /// Positions not cut off.
    alive: Vec<bool>,
    /// What every candidate has: the nodes kept on the levels already reduced, the papers'
    /// `nodeseq`, and whatever else was found to be needed.
    kept: Vec<u32>,
}

impl<'t> Pruned<'t> {
    pub fn new(tree: &'t Tree, trace: &Candidate) -> Self {
        let start = tree.mask(trace);
        Self { tree, alive: start.clone(), start, kept: Vec::new() }
    }

    pub fn roots(&self) -> Vec<u32> {
        self.living(self.tree.roots())
    }

    /// The last event left: the one that shows what is interesting.
    fn end(&self) -> Option<u32> {
        self.alive.iter().rposition(|&alive| alive).map(|position| position as u32)
    }

    /// Whether the last of these nodes is the end or has it below.
    pub fn leads_to_end(&self, nodes: &[u32]) -> bool {
        let last = nodes.last().map(|&node| self.tree.subtree(node));
        last.zip(self.end()).is_some_and(|(subtree, end)| subtree.contains(&end))
    }

    /// The end with the nodes above it, topmost first.
    pub fn way_to_end(&self) -> Vec<u32> {
        let mut way = Vec::new();
        let mut level = self.roots();
        while self.leads_to_end(&level) {
            way.extend(level.last());
            level = level.last().map(|&last| self.children(last)).unwrap_or_default();
        }
        way
    }

    pub fn children(&self, node: u32) -> Vec<u32> {
        self.living(self.tree.children(node))
    }

    pub fn first_child(&self, node: u32) -> Option<u32> {
        self.children(node).first().copied()
    }

    /// Events left in a node's subtree.
    pub fn weight(&self, node: u32) -> usize {
        self.tree.subtree(node).filter(|&position| self.alive[position as usize]).count()
    }

    /// Everything that is left.
    pub fn whole(&self) -> Candidate {
        (0..self.alive.len() as u32).filter(|&position| self.alive[position as usize]).collect()
    }

    /// The nodes kept above and these nodes of the level below with their subtrees.
    pub fn with_subtrees(&self, nodes: &[u32]) -> Candidate {
        let below = nodes.iter().flat_map(|&node| self.tree.subtree(node));
        let below = below.filter(|&position| self.alive[position as usize]);
        self.kept.iter().copied().chain(below).collect()
    }

    /// As `with_subtrees`, but of the last node only the node itself: LHDD's `eventsInSubTree`.
    pub fn without_last_subtree(&self, nodes: &[u32]) -> Candidate {
        let Some((&last, before)) = nodes.split_last() else { return self.with_subtrees(nodes) };
        self.with_subtrees(before).positions().iter().copied().chain([last]).collect()
    }

    /// Everything that is left but these nodes and their subtrees.
    pub fn without_subtrees(&self, nodes: &[u32]) -> Candidate {
        let mut left = self.alive.clone();
        for position in nodes.iter().flat_map(|&node| self.tree.subtree(node)) {
            left[position as usize] = false;
        }
        (0..left.len() as u32).filter(|&position| left[position as usize]).collect()
    }

    /// Cuts off everything that is not in `trace`.
    pub fn cut_to(&mut self, trace: &Candidate) {
        self.alive = self.tree.mask(trace);
        self.kept.retain(|&node| self.alive[node as usize]);
    }

    /// Cuts off everything behind the end of another.
    pub fn cut_after(&mut self, other: &Self) {
        let length = other.end().map_or(0, |end| end as usize + 1);
        self.alive[length..].fill(false);
        self.kept.retain(|&node| self.alive[node as usize]);
    }

    /// Brings back nodes that were cut off, with their subtrees.
    pub fn restore(&mut self, nodes: &[u32]) {
        for position in nodes.iter().flat_map(|&node| self.tree.subtree(node)) {
            self.alive[position as usize] = self.start[position as usize];
        }
    }

    /// From now on every candidate has these nodes with their subtrees.
    pub fn keep(&mut self, nodes: &[u32]) {
        let subtrees = nodes.iter().flat_map(|&node| self.tree.subtree(node));
        self.kept.extend(subtrees.filter(|&position| self.alive[position as usize]));
    }

    /// From now on every candidate has everything that is left.
    pub fn keep_all(&mut self) {
        self.kept = self.whole().into();
    }

    /// Ends a level: of `level` only `nodes` stay, the others go with their subtrees. Gives the
    /// next level, the children of what stayed.
    pub fn descend(&mut self, level: &[u32], nodes: &[u32]) -> Vec<u32> {
        for &node in level.iter().filter(|node| !nodes.contains(node)) {
            self.tree.subtree(node).for_each(|position| self.alive[position as usize] = false);
        }
        let nodes = self.living(nodes);
        let next = nodes.iter().flat_map(|&node| self.living(self.tree.children(node))).collect();
        self.kept.extend(nodes);
        next
    }

    pub fn living(&self, nodes: &[u32]) -> Vec<u32> {
        nodes.iter().copied().filter(|&node| self.alive[node as usize]).collect()
    }
}

impl Tree {
    fn mask(&self, trace: &Candidate) -> Vec<bool> {
        let mut mask = vec![false; self.len()];
        trace.positions().iter().for_each(|&position| mask[position as usize] = true);
        mask
    }
}
