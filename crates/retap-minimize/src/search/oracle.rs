//! The one interface to the world: rounds of questions, each an oracle call, and their answers.

use super::candidate::Candidate;
use super::cost::SearchCost;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Judges candidates: a device, a pool of devices, a program or a simulation.
pub trait CandidateOracle {
    /// Answers one round: one answer per question, in the order asked.
    ///
    /// Every question is an independent oracle call, so they may run in parallel and in any order. The
    /// answers must not depend on how many really ran in parallel.
    fn ask(&mut self, round: &[Question]) -> Result<Vec<Answer>, SearchStop>;

    /// Returns true if the oracle looks for [`CandidateGoal::Interesting`] after every event. A run then
    /// also judges every prefix of its candidate. An oracle that judges only the end of a run must
    /// return false.
    fn watches_every_event(&self) -> bool {
        false
    }

    /// Receives each new best answer that passed the check in force, so that the caller can save it.
    ///
    /// It is shorter than the one before, unless that one failed in further runs.
    fn record_best(&mut self, _best: &Candidate, _cost: &SearchCost) {}
}

/// One oracle call, described as data, so that a stored answer can be used for it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Question {
    pub candidate: Candidate,
    pub goal: CandidateGoal,
    /// The number of this run of the candidate, from 0. Two runs of a candidate with the same number
    /// must give the same answer; a caller turns the number into a world seed.
    pub run: u32,
}

/// The condition that a run of a candidate must meet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum CandidateGoal {
    /// The run shows what the original shows.
    Interesting,
    /// The run ends in the state that the original was in *before* the event at this position.
    Reach(u32),
}

/// The result of one oracle call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    pub success: bool,
    /// The number of the candidate's events that were executed.
    ///
    /// On success of [`CandidateGoal::Interesting`] it is the number after which the goal was met, so
    /// the events behind it are not needed. An oracle that judges only the end of a run gives the
    /// candidate's length.
    pub events: usize,
}

/// The reason why a search ends early. The best answer so far remains valid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error, Serialize, Deserialize)]
pub enum SearchStop {
    #[error("the budget is spent")]
    Budget,
    #[error("interrupted")]
    Interrupted,
}
