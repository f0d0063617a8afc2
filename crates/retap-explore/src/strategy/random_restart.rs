//! Random events, and a clean restart whenever exploration is stuck: TimeMachine's baseline MR.

use super::random::Random;
use super::{DecisionContext, Move, RecordedEntry, Strategy};
use crate::policy::{StuckDetector, StuckPolicy};

#[derive(Debug, Clone)]
pub struct RandomRestart {
    random: Random,
    detector: StuckDetector,
    is_stuck: bool,
}

impl RandomRestart {
    pub fn new(random: Random, stuck: StuckPolicy) -> Self {
        Self { random, detector: StuckDetector::new(stuck), is_stuck: false }
    }
}

impl Strategy for RandomRestart {
    fn decide(&mut self, context: &DecisionContext<'_>) -> Move {
        if self.is_stuck { Move::Restart } else { self.random.decide(context) }
    }

    fn learn(&mut self, entry: RecordedEntry<'_>) {
        self.is_stuck = self.detector.record(entry);
    }

    fn reason(&self) -> String {
        if self.is_stuck { format!("stuck: {}", self.detector.describe()) } else { String::new() }
    }
}
