//! The round-robin scheduler (ND3MIN, 4.1): one run of each candidate in turn.

use super::round_plan::RoundPlan;
use crate::statistics::{Check, RunCounts};

pub(super) fn schedule(check: &Check, open: &[RunCounts]) -> Vec<u32> {
    let mut plan = RoundPlan::new(check, open);
    plan.fill_in_turn(&Vec::from_iter(0..open.len()));
    plan.runs
}
