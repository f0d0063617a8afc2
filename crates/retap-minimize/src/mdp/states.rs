//! The states of the process, merged as the paper merges them: a state is the multiset of the (s, f)
//! of the candidates still open. A candidate that passed ends the process, dead ones are left out.
//!
//! A multiset of k codes is numbered by its rank among the multisets of that size (the combinatorial
//! number system), the sizes one after the other.

use crate::check::{Check, Tally};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// What a policy is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Setting {
    /// Candidates at the start, the paper's n.
    pub candidates: u32,
    pub check: Check,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("{0} states are too many to solve; use fewer candidates, fewer runs or the heuristic")]
pub struct TooLarge(pub u64);

/// Multisets that may be numbered: five candidates of 20 runs with 18 required are 5.0 million.
const MOST: u64 = 1 << 24;

impl Setting {
    /// The paper's count of what must be examined: states with every candidate open, whose runs
    /// come in whole rounds, states with fewer, where a dead one can make up the sum (the last of
    /// them, with none, is the failure), and one success.
    pub fn state_count(&self) -> Result<u64, TooLarge> {
        let states = States::new(self)?;
        let n = self.candidates as usize;
        let all_open = states.of_size(n).filter(|codes| states.is_between_rounds(codes)).count();
        Ok(all_open as u64 + states.offsets[n] as u64 + 1)
    }
}

/// The numbering.
#[derive(Debug, Clone)]
pub(super) struct States {
    pub setting: Setting,
    /// Open (s, f): s below `required`, f up to the tolerance.
    pub pairs: usize,
    /// Where the multisets of each size begin.
    pub offsets: Vec<usize>,
    /// `choose[i][d]`: d over i + 1.
    choose: Vec<Vec<u32>>,
}

impl States {
    pub fn new(setting: &Setting) -> Result<Self, TooLarge> {
        let Setting { candidates: n, check } = *setting;
        let pairs = u64::from(check.required) * u64::from(check.tolerance() + 1);
        let mut total = 0u64;
        let mut offsets = Vec::new();
        for size in 0..=u64::from(n) {
            offsets.push(total as usize);
            // pairs + size - 1 over size
            let count = (0..size).fold(1u64, |count, k| count.saturating_mul(pairs + k) / (k + 1));
            total = total.saturating_add(count);
            if total > MOST || pairs > u64::from(u8::MAX) {
                return Err(TooLarge(total));
            }
        }
        offsets.push(total as usize);
        let choose = (1..=n as usize).map(|i| column(i, pairs as usize + n as usize)).collect();
        Ok(Self { setting: *setting, pairs: pairs as usize, offsets, choose })
    }

    /// The code of an open candidate.
    pub fn code(&self, tally: &Tally) -> u8 {
        (tally.successes * (self.setting.check.tolerance() + 1) + tally.failures) as u8
    }

    pub fn tally(&self, code: u8) -> Tally {
        let width = self.setting.check.tolerance() + 1;
        Tally::new(u32::from(code) / width, u32::from(code) % width)
    }

    /// The number of a multiset given as ascending codes.
    pub fn number(&self, codes: &[u8]) -> usize {
        let rank: u32 =
            codes.iter().enumerate().map(|(i, &code)| self.choose[i][code as usize + i]).sum();
        self.offsets[codes.len()] + rank as usize
    }

    /// All multisets of a size in the order of their numbers.
    pub fn of_size(&self, size: usize) -> impl Iterator<Item = Vec<u8>> + use<> {
        let last = (self.pairs - 1) as u8;
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

    pub fn runs(&self, codes: &[u8]) -> u32 {
        codes.iter().map(|&code| self.tally(code).runs()).sum()
    }

    /// With every candidate open only whole rounds have been run.
    pub fn is_between_rounds(&self, codes: &[u8]) -> bool {
        self.runs(codes).is_multiple_of(self.setting.check.width)
    }

    /// Whether the policy has an action for this state.
    pub fn is_solved(&self, codes: &[u8]) -> bool {
        codes.len() < self.setting.candidates as usize || self.is_between_rounds(codes)
    }
}

/// d over i, for d below `limit`.
fn column(i: usize, limit: usize) -> Vec<u32> {
    let choose =
        |d: usize| (0..i).fold(1u64, |c, k| c * (d.saturating_sub(k)) as u64 / (k as u64 + 1));
    (0..limit).map(|d| choose(d) as u32).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAPER: Setting = Setting { candidates: 5, check: Check::ND3MIN };

    #[test]
    fn the_papers_setting_has_729707_states() {
        assert_eq!(PAPER.state_count(), Ok(729_707));
        let states = States::new(&PAPER).unwrap();
        assert_eq!(states.offsets[5], 424_270);
        let open = states.of_size(5).filter(|codes| states.is_between_rounds(codes)).count();
        assert_eq!(open, 305_436);
    }

    #[test]
    fn numbers_are_consecutive_and_in_order() {
        let check = Check { runs: 5, required: 4, width: 3 };
        let states = States::new(&Setting { candidates: 3, check }).unwrap();
        let numbers: Vec<usize> = (0..=3)
            .flat_map(|size| {
                states.of_size(size).map(|codes| states.number(&codes)).collect::<Vec<_>>()
            })
            .collect();
        assert_eq!(numbers, (0..states.offsets[4]).collect::<Vec<_>>());
    }

    #[test]
    fn what_cannot_be_solved_is_refused() {
        let setting = Setting { candidates: 9, check: Check::ND3MIN };
        assert!(matches!(setting.state_count(), Err(TooLarge(_))));
    }
}
