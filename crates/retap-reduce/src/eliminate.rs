//! Phase 1: eliminate redundant loops. The paper's Algorithm 1, part 2, with one addition: a trace whose
//! search meets its limit is made smaller loop by loop. What later traces turn out to cover as well is
//! left in: it is what phase 2 splices with.

use crate::bits::Bits;
use crate::blame::Blame;
use crate::descent::descend;
use crate::limits::Limits;
use crate::loops;
use crate::replay::{RESTART, Replay};
use crate::trial::{Proven, Trial};

/// Candidates of one trace that are tried side by side at most: the first that replays wins, so the rest
/// of its round was run for nothing. Rounds begin with one and double.
pub(crate) const ROUND: usize = 8;

/// Candidates that a trace may always try while there is effort left at all.
const FEW: u64 = 4;

pub(crate) fn eliminate<R: Replay>(
    trial: &mut Trial<'_, '_, R>,
    chosen: Vec<Proven>,
    limits: &Limits,
    effort_ends: u64,
) -> Result<Vec<Proven>, R::Error> {
    let mut reduced: Vec<Proven> = Vec::new();
    let mut covered = trial.ground.none();
    let mut blame = Blame::default();
    let mut luck = Luck::default();
    let traces = chosen.len();
    for (trace, whole) in chosen.into_iter().enumerate() {
        // No trace takes what is for the others; but each may try a few times.
        let effort = trial.inquiry.tally.effort;
        let share = effort_ends.saturating_sub(effort) / (traces - trace) as u64;
        let few = FEW * (RESTART + whole.path.edges.len() as u64);
        trial.effort_ends = (effort + share.max(few)).min(effort_ends);
        let needed = whole.total.minus(&covered);
        if !needed.is_empty() {
            let steps = whole.path.edges.len() as u64;
            let shorter = shorten(trial, whole, &needed, limits, (&mut blame, &mut luck))?;
            luck.effort += trial.inquiry.tally.effort - effort;
            luck.saved += steps - shorter.path.edges.len() as u64;
            covered.union_with(&shorter.total);
            reduced.push(shorter);
        }
    }
    Ok(reduced)
}

/// What leaving loops out has saved for its effort. What leaves most out fails most: where the cheapest
/// candidates mostly fail, two thirds of the effort are for smaller steps.
#[derive(Debug, Default)]
struct Luck {
    traces: u64,
    shortened: u64,
    saved: u64,
    effort: u64,
}

/// Effort before it is judged.
const ENOUGH: u64 = 500;
/// Effort for an event saved that phase 3 does not need more of.
const DEAR: u64 = 10;

impl Luck {
    fn is_good(&self) -> bool {
        3 * self.shortened >= self.traces
    }

    /// Whether phase 3 should rather have the effort.
    fn is_dear(&self) -> bool {
        self.effort > ENOUGH && self.saved * DEAR < self.effort
    }

    fn add(&mut self, shortened: bool) {
        self.traces += 1;
        self.shortened += u64::from(shortened);
    }
}

/// The cheapest member of L(τ) that covers what is needed and replays. τ itself, its tail cut, is one.
fn shorten<R: Replay>(
    trial: &mut Trial<'_, '_, R>,
    whole: Proven,
    needed: &Bits,
    limits: &Limits,
    (blame, luck): (&mut Blame, &mut Luck),
) -> Result<Proven, R::Error> {
    let whole = whole.cut_tail(trial.ground, needed);
    let ends = trial.effort_ends;
    if !luck.is_good() {
        let effort = trial.inquiry.tally.effort;
        trial.effort_ends = effort + ends.saturating_sub(effort) / 3;
    }
    // Where loops cannot be left out, phase 3 makes traces smaller for less.
    let hopes = !luck.is_dear() || !limits.minimize;
    let mut left = if hopes { limits.candidates } else { 1 };
    let mut round = 1;
    while left > 0 && trial.goes_on() {
        let candidates = loops::cheapest(
            trial.ground,
            (&trial.trie, blame),
            &whole,
            needed,
            round.min(left),
            limits.nodes,
            &mut trial.inquiry.tally,
        );
        if candidates.is_empty() {
            break;
        }
        left -= candidates.len();
        let answers = trial.ask(candidates.clone())?;
        for candidate in &candidates {
            blame.learn(trial.ground, &whole.path, candidate, trial.failed(candidate));
        }
        for proven in answers.into_iter().flatten() {
            if needed.is_subset(&proven.total) {
                luck.add(true);
                return Ok(proven);
            }
            trial.inquiry.tally.short += 1;
        }
        round = (2 * round).min(ROUND);
    }
    trial.inquiry.tally.limits_hit += u64::from(left == 0);
    trial.effort_ends = ends;
    luck.add(false);
    if !hopes {
        return Ok(whole);
    }
    descend(trial, whole, needed, limits.candidates, blame)
}
