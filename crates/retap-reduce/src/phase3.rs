//! Phase 3 minimises each trace; the paper does not have it. An app remembers things that its screens do not show, so a
//! removed loop mostly leads elsewhere; but that state may still show what is needed. Each trace is minimised for the
//! requirements that only it covers, wherever its events lead. It must not show a state or crash that no recording
//! has. The algorithm is ProbDD, which begins with priors learnt from earlier traces.

mod coverage_oracle;
pub(crate) mod event_priors;

use crate::model::cost::CostModel;
use crate::model::requirement_index::RequirementIndex;
use crate::recorded_trace::RecordedTrace;
use crate::reduction::{ReducedTrace, StepPosition};
use crate::replay::session::ReplaySession;
use crate::replay::{Replay, ReplayError, ReplayMode, run_effort};
use coverage_oracle::{CoverageOracle, EffortPolicy, OracleReport, OracleTask};
use event_priors::EventPriors;
use retap_minimize::{
    Algorithm, Candidate, MinimizeEnding, MinimizeOptions, MinimizeProblem, MinimizeResult,
    minimize,
};
use retap_model::{Coverage, Trace};
use std::cmp::Reverse;

/// Candidates that a trace may always try while there is effort left at all. Fewer seldom find anything.
const GUARANTEED_CANDIDATES: u64 = 12;

/// The weight of a remaining event as evidence that it is needed, if the search was cut short.
const UNFINISHED_WEIGHT: f64 = 0.3;

pub(crate) struct SuiteMinimizer<'s, 'r, R> {
    pub requirements: &'s mut RequirementIndex,
    pub session: &'s mut ReplaySession<'r, R>,
    /// The requirements that recordings claim to cover.
    pub claimed: &'s Coverage,
    /// True if the remaining traces have to run once to be confirmed.
    pub trusts_recordings: bool,
    pub cost: CostModel,
    /// The total effort at which the phase ends.
    pub effort_limit: u64,
    pub stopped: bool,
    pub priors: EventPriors,
}

/// The result of phase 3 for one trace.
pub(crate) enum Phase3Outcome {
    Unchanged,
    /// The other traces cover all that this one covers.
    Redundant,
    Smaller(Box<ReducedTrace>),
}

impl Phase3Outcome {
    fn is_redundant(&self) -> bool {
        matches!(self, Phase3Outcome::Redundant)
    }
}

impl<R: Replay> SuiteMinimizer<'_, '_, R> {
    /// Minimises the traces of a suite. Returns one result per trace; kept traces stay unchanged.
    pub fn minimize(
        &mut self,
        mut suite: Vec<ReducedTrace>,
    ) -> Result<Vec<Phase3Outcome>, R::Error> {
        let mut results: Vec<_> = suite.iter().map(|_| Phase3Outcome::Unchanged).collect();
        // First what saves much for its effort, in all traces; then what saves little.
        for policy in [EffortPolicy::Economical, EffortPolicy::Exhaustive] {
            self.minimize_each(&mut suite, &mut results, policy)?;
        }
        for result in &results {
            if let Phase3Outcome::Smaller(smaller) = result
                && !self.replays_again(&smaller.trace)?
            {
                // Other traces may have dropped what this one covered, so all results are void.
                return Ok(suite.iter().map(|_| Phase3Outcome::Unchanged).collect());
            }
        }
        Ok(results)
    }

    /// Minimises the most expensive trace first: the requirements it drops because others cover them, those must keep.
    fn minimize_each(
        &mut self,
        suite: &mut [ReducedTrace],
        results: &mut [Phase3Outcome],
        policy: EffortPolicy,
    ) -> Result<(), R::Error> {
        let is_open = |index: &usize| !suite[*index].kept && !results[*index].is_redundant();
        let mut order: Vec<usize> = (0..suite.len()).filter(is_open).collect();
        order.sort_by_key(|index| Reverse(self.cost.trace(&suite[*index].trace)));
        let mut covered_by: Vec<Coverage> =
            suite.iter().map(|trace| self.covered_by(trace)).collect();
        for (covered, result) in covered_by.iter_mut().zip(results.iter()) {
            if result.is_redundant() {
                *covered = Coverage::new();
            }
        }
        let mut steps_left: u64 =
            order.iter().map(|index| suite[*index].trace.steps.len() as u64).sum();
        for index in order {
            let others = covered_by.iter().enumerate().filter(|(other, _)| *other != index);
            let others: Coverage = others.map(|(_, covered)| covered).collect();
            let needed = covered_by[index].difference(&others);
            let steps = suite[index].trace.steps.len() as u64;
            if needed.is_empty() {
                covered_by[index] = Coverage::new();
                results[index] = Phase3Outcome::Redundant;
            } else if self.can_continue() {
                let reserve = self.effort_to_confirm(suite, results);
                let effort_limit = self.effort_limit_of(steps, steps_left, reserve);
                let smaller = self.minimize_one(&suite[index], &needed, effort_limit, policy)?;
                if let Some(smaller) = smaller {
                    covered_by[index] = self.covered_by(&smaller);
                    suite[index] = smaller.clone();
                    results[index] = Phase3Outcome::Smaller(Box::new(smaller));
                }
            }
            steps_left -= steps;
        }
        Ok(())
    }

    fn can_continue(&mut self) -> bool {
        self.stopped |= self.session.replay.is_stopped();
        !self.stopped && self.session.stats.effort < self.effort_limit
    }

    /// Returns the total effort at which the search for one trace ends. Long traces get more, because there is more to
    /// save.
    fn effort_limit_of(&self, steps: u64, steps_left: u64, reserve: u64) -> u64 {
        let spent = self.session.stats.effort;
        let limit = self.effort_limit.saturating_sub(reserve);
        let share = limit.saturating_sub(spent) * steps / steps_left.max(1);
        let guaranteed = GUARANTEED_CANDIDATES * run_effort(steps as usize / 2);
        (spent + share.max(guaranteed)).min(limit)
    }

    /// Returns the effort of running the suite once, if it has to be confirmed.
    fn effort_to_confirm(&self, suite: &[ReducedTrace], results: &[Phase3Outcome]) -> u64 {
        if !self.trusts_recordings {
            return 0;
        }
        let traces = suite.iter().zip(results);
        let running = traces.filter(|(trace, result)| !trace.kept && !result.is_redundant());
        running.map(|(trace, _)| run_effort(trace.trace.steps.len())).sum()
    }

    /// Returns a trace that covers `needed` and costs less, if one is found.
    fn minimize_one(
        &mut self,
        reduced: &ReducedTrace,
        needed: &Coverage,
        effort_limit: u64,
        policy: EffortPolicy,
    ) -> Result<Option<ReducedTrace>, R::Error> {
        let NeededPart { whole, covering_steps } = self.without_tail(reduced, needed);
        let problem = MinimizeProblem { length: whole.steps.len(), states: None };
        let event_probabilities = self.priors.estimate(&whole, &covering_steps);
        let options = MinimizeOptions {
            algorithm: Algorithm::Probdd,
            event_probabilities,
            ..MinimizeOptions::default()
        };
        let claimed = self.claimed;
        let task = OracleTask { whole: &whole, needed, claimed, effort_limit, policy };
        let mut oracle = CoverageOracle::new(task, self.requirements, self.session);
        let outcome = minimize(&problem, &mut oracle, &options);
        let OracleReport { found, error } = oracle.finish();
        match error {
            Some(ReplayError::Failed(error)) => return Err(error),
            Some(ReplayError::Stopped) => self.stopped = true,
            None => {}
        }
        let MinimizeResult { answer, ending, .. } = match outcome {
            Ok(outcome) => outcome,
            Err(error) => unreachable!("the options of phase 3 fit every trace: {error}"),
        };
        let weight = if ending == MinimizeEnding::Finished { 1.0 } else { UNFINISHED_WEIGHT };
        self.priors.learn(&whole, answer.positions(), weight);
        let found = found.into_iter().find(|found| found.candidate == answer);
        debug_assert!(
            found.is_some() || answer.len() == whole.steps.len(),
            "every answer but the original has run"
        );
        let Some(found) = found else { return Ok(None) };
        let smaller = rebuild(reduced, &answer, found.recorded);
        let is_cheaper = self.cost.trace(&smaller.trace) < self.cost.trace(&reduced.trace);
        Ok(is_cheaper.then_some(smaller))
    }

    /// Runs a minimised trace once more and returns true if it replays. Where recordings are not trusted, the oracle
    /// has already replayed it often enough.
    fn replays_again(&mut self, trace: &Trace) -> Result<bool, R::Error> {
        if !self.session.replay.can_trust_recordings() {
            return Ok(true);
        }
        match self.session.replay_one(trace, ReplayMode::StopAtDivergence) {
            Ok(result) => Ok(result.is_faithful(trace)),
            // It ran once, as a recording did, and is trusted like one.
            Err(ReplayError::Stopped) => {
                self.stopped = true;
                Ok(true)
            }
            Err(ReplayError::Failed(error)) => Err(error),
        }
    }

    /// Cuts the steps after the last one that is needed.
    fn without_tail(&mut self, reduced: &ReducedTrace, needed: &Coverage) -> NeededPart {
        let mut missing = needed.clone();
        let mut covering_steps = Vec::new();
        let by_step = self.requirements.covered_by_steps(&reduced.trace, &reduced.covered);
        for (step, covered) in by_step.iter().enumerate() {
            if missing.count_new(covered) < missing.len() {
                covering_steps.push(step);
                missing = missing.difference(covered);
            }
        }
        let mut whole = reduced.trace.clone();
        whole.steps.truncate(covering_steps.last().copied().unwrap_or(0));
        NeededPart { whole, covering_steps }
    }

    /// Returns the claimed requirements that a trace covers.
    fn covered_by(&mut self, reduced: &ReducedTrace) -> Coverage {
        let covered = self.requirements.covered_by_trace(&reduced.trace, &reduced.covered);
        covered.intersection(self.claimed)
    }
}

/// A trace without its tail.
struct NeededPart {
    whole: Trace,
    /// The steps that are the first to cover something needed; zero is the launch.
    covering_steps: Vec<usize>,
}

/// Returns the trace that a candidate recorded, with the origins of the events that are left.
fn rebuild(original: &ReducedTrace, answer: &Candidate, recorded: RecordedTrace) -> ReducedTrace {
    let step = |position: &u32| original.origins[*position as usize + 1];
    let launch = std::iter::once(original.origins[0]);
    let origins: Vec<StepPosition> = launch.chain(answer.positions().iter().map(step)).collect();
    ReducedTrace { trace: recorded.trace, covered: recorded.covered, origins, kept: false }
}
