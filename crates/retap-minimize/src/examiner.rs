//! Stands between the algorithms and the oracle and does once what every algorithm needs: remembers
//! what is known, schedules rounds, counts cost, keeps to the budget, keeps the best answer.

use crate::algorithm::Algorithm;
use crate::beginnings::Beginnings;
use crate::candidate::Candidate;
use crate::check::{Check, Tally, Verdict};
use crate::cost::{Budget, Cost};
use crate::minimize::Options;
use crate::oracle::{Goal, Oracle, Question, Stop};
use crate::outcome::{Ending, Milestone, Outcome};
use crate::scheduler::Scheduler;
use std::collections::{BTreeMap, BTreeSet};

pub(crate) struct Examiner<'a> {
    oracle: &'a mut dyn Oracle,
    check: Check,
    scheduler: Scheduler,
    budget: Budget,
    cost: Cost,
    known: BTreeMap<(Goal, Candidate), Record>,
    beginnings: Beginnings,
    baseline: Tally,
    best: Candidate,
    verification: Option<Tally>,
    stage: Algorithm,
    trail: Vec<Milestone>,
}

/// What is known of a candidate.
#[derive(Debug, Clone, Copy, Default)]
struct Record {
    tally: Tally,
    /// The most events any of its successful runs needed.
    needed: usize,
}

/// Where one of the candidates asked for stands.
#[derive(Debug)]
struct Standing {
    index: usize,
    tally: Tally,
    verdict: Verdict,
}

/// A candidate that passed.
#[derive(Debug, PartialEq)]
pub(crate) struct Passing {
    /// Which of those asked for.
    pub index: usize,
    /// The candidate itself, less the events after the goal was met.
    pub candidate: Candidate,
}

impl<'a> Examiner<'a> {
    pub fn new(oracle: &'a mut dyn Oracle, options: &Options, length: usize) -> Self {
        Self {
            oracle,
            check: options.check,
            scheduler: options.scheduler.clone(),
            budget: options.budget,
            cost: Cost::default(),
            known: BTreeMap::new(),
            beginnings: Beginnings::default(),
            baseline: Tally::default(),
            best: Candidate::whole(length),
            verification: None,
            stage: options.algorithm,
            trail: Vec::new(),
        }
    }

    pub fn best(&self) -> &Candidate {
        &self.best
    }

    pub fn check(&self) -> Check {
        self.check
    }

    pub fn set_check(&mut self, check: Check) {
        self.check = check;
    }

    pub fn set_baseline(&mut self, baseline: Tally) {
        self.baseline = baseline;
    }

    /// Whether the original never failed.
    pub fn was_steady(&self) -> bool {
        self.baseline.failures == 0
    }

    /// Names who is at work, for the trail.
    pub fn stage(&mut self, algorithm: Algorithm) {
        self.stage = algorithm;
    }

    pub fn passes(&mut self, goal: Goal, candidate: &Candidate) -> Result<bool, Stop> {
        Ok(self.get_passing(goal, std::slice::from_ref(candidate))?.is_some())
    }

    /// ND3MIN's `get_passing`: one of `candidates` that passes, or none, in few rounds.
    ///
    /// With one run per candidate, and with the greedy scheduler, the answer is the *first* that
    /// passes, whatever the width; otherwise the one whose runs got there first.
    pub fn get_passing(
        &mut self,
        goal: Goal,
        candidates: &[Candidate],
    ) -> Result<Option<Passing>, Stop> {
        let in_order = self.check.runs == 1 || matches!(self.scheduler, Scheduler::Greedy);
        let mut open = self.standings(goal, candidates);
        self.cost.remembered += open.iter().filter(|s| s.verdict != Verdict::Open).count() as u64;
        loop {
            open.retain(|standing| standing.verdict != Verdict::Dead);
            match open.iter().position(|standing| standing.verdict == Verdict::Passes) {
                Some(place) if place == 0 || !in_order => {
                    let index = open[place].index;
                    let candidate = self.accept(&candidates[index], goal);
                    return Ok(Some(Passing { index, candidate }));
                }
                // Those behind it cannot be the first to pass.
                Some(place) => open.truncate(place),
                None if open.is_empty() => return Ok(None),
                None => {}
            }
            self.round(goal, candidates, &mut open)?;
        }
    }

    /// Further runs of one candidate, however decided it is; their own tally.
    pub fn repeat(&mut self, candidate: &Candidate, runs: u32) -> Result<Tally, Stop> {
        let before = self.record(Goal::Interesting, candidate).tally;
        let mut left = runs;
        while left > 0 {
            let now = left.min(self.check.width);
            self.ask(Goal::Interesting, &[(candidate, now)])?;
            left -= now;
        }
        let after = self.record(Goal::Interesting, candidate).tally;
        Ok(Tally::new(after.successes - before.successes, after.failures - before.failures))
    }

    /// Takes a candidate known to pass for an answer, without the events after its goal was met:
    /// every counted run of it is a run of that prefix too.
    pub fn accept(&mut self, candidate: &Candidate, goal: Goal) -> Candidate {
        if goal != Goal::Interesting {
            return candidate.clone();
        }
        let record = self.record(goal, candidate);
        let answer = candidate.prefix(record.needed);
        if record.tally.runs() > self.record(goal, &answer).tally.runs() {
            self.known.insert((goal, answer.clone()), record);
        }
        if answer < self.best || self.trail.is_empty() {
            self.improve(answer.clone());
        }
        answer
    }

    /// Goes back to the shortest answer so far that passes the check now in force, or to the original.
    pub fn retreat_to_passing(&mut self) -> Result<(), Stop> {
        while self.trail.len() > 1 && !self.passes(Goal::Interesting, &self.best.clone())? {
            self.retreat();
        }
        Ok(())
    }

    /// Goes back to the shortest answer so far that stands up to fresh runs, or to the original.
    pub fn retreat_to_standing(&mut self) -> Result<(), Stop> {
        while self.trail.len() > 1 && !self.verify()? {
            self.retreat();
        }
        // Of the original it is only said how often it works.
        self.verify().map(|_| ())
    }

    fn retreat(&mut self) {
        self.trail.pop();
        if let Some(Milestone { answer, .. }) = self.trail.last() {
            self.best = answer.clone();
            self.verification = None;
            self.oracle.improved(&self.best, &self.cost);
        }
    }

    fn improve(&mut self, answer: Candidate) {
        self.oracle.improved(&answer, &self.cost);
        self.best = answer.clone();
        self.verification = None;
        self.trail.push(Milestone { answer, cost: self.cost, by: self.stage });
    }

    /// Runs the answer again, independently of the runs that chose it, until it is known whether it stands.
    /// Where one run is the check, that run was the verification.
    pub fn verify(&mut self) -> Result<bool, Stop> {
        if self.check.runs == 1 {
            return Ok(true);
        }
        let (answer, confirmation) = (self.best.clone(), self.check.confirmation());
        let mut fresh = self.verification.unwrap_or_default();
        while confirmation.verdict(&fresh) == Verdict::Open {
            let more = self.repeat(&answer, confirmation.left(&fresh).min(self.check.runs))?;
            fresh = Tally::new(fresh.successes + more.successes, fresh.failures + more.failures);
            self.verification = Some(fresh);
        }
        Ok(confirmation.verdict(&fresh) == Verdict::Passes)
    }

    pub fn outcome(self, ending: Ending) -> Outcome {
        let fresh = self.verification.unwrap_or_default();
        let all = self.record(Goal::Interesting, &self.best).tally;
        let of_interest = self.known.iter().filter(|((goal, _), _)| *goal == Goal::Interesting);
        Outcome {
            ending,
            baseline: self.baseline,
            tally: Tally::new(all.successes - fresh.successes, all.failures - fresh.failures),
            verification: self.verification,
            cost: self.cost,
            observed: of_interest.map(|(_, record)| record.tally).collect(),
            trail: self.trail,
            answer: self.best,
        }
    }

    /// Where the candidates stand, each once however often it is listed.
    fn standings(&self, goal: Goal, candidates: &[Candidate]) -> Vec<Standing> {
        let mut seen = BTreeSet::new();
        let distinct = candidates.iter().enumerate().filter(|(_, c)| seen.insert(*c));
        distinct.map(|(index, candidate)| self.standing(goal, index, candidate)).collect()
    }

    fn standing(&self, goal: Goal, index: usize, candidate: &Candidate) -> Standing {
        let tally = self.record(goal, candidate).tally;
        let verdict = match goal {
            // The baseline went through that state after exactly these events.
            Goal::Reach(position) if candidate.is_prefix_until(position) => Verdict::Passes,
            Goal::Interesting if tally.runs() == 0 && self.is_ruled_out(candidate) => Verdict::Dead,
            _ => self.check.verdict(&tally),
        };
        Standing { index, tally, verdict }
    }

    /// Only where one run is believed: a chance may strike a beginning's own run and spare it.
    fn is_ruled_out(&self, candidate: &Candidate) -> bool {
        self.check.runs == 1 && self.beginnings.rule_out(candidate)
    }

    fn record(&self, goal: Goal, candidate: &Candidate) -> Record {
        self.known.get(&(goal, candidate.clone())).copied().unwrap_or_default()
    }

    fn round(
        &mut self,
        goal: Goal,
        candidates: &[Candidate],
        open: &mut [Standing],
    ) -> Result<(), Stop> {
        let tallies: Vec<Tally> = open.iter().map(|standing| standing.tally).collect();
        let schedule = self.scheduler.schedule(&self.check, &tallies);
        let mut scheduled: Vec<(&mut Standing, u32)> =
            open.iter_mut().zip(schedule).filter(|(_, runs)| *runs > 0).collect();
        let calls: Vec<(&Candidate, u32)> =
            scheduled.iter().map(|(standing, runs)| (&candidates[standing.index], *runs)).collect();
        self.ask(goal, &calls)?;
        for (standing, _) in &mut scheduled {
            **standing = self.standing(goal, standing.index, &candidates[standing.index]);
        }
        Ok(())
    }

    fn ask(&mut self, goal: Goal, calls: &[(&Candidate, u32)]) -> Result<(), Stop> {
        let mut round = Vec::new();
        for &(candidate, runs) in calls {
            let first = self.record(goal, candidate).tally.runs();
            round.extend((first..first + runs).map(|run| {
                let candidate = candidate.clone();
                Question { candidate, goal, run }
            }));
        }
        if !self.budget.allows(&self.cost, round.len() as u64) {
            return Err(Stop::Budget);
        }
        let answers = self.oracle.ask(&round)?;
        assert_eq!(answers.len(), round.len(), "an oracle answers every question of a round");
        self.cost.rounds += 1;
        self.cost.oracle_calls += round.len() as u64;
        for (question, answer) in round.into_iter().zip(answers) {
            self.cost.events += answer.events as u64;
            if goal == Goal::Interesting && self.oracle.watches_every_event() {
                self.beginnings.learn(&question.candidate, answer);
            }
            let record = self.known.entry((goal, question.candidate)).or_default();
            record.tally.add(answer.success);
            if answer.success {
                record.needed = record.needed.max(answer.events);
            }
        }
        Ok(())
    }
}
