//! Generated apps to measure and test the algorithms on.
//!
//! A generated trace consists of nested sessions of events and ends in a crash. The crash needs the path
//! to it, and perhaps preparations that are made on other screens. Runs may be flaky.

mod split_mix;
mod trace_generator;

pub use split_mix::SplitMix64;

use crate::search::{Answer, Candidate, CandidateGoal, CandidateOracle, Question, SearchStop};
use trace_generator::TraceGenerator;

/// An event of a simulated app.
///
/// It takes effect only in the state it was recorded in. In any other state it does nothing, like a tap
/// that meets another screen; only the back key works everywhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SimulatedEvent {
    /// The state that the event needs.
    pub from: u64,
    /// The state that it leads to.
    pub to: u64,
    pub effect: EventEffect,
}

/// The effect of an event besides its change of state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EventEffect {
    None,
    /// Goes to the parent of the present state, whichever that is.
    Back,
    /// Makes one of the preparations that the crash needs.
    Prepare(u32),
    /// Crashes if all preparations have been made.
    Crash,
}

/// A trace, together with the app that it was recorded on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Simulation {
    pub events: Vec<SimulatedEvent>,
    pub launch_state: u64,
    /// The number of preparations that the crash needs.
    pub preparations: u32,
    /// The share of runs that fail by chance, per mille.
    pub flakiness: u64,
    pub seed: u64,
}

/// The result of running a candidate on a simulated app.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SimulatedRun {
    /// The number of events after which the app crashed, if it did.
    pub crashed_after: Option<usize>,
    pub last_state: u64,
}

impl SimulatedRun {
    pub fn has_crashed(&self) -> bool {
        self.crashed_after.is_some()
    }
}

impl Simulation {
    /// Generates a trace of `length` events (at least 4) that wanders through screens and ends in a
    /// crash.
    pub fn generate(seed: u64, length: usize, preparations: u32, flakiness: u64) -> Self {
        let (events, preparations) = TraceGenerator::new(seed, length.max(4), preparations).run();
        Self { events, launch_state: 0, preparations, flakiness, seed }
    }

    /// Returns the state before each event of the recorded trace.
    pub fn states(&self) -> Vec<u64> {
        let mut state = self.launch_state;
        let mut states = Vec::with_capacity(self.events.len());
        for event in &self.events {
            states.push(state);
            if event.from == state {
                state = event.to;
            }
        }
        states
    }

    /// Runs a candidate.
    pub fn run(&self, candidate: &Candidate) -> SimulatedRun {
        let mut state = self.launch_state;
        let mut prepared = vec![false; self.preparations as usize];
        for (index, &position) in candidate.positions().iter().enumerate() {
            let event = &self.events[position as usize];
            if event.effect == EventEffect::Back {
                state = trace_generator::parent_screen(state);
            }
            if event.from != state || event.effect == EventEffect::Back {
                continue;
            }
            match event.effect {
                EventEffect::Crash if prepared.iter().all(|&prepared| prepared) => {
                    return SimulatedRun { crashed_after: Some(index + 1), last_state: state };
                }
                EventEffect::Prepare(preparation) => prepared[preparation as usize] = true,
                EventEffect::Back | EventEffect::Crash | EventEffect::None => {}
            }
            state = event.to;
        }
        SimulatedRun { crashed_after: None, last_state: state }
    }

    fn answer(&self, question: &Question) -> Answer {
        let run = self.run(&question.candidate);
        let success = match question.goal {
            CandidateGoal::Interesting => run.has_crashed(),
            CandidateGoal::Reach(position) => {
                !run.has_crashed() && run.last_state == self.events[position as usize].from
            }
        };
        Answer {
            success: success && !self.fails_by_chance(question),
            events: run.crashed_after.unwrap_or(question.candidate.len()),
        }
    }

    fn fails_by_chance(&self, question: &Question) -> bool {
        let mut random = SplitMix64(self.seed ^ (u64::from(question.run) << 32));
        for &position in question.candidate.positions() {
            random.0 ^= u64::from(position);
            random.draw();
        }
        random.below(1000) < self.flakiness
    }
}

impl CandidateOracle for Simulation {
    fn ask(&mut self, round: &[Question]) -> Result<Vec<Answer>, SearchStop> {
        Ok(round.iter().map(|question| self.answer(question)).collect())
    }

    fn watches_every_event(&self) -> bool {
        true
    }
}
