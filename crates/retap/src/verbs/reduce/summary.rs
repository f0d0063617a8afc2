//! The summary that `retap reduce` prints: as JSON with `--json`, and as sentences for the terminal.

use retap_model::Cost;
use retap_model::format::reduction::{ReduceEnded, ReductionSummary};
use serde::Serialize;
use std::fmt::Write;

/// The summary that `--json` prints.
#[derive(Debug, Serialize)]
pub struct ReduceSummary<'a> {
    pub verb: &'static str,
    pub app: &'a str,
    pub suite: String,
    pub traces: usize,
    #[serde(flatten)]
    pub reduction: &'a ReductionSummary,
    pub executions: u64,
    pub cost: Cost,
    pub seconds: f64,
}

impl ReduceSummary<'_> {
    /// Renders the summary as sentences. `k` is the number of fragments per trace that the user allowed.
    pub fn render(&self, k: u8) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = self.sizes(&mut text, k);
        let _ = self.effort(&mut text);
        let _ = self.losses(&mut text);
        text
    }

    fn sizes(&self, text: &mut String, k: u8) -> std::fmt::Result {
        let ReductionSummary { stages, lower_bound, .. } = self.reduction;
        for (what, size) in [
            ("recorded", stages.recorded),
            ("replayable and not redundant", stages.selected),
            ("after phase 1 (loops)", stages.phase_1),
            ("after phase 2 (splicing)", stages.phase_2),
            ("after phase 3 (minimising)", stages.reduced()),
        ] {
            writeln!(text, "{:>8} steps {:>6} restarts  {what}", size.steps, size.restarts)?;
        }
        if let (Some(bound), Some(gap)) = (lower_bound, self.reduction.gap) {
            let percent = (gap * 100.0).round();
            let (cost, least) = (stages.reduced().cost, bound.cost);
            writeln!(
                text,
                "Within {percent}% of the best that these recordings allow with k={k} (cost {cost}, at least {least})"
            )?;
        }
        Ok(())
    }

    fn effort(&self, text: &mut String) -> std::fmt::Result {
        let counts = &self.reduction.counts;
        writeln!(
            text,
            "{} candidates, {} replayed, {} of them faithfully, {} known from others; minimising took {} runs; {} executions, {} events, {} saved",
            counts.candidates,
            counts.replayed,
            counts.faithful,
            counts.known,
            counts.attempts,
            self.executions,
            self.cost.events,
            self.cost.events_saved
        )?;
        match counts.limits_hit {
            0 => Ok(()),
            hit => writeln!(
                text,
                "{hit} searches ended at their limit (--candidates, --nodes, --max-events)"
            ),
        }
    }

    fn losses(&self, text: &mut String) -> std::fmt::Result {
        const SHOWN: usize = 5;
        let ReductionSummary { quarantined, unstable, unexamined, .. } = self.reduction;
        for one in quarantined.iter().take(SHOWN) {
            writeln!(
                text,
                "  quarantined: {} from step {} of {} on, faithful in {}",
                one.trace, one.step, one.steps, one.rate
            )?;
        }
        if let hidden @ 1.. = quarantined.len().saturating_sub(SHOWN) {
            writeln!(text, "  … and {hidden} more, in reduction.json")?;
        }
        if let count @ 1.. = unstable.len() {
            writeln!(text, "  {count} recorded units, states or crashes were not seen again")?;
        }
        if self.reduction.ended == ReduceEnded::Interrupted {
            writeln!(text, "Interrupted: this is the best suite that was known to replay by then")?;
        }
        if let count @ 1.. = unexamined.len() {
            writeln!(
                text,
                "  {count} traces were not looked at any more: what only they cover is not in it"
            )?;
        }
        writeln!(text, "{} traces in {}", self.traces, self.suite)
    }
}
