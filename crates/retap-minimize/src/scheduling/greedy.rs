//! The greedy scheduler (ND3MIN, 4.1): all runs of the first candidate, then of the next.

use super::round_plan::RoundPlan;
use crate::statistics::{Check, RunCounts};

pub(super) fn schedule(check: &Check, open: &[RunCounts]) -> Vec<u32> {
    let mut plan = RoundPlan::new(check, open);
    for index in 0..open.len() {
        plan.add_runs(index, u32::MAX);
    }
    plan.runs
}
