//! LHDD (SimplyDroid, table 3): above the level of the end a candidate is good as soon as it leads
//! to the next level, and only as much of a level's tail is looked at as that takes.
//!
//! The paper's local reasoning can be wrong: an event that the way down does not need may be needed
//! at the end. Where that shows, the level it went wrong at is reduced again as BHDD does.

use crate::candidate::Candidate;
use crate::examiner::Examiner;
use crate::hdd::{Balance, Rule, in_level};
use crate::oracle::{Goal, Stop};
use crate::pruned::Pruned;
use crate::tree::Tree;

const WHOLE: Rule = Rule::Whole(Balance::Events);

pub(crate) fn reduce(
    examiner: &mut Examiner<'_>,
    tree: &Tree,
    preselect: bool,
) -> Result<(), Stop> {
    let pruned = Pruned::new(tree, examiner.best());
    let nodes = pruned.roots();
    let mut level = Level { pruned, nodes };
    // Levels as they were before they were reduced. What is left at the first is known to be
    // interesting; at the others it is only believed.
    let mut above: Vec<Level<'_>> = Vec::new();
    while !level.nodes.is_empty() {
        let rule = level.rule();
        let selected = if level.pruned.leads_to_end(&level.nodes) {
            level.select(examiner, rule, preselect)?
        } else {
            Some(level.nodes.clone())
        };
        if let Some(selected) = selected {
            above.push(level.clone());
            let nodes = in_level(examiner, &mut level.pruned, selected, rule)?;
            level.descend(&nodes);
        } else {
            level = last_interesting(examiner, &above, level)?;
            let nodes = in_level(examiner, &mut level.pruned, level.nodes.clone(), WHOLE)?;
            level.descend(&nodes);
            above.clear();
        }
    }
    Ok(())
}

#[derive(Debug, Clone)]
struct Level<'t> {
    pruned: Pruned<'t>,
    nodes: Vec<u32>,
}

impl Level<'_> {
    /// Local above the level of the end (lines 44-53).
    fn rule(&self) -> Rule {
        let leads_on = self.nodes.last().filter(|_| self.pruned.leads_to_end(&self.nodes));
        match leads_on.and_then(|&last| self.pruned.first_child(last)) {
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
        rule: Rule,
        preselect: bool,
    ) -> Result<Option<Vec<u32>>, Stop> {
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

    fn descend(&mut self, kept: &[u32]) {
        self.nodes = self.pruned.descend(&self.nodes, kept);
    }

    /// Whether what is left is interesting; if so, freed of what follows the goal.
    fn is_interesting(&mut self, examiner: &mut Examiner<'_>) -> Result<bool, Stop> {
        let whole = self.pruned.whole();
        let passing = examiner.get_passing(Goal::Interesting, &[whole])?;
        if let Some(passing) = &passing {
            self.pruned.cut_to(&passing.candidate);
            self.nodes = self.pruned.living(&self.nodes);
        }
        Ok(passing.is_some())
    }
}

/// The lowest level at which what is left is known to be interesting: this one, or by bisection the
/// one above whose reduction took away something that matters.
fn last_interesting<'t>(
    examiner: &mut Examiner<'_>,
    above: &[Level<'t>],
    mut level: Level<'t>,
) -> Result<Level<'t>, Stop> {
    if above.is_empty() || level.is_interesting(examiner)? {
        return Ok(level);
    }
    let (mut good, mut wrong) = (0, above.len());
    let mut found = above[0].clone();
    while wrong - good > 1 {
        let middle = usize::midpoint(good, wrong);
        let mut level = above[middle].clone();
        if level.is_interesting(examiner)? {
            (good, found) = (middle, level);
        } else {
            wrong = middle;
        }
    }
    Ok(found)
}
