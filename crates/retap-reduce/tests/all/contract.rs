//! The contract between the reducer, its input and its replay: a breach shows instead of being ignored.
#![allow(clippy::unwrap_used)] // a test may panic

use crate::common::{FakeReplay, taps};
use retap_model::Trace;
use retap_reduce::{
    CostModel, RecordedTrace, ReductionError, ReductionLimits, ReductionOptions, Replay,
    ReplayError, ReplayMode, ReplayResult, StopRecording, reduce,
};

const TRACES: [&str; 3] = ["a b c d", "a d e c d", "a b c f"];

fn record(fake: &mut FakeReplay) -> Vec<RecordedTrace> {
    TRACES.iter().map(|names| fake.record(1, &taps(names))).collect()
}

fn options(fake: &FakeReplay) -> ReductionOptions {
    let limits = ReductionLimits::default();
    ReductionOptions { scope: fake.scope(), cost: CostModel::Events, limits }
}

/// A replay that loses the result of the last trace of each round.
struct LosesLastResult(FakeReplay);

impl Replay for LosesLastResult {
    type Error = std::convert::Infallible;

    fn replay(
        &mut self,
        traces: &[Trace],
        mode: ReplayMode,
    ) -> Result<Vec<ReplayResult>, ReplayError<Self::Error>> {
        let mut results = self.0.replay(traces, mode)?;
        results.pop();
        Ok(results)
    }

    fn record(
        &mut self,
        trace: &Trace,
        stop: StopRecording<'_>,
    ) -> Result<RecordedTrace, ReplayError<Self::Error>> {
        Replay::record(&mut self.0, trace, stop)
    }
}

#[test]
#[should_panic(expected = "a replay returns one result per trace")]
fn a_replay_that_loses_a_result_is_a_bug_that_shows() {
    let mut fake = FakeReplay::load("files-2.4.fake");
    let (recorded, options) = (record(&mut fake), options(&fake));
    let _ = reduce(&recorded, &options, &mut LosesLastResult(fake));
}

#[test]
fn a_trace_without_a_state_is_refused_by_its_number() {
    let mut fake = FakeReplay::load("files-2.4.fake");
    let mut recorded = record(&mut fake);
    recorded[1].trace.steps[2].result.state = None;
    let error = reduce(&recorded, &options(&fake), &mut fake).unwrap_err();
    assert!(matches!(error, ReductionError::IncompleteRecording(_)));
    assert_eq!(error.to_string(), "trace 2 does not say which state it led to after step 3");
}

#[test]
fn a_trace_with_coverage_for_only_some_steps_is_refused() {
    let mut fake = FakeReplay::load("files-2.4.fake");
    let mut recorded = record(&mut fake);
    recorded[0].covered.pop();
    let error = reduce(&recorded, &options(&fake), &mut fake).unwrap_err();
    assert_eq!(error.to_string(), "trace 1 does not say what was covered after step 4");
}
