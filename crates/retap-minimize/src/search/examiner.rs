//! The examiner stands between the algorithms and the oracle. It does once what every algorithm needs:
//! it remembers runs, schedules rounds, counts the cost, keeps to the budget and keeps the best answer.

mod best_answer;

use super::candidate::Candidate;
use super::cost::{SearchBudget, SearchCost};
use super::known_runs::KnownRuns;
use super::oracle::{CandidateGoal, CandidateOracle, Question, SearchStop};
use crate::algorithms::Algorithm;
use crate::problem::MinimizeOptions;
use crate::result::Improvement;
use crate::scheduling::Scheduler;
use crate::statistics::{CandidateStatus, Check, RunCounts};
use std::collections::BTreeSet;

pub(crate) struct Examiner<'a> {
    oracle: &'a mut dyn CandidateOracle,
    check: Check,
    scheduler: Scheduler,
    budget: SearchBudget,
    cost: SearchCost,
    memory: KnownRuns,
    baseline: RunCounts,
    best: Candidate,
    /// Fresh runs of the best answer.
    verification: Option<RunCounts>,
    /// The check that every single event was tested with and is needed for, if the search got that far.
    minimality: Option<Check>,
    /// The algorithm that is at work, for the list of improvements.
    algorithm: Algorithm,
    improvements: Vec<Improvement>,
}

/// The progress of one of the candidates asked for.
#[derive(Debug)]
struct CandidateProgress {
    /// Its index among the candidates asked for.
    index: usize,
    counts: RunCounts,
    status: CandidateStatus,
}

/// Runs of one candidate in a round.
#[derive(Debug, Clone, Copy)]
struct ScheduledRuns<'c> {
    candidate: &'c Candidate,
    runs: u32,
}

/// A candidate that passed.
#[derive(Debug, PartialEq)]
pub(crate) struct PassingCandidate {
    /// Its index among the candidates asked for.
    pub index: usize,
    /// The candidate without the events after the goal was met.
    pub candidate: Candidate,
}

impl<'a> Examiner<'a> {
    pub fn new(
        oracle: &'a mut dyn CandidateOracle,
        options: &MinimizeOptions,
        length: usize,
    ) -> Self {
        Self {
            oracle,
            check: options.check,
            scheduler: options.scheduler.clone(),
            budget: options.budget,
            cost: SearchCost::default(),
            memory: KnownRuns::default(),
            baseline: RunCounts::default(),
            best: Candidate::whole(length),
            verification: None,
            minimality: None,
            algorithm: options.algorithm,
            improvements: Vec::new(),
        }
    }

    /// Returns the best answer so far, at first the original.
    pub fn best(&self) -> &Candidate {
        &self.best
    }

    pub fn set_check(&mut self, check: Check) {
        self.check = check;
    }

    /// Notes that the best answer without any single event fails the check in force.
    pub fn note_minimality(&mut self) {
        self.minimality = Some(self.check);
    }

    /// Takes the note back: the search stopped before fresh runs confirmed the answer.
    pub fn forget_minimality(&mut self) {
        self.minimality = None;
    }

    /// Attributes the following improvements to `algorithm`.
    pub fn set_algorithm(&mut self, algorithm: Algorithm) {
        self.algorithm = algorithm;
    }

    /// Runs the original as often as the check says. Returns false if it is not worth minimising.
    pub fn run_baseline(&mut self) -> Result<bool, SearchStop> {
        let original = self.best.clone();
        self.baseline = self.repeat_runs(&original, self.check.runs)?;
        if self.baseline.successes < self.check.baseline_required() {
            return Ok(false);
        }
        self.accept(&original, CandidateGoal::Interesting);
        Ok(true)
    }

    /// Returns true if no run of the original failed.
    pub fn has_steady_baseline(&self) -> bool {
        self.baseline.failures == 0
    }

    /// Returns true if the candidate passes the check.
    pub fn passes(
        &mut self,
        goal: CandidateGoal,
        candidate: &Candidate,
    ) -> Result<bool, SearchStop> {
        Ok(self.get_passing(goal, std::slice::from_ref(candidate))?.is_some())
    }

    /// Returns one of `candidates` that passes, or none, in few rounds: ND3MIN's `get_passing`.
    ///
    /// With one run per candidate, and with the greedy scheduler, it is the *first* that passes,
    /// whatever the width. Otherwise it is the one whose runs pass the check first.
    pub fn get_passing(
        &mut self,
        goal: CandidateGoal,
        candidates: &[Candidate],
    ) -> Result<Option<PassingCandidate>, SearchStop> {
        let in_order = self.check.runs == 1 || matches!(self.scheduler, Scheduler::Greedy);
        let mut open = self.distinct_progress(goal, candidates);
        let is_decided = |progress: &&CandidateProgress| progress.status != CandidateStatus::Open;
        self.cost.remembered += open.iter().filter(is_decided).count() as u64;
        loop {
            open.retain(|progress| progress.status != CandidateStatus::Dead);
            match open.iter().position(|progress| progress.status == CandidateStatus::Passes) {
                Some(place) if place == 0 || !in_order => {
                    let index = open[place].index;
                    let candidate = self.accept(&candidates[index], goal);
                    return Ok(Some(PassingCandidate { index, candidate }));
                }
                // The candidates behind it cannot be the first to pass.
                Some(place) => open.truncate(place),
                None if open.is_empty() => return Ok(None),
                None => {}
            }
            self.run_round(goal, candidates, &mut open)?;
        }
    }

    /// Runs one candidate further, even if its status is decided, and returns the new runs alone.
    fn repeat_runs(&mut self, candidate: &Candidate, runs: u32) -> Result<RunCounts, SearchStop> {
        let goal = CandidateGoal::Interesting;
        let before = self.memory.record(goal, candidate).counts;
        let mut left = runs;
        while left > 0 {
            let runs = left.min(self.check.width);
            self.ask(goal, &[ScheduledRuns { candidate, runs }])?;
            left -= runs;
        }
        Ok(self.memory.record(goal, candidate).counts - before)
    }

    /// Returns the progress of the candidates, each once however often it is listed.
    fn distinct_progress(
        &self,
        goal: CandidateGoal,
        candidates: &[Candidate],
    ) -> Vec<CandidateProgress> {
        let mut listed = BTreeSet::new();
        let distinct =
            candidates.iter().enumerate().filter(|(_, candidate)| listed.insert(*candidate));
        distinct.map(|(index, candidate)| self.progress(goal, index, candidate)).collect()
    }

    fn progress(
        &self,
        goal: CandidateGoal,
        index: usize,
        candidate: &Candidate,
    ) -> CandidateProgress {
        let counts = self.memory.record(goal, candidate).counts;
        let status = match goal {
            // The baseline went through that state after exactly these events.
            CandidateGoal::Reach(position) if candidate.is_prefix_until(position) => {
                CandidateStatus::Passes
            }
            CandidateGoal::Interesting if counts.runs() == 0 && self.is_ruled_out(candidate) => {
                CandidateStatus::Dead
            }
            _ => self.check.status_of(&counts),
        };
        CandidateProgress { index, counts, status }
    }

    /// Returns true if the memory rules the candidate out. That counts only where one run decides,
    /// because chance may fail a longer candidate's run and spare the run of its prefix.
    fn is_ruled_out(&self, candidate: &Candidate) -> bool {
        self.check.runs == 1 && self.memory.rules_out(candidate)
    }

    /// Runs one round of the open candidates, as the scheduler decides, and updates their progress.
    fn run_round(
        &mut self,
        goal: CandidateGoal,
        candidates: &[Candidate],
        open: &mut [CandidateProgress],
    ) -> Result<(), SearchStop> {
        let counts: Vec<RunCounts> = open.iter().map(|progress| progress.counts).collect();
        let schedule = self.scheduler.schedule(&self.check, &counts);
        assert_eq!(
            schedule.len(),
            open.len(),
            "a scheduler must give every open candidate its runs"
        );
        assert!(schedule.iter().any(|&runs| runs > 0), "a scheduler must not leave a round empty");
        let mut scheduled: Vec<(&mut CandidateProgress, u32)> =
            open.iter_mut().zip(schedule).filter(|(_, runs)| *runs > 0).collect();
        let calls: Vec<ScheduledRuns<'_>> = scheduled
            .iter()
            .map(|(progress, runs)| ScheduledRuns {
                candidate: &candidates[progress.index],
                runs: *runs,
            })
            .collect();
        self.ask(goal, &calls)?;
        for (progress, _) in &mut scheduled {
            **progress = self.progress(goal, progress.index, &candidates[progress.index]);
        }
        Ok(())
    }

    /// Asks the oracle one round of questions and remembers the answers.
    fn ask(&mut self, goal: CandidateGoal, calls: &[ScheduledRuns<'_>]) -> Result<(), SearchStop> {
        let mut round = Vec::new();
        for &ScheduledRuns { candidate, runs } in calls {
            let first = self.memory.record(goal, candidate).counts.runs();
            let question = |run| Question { candidate: candidate.clone(), goal, run };
            round.extend((first..first + runs).map(question));
        }
        if !self.budget.allows(&self.cost, round.len() as u64) {
            return Err(SearchStop::Budget);
        }
        let answers = self.oracle.ask(&round)?;
        assert_eq!(answers.len(), round.len(), "an oracle must answer every question of a round");
        self.cost.rounds += 1;
        self.cost.oracle_calls += round.len() as u64;
        let judges_prefixes =
            goal == CandidateGoal::Interesting && self.oracle.watches_every_event();
        for (question, answer) in round.into_iter().zip(answers) {
            self.cost.events += answer.events as u64;
            if judges_prefixes {
                self.memory.learn_prefixes(&question.candidate, answer);
            }
            self.memory.add_answer(question, answer);
        }
        Ok(())
    }
}
