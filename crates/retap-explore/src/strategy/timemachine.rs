//! TimeMachine as published: random events; when stuck, a return to the fittest interesting state.

use super::random::Random;
use super::{DecisionContext, Move, RecordedEntry, Strategy};
use crate::decision_rng::DecisionRng;
use crate::policy::{FittestPolicy, StuckDetector, StuckPolicy};

/// Keeps the random numbers of returns apart from those of events.
const SEED_OFFSET: u64 = 0x7469_6d65;

#[derive(Debug, Clone)]
pub struct TimeMachine {
    random: Random,
    detector: StuckDetector,
    fittest: FittestPolicy,
    /// The reason to leave the current trace, if there is one.
    leave_reason: Option<String>,
    is_trace_over: bool,
}

impl TimeMachine {
    pub fn new(random: Random, stuck: StuckPolicy, fittest: FittestPolicy) -> Self {
        let detector = StuckDetector::new(stuck);
        Self { random, detector, fittest, leave_reason: None, is_trace_over: false }
    }
}

impl Strategy for TimeMachine {
    fn decide(&mut self, context: &DecisionContext<'_>) -> Move {
        // After a crash only a new trace can follow, and the strategy chooses where that trace begins.
        self.is_trace_over = context.is_trace_over;
        if self.leave_reason.is_none() && !self.is_trace_over {
            return self.random.decide(context);
        }
        let mut rng = DecisionRng::new(self.random.seed ^ SEED_OFFSET, context.decision_number);
        // Where a return restores a snapshot, all returns cost the same.
        let cost = if context.has_snapshots { 0.0 } else { self.fittest.cost };
        let fittest = FittestPolicy { cost, ..self.fittest };
        fittest
            .choose(context.graph, context.path_limit, &mut rng)
            .map_or(Move::Restart, Move::Return)
    }

    fn learn(&mut self, entry: RecordedEntry<'_>) {
        let is_stuck = self.detector.record(entry);
        self.leave_reason = match entry {
            // The next return takes another path or goes to another state.
            RecordedEntry::Return { trace, returns, .. } if !returns.arrived(trace.last()) => {
                Some("the return led to another state".into())
            }
            _ => is_stuck.then(|| format!("stuck: {}", self.detector.describe())),
        };
    }

    fn reason(&self) -> String {
        match &self.leave_reason {
            Some(reason) => reason.clone(),
            None if self.is_trace_over => "the trace is over".into(),
            None => String::new(),
        }
    }

    fn wants_snapshots(&self) -> bool {
        true
    }
}
