//! The one interface to the world: rounds of questions, each an oracle call, and their answers.

use crate::candidate::Candidate;
use crate::cost::Cost;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Answers rounds of questions. A device, a pool of devices, a program, a simulation.
pub trait Oracle {
    /// One round: every question is an independent oracle call, so they may run in parallel, in any
    /// order, and the answers (one each, in the order asked) must not depend on how many really did.
    fn ask(&mut self, round: &[Question]) -> Result<Vec<Answer>, Stop>;

    /// Whether [`Goal::Interesting`] is looked for after every event, so that a run tells of the beginnings
    /// of its candidate too. An oracle that judges only the end of a run must say no.
    fn watches_every_event(&self) -> bool {
        false
    }

    /// A new best answer that passed the check in force: the place to keep it. It is shorter than the
    /// one before, unless that one did not stand up to more runs.
    fn improved(&mut self, _best: &Candidate, _cost: &Cost) {}
}

/// One oracle call, described as data: the same question may be answered from a store.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Question {
    pub candidate: Candidate,
    pub goal: Goal,
    /// Which repetition of this candidate it is, from 0. Two runs of a candidate with the same
    /// number must answer the same; a caller turns it into a world seed.
    pub run: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Goal {
    /// The run shows what the original shows.
    Interesting,
    /// The run ends in the state that the original was in *before* the event at this position.
    Reach(u32),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    pub success: bool,
    /// How many of the candidate's events were executed. On success of [`Goal::Interesting`] the
    /// number after which the goal was met: what follows them is not needed. An oracle that
    /// judges only the end of a run says the candidate's length.
    pub events: usize,
}

/// Why no further answers come. The best answer so far stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error, Serialize, Deserialize)]
pub enum Stop {
    #[error("the budget is spent")]
    Budget,
    #[error("interrupted")]
    Interrupted,
}
