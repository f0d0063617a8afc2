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
}

impl TimeMachine {
    pub fn new(random: Random, stuck: StuckRule, fittest: Fittest) -> Self {
        Self { random, stuck: Stuck::new(stuck), fittest, is_stuck: false }
    }
}

impl Strategy for TimeMachine {
    fn decide(&mut self, place: &Place<'_>) -> Move {
        if !self.is_stuck {
            return self.random.decide(place);
        }
        let mut dice = Dice::new(self.random.seed ^ DICE, place.decision);
        self.fittest.choose(place.graph, place.room, &mut dice).map_or(Move::Restart, Move::Return)
    }

    fn learn(&mut self, lesson: Lesson<'_>) {
        self.is_stuck = self.stuck.learn(lesson);
    }

    fn why(&self) -> String {
        if self.is_stuck { format!("stuck: {}", self.stuck.why()) } else { String::new() }
    }

    fn travels(&self) -> bool {
        true
    }
}
