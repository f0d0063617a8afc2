//! Generated apps to measure and test the algorithms on: nested sessions of events, a crash at the
//! end that needs the way to it and perhaps something done elsewhere, and any flakiness.

use crate::candidate::Candidate;
use crate::oracle::{Answer, Goal, Oracle, Question, Stop};

/// What an event does in the state it was made for. In any other it does nothing, as a tap that
/// meets another screen; only the back key works everywhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Action {
    /// The state it needs.
    pub at: u64,
    /// The state it leads to.
    pub to: u64,
    pub effect: Effect,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    None,
    /// Goes to the state before the present one, whichever that is.
    Back,
    /// One of the things that must have been done before the crash.
    Arm(u32),
    /// Crashes once all that must have been done has been.
    Crash,
}

/// A trace with the app that it was recorded on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Simulation {
    pub actions: Vec<Action>,
    pub launch: u64,
    /// How many things must have been done.
    pub arms: u32,
    /// Per mille: how often a run fails whatever it does.
    pub flakiness: u64,
    pub seed: u64,
}

impl Simulation {
    /// A trace of `length` events (at least 4) that wanders through screens and ends in a crash.
    pub fn generate(seed: u64, length: usize, arms: u32, flakiness: u64) -> Self {
        let mut walk = Walk::new(seed, length.max(4), arms);
        while !walk.must_turn_to_the_crash() {
            walk.wander();
        }
        walk.crash();
        Self { actions: walk.actions, launch: 0, arms: walk.armed, flakiness, seed }
    }

    /// The state before each event of the recorded trace.
    pub fn states(&self) -> Vec<u64> {
        let mut state = self.launch;
        let mut states = Vec::with_capacity(self.actions.len());
        for action in &self.actions {
            states.push(state);
            if action.at == state {
                state = action.to;
            }
        }
        states
    }

    /// Runs a candidate: whether and after how many events it crashed, and where it ended.
    pub fn run(&self, candidate: &Candidate) -> (Option<usize>, u64) {
        let mut state = self.launch;
        let mut armed = vec![false; self.arms as usize];
        for (index, &position) in candidate.positions().iter().enumerate() {
            let action = &self.actions[position as usize];
            if action.effect == Effect::Back {
                state = before(state);
            }
            if action.at != state || action.effect == Effect::Back {
                continue;
            }
            match action.effect {
                Effect::Crash if armed.iter().all(|&armed| armed) => {
                    return (Some(index + 1), state);
                }
                Effect::Arm(arm) => armed[arm as usize] = true,
                Effect::Back | Effect::Crash | Effect::None => {}
            }
            state = action.to;
        }
        (None, state)
    }

    fn answer(&self, question: &Question) -> Answer {
        let (crash, state) = self.run(&question.candidate);
        let events = crash.unwrap_or(question.candidate.len());
        let success = match question.goal {
            Goal::Interesting => crash.is_some(),
            Goal::Reach(position) => crash.is_none() && state == self.actions[position as usize].at,
        };
        Answer { success: success && !self.fails_by_chance(question), events }
    }

    fn fails_by_chance(&self, question: &Question) -> bool {
        let mut chance = Chance(self.seed ^ (u64::from(question.run) << 32));
        for &position in question.candidate.positions() {
            chance.0 ^= u64::from(position);
            chance.draw();
        }
        chance.below(1000) < self.flakiness
    }
}

impl Oracle for Simulation {
    fn ask(&mut self, round: &[Question]) -> Result<Vec<Answer>, Stop> {
        Ok(round.iter().map(|question| self.answer(question)).collect())
    }

    fn watches_every_event(&self) -> bool {
        true
    }
}

/// The trace being made: an app is a tree of screens, a session a visit to one and what is below.
struct Walk {
    chance: Chance,
    length: usize,
    actions: Vec<Action>,
    /// From the launch screen to the current one.
    path: Vec<u64>,
    /// When the things that must be done are done, latest first.
    arm_at: Vec<usize>,
    armed: u32,
}

/// Screens that can be opened from one.
const FAN_OUT: u64 = 5;
const DEEPEST: usize = 6;

impl Walk {
    fn new(seed: u64, length: usize, arms: u32) -> Self {
        let mut chance = Chance(seed);
        let mut arm_at: Vec<usize> =
            (0..arms).map(|_| chance.below(length as u64) as usize).collect();
        arm_at.sort_unstable_by(|a, b| b.cmp(a));
        Self { chance, length, actions: Vec::new(), path: vec![0], arm_at, armed: 0 }
    }

    /// What is still to come: the rest of the way down and the crash.
    fn must_turn_to_the_crash(&self) -> bool {
        self.length - self.actions.len() <= 3
    }

    fn wander(&mut self) {
        let left = self.length - self.actions.len();
        match self.chance.below(10) {
            _ if self.arm_at.last().is_some_and(|&at| at <= self.actions.len()) => {
                self.arm_at.pop();
                self.stay(Effect::Arm(self.armed));
                self.armed += 1;
            }
            0..=2 if self.path.len() < DEEPEST && left > 4 => self.open(),
            3..=5 if self.path.len() > 1 => self.back(),
            _ => self.stay(Effect::None),
        }
    }

    fn crash(&mut self) {
        while self.length - self.actions.len() > 1 {
            self.open();
        }
        self.stay(Effect::Crash);
    }

    fn here(&self) -> u64 {
        self.path[self.path.len() - 1]
    }

    fn stay(&mut self, effect: Effect) {
        let here = self.here();
        self.actions.push(Action { at: here, to: here, effect });
    }

    fn open(&mut self) {
        let here = self.here();
        let to = here * (FAN_OUT + 1) + 1 + self.chance.below(FAN_OUT);
        self.actions.push(Action { at: here, to, effect: Effect::None });
        self.path.push(to);
    }

    fn back(&mut self) {
        let here = self.here();
        self.path.pop();
        self.actions.push(Action { at: here, to: self.here(), effect: Effect::Back });
    }
}

/// The screens that can be opened from one are numbered after it; the launch screen stays.
fn before(state: u64) -> u64 {
    state.saturating_sub(1) / (FAN_OUT + 1)
}

/// splitmix64: the generated apps must be the same on every machine.
#[derive(Debug, Clone)]
pub struct Chance(pub u64);

impl Chance {
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, limit: u64) -> u64 {
        self.draw() % limit
    }
}
