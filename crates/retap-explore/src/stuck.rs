//! TimeMachine's detector for lack of progress, its second policy: a dead end (the same state for too long) or a loop
//! (a window full of states that repeat or have been seen far too often). Beside it `flat`, which asks for new code alone: a
//! screen that shows a line more for every key makes new states for ever, and by the published rule that is progress.

use crate::interesting::Met;
use crate::policy::{self, PolicyError};
use crate::strategy::Lesson;
use retap_model::StateId;
use std::collections::{BTreeMap, VecDeque};
use std::str::FromStr;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StuckRule {
    pub detector: Detector,
    /// l: the length of the window.
    pub window: usize,
    pub max_no_progress: usize,
    /// α: which share of the states counts as most visited.
    pub alpha: f64,
    /// β: how much of the window must be worn out.
    pub beta: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Detector {
    /// The paper's: dead ends and loops.
    Window,
    /// Dead ends alone.
    DeadEnd,
    /// Not the paper's: no new code for too long, whatever the states are.
    Flat,
    Never,
}

impl Default for StuckRule {
    fn default() -> Self {
        Self { detector: Detector::Window, window: 10, max_no_progress: 200, alpha: 0.2, beta: 0.8 }
    }
}

#[derive(Debug, Clone)]
pub struct Stuck {
    rule: StuckRule,
    queue: VecDeque<StateId>,
    last: Option<StateId>,
    no_progress: usize,
    visits: BTreeMap<StateId, u64>,
    /// How many states were visited how often: the most visited are found without looking at all.
    ranks: BTreeMap<u64, usize>,
}

impl Stuck {
    pub fn new(rule: StuckRule) -> Self {
        let queue = VecDeque::with_capacity(rule.window + 1);
        let (visits, ranks) = (BTreeMap::new(), BTreeMap::new());
        Self { rule, queue, last: None, no_progress: 0, visits, ranks }
    }

    /// Whether exploration is stuck after this.
    pub fn learn(&mut self, lesson: Lesson<'_>) -> bool {
        let met = match lesson {
            Lesson::Start(met) => {
                self.leave();
                met
            }
            Lesson::Return(..) => {
                self.leave();
                return false;
            }
            Lesson::Step(_, met) => met,
        };
        match self.rule.detector {
            Detector::Never => false,
            Detector::Flat => self.bring(is_new(met)),
            Detector::Window | Detector::DeadEnd => {
                met.result.state.is_some_and(|state| self.visit(state))
            }
        }
    }

    /// What is wrong, when something is.
    pub fn why(&self) -> String {
        match self.no_progress {
            events if self.rule.detector == Detector::Flat => {
                format!("{events} events brought no new code")
            }
            0 => format!("the last {} states are worn out", self.queue.len()),
            events => format!("{events} events result nowhere"),
        }
    }

    /// Whether, having come to this state, exploration is stuck.
    fn visit(&mut self, state: StateId) -> bool {
        if self.last == Some(state) {
            self.no_progress += 1;
            return self.no_progress > self.rule.max_no_progress;
        }
        self.count(state);
        self.last = Some(state);
        self.no_progress = 0;
        self.queue.push_back(state);
        if self.queue.len() > self.rule.window {
            self.queue.pop_front();
        }
        let is_full = self.queue.len() == self.rule.window;
        is_full && self.rule.detector == Detector::Window && self.is_loop()
    }

    /// Whether, after an event that brought something new or did not, exploration is stuck.
    fn bring(&mut self, something_new: bool) -> bool {
        self.no_progress = if something_new { 0 } else { self.no_progress + 1 };
        self.no_progress > self.rule.max_no_progress
    }

    fn count(&mut self, state: StateId) {
        let visits = self.visits.entry(state).or_default();
        if let Some(states) = self.ranks.get_mut(visits) {
            *states -= 1;
            if *states == 0 {
                self.ranks.remove(visits);
            }
        }
        *visits += 1;
        *self.ranks.entry(*visits).or_default() += 1;
    }

    /// Forgets the window, not the visits: called after going elsewhere.
    fn leave(&mut self) {
        self.queue.clear();
        self.last = None;
        self.no_progress = 0;
    }

    /// A state counts once, though it may both repeat and be among the most visited.
    fn is_loop(&self) -> bool {
        let threshold = self.most_visited_threshold();
        let worn = self.queue.iter().filter(|state| {
            let repeats = self.queue.iter().filter(|other| other == state).count() > 1;
            repeats || self.visits.get(state).is_some_and(|&visits| visits > threshold)
        });
        worn.count() as f64 / self.rule.window as f64 > self.rule.beta
    }

    /// Visits that a state must exceed to be among the most visited share α. Equals do not make each
    /// other worn: where all states were visited alike, none is among the most visited.
    fn most_visited_threshold(&self) -> u64 {
        let mut top = (self.visits.len() as f64 * self.rule.alpha).floor() as usize;
        for (visits, states) in self.ranks.iter().rev() {
            if *states > top {
                return *visits;
            }
            top -= states;
        }
        0
    }
}

/// Code that never ran before. Where the device sees no code, a state that was never met.
fn is_new(met: Met<'_>) -> bool {
    if met.sees_code { met.new_units > 0 } else { met.first }
}

impl FromStr for StuckRule {
    type Err = PolicyError;

    /// `window,l=10,max=200,alpha=0.2,beta=0.8`.
    fn from_str(text: &str) -> Result<Self, PolicyError> {
        let (name, settings) = policy::split(text);
        let detector = match name {
            "window" => Detector::Window,
            "dead-end" => Detector::DeadEnd,
            "flat" => Detector::Flat,
            "never" => Detector::Never,
            _ => return Err(policy::unknown("one of window, dead-end, flat, never", name)),
        };
        let mut rule = Self { detector, ..Self::default() };
        for part in settings {
            let known = policy::setting(part, "l", &mut rule.window)?
                || policy::setting(part, "max", &mut rule.max_no_progress)?
                || policy::setting(part, "alpha", &mut rule.alpha)?
                || policy::setting(part, "beta", &mut rule.beta)?;
            let sensible = (1..=10_000).contains(&rule.window)
                && (0.0..=1.0).contains(&rule.alpha)
                && (0.0..=1.0).contains(&rule.beta);
            if !known || !sensible {
                return Err(policy::unknown("l=10, max=200, alpha=0.2 or beta=0.8", part));
            }
        }
        Ok(rule)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use retap_model::trace::StepResult;
    use retap_model::{Event, Step};

    fn visit_all(stuck: &mut Stuck, states: impl IntoIterator<Item = u64>) -> Option<usize> {
        states.into_iter().position(|state| stuck.visit(StateId(state)))
    }

    #[test]
    fn a_dead_end_is_left_after_max_no_progress() {
        let mut stuck = Stuck::new(StuckRule::default());
        // The first visit is progress; the 201st visit that changes nothing is one too many.
        assert_eq!(visit_all(&mut stuck, std::iter::repeat_n(1, 1000)), Some(201));
    }

    #[test]
    fn a_loop_of_two_states_is_noticed_when_the_window_is_full() {
        let mut stuck = Stuck::new(StuckRule::default());
        assert_eq!(visit_all(&mut stuck, (0..1000).map(|n| n % 2)), Some(9));
    }

    #[test]
    fn fresh_states_are_progress() {
        let mut stuck = Stuck::new(StuckRule::default());
        assert_eq!(visit_all(&mut stuck, 0..1000), None);
    }

    #[test]
    fn a_round_through_worn_states_is_a_loop_though_none_repeats_in_it() {
        let mut stuck = Stuck::new(StuckRule::default());
        // A hundred fresh states are progress; then ten of them again and again, never twice in a window.
        assert_eq!(visit_all(&mut stuck, 0..100), None);
        let rounds = (0..1000).map(|n| n % 10);
        assert!(visit_all(&mut stuck, rounds).is_some());
    }

    #[test]
    fn flat_counts_events_without_new_code_and_begins_anew_elsewhere() {
        let mut stuck = Stuck::new("flat,max=3".parse().unwrap());
        // Every state is new; the third event brings new code.
        let result =
            |state: u64| StepResult { state: Some(StateId(state)), ..StepResult::default() };
        let mut tell = |state: u64, new_units: u64| {
            let (result, step) =
                (result(state), Step { event: Event::Wait(1), result: result(state) });
            let (first, sees_code, new_activity) = (true, true, false);
            let met =
                Met { result: &result, first, new_units, sees_code, new_activity, screen: None };
            match state {
                0 => stuck.learn(Lesson::Start(met)),
                _ => stuck.learn(Lesson::Step(&step, met)),
            }
        };
        let round = [1, 0, 0, 1, 0, 0, 0, 0];
        for _ in 0..2 {
            let told: Vec<bool> = (0..).zip(round).map(|(state, new)| tell(state, new)).collect();
            assert_eq!(told.iter().position(|stuck| *stuck), Some(7));
        }
    }

    #[test]
    fn after_leaving_the_window_fills_anew() {
        let mut stuck = Stuck::new(StuckRule::default());
        visit_all(&mut stuck, (0..10).map(|n| n % 2));
        stuck.leave();
        assert_eq!(visit_all(&mut stuck, (0..1000).map(|n| n % 2)), Some(9));
    }
}
