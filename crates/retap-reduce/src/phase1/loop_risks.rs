//! The risk of removing a loop, learnt from all traces. An app remembers things that its screens do not show, and a
//! loop that changed such a thing cannot be removed. A loop whose removal failed once is removed less eagerly.

use crate::model::indexed_traces::{IndexedTraces, TracePath};
use crate::model::labels::StepLabel;
use std::collections::BTreeMap;

#[derive(Debug, Default)]
pub(super) struct LoopRisks {
    removals: BTreeMap<LoopKey, RemovalCounts>,
}

/// Identifies a loop by its first and last step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct LoopKey {
    first: StepLabel,
    last: StepLabel,
}

#[derive(Debug, Default, Clone, Copy)]
struct RemovalCounts {
    failed: u64,
    succeeded: u64,
}

impl LoopRisks {
    /// Returns the part of the saving that is not to be counted on if these steps are removed.
    pub fn expected_loss(&self, traces: &IndexedTraces<'_>, removed: &[usize], saving: u64) -> u64 {
        let RemovalCounts { failed, succeeded } =
            self.removals.get(&loop_key(traces, removed)).copied().unwrap_or_default();
        saving * failed / (failed + succeeded + 1)
    }

    /// Learns from a candidate that is made of steps of `whole`. If it failed, the last loop removed before the failed
    /// step is the likeliest cause; if it replayed, all its removals succeeded.
    pub fn learn(
        &mut self,
        traces: &IndexedTraces<'_>,
        whole: &TracePath,
        candidate: &TracePath,
        failed_step: Option<usize>,
    ) {
        let mut position = 0;
        let mut removed = Vec::new();
        for step in candidate.steps.iter().take(failed_step.unwrap_or(usize::MAX)) {
            let rest = &whole.steps[position..];
            let Some(skipped) = rest.iter().position(|other| other == step) else {
                unreachable!("a candidate takes its steps from its trace, in their order");
            };
            if skipped > 0 {
                removed.push(loop_key(traces, &rest[..skipped]));
            }
            position += skipped + 1;
        }
        if failed_step.is_none() {
            for key in removed {
                self.removals.entry(key).or_default().succeeded += 1;
            }
        } else if let Some(last) = removed.pop() {
            self.removals.entry(last).or_default().failed += 1;
        }
    }
}

/// Returns the key of a loop, which has at least one step.
fn loop_key(traces: &IndexedTraces<'_>, removed: &[usize]) -> LoopKey {
    let label = |index: usize| traces.steps[removed[index]].label;
    LoopKey { first: label(0), last: label(removed.len() - 1) }
}
