//! The best answer of a search: how the examiner accepts, verifies and gives up answers.

use super::Examiner;
use crate::result::{Improvement, MinimizeEnding, MinimizeResult};
use crate::search::candidate::Candidate;
use crate::search::oracle::{CandidateGoal, SearchStop};
use crate::statistics::CandidateStatus;

impl Examiner<'_> {
    /// Accepts a candidate that passed as an answer, without the events after its goal was met. Every
    /// counted run of the candidate is a run of that prefix too.
    pub(super) fn accept(&mut self, candidate: &Candidate, goal: CandidateGoal) -> Candidate {
        if goal != CandidateGoal::Interesting {
            return candidate.clone();
        }
        let record = self.memory.record(goal, candidate);
        let answer = candidate.prefix(record.needed_events);
        self.memory.share_record(goal, record, &answer);
        if answer < self.best || self.improvements.is_empty() {
            self.set_best(answer.clone());
        }
        answer
    }

    fn set_best(&mut self, answer: Candidate) {
        self.oracle.record_best(&answer, &self.cost);
        self.best = answer.clone();
        self.verification = None;
        self.minimality = None;
        self.improvements.push(Improvement { answer, cost: self.cost, algorithm: self.algorithm });
    }

    /// Runs the best answer again, until it is known whether its fresh runs confirm it. The runs that
    /// chose it do not count. Where one run is the check, that run was the verification.
    pub fn verify_best(&mut self) -> Result<bool, SearchStop> {
        if self.check.runs == 1 {
            return Ok(true);
        }
        let (answer, confirmation) = (self.best.clone(), self.check.confirmation());
        let mut fresh = self.verification.unwrap_or_default();
        while confirmation.status_of(&fresh) == CandidateStatus::Open {
            let runs = confirmation.remaining_runs(&fresh).min(self.check.width);
            fresh = fresh + self.repeat_runs(&answer, runs)?;
            self.verification = Some(fresh);
        }
        Ok(confirmation.status_of(&fresh) == CandidateStatus::Passes)
    }

    /// Goes back to the shortest earlier answer that passes the check now in force, or to the original.
    pub fn retreat_to_passing(&mut self) -> Result<(), SearchStop> {
        while self.has_earlier_answer()
            && !self.passes(CandidateGoal::Interesting, &self.best.clone())?
        {
            self.drop_best();
        }
        Ok(())
    }

    /// Goes back to the shortest earlier answer that fresh runs confirm, or to the original.
    pub fn retreat_to_verified(&mut self) -> Result<(), SearchStop> {
        while self.has_earlier_answer() && !self.verify_best()? {
            self.drop_best();
        }
        // The original remains whatever its success rate is; its fresh runs only measure the rate.
        self.verify_best().map(|_| ())
    }

    fn has_earlier_answer(&self) -> bool {
        self.improvements.len() > 1
    }

    fn drop_best(&mut self) {
        self.improvements.pop();
        if let Some(Improvement { answer, .. }) = self.improvements.last() {
            self.best = answer.clone();
            self.verification = None;
            self.minimality = None;
            self.oracle.record_best(&self.best, &self.cost);
        }
    }

    /// Ends the search with the best answer.
    pub fn into_result(self, ending: MinimizeEnding) -> MinimizeResult {
        let all_runs = self.memory.record(CandidateGoal::Interesting, &self.best).counts;
        MinimizeResult {
            ending,
            baseline: self.baseline,
            deciding_runs: all_runs - self.verification.unwrap_or_default(),
            verification: self.verification,
            minimality: self.minimality,
            cost: self.cost,
            observed: self.memory.interesting_counts(),
            improvements: self.improvements,
            answer: self.best,
        }
    }
}
