//! The plan of one round while a scheduler fills it.

use crate::statistics::{Check, RunCounts};

#[derive(Debug)]
pub(super) struct RoundPlan {
    /// The runs planned for each candidate.
    pub runs: Vec<u32>,
    /// The runs that each candidate may still get.
    remaining_runs: Vec<u32>,
    /// The oracle calls of the round that are not planned yet.
    pub room: u32,
}

impl RoundPlan {
    pub fn new(check: &Check, open: &[RunCounts]) -> Self {
        let remaining_runs = open.iter().map(|counts| check.remaining_runs(counts)).collect();
        Self { runs: vec![0; open.len()], remaining_runs, room: check.width }
    }

    /// Adds up to `runs` of one candidate, as far as there is room.
    pub fn add_runs(&mut self, index: usize, runs: u32) {
        let runs = runs.min(self.remaining_runs[index]).min(self.room);
        self.runs[index] += runs;
        self.remaining_runs[index] -= runs;
        self.room -= runs;
    }

    /// Adds one run of each candidate in turn, until the round is full or no candidate can take more.
    pub fn fill_in_turn(&mut self, order: &[usize]) {
        loop {
            let room_before = self.room;
            order.iter().for_each(|&index| self.add_runs(index, 1));
            if self.room == room_before || self.room == 0 {
                return;
            }
        }
    }
}
