//! The yield of loop removal so far, which decides how much effort it gets.

/// Counts what removing loops has saved for its effort. The candidates that leave out most fail most. If the cheapest
/// candidates mostly fail, two thirds of the effort go to removing single loops.
#[derive(Debug, Default)]
pub(super) struct LoopRemovalYield {
    traces: u64,
    shortened_traces: u64,
    saved_events: u64,
    effort: u64,
}

/// Effort that must be spent before the yield is judged.
const MINIMUM_EFFORT: u64 = 500;
/// Effort per saved event above which phase 3 saves events for less.
const EXPENSIVE_EFFORT_PER_EVENT: u64 = 10;

impl LoopRemovalYield {
    /// Returns true if the search succeeded for at least a third of the traces.
    pub fn often_succeeds(&self) -> bool {
        3 * self.shortened_traces >= self.traces
    }

    /// Returns true if phase 3 makes better use of the effort.
    pub fn is_expensive(&self) -> bool {
        self.effort > MINIMUM_EFFORT && self.saved_events * EXPENSIVE_EFFORT_PER_EVENT < self.effort
    }

    pub fn add_trace(&mut self, is_shortened: bool) {
        self.traces += 1;
        self.shortened_traces += u64::from(is_shortened);
    }

    pub fn add_effort(&mut self, effort: u64, saved_events: u64) {
        self.effort += effort;
        self.saved_events += saved_events;
    }
}
