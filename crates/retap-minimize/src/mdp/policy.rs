//! A solved policy: looked up by the tallies of the open candidates, kept as bytes between runs.

use super::solve::{Solution, solve};
use super::states::{Setting, States, TooLarge};
use crate::check::{Check, Tally};
use crate::prior::{POINTS, Prior};
use std::fmt;
use thiserror::Error;

/// The first bytes of a stored policy; the last of them is the version of the format.
const MAGIC: &[u8; 8] = b"rtpolcy\x01";

#[derive(Clone)]
pub struct Policy {
    states: States,
    prior: [f64; POINTS],
    expected_rounds: f64,
    /// By number of open candidates: their runs, in the order of the state numbers.
    schedules: Vec<Vec<u8>>,
    /// The numbers of the solved states with every candidate open.
    all_open: Vec<u32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("these bytes are not a policy of this version; solve it again")]
pub struct Malformed;

impl Policy {
    /// Solves the process with up to `threads` threads; the policy does not depend on how many.
    pub fn solve(setting: &Setting, prior: &Prior, threads: usize) -> Result<Self, TooLarge> {
        let Solution { states, schedules, rounds } = solve(setting, prior, threads)?;
        Ok(Self::new(states, *prior.weights(), rounds, schedules))
    }

    fn new(
        states: States,
        prior: [f64; POINTS],
        expected_rounds: f64,
        schedules: Vec<Vec<u8>>,
    ) -> Self {
        let n = states.setting.candidates as usize;
        let open = states.of_size(n).filter(|codes| states.is_solved(codes));
        let all_open = open.map(|codes| states.number(&codes) as u32).collect();
        Self { states, prior, expected_rounds, schedules, all_open }
    }

    pub fn setting(&self) -> &Setting {
        &self.states.setting
    }

    /// Whether it was solved for these beliefs.
    pub fn is_for(&self, setting: &Setting, prior: &Prior) -> bool {
        self.states.setting == *setting && prior.agrees_with(&self.prior)
    }

    /// Rounds that `get_passing` is expected to take from the start.
    pub fn expected_rounds(&self) -> f64 {
        self.expected_rounds
    }

    /// The optimal runs for each of these open candidates; none when the policy is for another
    /// check, for fewer candidates, or when runs remembered from before left it between rounds.
    pub fn schedule(&self, check: &Check, open: &[Tally]) -> Option<Vec<u32>> {
        let Setting { candidates, check: solved } = self.states.setting;
        if *check != solved || open.is_empty() || open.len() > candidates as usize {
            return None;
        }
        let mut order: Vec<usize> = (0..open.len()).collect();
        order.sort_by_key(|&index| self.states.code(&open[index]));
        let codes: Vec<u8> = order.iter().map(|&index| self.states.code(&open[index])).collect();
        let schedule = self.look_up(&codes)?;
        let mut runs = vec![0; open.len()];
        order.iter().zip(schedule).for_each(|(&index, &v)| runs[index] = u32::from(v));
        Some(runs)
    }

    fn look_up(&self, codes: &[u8]) -> Option<&[u8]> {
        let (size, number) = (codes.len(), self.states.number(codes));
        let place = if size < self.states.setting.candidates as usize {
            number - self.states.offsets[size]
        } else {
            self.all_open.binary_search(&(number as u32)).ok()?
        };
        self.schedules[size].get(place * size..(place + 1) * size)
    }

    /// Layout, little-endian: magic and version, n, runs, required, width (u32 each), the prior and
    /// the expected rounds (f64 each), the schedules by size (a byte per run count), a checksum.
    pub fn to_bytes(&self) -> Vec<u8> {
        let Setting { candidates, check } = self.states.setting;
        let mut bytes = MAGIC.to_vec();
        for number in [candidates, check.runs, check.required, check.width] {
            bytes.extend(number.to_le_bytes());
        }
        for number in self.prior.iter().chain([&self.expected_rounds]) {
            bytes.extend(number.to_le_bytes());
        }
        self.schedules.iter().for_each(|schedules| bytes.extend(schedules));
        bytes.extend(checksum(&bytes).to_le_bytes());
        bytes
    }

    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Malformed> {
        let (content, sum) = bytes.split_last_chunk::<8>().ok_or(Malformed)?;
        if checksum(content) != u64::from_le_bytes(*sum) {
            return Err(Malformed);
        }
        let mut rest = content.strip_prefix(MAGIC).ok_or(Malformed)?;
        let mut header = [0; 4];
        for number in &mut header {
            *number = u32::from_le_bytes(take(&mut rest)?);
        }
        let [candidates, runs, required, width] = header;
        let check = Check { runs, required, width };
        let mut prior = [0.0; POINTS];
        for weight in &mut prior {
            *weight = f64::from_le_bytes(take(&mut rest)?);
        }
        let expected_rounds = f64::from_le_bytes(take(&mut rest)?);
        if !check.is_valid() {
            return Err(Malformed);
        }
        let states = States::new(&Setting { candidates, check }).map_err(|_| Malformed)?;
        let mut policy = Self::new(states, prior, expected_rounds, Vec::new());
        for size in 0..=candidates as usize {
            let length = policy.solved(size) * size;
            let (schedules, after) = rest.split_at_checked(length).ok_or(Malformed)?;
            policy.schedules.push(schedules.to_vec());
            rest = after;
        }
        if rest.is_empty() { Ok(policy) } else { Err(Malformed) }
    }

    fn solved(&self, size: usize) -> usize {
        if size < self.states.setting.candidates as usize {
            self.states.offsets[size + 1] - self.states.offsets[size]
        } else {
            self.all_open.len()
        }
    }
}

impl fmt::Debug for Policy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (setting, rounds) = (&self.states.setting, self.expected_rounds);
        f.debug_struct("Policy")
            .field("setting", setting)
            .field("expected_rounds", &rounds)
            .finish()
    }
}

fn take<const N: usize>(rest: &mut &[u8]) -> Result<[u8; N], Malformed> {
    let (chunk, after) = rest.split_first_chunk().ok_or(Malformed)?;
    *rest = after;
    Ok(*chunk)
}

/// FNV-1a: against a file cut short or damaged, not against malice.
fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
