//! A solved policy: looks up the optimal schedule by the run counts of the open candidates.

use super::job_runner::JobRunner;
use super::solver::{Solution, solve};
use super::state_numbering::{PolicySetting, PolicyTooLarge, StateNumbering};
use crate::statistics::{Check, POINT_COUNT, Prior, RunCounts};
use std::fmt;

/// An optimal policy of the scheduling process, for one setting and one prior.
#[derive(Clone)]
pub struct SchedulingPolicy {
    pub(super) states: StateNumbering,
    pub(super) prior_weights: [f64; POINT_COUNT],
    pub(super) expected_rounds: f64,
    /// By number of open candidates: their runs, in the order of the state numbers.
    pub(super) schedules: Vec<Vec<u8>>,
    /// The numbers of the solved states with every candidate open.
    all_open: Vec<u32>,
}

impl SchedulingPolicy {
    /// Solves the process. The policy does not depend on the number of threads of `runner`.
    pub fn solve(
        setting: &PolicySetting,
        prior: &Prior,
        runner: &dyn JobRunner,
    ) -> Result<Self, PolicyTooLarge> {
        let Solution { states, schedules, rounds } = solve(setting, prior, runner)?;
        Ok(Self::new(states, *prior.weights(), rounds, schedules))
    }

    pub(super) fn new(
        states: StateNumbering,
        prior_weights: [f64; POINT_COUNT],
        expected_rounds: f64,
        schedules: Vec<Vec<u8>>,
    ) -> Self {
        let n = states.setting.candidates as usize;
        let open = states.of_size(n).filter(|codes| states.is_solved(codes));
        let all_open = open.map(|codes| states.number(&codes) as u32).collect();
        Self { states, prior_weights, expected_rounds, schedules, all_open }
    }

    pub fn setting(&self) -> &PolicySetting {
        &self.states.setting
    }

    /// Returns true if the policy was solved for this setting and this prior.
    pub fn is_for(&self, setting: &PolicySetting, prior: &Prior) -> bool {
        self.states.setting == *setting && prior.agrees_with(&self.prior_weights)
    }

    /// Returns half the sum of the differences between the weights of this prior and those that the policy was
    /// solved for: 0 if they are equal, 1 if they have nothing in common.
    pub fn prior_distance(&self, prior: &Prior) -> f64 {
        let pairs = self.prior_weights.iter().zip(prior.weights());
        pairs.map(|(solved, now)| (solved - now).abs()).sum::<f64>() / 2.0
    }

    /// Returns the number of rounds that `get_passing` is expected to take from the start.
    pub fn expected_rounds(&self) -> f64 {
        self.expected_rounds
    }

    /// Returns the optimal number of runs for each of these open candidates.
    ///
    /// Returns none if the policy is for another check or for fewer candidates, or if remembered runs
    /// do not make up whole rounds.
    pub fn schedule(&self, check: &Check, open: &[RunCounts]) -> Option<Vec<u32>> {
        let PolicySetting { candidates, check: solved_check } = self.states.setting;
        if *check != solved_check || open.is_empty() || open.len() > candidates as usize {
            return None;
        }
        let mut order: Vec<usize> = (0..open.len()).collect();
        order.sort_by_key(|&index| self.states.code(&open[index]));
        let codes: Vec<u8> = order.iter().map(|&index| self.states.code(&open[index])).collect();
        let schedule = self.look_up(&codes)?;
        assert_eq!(schedule.len(), open.len(), "a policy schedules every open candidate");
        let mut runs = vec![0; open.len()];
        order.iter().zip(schedule).for_each(|(&index, &count)| runs[index] = u32::from(count));
        Some(runs)
    }

    fn look_up(&self, codes: &[u8]) -> Option<&[u8]> {
        let (size, number) = (codes.len(), self.states.number(codes));
        let place = if size < self.states.setting.candidates as usize {
            number - self.states.offsets[size]
        } else {
            self.all_open.binary_search(&(number as u32)).ok()?
        };
        self.schedules[size].get(place * size..(place + 1) * size)
    }

    /// Returns the number of states that have a schedule, of those with `size` open candidates.
    pub(super) fn solved_states(&self, size: usize) -> usize {
        if size < self.states.setting.candidates as usize {
            self.states.offsets[size + 1] - self.states.offsets[size]
        } else {
            self.all_open.len()
        }
    }
}

impl fmt::Debug for SchedulingPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SchedulingPolicy")
            .field("setting", &self.states.setting)
            .field("expected_rounds", &self.expected_rounds)
            .finish_non_exhaustive()
    }
}
