//! The states of the decision process and their numbers.
//!
//! States are merged as the paper merges them: a state is the multiset of the (s, f) of the open
//! candidates. A candidate that passes ends the process, and dead candidates are left out.
//!
//! Every (s, f) of an open candidate has a code. A multiset of k codes is numbered by its rank among the
//! multisets of that size (the combinatorial number system), and the sizes follow one another.

use crate::statistics::{Check, RunCounts};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The setting that a policy is solved for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PolicySetting {
    /// The number of candidates at the start, the paper's n.
    pub candidates: u32,
    pub check: Check,
}

/// The setting has too many states, at least this many.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("{0} states are too many to solve; use fewer candidates, fewer runs or the heuristic")]
pub struct PolicyTooLarge(pub u64);

/// The most multisets that are numbered. Five candidates of 20 runs with 18 required are 5.0 million.
const MAX_STATES: u64 = 1 << 24;

impl PolicySetting {
    /// Returns the paper's count of the states to examine.
    ///
    /// These are the states with every candidate open, whose runs come in whole rounds, those with
    /// fewer open candidates, where a dead one can make up the sum, and one success. The state without
    /// open candidates is the failure.
    pub fn state_count(&self) -> Result<u64, PolicyTooLarge> {
        let states = StateNumbering::new(self)?;
        let n = self.candidates as usize;
        let all_open = states.of_size(n).filter(|codes| states.is_between_rounds(codes)).count();
        Ok(all_open as u64 + states.offsets[n] as u64 + 1)
    }
}

/// The numbering of all states of a setting.
#[derive(Debug, Clone)]
pub(super) struct StateNumbering {
    pub setting: PolicySetting,
    /// The number of codes: pairs (s, f) with s below `required` and f up to the tolerance.
    pub codes: usize,
    /// The number of the first multiset of each size.
    pub offsets: Vec<usize>,
    /// `choose[i][d]` is the binomial coefficient d over i + 1.
    choose: Vec<Vec<u32>>,
}

impl StateNumbering {
    pub fn new(setting: &PolicySetting) -> Result<Self, PolicyTooLarge> {
        let PolicySetting { candidates: n, check } = *setting;
        let codes = u64::from(check.required) * u64::from(check.tolerance() + 1);
        let mut total = 0u64;
        let mut offsets = Vec::new();
        for size in 0..=u64::from(n) {
            offsets.push(total as usize);
            // codes + size - 1 over size
            let count = (0..size).fold(1u64, |count, k| count.saturating_mul(codes + k) / (k + 1));
            total = total.saturating_add(count);
            if total > MAX_STATES || codes > u64::from(u8::MAX) {
                return Err(PolicyTooLarge(total));
            }
        }
        offsets.push(total as usize);
        let limit = codes as usize + n as usize;
        let choose = (1..=n as usize).map(|i| binomial_coefficients(i, limit)).collect();
        Ok(Self { setting: *setting, codes: codes as usize, offsets, choose })
    }

    /// Returns the code of an open candidate.
    pub fn code(&self, counts: &RunCounts) -> u8 {
        (counts.successes * (self.setting.check.tolerance() + 1) + counts.failures) as u8
    }

    /// Returns the run counts of a code.
    pub fn counts(&self, code: u8) -> RunCounts {
        let width = self.setting.check.tolerance() + 1;
        RunCounts::new(u32::from(code) / width, u32::from(code) % width)
    }

    /// Returns the number of a multiset, given as ascending codes.
    pub fn number(&self, codes: &[u8]) -> usize {
        let rank: u32 =
            codes.iter().enumerate().map(|(i, &code)| self.choose[i][code as usize + i]).sum();
        self.offsets[codes.len()] + rank as usize
    }

    /// Returns all multisets of a size in the order of their numbers.
    pub fn of_size(&self, size: usize) -> impl Iterator<Item = Vec<u8>> + use<> {
        let last = (self.codes - 1) as u8;
        std::iter::successors(Some(vec![0u8; size]), move |codes| {
            // The lowest place that can grow without passing its neighbour; all below start over.
            let place =
                (0..codes.len()).find(|&i| codes[i] < codes.get(i + 1).copied().unwrap_or(last))?;
            let mut next = codes.clone();
            next[place] += 1;
            next[..place].fill(0);
            Some(next)
        })
    }

    /// Returns the runs of all candidates together.
    pub fn runs(&self, codes: &[u8]) -> u32 {
        codes.iter().map(|&code| self.counts(code).runs()).sum()
    }

    /// Returns true if the runs make up whole rounds. While every candidate is open they always do.
    pub fn is_between_rounds(&self, codes: &[u8]) -> bool {
        self.runs(codes).is_multiple_of(self.setting.check.width)
    }

    /// Returns true if the policy has a schedule for this state.
    pub fn is_solved(&self, codes: &[u8]) -> bool {
        codes.len() < self.setting.candidates as usize || self.is_between_rounds(codes)
    }
}

/// Returns the binomial coefficients d over i, for d below `limit`.
fn binomial_coefficients(i: usize, limit: usize) -> Vec<u32> {
    let choose =
        |d: usize| (0..i).fold(1u64, |c, k| c * (d.saturating_sub(k)) as u64 / (k as u64 + 1));
    (0..limit).map(|d| choose(d) as u32).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAPER: PolicySetting = PolicySetting { candidates: 5, check: Check::ND3MIN };

    #[test]
    fn the_papers_setting_has_729707_states() {
        assert_eq!(PAPER.state_count(), Ok(729_707));
        let states = StateNumbering::new(&PAPER).unwrap();
        assert_eq!(states.offsets[5], 424_270);
        let open = states.of_size(5).filter(|codes| states.is_between_rounds(codes)).count();
        assert_eq!(open, 305_436);
    }

    #[test]
    fn numbers_are_consecutive_and_in_order() {
        let check = Check { runs: 5, required: 4, width: 3 };
        let states = StateNumbering::new(&PolicySetting { candidates: 3, check }).unwrap();
        let numbers: Vec<usize> = (0..=3)
            .flat_map(|size| {
                states.of_size(size).map(|codes| states.number(&codes)).collect::<Vec<_>>()
            })
            .collect();
        assert_eq!(numbers, (0..states.offsets[4]).collect::<Vec<_>>());
    }

    #[test]
    fn a_setting_with_too_many_states_is_refused() {
        let setting = PolicySetting { candidates: 9, check: Check::ND3MIN };
        assert!(matches!(setting.state_count(), Err(PolicyTooLarge(_))));
    }
}
