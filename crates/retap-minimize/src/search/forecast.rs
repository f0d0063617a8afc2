//! A forecast of a candidate's run from the recorded states, without running it.
//!
//! The forecast assumes two things. An event leads where it led in the recording if it meets the state
//! it was recorded in. Elsewhere it does nothing, like a tap that meets another screen. Apps behave so
//! often enough to decide what is worth trying first. Runs alone decide what is kept.

use super::candidate::Candidate;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Forecast<'a> {
    /// The state before each event; where they are unknown, every candidate may succeed.
    states: Option<&'a [u64]>,
}

impl<'a> Forecast<'a> {
    pub fn new(states: Option<&'a [u64]>) -> Self {
        Self { states }
    }

    /// Returns a forecast that knows no states and expects every candidate to reach its end.
    pub fn without_states() -> Self {
        Self::new(None)
    }

    /// Returns true if the states are known and the candidate should reach its end. Without states
    /// there is no reason against it, but none for it either.
    pub fn expects_end(&self, candidate: &Candidate) -> bool {
        self.states.is_some() && self.allows_end(candidate)
    }

    /// Returns true unless the candidate's last event should meet another state than the recorded one.
    pub fn allows_end(&self, candidate: &Candidate) -> bool {
        let (Some(states), Some((&last, before))) =
            (self.states, candidate.positions().split_last())
        else {
            return true;
        };
        let is_recorded_in = |position: u32, state: u64| states[position as usize] == state;
        let last_state = before.iter().fold(states[0], |state, &position| {
            if is_recorded_in(position, state) { states[position as usize + 1] } else { state }
        });
        is_recorded_in(last, last_state)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_whole_session_can_be_left_out() {
        // From 1 into 2 and back, then into 3, where the end is.
        let forecast = Forecast::new(Some(&[1, 2, 2, 1, 3]));
        let reaches_end =
            |positions: &[u32]| forecast.allows_end(&positions.iter().copied().collect());
        assert!(reaches_end(&[0, 1, 2, 3, 4]));
        assert!(reaches_end(&[3, 4]));
        assert!(reaches_end(&[0, 2, 3, 4]));
        assert!(!reaches_end(&[0, 1, 3, 4]), "never came back from 2");
        assert!(!reaches_end(&[0, 1, 2, 4]), "never went to 3");
        assert!(reaches_end(&[]));
        assert!(Forecast::without_states().allows_end(&Candidate::whole(3)));
    }
}
