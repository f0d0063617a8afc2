//! States that are alike: a log line, a counter or a clock makes state after state with the same actions and without new
//! code. From some number on, such states share what is known of the first of them; new code ends that.

use retap_model::StateId;
use std::collections::BTreeMap;

/// This many states in a row with the same actions and without new code are told apart.
const MAX_ALIKE: u32 = 8;
/// The largest number of states that share another one's statistics.
const MAX_MERGED: usize = 40_000;

#[derive(Debug, Clone, Default)]
pub struct AlikeStates {
    /// The states of each layout.
    layouts: BTreeMap<u64, LayoutStates>,
    merged: BTreeMap<StateId, StateId>,
}

#[derive(Debug, Clone, Copy)]
struct LayoutStates {
    first: StateId,
    /// States in a row without new code.
    alike: u32,
}

impl AlikeStates {
    /// Records a new state of a layout. `has_gain` says whether it came with new code.
    pub fn record(&mut self, state: StateId, layout: u64, has_gain: bool) {
        let first = LayoutStates { first: state, alike: 0 };
        let states = self.layouts.entry(layout).or_insert(first);
        states.alike = if has_gain { 0 } else { states.alike.saturating_add(1) };
        if states.alike > MAX_ALIKE {
            if self.merged.len() >= MAX_MERGED {
                self.merged.clear();
            }
            self.merged.insert(state, states.first);
        }
    }

    /// Returns the state whose statistics a state has.
    pub fn representative(&self, state: StateId) -> StateId {
        self.merged.get(&state).copied().unwrap_or(state)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_that_multiply_without_new_code_are_one_until_new_code_runs() {
        let mut states = AlikeStates::default();
        let is_merged = |states: &mut AlikeStates, number: u64, has_gain: bool| {
            states.record(StateId(number), 7, has_gain);
            states.representative(StateId(number)) != StateId(number)
        };
        assert!((0..8).all(|number| !is_merged(&mut states, number, false)));
        assert!((8..20).all(|number| is_merged(&mut states, number, false)));
        assert!(!is_merged(&mut states, 20, true), "new code");
        assert!(!is_merged(&mut states, 21, false));
        states.record(StateId(99), 8, false);
        assert_eq!(states.representative(StateId(99)), StateId(99), "another layout");
    }
}
