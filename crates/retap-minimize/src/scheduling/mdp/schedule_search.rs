//! The search for one state's best schedule, among all ways to share a round's runs.

use super::solver::Solver;

pub(super) struct ScheduleSearch<'s> {
    solver: &'s Solver,
    /// Most successes first, so that good schedules come early and hopeless candidates late.
    codes: Vec<u8>,
    /// By place: the runs that the candidates from here on can take.
    capacity: Vec<u32>,
    /// By place: the probability that all candidates from here on are dead after all their runs.
    none_passes: Vec<f64>,
    schedule: Vec<u8>,
    /// By place: the states that the candidates before may have become.
    reached_states: Vec<Vec<PossibleState>>,
    best: BestSchedule,
}

/// A state that may be reached, and its probability.
#[derive(Debug, Clone, Copy)]
struct PossibleState {
    probability: f64,
    state: usize,
}

/// A state's best schedule.
pub(super) struct BestSchedule {
    /// The least expected number of rounds.
    pub rounds: f64,
    /// The runs of each candidate.
    pub schedule: Vec<u8>,
}

impl<'s> ScheduleSearch<'s> {
    pub fn new(solver: &'s Solver, codes: &[u8]) -> Self {
        let codes: Vec<u8> = codes.iter().rev().copied().collect();
        let size = codes.len();
        let (mut capacity, mut none_passes) = (vec![0; size + 1], vec![1.0; size + 1]);
        for place in (0..size).rev() {
            let code = codes[place] as usize;
            capacity[place] = capacity[place + 1] + solver.run_limits[code];
            none_passes[place] = none_passes[place + 1] * solver.death_probabilities[code];
        }
        let mut reached_states = vec![Vec::new(); size];
        reached_states[0].push(PossibleState { probability: 1.0, state: 0 });
        Self {
            solver,
            codes,
            capacity,
            none_passes,
            schedule: vec![0; size],
            reached_states,
            best: BestSchedule { rounds: f64::INFINITY, schedule: vec![0; size] },
        }
    }

    /// Returns the best schedule, in the order of ascending codes.
    pub fn run(mut self) -> BestSchedule {
        let width = self.solver.states.setting.check.width;
        if self.capacity[0] <= width {
            let limit = |&code: &u8| self.solver.run_limits[code as usize] as u8;
            let schedule = self.codes.iter().rev().map(limit).collect();
            return BestSchedule { rounds: 1.0, schedule };
        }
        self.share_runs(0, width);
        self.best.schedule.reverse();
        BestSchedule { rounds: 1.0 + self.best.rounds, schedule: self.best.schedule }
    }

    /// Tries every distribution of `room` runs over the candidates from `place` on.
    fn share_runs(&mut self, place: usize, room: u32) {
        let code = self.codes[place];
        let equals_previous = place > 0 && self.codes[place - 1] == code;
        let limit = if equals_previous { u32::from(self.schedule[place - 1]) } else { room };
        let most = self.solver.run_limits[code as usize].min(room).min(limit);
        if place + 1 == self.codes.len() {
            if room <= most {
                self.schedule[place] = room as u8;
                self.evaluate(code, room);
            }
            return;
        }
        let least = room.saturating_sub(self.capacity[place + 1]);
        for runs in (least..=most).rev() {
            self.schedule[place] = runs as u8;
            if self.advance(place, code, runs) < self.best.rounds {
                self.share_runs(place + 1, room - runs);
            }
        }
    }

    /// Computes the states that the candidates up to `place` may become. Returns a lower bound of the
    /// rounds that must follow: as if the runs of all further candidates cost nothing.
    fn advance(&mut self, place: usize, code: u8, runs: u32) -> f64 {
        let solver = self.solver;
        let (before, after) = self.reached_states.split_at_mut(place + 1);
        let next_states = &mut after[0];
        next_states.clear();
        let mut rounds = 0.0;
        for reached in &before[place] {
            for outcome in &solver.outcomes[code as usize][runs as usize] {
                let state = solver.state_with(reached.state, outcome.code);
                let probability = reached.probability * outcome.probability;
                rounds += probability * solver.value(state);
                next_states.push(PossibleState { probability, state });
            }
        }
        rounds * self.none_passes[place + 1]
    }

    /// Evaluates the schedule whose last candidate, of `code`, gets `runs`, and keeps it if it is best.
    fn evaluate(&mut self, code: u8, runs: u32) {
        let solver = self.solver;
        let outcomes = &solver.outcomes[code as usize][runs as usize];
        let mut rounds = 0.0;
        for reached in &self.reached_states[self.codes.len() - 1] {
            let expected: f64 = outcomes
                .iter()
                .map(|outcome| outcome.probability * solver.value_with(reached.state, outcome.code))
                .sum();
            rounds += reached.probability * expected;
            if rounds >= self.best.rounds {
                return;
            }
        }
        self.best.rounds = rounds;
        self.best.schedule.copy_from_slice(&self.schedule);
    }
}
