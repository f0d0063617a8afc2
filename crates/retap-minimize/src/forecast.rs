//! What the recording lets one expect of a candidate without running it: an event leads where it once led
//! if it meets the state it was made for, and does nothing elsewhere, as a tap that meets another screen.
//! Apps keep to that often enough to say what is worth trying first; what is kept or left out is decided
//! by runs alone.

use crate::candidate::Candidate;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Forecast<'a> {
    /// Before each event; where they are not known everything may be expected.
    states: Option<&'a [u64]>,
}

impl<'a> Forecast<'a> {
    pub fn new(states: Option<&'a [u64]>) -> Self {
        Self { states }
    }

    /// Whether there is reason to think that the candidate arrives, not merely none against it.
    pub fn foresees(&self, candidate: &Candidate) -> bool {
        self.states.is_some() && self.arrives(candidate)
    }

    /// Whether the candidate's last event should meet the state it was made for.
    pub fn arrives(&self, candidate: &Candidate) -> bool {
        let (Some(states), Some((&last, before))) =
            (self.states, candidate.positions().split_last())
        else {
            return true;
        };
        let meets = |state: u64, position: u32| states[position as usize] == state;
        let end = before.iter().fold(states[0], |state, &position| {
            if meets(state, position) { states[position as usize + 1] } else { state }
        });
        meets(end, last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_whole_session_can_be_left_out() {
        // From 1 into 2 and back, then into 3, where the end is.
        let forecast = Forecast::new(Some(&[1, 2, 2, 1, 3]));
        let arrives = |positions: &[u32]| forecast.arrives(&positions.iter().copied().collect());
        assert!(arrives(&[0, 1, 2, 3, 4]));
        assert!(arrives(&[3, 4]));
        assert!(arrives(&[0, 2, 3, 4]));
        assert!(!arrives(&[0, 1, 3, 4]), "never came back from 2");
        assert!(!arrives(&[0, 1, 2, 4]), "never went to 3");
        assert!(arrives(&[]) && Forecast::new(None).arrives(&Candidate::whole(3)));
    }
}
