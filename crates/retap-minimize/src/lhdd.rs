//! LHDD (SimplyDroid, table 3): above the level of the end a candidate is good as soon as it leads
//! to the next level, and only as much of a level's tail is looked at as that takes.
//!
//! The paper's local reasoning can be wrong: an event that the way down does not need may be needed
//! at the end. Where that shows, the levels it went wrong at are reduced again as BHDD does, but
//! beside the way down found so far, which makes their candidates short.

use crate::candidate::Candidate;
use crate::examiner::Examiner;
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
    match descend(examiner, tree, preselect, hdd::in_level)? {
        Descended::Straight => Ok(()),
        Descended::WithRestored => hdd::reduce(examiner, tree, Balance::Events, hdd::in_level),
    }
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
    preselect: bool,
    in_level: InLevel,
) -> Result<Descended, Stop> {
    let pruned = Pruned::new(tree, examiner.best());
    let nodes = pruned.roots();
    let mut descent = Descent { pruned, nodes, dropped: Vec::new(), restored: false, in_level };
    while !descent.nodes.is_empty() {
        if !descent.pruned.leads_to_end(&descent.nodes) {
            let all = descent.nodes.clone();
            descent.reduce_level(examiner, all, WHOLE)?;
        } else if let Some(tail) = descent.select(examiner, preselect)? {
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
    /// By level: the nodes dropped because the way down does not need them.
    dropped: Vec<Vec<u32>>,
    restored: bool,
    in_level: InLevel,
}

impl Descent<'_> {
    /// Local above the level of the end (lines 44-53).
    fn rule(&self) -> Rule {
        match self.nodes.last().and_then(|&last| self.pruned.first_child(last)) {
            Some(next) => Rule::Local(next),
            None => WHOLE,
        }
    }

    /// Pre-selection (lines 7-22): the shortest of the last 1, 2, 4, 8 … nodes that is good; none
    /// when not even the whole level is. A lone node is tried too (the paper's loop leaves it out,
    /// its text checks it): a level that went wrong shows at once.
    fn select(
        &mut self,
        examiner: &mut Examiner<'_>,
        preselect: bool,
    ) -> Result<Option<Vec<u32>>, Stop> {
        let rule = self.rule();
        let all = self.nodes.len();
        let first = if preselect { 1 } else { all };
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
        let kept = (self.in_level)(examiner, &mut self.pruned, selected, rule)?;
        if rule == WHOLE {
            // What is left was seen to be interesting: what went before is not missed.
            self.dropped.clear();
        } else {
            let dropped = self.nodes.iter().copied().filter(|node| !kept.contains(node));
            self.dropped.push(dropped.collect());
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

    /// Brings back dropped nodes until what is left is interesting again.
    fn restore(&mut self, examiner: &mut Examiner<'_>) -> Result<(), Stop> {
        while !self.dropped.is_empty() && !self.is_interesting(examiner)? {
            self.restore_level(examiner)?;
        }
        self.restored = true;
        Ok(())
    }

    /// Brings back, of one level, the dropped nodes that make the difference, and forgets the levels
    /// that do not.
    fn restore_level(&mut self, examiner: &mut Examiner<'_>) -> Result<(), Stop> {
        let (present, missing) = self.missing_level(examiner)?;
        let mut beside = self.pruned.clone();
        present.iter().for_each(|nodes| beside.restore(nodes));
        beside.keep_all();
        beside.restore(&missing);
        let needed = (self.in_level)(examiner, &mut beside, missing, WHOLE)?;
        self.pruned.restore(&needed);
        self.pruned.keep(&needed);
        self.pruned.cut_after(&beside);
        self.nodes = self.pruned.living(&self.nodes);
        self.dropped = present;
        Ok(())
    }

    /// A level whose dropped nodes make what is left interesting, together with those of other
    /// levels: none where one is enough, otherwise as many as it takes, the fewest nodes first,
    /// so that what is most is reduced first and beside little.
    fn missing_level(
        &self,
        examiner: &mut Examiner<'_>,
    ) -> Result<(Vec<Vec<u32>>, Vec<u32>), Stop> {
        let with = |levels: &[Vec<u32>]| {
            let mut pruned = self.pruned.clone();
            levels.iter().for_each(|nodes| pruned.restore(nodes));
            pruned.whole()
        };
        let mut levels = self.dropped.clone();
        levels.sort_by_key(|nodes| with(std::slice::from_ref(nodes)).len());
        let alone: Vec<Candidate> =
            levels.iter().map(|nodes| with(std::slice::from_ref(nodes))).collect();
        if let Some(passing) = examiner.get_passing(Goal::Interesting, &alone)? {
            return Ok((Vec::new(), levels.swap_remove(passing.index)));
        }
        let (mut too_few, mut enough) = (1, levels.len());
        while enough - too_few > 1 {
            let middle = usize::midpoint(too_few, enough);
            if examiner.passes(Goal::Interesting, &with(&levels[..middle]))? {
                enough = middle;
            } else {
                too_few = middle;
            }
        }
        let missing = levels.swap_remove(enough - 1);
        levels.truncate(enough - 1);
        Ok((levels, missing))
    }
}
