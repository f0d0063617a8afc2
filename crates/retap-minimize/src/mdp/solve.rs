//! The backward pass: every state's least expected number of rounds and the schedule that has it.
//!
//! What makes it fast: outcomes that decide nothing differently are merged (v runs of a candidate
//! have at most tolerance + 2), equal candidates get their runs in one order only, the distribution
//! over what the first candidates become is shared by all schedules that begin alike, the value of
//! "these and one more" is one table row, and a beginning that cannot beat the best is left.

use super::states::{Setting, States, TooLarge};
use crate::check::Tally;
use crate::prior::Prior;
use crate::statistics::binomial;

/// Where the schedules of a size are, in the order of the state numbers.
pub(super) struct Solution {
    pub states: States,
    pub schedules: Vec<Vec<u8>>,
    /// Expected rounds from the start.
    pub rounds: f64,
}

/// Below this many states a thread costs more than it saves.
const WORTH_A_THREAD: usize = 64;

pub(super) fn solve(
    setting: &Setting,
    prior: &Prior,
    threads: usize,
) -> Result<Solution, TooLarge> {
    let mut solver = Solver::new(States::new(setting)?, prior);
    let n = setting.candidates as usize;
    let mut schedules = vec![Vec::new()];
    for size in 1..=n {
        schedules.push(solver.solve_size(size, threads));
    }
    let rounds = solver.start_value(n);
    Ok(Solution { states: solver.states, schedules, rounds })
}

struct Solver {
    states: States,
    /// By code and number of runs: what the candidate may become and how likely. Success is left
    /// out, its value is 0.
    outcomes: Vec<Vec<Vec<(f64, usize)>>>,
    /// By code: runs a candidate can take.
    caps: Vec<u32>,
    /// By code: probability that all its runs leave it dead.
    hopeless: Vec<f64>,
    /// By state (of fewer than n candidates) and code: the value of the state with one more
    /// candidate; in the last column, `dead`, of the state itself.
    values: Vec<f32>,
    /// By state (of fewer than n - 1 candidates) and code: the number of the state with one more.
    larger: Vec<u32>,
}

impl Solver {
    fn new(states: States, prior: &Prior) -> Self {
        let check = states.setting.check;
        let n = states.setting.candidates as usize;
        let tally = |code| states.tally(code as u8);
        let caps: Vec<u32> = (0..states.pairs).map(|code| check.left(&tally(code))).collect();
        let outcomes: Vec<Vec<Vec<(f64, usize)>>> = (0..states.pairs)
            .map(|code| {
                (0..=caps[code]).map(|runs| outcomes(&states, prior, &tally(code), runs)).collect()
            })
            .collect();
        let hopeless = (0..states.pairs)
            .map(|code| probability_of(&outcomes[code][caps[code] as usize], states.pairs))
            .collect();
        let values = vec![0.0; states.offsets[n] * (states.pairs + 1)];
        let mut larger = Vec::new();
        for size in 0..n.saturating_sub(1) {
            for codes in states.of_size(size) {
                larger.extend((0..states.pairs).map(|code| {
                    let mut more = codes.clone();
                    more.insert(codes.partition_point(|&c| c < code as u8), code as u8);
                    states.number(&more) as u32
                }));
            }
        }
        Self { states, outcomes, caps, hopeless, values, larger }
    }

    /// Solves the states of one size, most runs first: a round leads to more runs or to fewer open
    /// candidates. Gives their schedules in the order of their numbers.
    fn solve_size(&mut self, size: usize, threads: usize) -> Vec<u8> {
        let mut by_runs: Vec<Vec<(usize, Vec<u8>)>> = Vec::new();
        let mut solved = 0;
        for codes in self.states.of_size(size).filter(|codes| self.states.is_solved(codes)) {
            let runs = self.states.runs(&codes) as usize;
            by_runs.resize_with(by_runs.len().max(runs + 1), Vec::new);
            by_runs[runs].push((solved, codes));
            solved += 1;
        }
        let mut schedules = vec![0; solved * size];
        for group in by_runs.iter().rev() {
            for ((place, codes), (value, schedule)) in
                group.iter().zip(self.solve_group(group, threads))
            {
                schedules[place * size..][..size].copy_from_slice(&schedule);
                self.store(codes, value as f32);
            }
        }
        schedules
    }

    /// States of equally many runs do not lead to each other.
    fn solve_group(&self, group: &[(usize, Vec<u8>)], threads: usize) -> Vec<(f64, Vec<u8>)> {
        let solve = |part: &[(usize, Vec<u8>)]| -> Vec<(f64, Vec<u8>)> {
            part.iter().map(|(_, codes)| Search::new(self, codes).run()).collect()
        };
        let per_thread = group.len().div_ceil(threads.max(1)).max(WORTH_A_THREAD);
        if group.len() <= per_thread {
            return solve(group);
        }
        std::thread::scope(|scope| {
            let parts: Vec<_> =
                group.chunks(per_thread).map(|part| scope.spawn(move || solve(part))).collect();
            parts
                .into_iter()
                .flat_map(|part| {
                    part.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
                })
                .collect()
        })
    }

    /// Writes a state's value wherever it will be looked up.
    fn store(&mut self, codes: &[u8], value: f32) {
        let columns = self.states.pairs + 1;
        for (place, &code) in codes.iter().enumerate() {
            let mut rest = codes.to_vec();
            rest.remove(place);
            self.values[self.states.number(&rest) * columns + code as usize] = value;
        }
        if codes.len() < self.states.setting.candidates as usize {
            self.values[self.states.number(codes) * columns + self.states.pairs] = value;
        }
    }

    fn value(&self, number: usize, code: usize) -> f64 {
        f64::from(self.values[number * (self.states.pairs + 1) + code])
    }

    fn start_value(&self, n: usize) -> f64 {
        if n == 0 { 0.0 } else { self.value(self.states.number(&vec![0; n - 1]), 0) }
    }
}

/// What `runs` further runs make of a candidate: its code, or `pairs` for dead.
fn outcomes(states: &States, prior: &Prior, tally: &Tally, runs: u32) -> Vec<(f64, usize)> {
    let check = states.setting.check;
    let posterior = prior.given(tally);
    let mut outcomes = Vec::new();
    let mut alive = 0.0;
    for failures in 0..=runs.min(check.tolerance() - tally.failures) {
        let points = prior.iter().zip(posterior);
        let probability: f64 =
            points.map(|((p, _), weight)| weight * binomial(runs, runs - failures, p)).sum();
        alive += probability;
        let after = Tally::new(tally.successes + runs - failures, tally.failures + failures);
        if after.successes < check.required {
            outcomes.push((probability, states.code(&after) as usize));
        }
    }
    if runs > check.tolerance() - tally.failures {
        outcomes.push(((1.0 - alive).max(0.0), states.pairs));
    }
    outcomes
}

fn probability_of(outcomes: &[(f64, usize)], code: usize) -> f64 {
    outcomes.iter().filter(|outcome| outcome.1 == code).map(|outcome| outcome.0).sum()
}

/// The search for one state's best schedule.
struct Search<'s> {
    solver: &'s Solver,
    /// Most successes first: good schedules come early, hopeless candidates late.
    codes: Vec<u8>,
    /// Runs that the candidates from here on can take, and the probability that all of them fail.
    capacity: Vec<u32>,
    none_passes: Vec<f64>,
    schedule: Vec<u8>,
    /// By depth: the states that the candidates before may have become.
    spread: Vec<Vec<(f64, usize)>>,
    best: f64,
    best_schedule: Vec<u8>,
}

impl<'s> Search<'s> {
    fn new(solver: &'s Solver, codes: &[u8]) -> Self {
        let codes: Vec<u8> = codes.iter().rev().copied().collect();
        let size = codes.len();
        let (mut capacity, mut none_passes) = (vec![0; size + 1], vec![1.0; size + 1]);
        for place in (0..size).rev() {
            let code = codes[place] as usize;
            capacity[place] = capacity[place + 1] + solver.caps[code];
            none_passes[place] = none_passes[place + 1] * solver.hopeless[code];
        }
        let mut spread = vec![Vec::new(); size];
        spread[0].push((1.0, 0));
        Self {
            solver,
            codes,
            capacity,
            none_passes,
            schedule: vec![0; size],
            spread,
            best: f64::INFINITY,
            best_schedule: vec![0; size],
        }
    }

    /// The least expected number of rounds, and its schedule in the order of ascending codes.
    fn run(mut self) -> (f64, Vec<u8>) {
        let width = self.solver.states.setting.check.width;
        if self.capacity[0] <= width {
            let all = self.codes.iter().rev().map(|&code| self.solver.caps[code as usize] as u8);
            return (1.0, all.collect());
        }
        self.give(0, width);
        self.best_schedule.reverse();
        (1.0 + self.best, self.best_schedule)
    }

    /// Shares `room` runs among the candidates from `place` on, in every way.
    fn give(&mut self, place: usize, room: u32) {
        let code = self.codes[place];
        let twin = place > 0 && self.codes[place - 1] == code;
        let limit = if twin { u32::from(self.schedule[place - 1]) } else { room };
        let most = self.solver.caps[code as usize].min(room).min(limit);
        if place + 1 == self.codes.len() {
            if room <= most {
                self.schedule[place] = room as u8;
                self.weigh(code, room);
            }
            return;
        }
        let least = room.saturating_sub(self.capacity[place + 1]);
        for runs in (least..=most).rev() {
            self.schedule[place] = runs as u8;
            if self.advance(place, code, runs) < self.best {
                self.give(place + 1, room - runs);
            }
        }
    }

    /// Works out what the candidates up to `place` may become; gives a lower bound of the rounds
    /// that must follow: as if the runs of all further candidates were known for nothing.
    fn advance(&mut self, place: usize, code: u8, runs: u32) -> f64 {
        let solver = self.solver;
        let (before, after) = self.spread.split_at_mut(place + 1);
        let next = &mut after[0];
        next.clear();
        let mut rounds = 0.0;
        for &(probability, number) in &before[place] {
            for &(likely, code) in &solver.outcomes[code as usize][runs as usize] {
                let number = if code == solver.states.pairs {
                    number
                } else {
                    solver.larger[number * solver.states.pairs + code] as usize
                };
                let probability = probability * likely;
                rounds += probability * solver.value(number, solver.states.pairs);
                next.push((probability, number));
            }
        }
        rounds * self.none_passes[place + 1]
    }

    /// Weighs the schedule whose last candidate, of `code`, gets `runs`.
    fn weigh(&mut self, code: u8, runs: u32) {
        let solver = self.solver;
        let outcomes = &solver.outcomes[code as usize][runs as usize];
        let mut rounds = 0.0;
        for &(probability, number) in &self.spread[self.codes.len() - 1] {
            let expected: f64 =
                outcomes.iter().map(|&(likely, code)| likely * solver.value(number, code)).sum();
            rounds += probability * expected;
            if rounds >= self.best {
                return;
            }
        }
        self.best = rounds;
        self.best_schedule.copy_from_slice(&self.schedule);
    }
}
