//! Examines recorded traces: trusts them where it may, and replays them where it must.

use super::quarantine::QuarantinedTrace;
use crate::recorded_trace::RecordedTrace;
use crate::replay::session::ReplaySession;
use crate::replay::{Replay, ReplayError, ReplayMode, ReplayResult};
use retap_model::Trace;
use std::collections::BTreeSet;

/// The result of examining a recorded trace.
pub(super) enum Examination {
    /// The trace is trusted or was replayed; this part of it holds.
    Usable(RecordedTrace),
    /// Not even the launch replays.
    Unusable,
    /// The reduction was stopped before the trace was replayed.
    Skipped,
}

pub(super) struct RecordingExaminer<'s, 'r, R> {
    recorded_traces: &'s [RecordedTrace],
    doubted: &'s BTreeSet<usize>,
    pub session: &'s mut ReplaySession<'r, R>,
    pub quarantined: Vec<QuarantinedTrace>,
    pub unexamined: Vec<usize>,
    replayed: BTreeSet<usize>,
}

impl<'s, 'r, R: Replay> RecordingExaminer<'s, 'r, R> {
    pub fn new(
        recorded_traces: &'s [RecordedTrace],
        doubted: &'s BTreeSet<usize>,
        session: &'s mut ReplaySession<'r, R>,
    ) -> Self {
        let (quarantined, unexamined, replayed) = (Vec::new(), Vec::new(), BTreeSet::new());
        Self { recorded_traces, doubted, session, quarantined, unexamined, replayed }
    }

    pub fn can_trust_recordings(&self) -> bool {
        self.session.replay.can_trust_recordings()
    }

    /// Returns true if this recording needs no replay. Once stopped, none is trusted any more.
    pub fn is_trusted(&self, source: usize) -> bool {
        self.can_trust_recordings() && !self.doubted.contains(&source) && self.unexamined.is_empty()
    }

    pub fn has_replayed(&self, source: usize) -> bool {
        self.replayed.contains(&source)
    }

    /// Returns the whole trace if it is trusted; else replays its first steps.
    pub fn examine(&mut self, source: usize, steps: usize) -> Result<Examination, R::Error> {
        if self.is_trusted(source) {
            return Ok(Examination::Usable(self.recorded_traces[source].clone()));
        }
        self.replay(source, steps)
    }

    /// Replays the first steps of a trace. Returns the longest prefix that replays, with its coverage.
    pub fn replay(&mut self, source: usize, steps: usize) -> Result<Examination, R::Error> {
        if !self.unexamined.is_empty() {
            return Ok(self.skip(source));
        }
        let RecordedTrace { keep, trace, .. } = &self.recorded_traces[source];
        let all_steps = trace.steps.len();
        let mut trace = trace.clone();
        trace.steps.truncate(steps);
        let mut result = match self.find_or_replay(&trace) {
            Ok(result) => result,
            Err(ReplayError::Stopped) => return Ok(self.skip(source)),
            Err(ReplayError::Failed(error)) => return Err(error),
        };
        self.replayed.insert(source);
        if !result.is_faithful(&trace) {
            let (step, rate) = (result.covered.len(), result.rate);
            let quarantined = QuarantinedTrace { trace: source, step, steps: all_steps, rate };
            self.quarantined.push(quarantined);
            // A kept trace stays whole, but covers only what replays.
            if *keep {
                result.covered.resize_with(all_steps + 1, Default::default);
            }
        }
        let Some(steps) = result.covered.len().checked_sub(1) else {
            return Ok(Examination::Unusable);
        };
        trace.steps.truncate(steps);
        Ok(Examination::Usable(RecordedTrace { trace, covered: result.covered, keep: *keep }))
    }

    fn skip(&mut self, source: usize) -> Examination {
        debug_assert!(!self.unexamined.contains(&source), "trace {source} is examined once");
        self.unexamined.push(source);
        Examination::Skipped
    }

    fn find_or_replay(&mut self, trace: &Trace) -> Result<ReplayResult, ReplayError<R::Error>> {
        match self.session.find_conclusive_result(trace) {
            Some(known) => Ok(known.clone()),
            None => self.session.replay_one(trace, ReplayMode::MeasureRate),
        }
    }
}
