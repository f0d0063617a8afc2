//! TimeMachine as published: random events; when stuck, back to the fittest interesting state.

use crate::dice::Dice;
use crate::fittest::Fittest;
use crate::random::Random;
use crate::strategy::{Lesson, Move, Place, Strategy};
use crate::stuck::{Stuck, StuckRule};

/// Apart from the dice that events are drawn with.
const DICE: u64 = 0x7469_6d65;

#[derive(Debug, Clone)]
pub struct TimeMachine {
    random: Random,
    stuck: Stuck,
    fittest: Fittest,
    is_stuck: bool,
    is_over: bool,
}

impl TimeMachine {
    pub fn new(random: Random, stuck: StuckRule, fittest: Fittest) -> Self {
        Self { random, stuck: Stuck::new(stuck), fittest, is_stuck: false, is_over: false }
    }
}

impl Strategy for TimeMachine {
    fn decide(&mut self, place: &Place<'_>) -> Move {
        // A crash is the deadest of ends: nothing can follow but a new trace, and where that begins is ours to choose.
        self.is_over = place.is_over;
        if !self.is_stuck && !self.is_over {
            return self.random.decide(place);
        }
        let mut dice = Dice::new(self.random.seed ^ DICE, place.decision);
        self.fittest.choose(place.graph, place.room, &mut dice).map_or(Move::Restart, Move::Return)
    }

    fn learn(&mut self, lesson: Lesson<'_>) {
        // A return that led elsewhere is tried again: another way, or another state.
        let astray =
            matches!(lesson, Lesson::Return(trace, returns, _) if !returns.arrived(trace.last()));
        self.is_stuck = self.stuck.learn(lesson) || astray;
    }

    fn why(&self) -> String {
        match (self.is_stuck, self.is_over) {
            (true, _) => format!("stuck: {}", self.stuck.why()),
            (false, true) => "the trace is over".into(),
            (false, false) => String::new(),
        }
    }

    fn travels(&self) -> bool {
        true
    }
}
