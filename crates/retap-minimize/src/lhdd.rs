//! LHDD (SimplyDroid, table 3): above the level of the end a candidate is good as soon as it leads
//! to the next level, and only as much of a level's tail is looked at as that takes.
//!
//! The paper's local reasoning can be wrong: an event that the way down does not need may be needed
//! at the end. Where that shows, what was dropped is reduced again by what is interesting, as BHDD
//! does, but beside the way down found so far, which makes the candidates short.

use crate::candidate::Candidate;
use crate::examiner::Examiner;
use crate::halving;
use crate::hdd::{self, Balance, InLevel, Rule};
use crate::oracle::{Goal, Stop};
use crate::pruned::Pruned;
use crate::tree::Tree;

const WHOLE: Rule = Rule::Whole(Balance::Events);

pub(crate) fn reduce(
    examiner: &mut Examiner<'_>,
    tree: &Tree,
    preselect: bool,
) -> Result<(), Stop> {
    let manner = Manner { preselect, in_level: hdd::in_level, straight: false };
    match descend(examiner, tree, manner)? {
        Descended::Straight => Ok(()),
        Descended::WithRestored => hdd::reduce(examiner, tree, Balance::Events),
    }
}

/// What differs between the paper's way down and ours.
#[derive(Clone, Copy)]
pub(crate) struct Manner {
    pub preselect: bool,
    pub in_level: InLevel,
    /// Try the last nodes of all levels at once before going level by level.
    pub straight: bool,
}

pub(crate) enum Descended {
    Straight,
    /// Local reasoning was wrong: what was restored still has whole subtrees.
    WithRestored,
}

/// Goes down the tree to the end.
pub(crate) fn descend(
    examiner: &mut Examiner<'_>,
    tree: &Tree,
    manner: Manner,
) -> Result<Descended, Stop> {
    let pruned = Pruned::new(tree, examiner.best());
    let nodes = pruned.roots();
    let mut descent = Descent { pruned, nodes, dropped: Vec::new(), restored: false, manner };
    if manner.straight {
        descent.go_straight(examiner)?;
    }
    while !descent.nodes.is_empty() {
        if !descent.pruned.leads_to_end(&descent.nodes) {
            let all = descent.nodes.clone();
            descent.reduce_level(examiner, all, WHOLE)?;
        } else if let Some(tail) = descent.select(examiner)? {
            descent.reduce_level(examiner, tail, descent.rule())?;
        } else if descent.dropped.is_empty() || descent.is_interesting(examiner)? {
            // The way here is right, only this level cannot be judged by where it leads.
            let all = descent.nodes.clone();
            descent.reduce_level(examiner, all, WHOLE)?;
        } else {
            descent.restore(examiner)?;
        }
    }
    Ok(if descent.restored { Descended::WithRestored } else { Descended::Straight })
}

/// The way down so far.
struct Descent<'t> {
    pruned: Pruned<'t>,
    /// The level to be reduced next.
    nodes: Vec<u32>,
    /// The nodes dropped because the way down does not need them, unless what was left has been
    /// seen to be interesting without them.
    dropped: Vec<u32>,
    restored: bool,
    manner: Manner,
}

impl Descent<'_> {
    /// Local above the level of the end (lines 44-53).
    fn rule(&self) -> Rule {
        match self.nodes.last().and_then(|&last| self.pruned.first_child(last)) {
            Some(next) => Rule::Local(next),
            None => WHOLE,
        }
    }

    /// Goes down to the level of the end by the last node of every level, if that is a way there: two
    /// runs where pre-selection takes one for each level.
    fn go_straight(&mut self, examiner: &mut Examiner<'_>) -> Result<(), Stop> {
        let way = self.pruned.way_to_end();
        let Some((&end, before)) = way.split_last() else { return Ok(()) };
        let (whole, before_end) = (way.iter().copied().collect(), before.iter().copied().collect());
        let arrives = examiner.passes(Goal::Interesting, &whole)?
            || !before.is_empty() && examiner.passes(Goal::Reach(end), &before_end)?;
        if !arrives {
            return Ok(());
        }
        for node in before {
            let others = self.nodes.iter().copied().filter(|other| other != node);
            self.dropped.extend(others);
            self.nodes = self.pruned.descend(&self.nodes, &[*node]);
        }
        Ok(())
    }

    /// Pre-selection (lines 7-22): the shortest of the last 1, 2, 4, 8 … nodes that is good; none
    /// when not even the whole level is. A lone node is tried too (the paper's loop leaves it out,
    /// its text checks it): a level that went wrong shows at once.
    fn select(&mut self, examiner: &mut Examiner<'_>) -> Result<Option<Vec<u32>>, Stop> {
        let rule = self.rule();
        let all = self.nodes.len();
        let first = if self.manner.preselect { 1 } else { all };
        let lengths = std::iter::successors(Some(first), |&length| {
            (length < all).then(|| (2 * length).min(all))
        });
        let tails: Vec<&[u32]> = lengths.map(|length| &self.nodes[all - length..]).collect();
        let candidates: Vec<Candidate> =
            tails.iter().map(|tail| rule.candidate(&self.pruned, tail)).collect();
        let passing = examiner.get_passing(rule.goal(), &candidates)?;
        Ok(passing.map(|passing| {
            if rule == WHOLE {
                self.pruned.cut_to(&passing.candidate);
            }
            self.pruned.living(tails[passing.index])
        }))
    }

    fn reduce_level(
        &mut self,
        examiner: &mut Examiner<'_>,
        selected: Vec<u32>,
        rule: Rule,
    ) -> Result<(), Stop> {
        let kept = (self.manner.in_level)(examiner, &mut self.pruned, selected, rule)?;
        if rule == WHOLE {
            // What is left was seen to be interesting: what went before is not missed.
            self.dropped.clear();
        } else {
            let dropped = self.nodes.iter().copied().filter(|node| !kept.contains(node));
            self.dropped.extend(dropped);
        }
        self.nodes = self.pruned.descend(&self.nodes, &kept);
        Ok(())
    }

    /// Whether what is left is interesting; if so, freed of what follows the goal.
    fn is_interesting(&mut self, examiner: &mut Examiner<'_>) -> Result<bool, Stop> {
        let passing = examiner.get_passing(Goal::Interesting, &[self.pruned.whole()])?;
        if let Some(passing) = &passing {
            self.pruned.cut_to(&passing.candidate);
            self.nodes = self.pruned.living(&self.nodes);
        }
        Ok(passing.is_some())
    }

    /// Brings back the dropped nodes that what is left needs to be interesting: the shortest tail of
    /// them that is enough, found by doubling, then only what of it is needed.
    fn restore(&mut self, examiner: &mut Examiner<'_>) -> Result<(), Stop> {
        let mut dropped = std::mem::take(&mut self.dropped);
        dropped.sort_unstable();
        let mut beside = self.pruned.clone();
        beside.keep_all();
        beside.restore(&dropped);
        let tails = doubling_tails(&beside, &dropped, self.pruned.whole().len());
        let candidates: Vec<Candidate> =
            tails.iter().map(|tail| beside.with_subtrees(tail)).collect();
        let mut tail = dropped.clone();
        // The longest is what there was before; only chance can fail it.
        if let Some(passing) = examiner.get_passing(Goal::Interesting, &candidates)? {
            beside.cut_to(&passing.candidate);
            tail = beside.living(tails[passing.index]);
        }
        let needed = halving::in_level(examiner, &mut beside, tail, WHOLE)?;
        self.pruned.restore(&needed);
        self.pruned.keep(&needed);
        self.pruned.cut_after(&beside);
        self.nodes = self.pruned.living(&self.nodes);
        self.restored = true;
        Ok(())
    }
}

/// Tails of `nodes` with at least `first` events in their subtrees, twice as many, and so on.
fn doubling_tails<'n>(pruned: &Pruned<'_>, nodes: &'n [u32], first: usize) -> Vec<&'n [u32]> {
    let mut tails = Vec::new();
    let (mut weight, mut wanted) = (0, first.max(1));
    for start in (0..nodes.len()).rev() {
        weight += pruned.weight(nodes[start]);
        if weight >= wanted || start == 0 {
            tails.push(&nodes[start..]);
            wanted = 2 * weight;
        }
    }
    tails
}
