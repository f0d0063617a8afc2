//! What `retap reduce` says at its end, to people and to machines.

use super::evidence::Evidence;
use retap_model::Cost;
use serde::Serialize;
use std::fmt::Write;

/// What `--json` prints.
#[derive(Debug, Serialize)]
pub struct Summary<'a> {
    pub verb: &'static str,
    pub app: &'a str,
    pub suite: String,
    pub traces: usize,
    #[serde(flatten)]
    pub evidence: &'a Evidence,
    pub executions: u64,
    pub cost: Cost,
    pub seconds: f64,
}

impl Summary<'_> {
    /// For people; `k` is what was asked for.
    pub fn render(&self, k: u8) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = self.sizes(&mut text, k);
        let _ = self.effort(&mut text);
        let _ = self.losses(&mut text);
        text
    }

    fn sizes(&self, text: &mut String, k: u8) -> std::fmt::Result {
        let Evidence { stages, lower_bound, .. } = self.evidence;
        for (what, size) in [
            ("recorded", stages.recorded),
            ("replayable and not redundant", stages.selected),
            ("after phase 1 (loops)", stages.phase_1),
            ("after phase 2 (splicing)", stages.phase_2),
            ("after phase 3 (minimising)", stages.phase_3),
        ] {
            writeln!(text, "{:>8} steps {:>6} restarts  {what}", size.steps, size.restarts)?;
        }
        if let (Some(bound), Some(gap)) = (lower_bound, self.evidence.gap) {
            let percent = (gap * 100.0).round();
            let (cost, least) = (stages.phase_3.cost, bound.cost);
            writeln!(
                text,
                "Within {percent}% of the best possible with k={k} (cost {cost}, at least {least})"
            )?;
        }
        Ok(())
    }

    fn effort(&self, text: &mut String) -> std::fmt::Result {
        let tally = &self.evidence.tally;
        writeln!(
            text,
            "{} candidates, {} replayed, {} of them faithfully, {} known from others; minimising took {} runs; {} executions, {} events, {} saved",
            tally.candidates,
            tally.replayed,
            tally.faithful,
            tally.known,
            tally.attempts,
            self.executions,
            self.cost.events,
            self.cost.events_saved
        )?;
        match tally.limits_hit {
            0 => Ok(()),
            hit => writeln!(
                text,
                "{hit} searches ended at their limit (--candidates, --nodes, --max-events)"
            ),
        }
    }

    fn losses(&self, text: &mut String) -> std::fmt::Result {
        const SHOWN: usize = 5;
        let Evidence { quarantined, unstable, unexamined, .. } = self.evidence;
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
        if self.evidence.is_interrupted() {
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
