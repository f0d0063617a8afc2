//! Recorded event sequences that are run first, before a strategy takes over: a person's tests, or what another
//! run found.

use crate::strategy::{Lesson, Move, Place, Strategy};
use retap_model::Event;

pub struct Seeded {
    seeds: Vec<Vec<Event>>,
    /// Traces begun so far, and steps of the last one.
    begun: usize,
    steps: usize,
    strategy: Box<dyn Strategy>,
    plays: bool,
}

impl std::fmt::Debug for Seeded {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Seeded").field("seeds", &self.seeds.len()).finish_non_exhaustive()
    }
}

impl Seeded {
    pub fn new(seeds: Vec<Vec<Event>>, strategy: Box<dyn Strategy>) -> Self {
        Self { seeds, begun: 0, steps: 0, strategy, plays: false }
    }
}

impl Strategy for Seeded {
    fn decide(&mut self, place: &Place<'_>) -> Move {
        self.plays = self.begun <= self.seeds.len();
        let seed = self.begun.checked_sub(1).and_then(|n| self.seeds.get(n));
        match seed {
            Some(seed) if !place.is_over => match seed.get(self.steps) {
                Some(event) => Move::Do(event.clone()),
                None if self.begun < self.seeds.len() => Move::Restart,
                // The last seed leads over to the strategy: it goes on from where that one ends.
                None => self.strategy.decide(place),
            },
            Some(_) if self.begun < self.seeds.len() => Move::Restart,
            _ => self.strategy.decide(place),
        }
    }

    fn learn(&mut self, lesson: Lesson<'_>) {
        match lesson {
            Lesson::Start(_) | Lesson::Return(..) => {
                self.begun += 1;
                self.steps = 0;
            }
            Lesson::Step(..) => self.steps += 1,
        }
        self.strategy.learn(lesson);
    }

    fn why(&self) -> String {
        if self.plays { "a seed trace".into() } else { self.strategy.why() }
    }

    fn looks(&self) -> bool {
        self.strategy.looks()
    }

    fn travels(&self) -> bool {
        self.strategy.travels()
    }
}
