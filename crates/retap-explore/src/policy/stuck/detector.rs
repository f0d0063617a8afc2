//! Detects lack of progress from the recorded entries of a run.

use super::{StuckCriterion, StuckPolicy};
use crate::exploration::Novelty;
use crate::strategy::RecordedEntry;
use retap_model::StateId;
use std::collections::{BTreeMap, VecDeque};

#[derive(Debug, Clone)]
pub struct StuckDetector {
    policy: StuckPolicy,
    /// The last states, one per change of state.
    window: VecDeque<StateId>,
    last_state: Option<StateId>,
    no_progress: usize,
    visits: BTreeMap<StateId, u64>,
    /// The number of states for each number of visits. It finds the most visited states without a look at all.
    states_by_visits: BTreeMap<u64, usize>,
}

impl StuckDetector {
    pub fn new(policy: StuckPolicy) -> Self {
        Self {
            policy,
            window: VecDeque::with_capacity(policy.window + 1),
            last_state: None,
            no_progress: 0,
            visits: BTreeMap::new(),
            states_by_visits: BTreeMap::new(),
        }
    }

    /// Records an entry and returns true if exploration is stuck after it.
    pub fn record(&mut self, entry: RecordedEntry<'_>) -> bool {
        let novelty = match entry {
            RecordedEntry::Start(novelty) => {
                self.clear_window();
                novelty
            }
            RecordedEntry::Return { .. } => {
                self.clear_window();
                return false;
            }
            RecordedEntry::Step(_, novelty) => novelty,
        };
        match self.policy.criterion {
            StuckCriterion::Never => false,
            StuckCriterion::Flat => self.record_novelty(is_progress(novelty)),
            StuckCriterion::Window | StuckCriterion::DeadEnd => {
                novelty.result.state.is_some_and(|state| self.record_visit(state))
            }
        }
    }

    /// Describes the lack of progress for a person.
    pub fn describe(&self) -> String {
        match self.no_progress {
            events if self.policy.criterion == StuckCriterion::Flat => {
                format!("{events} events ran no new code")
            }
            0 => format!("the last {} states were visited too often", self.window.len()),
            events => format!("{events} events did not change the state"),
        }
    }

    /// Records a visit of a state and returns true if exploration is stuck there.
    fn record_visit(&mut self, state: StateId) -> bool {
        if self.last_state == Some(state) {
            self.no_progress += 1;
            return self.no_progress > self.policy.max_no_progress;
        }
        self.count_visit(state);
        self.last_state = Some(state);
        self.no_progress = 0;
        self.window.push_back(state);
        if self.window.len() > self.policy.window {
            self.window.pop_front();
        }
        let is_full = self.window.len() == self.policy.window;
        is_full && self.policy.criterion == StuckCriterion::Window && self.is_loop()
    }

    /// Records an event that made progress or did not, and returns true if exploration is stuck after it.
    fn record_novelty(&mut self, is_progress: bool) -> bool {
        self.no_progress = if is_progress { 0 } else { self.no_progress + 1 };
        self.no_progress > self.policy.max_no_progress
    }

    fn count_visit(&mut self, state: StateId) {
        let visits = self.visits.entry(state).or_default();
        if let Some(states) = self.states_by_visits.get_mut(visits) {
            *states -= 1;
            if *states == 0 {
                self.states_by_visits.remove(visits);
            }
        }
        *visits += 1;
        *self.states_by_visits.entry(*visits).or_default() += 1;
    }

    /// Clears the window but keeps the visits, because a new trace begins elsewhere.
    fn clear_window(&mut self) {
        self.window.clear();
        self.last_state = None;
        self.no_progress = 0;
    }

    /// Returns true if too many states of the window repeat in it or are among the most visited. A state counts
    /// once, even if it does both.
    fn is_loop(&self) -> bool {
        let threshold = self.most_visited_threshold();
        let overvisited = self.window.iter().filter(|state| {
            let repeats = self.window.iter().filter(|other| other == state).count() > 1;
            repeats || self.visits.get(state).is_some_and(|&visits| visits > threshold)
        });
        overvisited.count() as f64 / self.policy.window as f64 > self.policy.beta
    }

    /// Returns the number of visits that a state must exceed to be among the most visited share α. States with
    /// equally many visits stay out together: if all states were visited alike, none is among the most visited.
    fn most_visited_threshold(&self) -> u64 {
        let mut top = (self.visits.len() as f64 * self.policy.alpha).floor() as usize;
        for (visits, states) in self.states_by_visits.iter().rev() {
            if *states > top {
                return *visits;
            }
            top -= states;
        }
        0
    }
}

/// Returns true for code that never ran before or, where the device reports no coverage, for a new state.
fn is_progress(novelty: Novelty<'_>) -> bool {
    if novelty.has_coverage { novelty.new_units > 0 } else { novelty.is_new_state }
}

#[cfg(test)]
mod tests {
    use super::*;
    use retap_model::trace::StepResult;
    use retap_model::{Event, Step};

    /// Visits all states and returns the index of the first one at which exploration is stuck.
    fn visit_all(
        detector: &mut StuckDetector,
        states: impl IntoIterator<Item = u64>,
    ) -> Option<usize> {
        states.into_iter().position(|state| detector.record_visit(StateId(state)))
    }

    #[test]
    fn a_dead_end_is_detected_after_max_no_progress_events() {
        let mut detector = StuckDetector::new(StuckPolicy::default());
        // The first visit is progress; the 201st visit that changes nothing is one too many.
        assert_eq!(visit_all(&mut detector, std::iter::repeat_n(1, 1000)), Some(201));
    }

    #[test]
    fn a_loop_of_two_states_is_detected_when_the_window_is_full() {
        let mut detector = StuckDetector::new(StuckPolicy::default());
        assert_eq!(visit_all(&mut detector, (0..1000).map(|n| n % 2)), Some(9));
    }

    #[test]
    fn new_states_are_progress() {
        let mut detector = StuckDetector::new(StuckPolicy::default());
        assert_eq!(visit_all(&mut detector, 0..1000), None);
    }

    #[test]
    fn a_round_through_often_visited_states_is_a_loop_though_no_state_repeats_in_the_window() {
        let mut detector = StuckDetector::new(StuckPolicy::default());
        // A hundred new states are progress; then ten of them again and again, never twice in a window.
        assert_eq!(visit_all(&mut detector, 0..100), None);
        let rounds = (0..1000).map(|n| n % 10);
        assert!(visit_all(&mut detector, rounds).is_some());
    }

    #[test]
    fn flat_counts_events_without_new_code_and_starts_again_with_each_trace() {
        let mut detector = StuckDetector::new("flat,max=3".parse().unwrap());
        // Every state is new; the start and the third step run new code.
        let mut record = |state: u64, new_units: u64| {
            let result = StepResult { state: Some(StateId(state)), ..StepResult::default() };
            let step = Step { event: Event::Wait(1), result: result.clone() };
            let novelty = Novelty {
                result: &result,
                is_new_state: true,
                new_units,
                has_coverage: true,
                is_new_activity: false,
                units: None,
                screen: None,
            };
            match state {
                0 => detector.record(RecordedEntry::Start(novelty)),
                _ => detector.record(RecordedEntry::Step(&step, novelty)),
            }
        };
        let new_units = [1, 0, 0, 1, 0, 0, 0, 0];
        for _ in 0..2 {
            let is_stuck: Vec<bool> =
                (0..).zip(new_units).map(|(state, new)| record(state, new)).collect();
            assert_eq!(is_stuck.iter().position(|stuck| *stuck), Some(7));
        }
    }

    #[test]
    fn a_cleared_window_must_fill_again() {
        let mut detector = StuckDetector::new(StuckPolicy::default());
        visit_all(&mut detector, (0..10).map(|n| n % 2));
        detector.clear_window();
        assert_eq!(visit_all(&mut detector, (0..1000).map(|n| n % 2)), Some(9));
    }
}
