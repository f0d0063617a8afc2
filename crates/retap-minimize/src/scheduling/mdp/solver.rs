//! The backward pass: finds every state's least expected number of rounds and the schedule that has it.
//!
//! Five things make it fast:
//!   1. Outcomes that decide nothing differently are merged: v runs of a candidate have at most
//!      tolerance + 2 of them.
//!   2. Equal candidates get their runs in one order only.
//!   3. Schedules with a common prefix share the distribution over the states after it.
//!   4. The value of "these and one more" is one table row.
//!   5. A prefix of a schedule that cannot beat the best is abandoned.

use super::job_runner::JobRunner;
use super::schedule_search::{BestSchedule, ScheduleSearch};
use super::state_numbering::{PolicySetting, PolicyTooLarge, StateNumbering};
use crate::statistics::{Prior, RunCounts, binomial};
use std::sync::OnceLock;

/// The result of the backward pass.
pub(super) struct Solution {
    pub states: StateNumbering,
    /// By number of open candidates: the schedules, in the order of the state numbers.
    pub schedules: Vec<Vec<u8>>,
    /// The expected rounds from the start.
    pub rounds: f64,
}

/// Below this many states a job costs more than it saves.
const MIN_STATES_PER_JOB: usize = 64;

pub(super) fn solve(
    setting: &PolicySetting,
    prior: &Prior,
    runner: &dyn JobRunner,
) -> Result<Solution, PolicyTooLarge> {
    let mut solver = Solver::new(StateNumbering::new(setting)?, prior);
    let n = setting.candidates as usize;
    let mut schedules = vec![Vec::new()];
    for size in 1..=n {
        schedules.push(solver.solve_size(size, runner));
    }
    let rounds = solver.start_value(n);
    Ok(Solution { states: solver.states, schedules, rounds })
}

/// A code that a candidate may get, and its probability.
#[derive(Debug, Clone, Copy)]
pub(super) struct PossibleCode {
    pub probability: f64,
    /// The code of an open candidate, or [`Solver::dead_code`].
    pub code: usize,
}

/// A state that waits to be solved.
struct UnsolvedState {
    /// Its index among the solved states of its size.
    index: usize,
    codes: Vec<u8>,
}

pub(super) struct Solver {
    pub states: StateNumbering,
    /// By code and number of runs: the codes that the candidate may get. Success is left out, because
    /// its value is 0.
    pub outcomes: Vec<Vec<Vec<PossibleCode>>>,
    /// By code: the runs that a candidate can take.
    pub run_limits: Vec<u32>,
    /// By code: the probability that the candidate is dead after all its runs.
    pub death_probabilities: Vec<f64>,
    /// By state (of fewer than n candidates) and code: the value of the state with one more candidate.
    /// The last column, the dead code, holds the value of the state itself.
    values: Vec<f32>,
    /// By state (of fewer than n - 1 candidates) and code: the number of the state with one more.
    larger_states: Vec<u32>,
}

impl Solver {
    fn new(states: StateNumbering, prior: &Prior) -> Self {
        let check = states.setting.check;
        let n = states.setting.candidates as usize;
        let counts = |code| states.counts(code as u8);
        let run_limits: Vec<u32> =
            (0..states.codes).map(|code| check.remaining_runs(&counts(code))).collect();
        let outcomes: Vec<Vec<Vec<PossibleCode>>> = (0..states.codes)
            .map(|code| {
                let runs = 0..=run_limits[code];
                runs.map(|runs| find_outcomes(&states, prior, &counts(code), runs)).collect()
            })
            .collect();
        let death_probabilities = (0..states.codes)
            .map(|code| probability_of(&outcomes[code][run_limits[code] as usize], states.codes))
            .collect();
        let values = vec![0.0; states.offsets[n] * (states.codes + 1)];
        let larger_states = number_larger_states(&states);
        Self { states, outcomes, run_limits, death_probabilities, values, larger_states }
    }

    /// Returns the code of a dead candidate, which follows those of the open ones.
    pub fn dead_code(&self) -> usize {
        self.states.codes
    }

    /// Solves the states of one size, most runs first, because a round leads to more runs or to fewer
    /// open candidates. Returns their schedules in the order of their numbers.
    fn solve_size(&mut self, size: usize, runner: &dyn JobRunner) -> Vec<u8> {
        let mut groups_by_runs: Vec<Vec<UnsolvedState>> = Vec::new();
        let mut solved = 0;
        for codes in self.states.of_size(size).filter(|codes| self.states.is_solved(codes)) {
            let runs = self.states.runs(&codes) as usize;
            groups_by_runs.resize_with(groups_by_runs.len().max(runs + 1), Vec::new);
            groups_by_runs[runs].push(UnsolvedState { index: solved, codes });
            solved += 1;
        }
        let mut schedules = vec![0; solved * size];
        for group in groups_by_runs.iter().rev() {
            let best_schedules = self.solve_group(group, runner);
            assert_eq!(best_schedules.len(), group.len(), "every state of a group is solved once");
            for (state, best) in group.iter().zip(best_schedules) {
                schedules[state.index * size..][..size].copy_from_slice(&best.schedule);
                self.store_value(&state.codes, best.rounds as f32);
            }
        }
        schedules
    }

    /// Solves states of equally many runs. They do not lead to each other, so they are independent.
    fn solve_group(&self, group: &[UnsolvedState], runner: &dyn JobRunner) -> Vec<BestSchedule> {
        let per_job = group.len().div_ceil(runner.threads().max(1)).max(MIN_STATES_PER_JOB);
        let parts: Vec<&[UnsolvedState]> = group.chunks(per_job).collect();
        let results: Vec<OnceLock<Vec<BestSchedule>>> =
            parts.iter().map(|_| OnceLock::new()).collect();
        runner.run(parts.len(), &|job| {
            let find_best = |state: &UnsolvedState| ScheduleSearch::new(self, &state.codes).run();
            let result = results[job].set(parts[job].iter().map(find_best).collect());
            assert!(result.is_ok(), "a job runner must run job {job} only once");
        });
        let take_result = |(job, result): (usize, OnceLock<Vec<BestSchedule>>)| {
            result.into_inner().unwrap_or_else(|| panic!("a job runner must run job {job}"))
        };
        results.into_iter().enumerate().flat_map(take_result).collect()
    }

    /// Writes a state's value to every place where it is looked up.
    fn store_value(&mut self, codes: &[u8], value: f32) {
        let columns = self.states.codes + 1;
        for (place, &code) in codes.iter().enumerate() {
            let mut others = codes.to_vec();
            others.remove(place);
            self.values[self.states.number(&others) * columns + code as usize] = value;
        }
        if codes.len() < self.states.setting.candidates as usize {
            let dead_code = self.dead_code();
            self.values[self.states.number(codes) * columns + dead_code] = value;
        }
    }

    /// Returns the value of a state with one more candidate of this code.
    pub fn value_with(&self, state: usize, code: usize) -> f64 {
        f64::from(self.values[state * (self.states.codes + 1) + code])
    }

    /// Returns the value of a state.
    pub fn value(&self, state: usize) -> f64 {
        self.value_with(state, self.dead_code())
    }

    /// Returns the number of a state with one more candidate of this code, which may be the dead one.
    pub fn state_with(&self, state: usize, code: usize) -> usize {
        if code == self.dead_code() {
            state
        } else {
            self.larger_states[state * self.states.codes + code] as usize
        }
    }

    fn start_value(&self, n: usize) -> f64 {
        if n == 0 { 0.0 } else { self.value_with(self.states.number(&vec![0; n - 1]), 0) }
    }
}

fn number_larger_states(states: &StateNumbering) -> Vec<u32> {
    let n = states.setting.candidates as usize;
    let mut larger_states = Vec::new();
    for size in 0..n.saturating_sub(1) {
        for codes in states.of_size(size) {
            larger_states.extend((0..states.codes).map(|code| {
                let mut more = codes.clone();
                more.insert(codes.partition_point(|&c| c < code as u8), code as u8);
                states.number(&more) as u32
            }));
        }
    }
    larger_states
}

/// Returns the codes that `runs` further runs can give a candidate; dead is the last code.
fn find_outcomes(
    states: &StateNumbering,
    prior: &Prior,
    counts: &RunCounts,
    runs: u32,
) -> Vec<PossibleCode> {
    let check = states.setting.check;
    let posterior = prior.posterior_given(counts);
    let mut outcomes = Vec::new();
    let mut alive = 0.0;
    for failures in 0..=runs.min(check.tolerance() - counts.failures) {
        let points = prior.points().zip(posterior);
        let probability: f64 = points
            .map(|(point, weight)| weight * binomial(runs, runs - failures, point.success_rate))
            .sum();
        alive += probability;
        let after = *counts + RunCounts::new(runs - failures, failures);
        if after.successes < check.required {
            outcomes.push(PossibleCode { probability, code: states.code(&after) as usize });
        }
    }
    if runs > check.tolerance() - counts.failures {
        let probability = (1.0 - alive).max(0.0);
        outcomes.push(PossibleCode { probability, code: states.codes });
    }
    outcomes
}

fn probability_of(outcomes: &[PossibleCode], code: usize) -> f64 {
    let of_code = outcomes.iter().filter(|outcome| outcome.code == code);
    of_code.map(|outcome| outcome.probability).sum()
}
