//! What a reduction is to keep, to make small, and how much it may take.

use crate::cost::CostModel;
use crate::need::Scope;
use crate::recording::Recording;
use crate::replay::RESTART;

#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    pub scope: Scope,
    pub cost: CostModel,
    pub limits: Limits,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// k: fragments that one spliced trace may be made of. Zero leaves phase 2 out.
    pub fragments: usize,
    /// Candidates that are put to the test for one trace of phase 1.
    pub candidates: usize,
    /// Plans of phase 2 before what is left is taken as phase 1 left it.
    pub plans: usize,
    /// Nodes that one search expands.
    pub nodes: u64,
    /// Whether each trace is minimised in the end (phase 3).
    pub minimize: bool,
    /// Events that replays may take, a restart counted as fifteen. Recordings that are not redundant are
    /// replayed in any case, and a quarter of this is always there for candidates.
    pub effort: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            fragments: 3,
            candidates: 64,
            plans: 16,
            nodes: 2_000,
            minimize: true,
            effort: 1_000_000,
        }
    }
}

impl Limits {
    /// Of the effort that is left, where phases 1, 2 and 3 end; `reserve` of it confirms what they leave, and
    /// phase 3 takes of that what it makes needless.
    pub(crate) fn shares(&self, left: u64, reserve: u64) -> [u64; 3] {
        let free = left.saturating_sub(reserve);
        if self.minimize { [free * 3 / 10, free * 2 / 5, left] } else { [free * 2 / 3, free, free] }
    }

    /// Nine tenths of what it took to record these, so that reducing, with what is computed beside it, takes
    /// less time than recording; and enough for a handful of small traces.
    pub fn effort_to_record(recordings: &[Recording]) -> u64 {
        const LEAST: u64 = 5_000;
        let effort = |recording: &Recording| RESTART + recording.trace.steps.len() as u64;
        (recordings.iter().map(effort).sum::<u64>() / 10 * 9).max(LEAST)
    }
}
