//! The descent of LHDD: goes down the tree to the end and reduces each level.
//!
//! The paper's local checks can be wrong: an event that the path down does not need may be needed at
//! the end. The paper then falls back to BHDD for the level. Departure: the removed nodes are reduced
//! again by the full check, next to the path found so far, which keeps the candidates short.

use crate::algorithms::hdd::ReduceLevel;
use crate::algorithms::level_bisection;
use crate::hierarchy::{Balance, LevelCheck, RemainingTree, StateTree};
use crate::search::{Candidate, CandidateGoal, Examiner, SearchStop};

const FULL_CHECK: LevelCheck = LevelCheck::Full(Balance::Events);

/// The differences between the paper's descent and the one of `auto`.
#[derive(Clone, Copy)]
pub(crate) struct DescentOptions {
    pub preselect: bool,
    pub reduce_level: ReduceLevel,
    /// Try the last nodes of all levels at once before going level by level.
    pub try_last_nodes: bool,
}

pub(crate) enum DescentResult {
    LocalChecksHeld,
    /// A local check was wrong. The restored nodes still have whole subtrees.
    NodesRestored,
}

/// Goes down the tree to the end.
pub(crate) fn descend(
    examiner: &mut Examiner<'_>,
    tree: &StateTree,
    options: DescentOptions,
) -> Result<DescentResult, SearchStop> {
    let tree = RemainingTree::new(tree, examiner.best());
    let level = tree.roots();
    let mut descent =
        Descent { tree, level, dropped: Vec::new(), has_restored_nodes: false, options };
    if options.try_last_nodes {
        descent.try_last_nodes(examiner)?;
    }
    while !descent.level.is_empty() {
        if !descent.tree.leads_to_end(&descent.level) {
            descent.reduce_whole_level(examiner)?;
        } else if let Some(tail) = descent.preselect_tail(examiner)? {
            descent.reduce_level(examiner, tail, descent.check())?;
        } else if descent.dropped.is_empty() || descent.is_interesting(examiner)? {
            // The path so far is right, but the local check cannot judge this level.
            descent.reduce_whole_level(examiner)?;
        } else {
            descent.restore_needed(examiner)?;
        }
    }
    Ok(if descent.has_restored_nodes {
        DescentResult::NodesRestored
    } else {
        DescentResult::LocalChecksHeld
    })
}

/// The descent so far.
struct Descent<'t> {
    tree: RemainingTree<'t>,
    /// The level to reduce next.
    level: Vec<u32>,
    /// The nodes dropped by local checks since the remaining events were last seen to be interesting.
    dropped: Vec<u32>,
    has_restored_nodes: bool,
    options: DescentOptions,
}

impl Descent<'_> {
    /// Returns the check of the current level: local above the level of the end (lines 44-53).
    fn check(&self) -> LevelCheck {
        match self.level.last().and_then(|&last| self.tree.first_child(last)) {
            Some(next) => LevelCheck::Local(next),
            None => FULL_CHECK,
        }
    }

    /// Goes down to the level of the end by the last node of every level, if that path leads there.
    /// It takes two runs, where pre-selection takes one for each level. Not in the paper.
    fn try_last_nodes(&mut self, examiner: &mut Examiner<'_>) -> Result<(), SearchStop> {
        let path = self.tree.path_to_end();
        let Some((&end, above)) = path.split_last() else { return Ok(()) };
        let whole_path = path.iter().copied().collect();
        let path_above = above.iter().copied().collect();
        let leads_to_end = examiner.passes(CandidateGoal::Interesting, &whole_path)?
            || !above.is_empty() && examiner.passes(CandidateGoal::Reach(end), &path_above)?;
        if !leads_to_end {
            return Ok(());
        }
        for node in above {
            let others = self.level.iter().copied().filter(|other| other != node);
            self.dropped.extend(others);
            self.level = self.tree.finish_level(&self.level, &[*node]);
        }
        Ok(())
    }

    /// Returns the shortest of the last 1, 2, 4, 8 … nodes that passes: pre-selection (lines 7-22).
    /// Returns none if not even the whole level passes.
    ///
    /// A level of one node is tried too, so that a wrong level shows at once. The paper's loop leaves
    /// it out, but its text checks it.
    fn preselect_tail(
        &mut self,
        examiner: &mut Examiner<'_>,
    ) -> Result<Option<Vec<u32>>, SearchStop> {
        let check = self.check();
        let all = self.level.len();
        let first = if self.options.preselect { 1 } else { all };
        let lengths = std::iter::successors(Some(first), |&length| {
            (length < all).then(|| (2 * length).min(all))
        });
        let tails: Vec<&[u32]> = lengths.map(|length| &self.level[all - length..]).collect();
        let candidates: Vec<Candidate> =
            tails.iter().map(|tail| check.candidate(&self.tree, tail)).collect();
        let passing = examiner.get_passing(check.goal(), &candidates)?;
        Ok(passing.map(|passing| {
            if check == FULL_CHECK {
                self.tree.retain(&passing.candidate);
            }
            self.tree.remaining(tails[passing.index])
        }))
    }

    fn reduce_whole_level(&mut self, examiner: &mut Examiner<'_>) -> Result<(), SearchStop> {
        self.reduce_level(examiner, self.level.clone(), FULL_CHECK)
    }

    /// Reduces the selected nodes, drops the rest of the level, and goes one level down.
    fn reduce_level(
        &mut self,
        examiner: &mut Examiner<'_>,
        selected: Vec<u32>,
        check: LevelCheck,
    ) -> Result<(), SearchStop> {
        let kept = (self.options.reduce_level)(examiner, &mut self.tree, selected, check)?;
        if check == FULL_CHECK {
            // The remaining events were seen to be interesting without the dropped nodes.
            self.dropped.clear();
        } else {
            let dropped = self.level.iter().copied().filter(|node| !kept.contains(node));
            self.dropped.extend(dropped);
        }
        self.level = self.tree.finish_level(&self.level, &kept);
        Ok(())
    }

    /// Returns true if the remaining events are interesting, and then removes those after the goal.
    fn is_interesting(&mut self, examiner: &mut Examiner<'_>) -> Result<bool, SearchStop> {
        let passing = examiner.get_passing(CandidateGoal::Interesting, &[self.tree.candidate()])?;
        if let Some(passing) = &passing {
            self.tree.retain(&passing.candidate);
            self.level = self.tree.remaining(&self.level);
        }
        Ok(passing.is_some())
    }

    /// Restores the dropped nodes without which the remaining events are not interesting. It finds the
    /// shortest tail of them that is enough by doubling, then reduces that tail.
    fn restore_needed(&mut self, examiner: &mut Examiner<'_>) -> Result<(), SearchStop> {
        let mut dropped = std::mem::take(&mut self.dropped);
        dropped.sort_unstable();
        let mut restored = self.tree.clone();
        restored.keep_all();
        restored.restore(&dropped);
        let tails = doubling_tails(&restored, &dropped, self.tree.candidate().len());
        let candidates: Vec<Candidate> =
            tails.iter().map(|tail| restored.candidate_with(tail)).collect();
        let mut tail = dropped.clone();
        // The longest tail restores everything, so only chance can fail it.
        if let Some(passing) = examiner.get_passing(CandidateGoal::Interesting, &candidates)? {
            restored.retain(&passing.candidate);
            tail = restored.remaining(tails[passing.index]);
        }
        let needed = level_bisection::bisect_level(examiner, &mut restored, tail, FULL_CHECK)?;
        self.tree.restore(&needed);
        self.tree.keep(&needed);
        self.tree.truncate_like(&restored);
        self.level = self.tree.remaining(&self.level);
        self.has_restored_nodes = true;
        Ok(())
    }
}

/// Returns tails of `nodes` with at least `first` events in their subtrees, twice as many, and so on.
fn doubling_tails<'n>(tree: &RemainingTree<'_>, nodes: &'n [u32], first: usize) -> Vec<&'n [u32]> {
    let mut tails = Vec::new();
    let (mut weight, mut wanted) = (0, first.max(1));
    for start in (0..nodes.len()).rev() {
        weight += tree.weight(nodes[start]);
        if weight >= wanted || start == 0 {
            tails.push(&nodes[start..]);
            wanted = 2 * weight;
        }
    }
    tails
}
