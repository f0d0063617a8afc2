//! TimeMachine's baseline MR: random events, and a restart of the app whenever exploration is stuck.

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
        let led = match lesson {
            Lesson::Start(led) => {
                self.stuck.leave();
                led
            }
            Lesson::Step(step) => &step.led,
        };
        self.is_stuck = led.state.is_some_and(|state| self.stuck.visit(state));
    }
}
