//! Who runs next: which open candidates get how many of a round's oracle calls (ND3MIN, section 4).

use crate::check::{Check, Tally};
use crate::heuristic;
use crate::mdp::Policy;
use std::sync::Arc;

#[derive(Debug, Clone)]
pub enum Scheduler {
    /// All runs of the first candidate, then of the next (4.1).
    Greedy,
    /// One run of each in turn: the paper's baseline (4.1).
    RoundRobin,
    /// Confirm what looks good, then rule out what looks bad (4.2).
    Heuristic {
        /// The success rate from which a candidate looks good, the paper's c.
        cut: f64,
    },
    /// The optimal policy for few candidates, the heuristic for more (4.3).
    Mdp(Arc<Policy>),
}

impl Scheduler {
    pub const HEURISTIC: Self = Self::Heuristic { cut: 0.8 };

    /// Runs for each of the open candidates: at least one run in all, at most `check.width`, never
    /// more than `check.runs` of one candidate.
    pub fn schedule(&self, check: &Check, open: &[Tally]) -> Vec<u32> {
        match self {
            Self::Greedy => greedy(check, open),
            Self::RoundRobin => round_robin(check, open),
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

fn greedy(check: &Check, open: &[Tally]) -> Vec<u32> {
    let mut round = Round::new(check, open);
    for index in 0..open.len() {
        round.give(index, u32::MAX);
    }
    round.runs
}

fn round_robin(check: &Check, open: &[Tally]) -> Vec<u32> {
    let mut round = Round::new(check, open);
    round.fill_in_turn(&Vec::from_iter(0..open.len()));
    round.runs
}

/// A round being filled.
#[derive(Debug)]
pub(crate) struct Round {
    pub runs: Vec<u32>,
    /// Runs each candidate may still get.
    left: Vec<u32>,
    pub room: u32,
}

impl Round {
    pub fn new(check: &Check, open: &[Tally]) -> Self {
        let left = open.iter().map(|tally| check.left(tally)).collect();
        Self { runs: vec![0; open.len()], left, room: check.width }
    }

    /// Up to `runs` of one candidate, as far as there is room for them.
    pub fn give(&mut self, index: usize, runs: u32) {
        let runs = runs.min(self.left[index]).min(self.room);
        self.runs[index] += runs;
        self.left[index] -= runs;
        self.room -= runs;
    }

    /// One run each in turn until the round is full or nobody can take more.
    pub fn fill_in_turn(&mut self, order: &[usize]) {
        loop {
            let before = self.room;
            order.iter().for_each(|&index| self.give(index, 1));
            if self.room == before || self.room == 0 {
                return;
            }
        }
    }
}
