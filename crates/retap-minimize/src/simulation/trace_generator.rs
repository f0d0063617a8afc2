//! Generates the trace of a simulation: a random walk through an app that is a tree of screens. A
//! session is a visit to a screen and to those below it.

use super::{EventEffect, SimulatedEvent, SplitMix64};

/// The number of screens that can be opened from one.
const FAN_OUT: u64 = 5;
/// The most screens on the path from the launch screen.
const MAX_DEPTH: usize = 6;

pub(super) struct TraceGenerator {
    random: SplitMix64,
    length: usize,
    events: Vec<SimulatedEvent>,
    /// The screens from the launch screen to the current one.
    path: Vec<u64>,
    /// The lengths of the trace at which preparations are made, latest first.
    preparations_at: Vec<usize>,
    preparations: u32,
}

impl TraceGenerator {
    pub fn new(seed: u64, length: usize, preparations: u32) -> Self {
        let mut random = SplitMix64(seed);
        let mut preparations_at: Vec<usize> =
            (0..preparations).map(|_| random.below(length as u64) as usize).collect();
        preparations_at.sort_unstable_by(|a, b| b.cmp(a));
        Self { random, length, events: Vec::new(), path: vec![0], preparations_at, preparations: 0 }
    }

    /// Returns the events, and the number of preparations that were made among them.
    pub fn run(mut self) -> (Vec<SimulatedEvent>, u32) {
        while self.remaining_events() > 3 {
            self.wander();
        }
        self.go_to_crash();
        (self.events, self.preparations)
    }

    fn remaining_events(&self) -> usize {
        self.length - self.events.len()
    }

    fn wander(&mut self) {
        let remaining = self.remaining_events();
        match self.random.below(10) {
            _ if self.preparations_at.last().is_some_and(|&at| at <= self.events.len()) => {
                self.preparations_at.pop();
                self.stay(EventEffect::Prepare(self.preparations));
                self.preparations += 1;
            }
            0..=2 if self.path.len() < MAX_DEPTH && remaining > 4 => self.open_screen(),
            3..=5 if self.path.len() > 1 => self.go_back(),
            _ => self.stay(EventEffect::None),
        }
    }

    /// Opens further screens and crashes on the last of them.
    fn go_to_crash(&mut self) {
        while self.remaining_events() > 1 {
            self.open_screen();
        }
        self.stay(EventEffect::Crash);
    }

    fn current_screen(&self) -> u64 {
        self.path[self.path.len() - 1]
    }

    fn stay(&mut self, effect: EventEffect) {
        let screen = self.current_screen();
        self.events.push(SimulatedEvent { from: screen, to: screen, effect });
    }

    fn open_screen(&mut self) {
        let from = self.current_screen();
        let to = from * (FAN_OUT + 1) + 1 + self.random.below(FAN_OUT);
        self.events.push(SimulatedEvent { from, to, effect: EventEffect::None });
        self.path.push(to);
    }

    fn go_back(&mut self) {
        let from = self.current_screen();
        self.path.pop();
        let to = self.current_screen();
        self.events.push(SimulatedEvent { from, to, effect: EventEffect::Back });
    }
}

/// Returns the screen that a screen was opened from; the launch screen is its own parent. Screens are
/// numbered after the one that they are opened from.
pub(super) fn parent_screen(screen: u64) -> u64 {
    screen.saturating_sub(1) / (FAN_OUT + 1)
}
