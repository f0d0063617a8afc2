//! Conclusions from a run about the prefixes of its candidate, without running them.
//!
//! They hold for a goal that is looked for after every event. A run that met the goal after k events
//! proves that no shorter prefix meets it. A run that never met the goal proves it for all prefixes. A
//! run that ended early ends there whatever would have followed.

use super::candidate::Candidate;
use super::oracle::Answer;
use std::collections::BTreeSet;
use std::ops::Bound;

#[derive(Debug, Default)]
pub(crate) struct KnownPrefixes {
    /// Neither these sequences nor any of their prefixes meet the goal. The order by position puts
    /// sequences with a common prefix next to each other.
    unsuccessful: BTreeSet<Vec<u32>>,
    /// The app was gone after these sequences, and the goal was not met.
    ended: BTreeSet<Vec<u32>>,
}

impl KnownPrefixes {
    pub fn learn(&mut self, candidate: &Candidate, answer: Answer) {
        let executed = candidate.prefix(answer.events);
        if !answer.success {
            if executed.len() < candidate.len() {
                self.ended.insert(executed.positions().to_vec());
            }
            self.unsuccessful.insert(executed.into());
        } else if let Some(length) = answer.events.checked_sub(1) {
            self.unsuccessful.insert(candidate.prefix(length).into());
        }
    }

    /// Returns true if the candidate is known not to meet the goal.
    pub fn rule_out(&self, candidate: &Candidate) -> bool {
        let positions = candidate.positions();
        let from = (Bound::Included(positions), Bound::Unbounded);
        let next = self.unsuccessful.range::<[u32], _>(from).next();
        next.is_some_and(|known| known.starts_with(positions))
            || (0..=positions.len()).any(|length| self.ended.contains(&positions[..length]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_rules_out_the_prefixes_that_it_judged() {
        let mut prefixes = KnownPrefixes::default();
        let mut learn = |positions: &[u32], success, events| {
            prefixes.learn(&positions.iter().copied().collect(), Answer { success, events });
        };
        learn(&[1, 3, 5, 7], true, 4);
        learn(&[2, 4], false, 2);
        learn(&[0, 6, 8], false, 2);
        learn(&[9], true, 0);
        let check = |positions: &[u32], expected| {
            let candidate = positions.iter().copied().collect();
            assert_eq!(prefixes.rule_out(&candidate), expected, "{candidate:?}");
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
