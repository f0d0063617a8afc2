//! A session of replays: counts their effort, and remembers their results from one pass to the next.

use super::{Replay, ReplayError, ReplayMode, ReplayResult, StopRecording, run_effort};
use crate::recorded_trace::RecordedTrace;
use crate::stats::ReductionStats;
use retap_model::Trace;

pub(crate) struct ReplaySession<'r, R> {
    pub replay: &'r mut R,
    pub stats: ReductionStats,
    /// All results, in the order in which they came.
    results: Vec<ReplayedTrace>,
}

/// A trace that was replayed, and its result.
#[derive(Debug, Clone)]
pub(crate) struct ReplayedTrace {
    pub trace: Trace,
    pub result: ReplayResult,
}

impl<'r, R: Replay> ReplaySession<'r, R> {
    pub fn new(replay: &'r mut R) -> Self {
        Self { replay, stats: ReductionStats::default(), results: Vec::new() }
    }

    /// Replays the traces in one round. Returns their results in the same order.
    pub fn replay_all(
        &mut self,
        traces: &[Trace],
        mode: ReplayMode,
    ) -> Result<Vec<ReplayResult>, ReplayError<R::Error>> {
        self.stats.rounds += 1;
        let results = self.replay.replay(traces, mode)?;
        assert_eq!(results.len(), traces.len(), "a replay returns one result per trace");
        for (trace, result) in traces.iter().zip(&results) {
            assert!(
                result.covered.len() <= trace.steps.len() + 1,
                "a replay covers at most the launch and the steps of its trace"
            );
            self.stats.effort += result.effort();
            self.results.push(ReplayedTrace { trace: trace.clone(), result: result.clone() });
        }
        Ok(results)
    }

    /// Replays one trace in a round of its own.
    pub fn replay_one(
        &mut self,
        trace: &Trace,
        mode: ReplayMode,
    ) -> Result<ReplayResult, ReplayError<R::Error>> {
        let mut results = self.replay_all(std::slice::from_ref(trace), mode)?;
        Ok(results.swap_remove(0))
    }

    /// Runs the events of a trace once, wherever they lead.
    pub fn record(
        &mut self,
        trace: &Trace,
        stop: StopRecording<'_>,
    ) -> Result<RecordedTrace, ReplayError<R::Error>> {
        self.stats.rounds += 1;
        self.stats.attempts += 1;
        let recorded = self.replay.record(trace, stop)?;
        let steps = recorded.trace.steps.len();
        assert!(steps <= trace.steps.len(), "a recording runs at most the events of its trace");
        assert_eq!(
            recorded.covered.len(),
            steps + 1,
            "a recording covers its launch and each step"
        );
        self.stats.effort += run_effort(steps);
        Ok(recorded)
    }

    /// Returns the latest conclusive result of a trace that was replayed before.
    pub fn find_conclusive_result(&self, trace: &Trace) -> Option<&ReplayResult> {
        let is_known = |known: &&ReplayedTrace| known.result.is_conclusive && known.trace == *trace;
        self.results.iter().rev().find(is_known).map(|known| &known.result)
    }

    pub fn results(&self) -> &[ReplayedTrace] {
        &self.results
    }
}
