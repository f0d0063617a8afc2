//! Random events, and a clean restart whenever exploration is stuck: TimeMachine's baseline MR.

use crate::random::Random;
use crate::strategy::{Lesson, Move, Place, Strategy};
use crate::stuck::{Stuck, StuckRule};

#[derive(Debug, Clone)]
pub struct RandomRestart {
    random: Random,
    stuck: Stuck,
    is_stuck: bool,
}

impl RandomRestart {
    pub fn new(random: Random, rule: StuckRule) -> Self {
        Self { random, stuck: Stuck::new(rule), is_stuck: false }
    }
}

impl Strategy for RandomRestart {
    fn decide(&mut self, place: &Place<'_>) -> Move {
        if self.is_stuck { Move::Restart } else { self.random.decide(place) }
    }

    fn learn(&mut self, lesson: Lesson<'_>) {
        self.is_stuck = self.stuck.learn(lesson);
    }

    fn why(&self) -> String {
        if self.is_stuck { format!("stuck: {}", self.stuck.why()) } else { String::new() }
    }
}
