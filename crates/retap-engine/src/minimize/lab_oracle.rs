//! A lab as the oracle of `retap-minimize`: a candidate becomes a job, the number of a run selects a world seed, and an
//! execution ends as soon as its answer is known.

use super::{AnswerLog, MinimizeRequest, OnProgress};
use crate::Failure;
use retap_device::{DeviceError, Execution, Job, Lab};
use retap_minimize::{
    Answer, Candidate, CandidateGoal, CandidateOracle, Question, SearchCost, SearchStop,
};
use retap_model::{Event, StateId};
use std::time::Instant;

pub struct LabOracle<'r, 'd> {
    lab: &'r mut Lab<'d>,
    request: &'r MinimizeRequest<'r>,
    events: Vec<Event>,
    /// The state before each event of the original.
    states: Option<&'r [StateId]>,
    answers: &'r mut AnswerLog,
    on_progress: OnProgress<'r>,
    best: Vec<Event>,
    calls: u64,
    failure: Option<Failure>,
}

impl<'r, 'd> LabOracle<'r, 'd> {
    pub fn new(
        lab: &'r mut Lab<'d>,
        request: &'r MinimizeRequest<'r>,
        states: Option<&'r [StateId]>,
        answers: &'r mut AnswerLog,
        on_progress: OnProgress<'r>,
    ) -> Self {
        let events: Vec<Event> = request.trace.events().cloned().collect();
        let best = events.clone();
        Self { lab, request, events, states, answers, on_progress, best, calls: 0, failure: None }
    }

    /// Returns the failure that stopped the search, unless it was an interruption.
    pub fn into_failure(self) -> Result<(), Failure> {
        self.failure.map_or(Ok(()), Err)
    }

    fn job(&self, question: &Question) -> Job {
        let run = if self.request.vary_world { u64::from(question.run) } else { 0 };
        Job {
            world_seed: self.request.trace.world_seed.wrapping_add(run),
            events: self.events_of(&question.candidate),
        }
    }

    fn events_of(&self, candidate: &Candidate) -> Vec<Event> {
        candidate.positions().iter().map(|&at| self.events[at as usize].clone()).collect()
    }

    fn run(&mut self, questions: &[&Question]) -> Result<Vec<Answer>, Failure> {
        let jobs: Vec<Job> = questions.iter().map(|question| self.job(question)).collect();
        let judge = &self.request.judge;
        let executions = self.lab.run_all(&jobs, &|job, _, observation| {
            questions[job].goal == CandidateGoal::Interesting && judge.sees(observation)
        })?;
        assert_eq!(questions.len(), executions.len(), "the lab answers every job");
        questions
            .iter()
            .zip(&executions)
            .map(|(question, execution)| self.answer(question, execution))
            .collect()
    }

    fn answer(&self, question: &Question, execution: &Execution) -> Result<Answer, Failure> {
        let events = execution.events();
        let success = match question.goal {
            CandidateGoal::Interesting => {
                self.request.judge.holds(&self.events_of(&question.candidate), execution)?
            }
            CandidateGoal::Reach(position) => {
                let wanted = self.states.map(|states| states[position as usize]);
                let reached = self.request.hierarchy.state(&execution.last().screen);
                events == question.candidate.len() && wanted == Some(reached)
            }
        };
        Ok(Answer { success, events })
    }

    /// Runs the questions that have no answer yet, and logs what they answer.
    fn run_unknown(&mut self, round: &[Question]) -> Result<(), Failure> {
        let unknown: Vec<&Question> =
            round.iter().filter(|question| self.answers.get(question).is_none()).collect();
        let answers = self.run(&unknown)?;
        for (question, answer) in unknown.into_iter().zip(answers) {
            self.answers
                .add(question, answer)
                .map_err(|error| Failure::input(format!("an answer cannot be kept: {error}")))?;
        }
        Ok(())
    }

    fn is_out_of_time(&self) -> bool {
        self.request.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}

impl CandidateOracle for LabOracle<'_, '_> {
    fn ask(&mut self, round: &[Question]) -> Result<Vec<Answer>, SearchStop> {
        if self.is_out_of_time() {
            return Err(SearchStop::Budget);
        }
        self.calls += round.len() as u64;
        (self.on_progress)(&self.best, self.calls);
        if let Err(failure) = self.run_unknown(round) {
            if !matches!(failure, Failure::Device(DeviceError::Interrupted)) {
                self.failure = Some(failure);
            }
            return Err(SearchStop::Interrupted);
        }
        round
            .iter()
            .map(|question| self.answers.get(question).ok_or(SearchStop::Interrupted))
            .collect()
    }

    fn watches_every_event(&self) -> bool {
        self.request.judge.watches_every_event()
    }

    fn record_best(&mut self, best: &Candidate, _cost: &SearchCost) {
        self.best = self.events_of(best);
        (self.on_progress)(&self.best, self.calls);
    }
}
