//! The schedulers by name.

use super::mdp::SchedulingPolicy;
use super::{greedy, heuristic, round_robin};
use crate::statistics::{Check, RunCounts};
use std::sync::Arc;

/// A rule for sharing a round's oracle calls among the open candidates.
#[derive(Debug, Clone)]
pub enum Scheduler {
    /// All runs of the first candidate, then of the next (4.1).
    Greedy,
    /// One run of each in turn: the paper's baseline (4.1).
    RoundRobin,
    /// Confirms candidates that look good, then rules out those that look bad (4.2).
    Heuristic {
        /// The success rate from which a candidate looks good, the paper's c.
        cut: f64,
    },
    /// The optimal policy for few candidates, the heuristic for more (4.3).
    Mdp(Arc<SchedulingPolicy>),
}

impl Scheduler {
    pub const HEURISTIC: Self = Self::Heuristic { cut: 0.8 };

    /// Returns the number of runs for each of the open candidates.
    ///
    /// There is at least one run in all and at most `check.width`, and no candidate gets more than
    /// `check.runs`.
    pub fn schedule(&self, check: &Check, open: &[RunCounts]) -> Vec<u32> {
        match self {
            Self::Greedy => greedy::schedule(check, open),
            Self::RoundRobin => round_robin::schedule(check, open),
            Self::Heuristic { cut } => heuristic::schedule(check, open, *cut),
            Self::Mdp(policy) => policy
                .schedule(check, open)
                .unwrap_or_else(|| Self::HEURISTIC.schedule(check, open)),
        }
    }
}

impl Default for Scheduler {
    fn default() -> Self {
        Self::HEURISTIC
    }
}
