//! The memory of all runs, so that no question is asked twice.

use super::candidate::Candidate;
use super::known_prefixes::KnownPrefixes;
use super::oracle::{Answer, CandidateGoal, Question};
use crate::statistics::RunCounts;
use std::collections::BTreeMap;

#[derive(Debug, Default)]
pub(super) struct KnownRuns {
    records: BTreeMap<(CandidateGoal, Candidate), KnownRun>,
    prefixes: KnownPrefixes,
}

/// The runs of one candidate.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct KnownRun {
    pub counts: RunCounts,
    /// The counts that are those of a longer candidate as well.
    shared: RunCounts,
    /// The most events that any of its successful runs needed.
    pub needed_events: usize,
}

impl KnownRuns {
    /// Returns the record of a candidate, empty if it never ran.
    pub fn record(&self, goal: CandidateGoal, candidate: &Candidate) -> KnownRun {
        self.records.get(&(goal, candidate.clone())).copied().unwrap_or_default()
    }

    /// Adds the answer of one run to its candidate's record.
    pub fn add_answer(&mut self, question: Question, answer: Answer) {
        let record = self.records.entry((question.goal, question.candidate)).or_default();
        record.counts.add_run(answer.success);
        if answer.success {
            record.needed_events = record.needed_events.max(answer.events);
        }
    }

    /// Lets a prefix of a candidate share the candidate's record, unless it has more runs itself.
    pub fn share_record(&mut self, goal: CandidateGoal, record: KnownRun, prefix: &Candidate) {
        if record.counts.runs() > self.record(goal, prefix).counts.runs() {
            let shared = record.counts;
            self.records.insert((goal, prefix.clone()), KnownRun { shared, ..record });
        }
    }

    /// Learns about the prefixes of a candidate from a run that judged every event.
    pub fn learn_prefixes(&mut self, candidate: &Candidate, answer: Answer) {
        self.prefixes.learn(candidate, answer);
    }

    /// Returns true if a run of another candidate proves that this one is not interesting.
    pub fn rules_out(&self, candidate: &Candidate) -> bool {
        self.prefixes.rule_out(candidate)
    }

    /// Returns the run counts of every candidate that was asked for the interesting goal, each run once.
    pub fn interesting_counts(&self) -> Vec<RunCounts> {
        let records = self.records.iter();
        let interesting = records.filter(|((goal, _), _)| *goal == CandidateGoal::Interesting);
        let own_counts = interesting.map(|(_, record)| record.counts - record.shared);
        own_counts.filter(|counts| counts.runs() > 0).collect()
    }
}
