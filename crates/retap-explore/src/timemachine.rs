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
    /// Why to go elsewhere, if there is a reason to.
    leaves: Option<String>,
    is_over: bool,
}

impl TimeMachine {
    pub fn new(random: Random, stuck: StuckRule, fittest: Fittest) -> Self {
        Self { random, stuck: Stuck::new(stuck), fittest, leaves: None, is_over: false }
    }
}

impl Strategy for TimeMachine {
    fn decide(&mut self, place: &Place<'_>) -> Move {
        // A crash is the deadest of ends: nothing can follow but a new trace, and where that begins is ours to choose.
        self.is_over = place.is_over;
        if self.leaves.is_none() && !self.is_over {
            return self.random.decide(place);
        }
        let mut dice = Dice::new(self.random.seed ^ DICE, place.decision);
        // Where a snapshot is restored, all ways cost the same.
        let cost = if place.snapshots { 0.0 } else { self.fittest.cost };
        let fittest = Fittest { cost, ..self.fittest };
        fittest.choose(place.graph, place.room, &mut dice).map_or(Move::Restart, Move::Return)
    }

    fn learn(&mut self, lesson: Lesson<'_>) {
        let is_stuck = self.stuck.learn(lesson);
        self.leaves = match lesson {
            // Tried again: by another way, or to another state.
            Lesson::Return(trace, returns, _) if !returns.arrived(trace.last()) => {
                Some("the way back result elsewhere".into())
            }
            _ => is_stuck.then(|| format!("stuck: {}", self.stuck.why())),
        };
    }

    fn why(&self) -> String {
        match &self.leaves {
            Some(why) => why.clone(),
            None if self.is_over => "the trace is over".into(),
            None => String::new(),
        }
    }

    fn travels(&self) -> bool {
        true
    }
}
