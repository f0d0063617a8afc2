//! The stored form of a policy.
//!
//! Layout, little-endian: magic and version, n, runs, required, width (u32 each), the prior and the
//! expected rounds (f64 each), the schedules by size (a byte per run count), a checksum.

use super::policy::SchedulingPolicy;
use super::state_numbering::{PolicySetting, StateNumbering};
use crate::statistics::{Check, POINT_COUNT};
use thiserror::Error;

/// The first bytes of a stored policy; the last of them is the version of the format.
const MAGIC: &[u8; 8] = b"rtpolcy\x01";

/// The bytes are damaged, or belong to another version or another file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("these bytes are not a policy of this version; solve it again")]
pub struct MalformedPolicy;

impl SchedulingPolicy {
    pub fn to_bytes(&self) -> Vec<u8> {
        let PolicySetting { candidates, check } = self.states.setting;
        let mut bytes = MAGIC.to_vec();
        for number in [candidates, check.runs, check.required, check.width] {
            bytes.extend(number.to_le_bytes());
        }
        for number in self.prior_weights.iter().chain([&self.expected_rounds]) {
            bytes.extend(number.to_le_bytes());
        }
        self.schedules.iter().for_each(|schedules| bytes.extend(schedules));
        bytes.extend(checksum(&bytes).to_le_bytes());
        bytes
    }

    pub fn from_bytes(bytes: &[u8]) -> Result<Self, MalformedPolicy> {
        let (content, stored_checksum) = bytes.split_last_chunk::<8>().ok_or(MalformedPolicy)?;
        if checksum(content) != u64::from_le_bytes(*stored_checksum) {
            return Err(MalformedPolicy);
        }
        let mut rest = content.strip_prefix(MAGIC).ok_or(MalformedPolicy)?;
        let mut header = [0; 4];
        for number in &mut header {
            *number = u32::from_le_bytes(take_bytes(&mut rest)?);
        }
        let [candidates, runs, required, width] = header;
        let check = Check { runs, required, width };
        let mut prior_weights = [0.0; POINT_COUNT];
        for weight in &mut prior_weights {
            *weight = f64::from_le_bytes(take_bytes(&mut rest)?);
        }
        let expected_rounds = f64::from_le_bytes(take_bytes(&mut rest)?);
        if !check.is_valid() {
            return Err(MalformedPolicy);
        }
        let setting = PolicySetting { candidates, check };
        let states = StateNumbering::new(&setting).map_err(|_| MalformedPolicy)?;
        let mut policy = Self::new(states, prior_weights, expected_rounds, Vec::new());
        for size in 0..=candidates as usize {
            let length = policy.solved_states(size) * size;
            let (schedules, after) = rest.split_at_checked(length).ok_or(MalformedPolicy)?;
            policy.schedules.push(schedules.to_vec());
            rest = after;
        }
        if rest.is_empty() { Ok(policy) } else { Err(MalformedPolicy) }
    }
}

fn take_bytes<const N: usize>(rest: &mut &[u8]) -> Result<[u8; N], MalformedPolicy> {
    let (chunk, after) = rest.split_first_chunk().ok_or(MalformedPolicy)?;
    *rest = after;
    Ok(*chunk)
}

/// FNV-1a. It protects against a file that was cut short or damaged, not against malice.
fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
