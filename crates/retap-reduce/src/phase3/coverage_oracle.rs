//! The oracle of phase 3: runs some of a trace's events, and checks that they cover what the trace is needed for.

use crate::model::requirement_index::RequirementIndex;
use crate::recorded_trace::RecordedTrace;
use crate::replay::session::ReplaySession;
use crate::replay::{Replay, ReplayError, ReplayMode, run_effort};
use retap_minimize::{Answer, Candidate, CandidateOracle, Question, SearchStop};
use retap_model::{Coverage, Event, Trace};

/// The most effort to spend on removing one event while more may be saved elsewhere.
const MAX_EFFORT_PER_EVENT: u64 = 30;

/// The candidates that are worth running.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EffortPolicy {
    /// Only candidates that save much for their effort.
    Economical,
    /// All candidates.
    Exhaustive,
}

/// The trace to minimise, and what its candidates must cover.
#[derive(Clone, Copy)]
pub(super) struct OracleTask<'t> {
    pub whole: &'t Trace,
    pub needed: &'t Coverage,
    /// The requirements that recordings claim: a candidate must not show any other state or crash.
    pub claimed: &'t Coverage,
    /// The total effort at which the search ends.
    pub effort_limit: u64,
    pub policy: EffortPolicy,
}

/// A candidate that covers everything needed, as it was run.
pub(super) struct FoundCandidate {
    pub candidate: Candidate,
    pub recorded: RecordedTrace,
}

/// The candidates that an oracle found, and the error that ended it, if any.
pub(super) struct OracleReport<E> {
    pub found: Vec<FoundCandidate>,
    pub error: Option<ReplayError<E>>,
}

pub(super) struct CoverageOracle<'o, 'r, R: Replay> {
    task: OracleTask<'o>,
    requirements: &'o mut RequirementIndex,
    session: &'o mut ReplaySession<'r, R>,
    /// The length of the shortest candidate found.
    shortest: usize,
    report: OracleReport<R::Error>,
}

impl<'o, 'r, R: Replay> CoverageOracle<'o, 'r, R> {
    pub fn new(
        task: OracleTask<'o>,
        requirements: &'o mut RequirementIndex,
        session: &'o mut ReplaySession<'r, R>,
    ) -> Self {
        let report = OracleReport { found: Vec::new(), error: None };
        Self { shortest: task.whole.steps.len(), task, requirements, session, report }
    }

    pub fn finish(self) -> OracleReport<R::Error> {
        self.report
    }

    fn answer(&mut self, question: &Question) -> Result<Answer, ReplayError<R::Error>> {
        // ProbDD asks only whether candidates are interesting.
        let Question { candidate, .. } = question;
        let length = self.task.whole.steps.len();
        if candidate.len() == length {
            return Ok(Answer { success: true, events: length });
        }
        if self.task.policy == EffortPolicy::Economical && !self.is_worth_running(candidate) {
            return Ok(Answer { success: false, events: candidate.len() });
        }
        let recorded = self.run(candidate)?;
        let events_run = recorded.trace.steps.len();
        let Some(recorded) = self.cut_to_needed(recorded)? else {
            return Ok(Answer { success: false, events: events_run });
        };
        let events = recorded.trace.steps.len();
        self.session.stats.sufficient += 1;
        self.shortest = self.shortest.min(events);
        self.report.found.push(FoundCandidate { candidate: candidate.prefix(events), recorded });
        Ok(Answer { success: true, events })
    }

    /// Returns true if the candidate would save enough events for the effort of running it.
    fn is_worth_running(&self, candidate: &Candidate) -> bool {
        let saving = self.shortest.saturating_sub(candidate.len()) as u64;
        saving * MAX_EFFORT_PER_EVENT >= run_effort(candidate.len())
    }

    /// Runs a candidate until it shows a state or crash that no recording has.
    fn run(&mut self, candidate: &Candidate) -> Result<RecordedTrace, ReplayError<R::Error>> {
        let Trace { world_seed, steps, .. } = self.task.whole;
        let event = |position: &u32| -> Event { steps[*position as usize].event.clone() };
        let trace = Trace::of_events(*world_seed, candidate.positions().iter().map(event));
        let (requirements, claimed) = (&*self.requirements, self.task.claimed);
        self.session.record(&trace, &|result| requirements.has_unknown(result, claimed))
    }

    /// Cuts a run after the step that covers the last of what is needed; returns none if something is missing. Where
    /// recordings are not trusted, the run must also replay.
    fn cut_to_needed(
        &mut self,
        mut recorded: RecordedTrace,
    ) -> Result<Option<RecordedTrace>, ReplayError<R::Error>> {
        if !self.cut_once(&mut recorded) {
            return Ok(None);
        }
        if !self.session.replay.can_trust_recordings() {
            let result = self.session.replay_one(&recorded.trace, ReplayMode::StopAtDivergence)?;
            if !result.is_faithful(&recorded.trace) {
                return Ok(None);
            }
            recorded.covered = result.covered;
            if !self.cut_once(&mut recorded) {
                return Ok(None);
            }
        }
        Ok(Some(recorded))
    }

    /// Returns false if the run lacks something needed, or shows a state or crash that no recording has.
    fn cut_once(&mut self, recorded: &mut RecordedTrace) -> bool {
        let mut missing = self.task.needed.clone();
        for (step, units) in recorded.covered.iter().enumerate() {
            let result = recorded.trace.result_after(step);
            if self.requirements.has_unknown(result, self.task.claimed) {
                return false;
            }
            missing = missing.difference(&self.requirements.covered_by_step(result, units));
            if missing.is_empty() {
                recorded.truncate(step);
                return true;
            }
        }
        false
    }
}

impl<R: Replay> CandidateOracle for CoverageOracle<'_, '_, R> {
    fn ask(&mut self, round: &[Question]) -> Result<Vec<Answer>, SearchStop> {
        let mut answers = Vec::with_capacity(round.len());
        for question in round {
            if self.session.stats.effort >= self.task.effort_limit {
                self.session.stats.limits_hit += 1;
                return Err(SearchStop::Budget);
            }
            match self.answer(question) {
                Ok(answer) => answers.push(answer),
                Err(error) => {
                    self.report.error = Some(error);
                    return Err(SearchStop::Interrupted);
                }
            }
        }
        Ok(answers)
    }

    fn watches_every_event(&self) -> bool {
        true
    }
}
