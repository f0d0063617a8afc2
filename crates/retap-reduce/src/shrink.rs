//! Phase 3, which the paper does not have: what loops cannot tell. An app remembers what its screens do not
//! show, so that a loop left out mostly leads elsewhere; but elsewhere may show the same. Each trace is
//! minimised for what only it covers, wherever that leads, as long as no state and no crash is shown that no
//! recording has: by ProbDD, which begins with what earlier traces have taught.

use crate::cost::CostModel;
use crate::errand::Errand;
use crate::inquiry::Inquiry;
use crate::lore::Lore;
use crate::need::Needs;
use crate::recording::Recording;
use crate::reduction::{Origin, Reduced};
use crate::replay::{Halt, Patience, RESTART, Replay};
use retap_minimize::{Algorithm, Candidate, Ending, Options, Outcome, Problem, minimize};
use retap_model::{Coverage, Trace};
use std::cmp::Reverse;

/// Candidates that a trace may always try while there is effort left at all: fewer seldom come to anything.
const FEW: u64 = 12;

pub(crate) struct Shrinker<'s, 'r, R> {
    pub needs: &'s mut Needs,
    pub inquiry: &'s mut Inquiry<'r, R>,
    /// All that recordings show.
    pub claimed: &'s Coverage,
    /// What is left has to be run once to confirm it.
    pub believes: bool,
    pub cost: CostModel,
    /// The effort at which no more is tried.
    pub effort_ends: u64,
    pub stopped: bool,
    pub lore: Lore,
}

/// Whether what saves little for its effort is tried, too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Thrift {
    Thrifty,
    Lavish,
}

/// What it weighs that an event is left where the search was cut short.
const UNSURE: f64 = 0.3;

pub(crate) enum Fate {
    Stays,
    /// Others cover what it does.
    Redundant,
    Shrinks(Box<Reduced>),
}

impl<R: Replay> Shrinker<'_, '_, R> {
    /// What became of each trace; those that are kept stay as they are.
    pub fn shrink(&mut self, mut suite: Vec<Reduced>) -> Result<Vec<Fate>, R::Error> {
        let mut fates: Vec<Fate> = suite.iter().map(|_| Fate::Stays).collect();
        // What saves much for its effort everywhere, before what saves little.
        for thrift in [Thrift::Thrifty, Thrift::Lavish] {
            self.sweep(&mut suite, &mut fates, thrift)?;
        }
        for fate in &fates {
            if let Fate::Shrinks(smaller) = fate
                && !self.stands(&smaller.trace)?
            {
                // The others may have shed what it showed then, so that none of them counts.
                return Ok(suite.iter().map(|_| Fate::Stays).collect());
            }
        }
        Ok(fates)
    }

    /// The dearest goes first: what it sheds because others cover it, those must keep.
    fn sweep(
        &mut self,
        suite: &mut [Reduced],
        fates: &mut [Fate],
        thrift: Thrift,
    ) -> Result<(), R::Error> {
        let is_there = |at: &usize| !suite[*at].kept && !matches!(fates[*at], Fate::Redundant);
        let mut order: Vec<usize> = (0..suite.len()).filter(is_there).collect();
        order.sort_by_key(|at| Reverse(self.cost.trace(&suite[*at].trace)));
        let mut covers: Vec<Coverage> = suite.iter().map(|one| self.covered(one)).collect();
        for (at, fate) in fates.iter().enumerate() {
            if matches!(fate, Fate::Redundant) {
                covers[at] = Coverage::new();
            }
        }
        let mut steps: u64 = order.iter().map(|at| suite[*at].trace.steps.len() as u64).sum();
        for at in order {
            let others = covers.iter().enumerate().filter(|(other, _)| *other != at);
            let others: Coverage = others.map(|(_, covers)| covers).collect();
            let needed = covers[at].difference(&others);
            let own = suite[at].trace.steps.len() as u64;
            if needed.is_empty() {
                covers[at] = Coverage::new();
                fates[at] = Fate::Redundant;
            } else if self.goes_on() {
                let ends = self.share(own, steps, self.reserve(suite, fates));
                if let Some(smaller) = self.smaller(&suite[at], &needed, (ends, thrift))? {
                    covers[at] = self.covered(&smaller);
                    suite[at] = smaller.clone();
                    fates[at] = Fate::Shrinks(Box::new(smaller));
                }
            }
            steps -= own;
        }
        Ok(())
    }

    fn goes_on(&mut self) -> bool {
        self.stopped |= self.inquiry.replay.is_stopped();
        !self.stopped && self.inquiry.tally.effort < self.effort_ends
    }

    /// The longer a trace, the more there is to save.
    fn share(&self, own: u64, left: u64, reserve: u64) -> u64 {
        let effort = self.inquiry.tally.effort;
        let ends = self.effort_ends.saturating_sub(reserve);
        let share = ends.saturating_sub(effort) * own / left.max(1);
        (effort + share.max(FEW * (RESTART + own / 2))).min(ends)
    }

    fn reserve(&self, suite: &[Reduced], fates: &[Fate]) -> u64 {
        let is_run =
            |(one, fate): &(&Reduced, &Fate)| !one.kept && !matches!(fate, Fate::Redundant);
        let run = suite.iter().zip(fates).filter(is_run).filter(|_| self.believes);
        run.map(|(one, _)| RESTART + one.trace.steps.len() as u64).sum()
    }

    /// One that covers what is needed and costs less.
    fn smaller(
        &mut self,
        one: &Reduced,
        needed: &Coverage,
        limits: (u64, Thrift),
    ) -> Result<Option<Reduced>, R::Error> {
        let (whole, covering) = self.cut_tail(one, needed);
        let problem = Problem { length: whole.steps.len(), states: None };
        let beliefs = self.lore.beliefs(&whole, &covering);
        let options = Options { algorithm: Algorithm::Probdd, beliefs, ..Options::default() };
        let (claimed, inquiry, needs) = (self.claimed, &mut *self.inquiry, &mut *self.needs);
        let mut errand = Errand::new((&whole, needed), claimed, (needs, inquiry), limits);
        // It could only be refused for options that do not fit the problem.
        let outcome = minimize(&problem, &mut errand, &options);
        let (found, halt) = errand.finish();
        match halt {
            Some(Halt::Failed(error)) => return Err(error),
            Some(Halt::Stopped) => self.stopped = true,
            None => {}
        }
        let Ok(Outcome { answer, ending, .. }) = outcome else { return Ok(None) };
        let sure = if ending == Ending::Finished { 1.0 } else { UNSURE };
        self.lore.learn(&whole, answer.positions(), sure);
        let found = found.into_iter().find(|(candidate, _)| *candidate == answer);
        let Some((_, recording)) = found else { return Ok(None) };
        let smaller = made_of(one, &answer, recording);
        let is_cheaper = self.cost.trace(&smaller.trace) < self.cost.trace(&one.trace);
        Ok(is_cheaper.then_some(smaller))
    }

    /// Whether it follows the same way when it is run once more; unless it was run as often as it takes to
    /// believe it.
    fn stands(&mut self, trace: &Trace) -> Result<bool, R::Error> {
        if !self.inquiry.replay.repeats() {
            return Ok(true);
        }
        match self.inquiry.ask(std::slice::from_ref(trace), Patience::FirstDifference) {
            Ok(answers) => Ok(answers.iter().all(|replayed| replayed.is_faithful(trace))),
            // It was run once, as a recording was, and is believed like one.
            Err(Halt::Stopped) => {
                self.stopped = true;
                Ok(true)
            }
            Err(Halt::Failed(error)) => Err(error),
        }
    }

    /// Without the steps after the last that is needed; and which steps are the first to cover something
    /// that is.
    fn cut_tail(&mut self, one: &Reduced, needed: &Coverage) -> (Trace, Vec<usize>) {
        let mut left = needed.clone();
        let mut covering = Vec::new();
        for (step, covers) in self.needs.along(&one.trace, &one.covered).iter().enumerate() {
            if left.count_new(covers) < left.len() {
                covering.push(step);
                left = left.difference(covers);
            }
        }
        let mut whole = one.trace.clone();
        whole.steps.truncate(covering.last().copied().unwrap_or(0));
        (whole, covering)
    }

    fn covered(&mut self, one: &Reduced) -> Coverage {
        let all = self.needs.along(&one.trace, &one.covered);
        all.iter().collect::<Coverage>().intersection(self.claimed)
    }
}

fn made_of(one: &Reduced, answer: &Candidate, recording: Recording) -> Reduced {
    let step = |position: &u32| one.origins[*position as usize + 1];
    let origins: Vec<Origin> =
        std::iter::once(one.origins[0]).chain(answer.positions().iter().map(step)).collect();
    Reduced { trace: recording.trace, covered: recording.covered, origins, kept: false }
}
