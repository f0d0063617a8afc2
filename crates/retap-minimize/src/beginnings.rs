//! What runs showed of the beginnings of their candidates: a goal that is looked for after every event and
//! was met after k of them, or never, is met by no shorter beginning; and an execution that ended otherwise
//! ends there whatever would have followed.

use crate::candidate::Candidate;
use crate::oracle::Answer;
use std::collections::BTreeSet;
use std::ops::Bound;

#[derive(Debug, Default)]
pub(crate) struct Beginnings {
    /// Neither these nor any of their beginnings met the goal. Ordered by position, so that what begins
    /// alike stands together.
    fruitless: BTreeSet<Vec<u32>>,
    /// The app was gone after these, the goal not met.
    ended: BTreeSet<Vec<u32>>,
}

impl Beginnings {
    pub fn learn(&mut self, candidate: &Candidate, answer: Answer) {
        let ran = candidate.prefix(answer.events);
        if !answer.success {
            if ran.len() < candidate.len() {
                self.ended.insert(ran.positions().to_vec());
            }
            self.fruitless.insert(ran.into());
        } else if let Some(before) = answer.events.checked_sub(1) {
            self.fruitless.insert(candidate.prefix(before).into());
        }
    }

    /// Whether the candidate is known not to meet the goal.
    pub fn rule_out(&self, candidate: &Candidate) -> bool {
        let positions = candidate.positions();
        let from = (Bound::Included(positions), Bound::Unbounded);
        let next = self.fruitless.range::<[u32], _>(from).next();
        next.is_some_and(|known| known.starts_with(positions))
            || (0..=positions.len()).any(|length| self.ended.contains(&positions[..length]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beginnings_share_the_fate_of_what_they_begin() {
        let mut beginnings = Beginnings::default();
        let mut learn = |positions: &[u32], success, events| {
            beginnings.learn(&positions.iter().copied().collect(), Answer { success, events });
        };
        learn(&[1, 3, 5, 7], true, 4);
        learn(&[2, 4], false, 2);
        learn(&[0, 6, 8], false, 2);
        learn(&[9], true, 0);
        let check = |positions: &[u32], expected| {
            let candidate = positions.iter().copied().collect();
            assert_eq!(beginnings.rule_out(&candidate), expected, "{candidate:?}");
        };
        check(&[1, 3, 5], true);
        check(&[1], true);
        check(&[1, 3, 5, 7], false);
        check(&[1, 3, 7], false);
        check(&[2, 4], true);
        check(&[2, 4, 5], false);
        check(&[0, 6, 7], true);
        check(&[0, 7], false);
        check(&[9], false);
    }
}
