//! Runs recorded traces before another strategy takes over: a person's tests, or the traces of another run.

use super::{DecisionContext, Move, RecordedEntry, Strategy, StrategyEnd};
use retap_model::Event;

pub struct SeededStrategy {
    seed_traces: Vec<Vec<Event>>,
    /// The number of traces begun so far.
    traces_begun: usize,
    /// The number of steps of the current trace.
    steps: usize,
    strategy: Box<dyn Strategy>,
    is_running_seeds: bool,
}

impl std::fmt::Debug for SeededStrategy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SeededStrategy")
            .field("seed_traces", &self.seed_traces.len())
            .finish_non_exhaustive()
    }
}

impl SeededStrategy {
    pub fn new(seed_traces: Vec<Vec<Event>>, strategy: Box<dyn Strategy>) -> Self {
        Self { seed_traces, traces_begun: 0, steps: 0, strategy, is_running_seeds: false }
    }
}

impl Strategy for SeededStrategy {
    fn decide(&mut self, context: &DecisionContext<'_>) -> Move {
        self.is_running_seeds = self.traces_begun <= self.seed_traces.len();
        let is_last = self.traces_begun >= self.seed_traces.len();
        let current = self.traces_begun.checked_sub(1).and_then(|n| self.seed_traces.get(n));
        match current {
            Some(events) if !context.is_trace_over => match events.get(self.steps) {
                Some(event) => Move::Do(event.clone()),
                None if !is_last => Move::Restart,
                // The strategy goes on from where the last seed trace ends.
                None => self.strategy.decide(context),
            },
            Some(_) if !is_last => Move::Restart,
            _ => self.strategy.decide(context),
        }
    }

    fn learn(&mut self, entry: RecordedEntry<'_>) {
        match entry {
            RecordedEntry::Start(_) | RecordedEntry::Return { .. } => {
                self.traces_begun += 1;
                self.steps = 0;
            }
            RecordedEntry::Step(..) => self.steps += 1,
        }
        self.strategy.learn(entry);
    }

    fn reason(&self) -> String {
        if self.is_running_seeds { "a seed trace".into() } else { self.strategy.reason() }
    }

    fn is_done(&self) -> bool {
        self.traces_begun > self.seed_traces.len() && self.strategy.is_done()
    }

    fn end(&self) -> Option<StrategyEnd> {
        self.strategy.end()
    }

    fn wants_screens(&self) -> bool {
        self.strategy.wants_screens()
    }

    fn wants_snapshots(&self) -> bool {
        self.strategy.wants_snapshots()
    }
}
