//! A lab that answers the questions of `retap-minimize`: a candidate becomes a job, a run's number a
//! world, and an execution ends as soon as its answer is known.

use super::{Memory, Request, Watch};
use crate::failure::Failure;
use retap_device::{DeviceError, Execution, Job, Lab};
use retap_minimize::{Answer, Candidate, Cost, Goal, Oracle, Question, Stop};
use retap_model::{Event, StateId};
use std::time::Instant;

pub struct LabOracle<'r, 'd> {
    lab: &'r mut Lab<'d>,
    request: &'r Request<'r>,
    events: &'r [Event],
    /// Before each event of the original.
    states: Option<&'r [StateId]>,
    memory: &'r mut Memory,
    watch: Watch<'r>,
    best: Vec<Event>,
    calls: u64,
    failure: Option<Failure>,
}

impl<'r, 'd> LabOracle<'r, 'd> {
    pub fn new(
        lab: &'r mut Lab<'d>,
        request: &'r Request<'r>,
        events: &'r [Event],
        states: Option<&'r [StateId]>,
        memory: &'r mut Memory,
        watch: Watch<'r>,
    ) -> Self {
        let best = events.to_vec();
        Self { lab, request, events, states, memory, watch, best, calls: 0, failure: None }
    }

    /// What went wrong meanwhile, other than an interruption.
    pub fn into_failure(self) -> Result<(), Failure> {
        self.failure.map_or(Ok(()), Err)
    }

    fn job(&self, question: &Question) -> Job {
        let run = if self.request.vary_world { u64::from(question.run) } else { 0 };
        Job {
            world_seed: self.request.trace.world_seed.wrapping_add(run),
            events: self.pick(&question.candidate),
        }
    }

    fn pick(&self, candidate: &Candidate) -> Vec<Event> {
        candidate.positions().iter().map(|&at| self.events[at as usize].clone()).collect()
    }

    fn run(&mut self, questions: &[&Question]) -> Result<Vec<Answer>, Failure> {
        let jobs: Vec<Job> = questions.iter().map(|question| self.job(question)).collect();
        let judge = &self.request.judge;
        let executions = self.lab.run_all(&jobs, &|job, _, seen| {
            questions[job].goal == Goal::Interesting && judge.sees(seen)
        })?;
        questions
            .iter()
            .zip(&executions)
            .map(|(question, ran)| self.answer(question, ran))
            .collect()
    }

    fn answer(&self, question: &Question, execution: &Execution) -> Result<Answer, Failure> {
        let events = execution.events();
        let success = match question.goal {
            Goal::Interesting => {
                self.request.judge.holds(&self.pick(&question.candidate), execution)?
            }
            Goal::Reach(position) => {
                let wanted = self.states.map(|states| states[position as usize]);
                let reached = self.request.hierarchy.state(&execution.last().screen);
                events == question.candidate.len() && wanted == Some(reached)
            }
        };
        Ok(Answer { success, events })
    }

    fn out_of_time(&self) -> bool {
        self.request.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}

impl Oracle for LabOracle<'_, '_> {
    fn ask(&mut self, round: &[Question]) -> Result<Vec<Answer>, Stop> {
        if self.out_of_time() {
            return Err(Stop::Budget);
        }
        self.calls += round.len() as u64;
        (self.watch)(&self.best, self.calls);
        let unknown: Vec<&Question> =
            round.iter().filter(|question| self.memory.recall(question).is_none()).collect();
        let answers = self.run(&unknown).and_then(|answers| {
            for (question, answer) in unknown.iter().zip(answers) {
                self.memory.learn(question, answer).map_err(|error| {
                    Failure::input(format!("an answer cannot be kept: {error}"))
                })?;
            }
            Ok(())
        });
        if let Err(failure) = answers {
            if !matches!(failure, Failure::Device(DeviceError::Interrupted)) {
                self.failure = Some(failure);
            }
            return Err(Stop::Interrupted);
        }
        round.iter().map(|question| self.memory.recall(question).ok_or(Stop::Interrupted)).collect()
    }

    fn watches_every_event(&self) -> bool {
        self.request.judge.watches_every_event()
    }

    fn improved(&mut self, best: &Candidate, _cost: &Cost) {
        self.best = self.pick(best);
        (self.watch)(&self.best, self.calls);
    }
}
