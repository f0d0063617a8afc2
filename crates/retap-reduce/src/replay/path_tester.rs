//! Tests whether paths replay. Results of earlier replays are used first: a path that begins with a failed prefix
//! fails, and a path of which every prefix has been seen replays.

use super::prefix_trie::{PrefixTrie, StepCoverage, TrieCursor};
use super::session::{ReplaySession, ReplayedTrace};
use super::{Replay, ReplayError, ReplayMode, ReplayResult};
use crate::model::indexed_traces::{IndexedTraces, TracePath};
use crate::model::labels::StepLabel;
use crate::model::requirement_index::RequirementIndex;
use crate::model::verified_path::VerifiedPath;
use crate::recorded_trace::RecordedTrace;
use retap_model::{Coverage, Trace};
use std::sync::Arc;

pub(crate) struct PathTester<'a, 'r, R> {
    pub traces: &'a IndexedTraces<'a>,
    pub requirements: &'a mut RequirementIndex,
    pub session: &'a mut ReplaySession<'r, R>,
    pub trie: PrefixTrie,
    /// True if nothing more is run: what is known already has to do.
    pub stopped: bool,
    /// The total effort at which the current search ends.
    pub effort_limit: u64,
}

enum PriorKnowledge {
    Replays,
    Fails,
    Nothing,
}

impl<'a, 'r, R: Replay> PathTester<'a, 'r, R> {
    pub fn new(
        traces: &'a IndexedTraces<'a>,
        requirements: &'a mut RequirementIndex,
        session: &'a mut ReplaySession<'r, R>,
        stopped: bool,
    ) -> Self {
        let (trie, effort_limit) = (PrefixTrie::new(), u64::MAX);
        let mut tester = Self { traces, requirements, session, trie, stopped, effort_limit };
        for (index, selected) in traces.selected.iter().enumerate() {
            let RecordedTrace { trace, covered, .. } = &selected.recorded;
            let labels: Vec<StepLabel> = traces.labels_of(&traces.whole_path(index)).collect();
            tester.remember_coverage(&labels, trace, covered);
        }
        // Results of earlier passes count too, as far as they are about steps of this one.
        for index in 0..tester.session.results().len() {
            let ReplayedTrace { trace, result } = tester.session.results()[index].clone();
            tester.learn(&traces.find_labels(&trace), &trace, &result);
        }
        tester
    }

    /// Returns the paths that selection chose for the suite. Their replay or recording is the evidence.
    pub fn initial_suite(&self) -> Vec<VerifiedPath> {
        let traces = self.traces;
        let chosen = |(index, chosen_steps): (usize, Option<usize>)| {
            Some(VerifiedPath::recorded_prefix(traces, index, chosen_steps?))
        };
        let selected = traces.selected.iter().map(|selected| selected.chosen_steps);
        selected.enumerate().filter_map(chosen).collect()
    }

    /// Returns the whole paths of all selected traces.
    pub fn recorded_paths(&self) -> Vec<VerifiedPath> {
        let indices = 0..self.traces.selected.len();
        indices.map(|trace| VerifiedPath::recorded(self.traces, trace)).collect()
    }

    /// Returns true if there is effort left and nobody stopped the reduction. Counts each time the limit is met.
    pub fn can_continue(&mut self) -> bool {
        self.stopped |= self.session.replay.is_stopped();
        let is_spent = self.session.stats.effort >= self.effort_limit;
        self.session.stats.limits_hit += u64::from(is_spent && !self.stopped);
        !self.stopped && !is_spent
    }

    /// Tests which paths replay; the results have the order of the paths. Once stopped, only paths that are known
    /// to replay count.
    pub fn test(&mut self, paths: Vec<TracePath>) -> Result<Vec<Option<VerifiedPath>>, R::Error> {
        self.session.stats.candidates += paths.len() as u64;
        let mut unknown: Vec<&TracePath> = Vec::new();
        for path in &paths {
            match self.recall(path) {
                PriorKnowledge::Replays => self.session.stats.known_replayable += 1,
                PriorKnowledge::Fails => {}
                PriorKnowledge::Nothing => unknown.push(path),
            }
        }
        if !unknown.is_empty() && !self.stopped {
            self.run(&unknown)?;
        }
        Ok(paths.into_iter().map(|path| self.find_verified(path)).collect())
    }

    fn run(&mut self, paths: &[&TracePath]) -> Result<(), R::Error> {
        let traces: Vec<Trace> = paths.iter().map(|path| self.traces.trace_of(path)).collect();
        self.session.stats.replayed += traces.len() as u64;
        let results = match self.session.replay_all(&traces, ReplayMode::StopAtDivergence) {
            Ok(results) => results,
            Err(ReplayError::Stopped) => {
                self.stopped = true;
                return Ok(());
            }
            Err(ReplayError::Failed(error)) => return Err(error),
        };
        for ((path, trace), result) in paths.iter().zip(&traces).zip(results) {
            self.session.stats.faithful += u64::from(result.is_faithful(trace));
            self.learn_path(path, trace, &result);
        }
        Ok(())
    }

    /// Returns the first step at which a path is known to fail; zero is the launch.
    pub fn find_failed_step(&self, path: &TracePath) -> Option<usize> {
        let mut cursor = PrefixTrie::ROOT;
        self.traces.labels_of(path).position(|label| {
            cursor = self.trie.advance(cursor, label);
            cursor == TrieCursor::Failed
        })
    }

    fn recall(&self, path: &TracePath) -> PriorKnowledge {
        let mut cursor = PrefixTrie::ROOT;
        let mut is_covered = true;
        for label in self.traces.labels_of(path) {
            cursor = self.trie.advance(cursor, label);
            is_covered &= self.trie.coverage_at(cursor).is_some();
        }
        match cursor {
            TrieCursor::Failed => PriorKnowledge::Fails,
            TrieCursor::Node(_) if is_covered => PriorKnowledge::Replays,
            _ => PriorKnowledge::Nothing,
        }
    }

    /// Remembers the result of a path that was replayed as `trace`.
    pub fn learn_path(&mut self, path: &TracePath, trace: &Trace, result: &ReplayResult) {
        let labels: Vec<StepLabel> = self.traces.labels_of(path).collect();
        self.learn(&labels, trace, result);
    }

    /// Remembers the result of a trace. The labels may end before the trace does; the rest teaches nothing.
    fn learn(&mut self, labels: &[StepLabel], trace: &Trace, result: &ReplayResult) {
        if result.is_conclusive {
            self.remember_coverage(labels, trace, &result.covered);
        }
        let failed_step = result.covered.len();
        if failed_step < labels.len() {
            self.trie.insert_failed(labels[..=failed_step].iter().copied());
        }
    }

    fn remember_coverage(
        &mut self,
        labels: &[StepLabel],
        trace: &Trace,
        units_by_step: &[Arc<Coverage>],
    ) {
        let mut coverage = Vec::with_capacity(labels.len());
        for (step, units) in units_by_step.iter().enumerate().take(labels.len()) {
            let requirements = self.requirements.covered_by_step(trace.result_after(step), units);
            let groups = self.traces.groups_within(&requirements);
            coverage.push(StepCoverage { groups, units: Arc::clone(units) });
        }
        self.trie.insert_coverage(labels.iter().copied().zip(coverage));
    }

    fn find_verified(&self, path: TracePath) -> Option<VerifiedPath> {
        let steps = path.steps.len();
        self.find_verified_prefix(path).filter(|verified| verified.path.steps.len() == steps)
    }

    /// Returns the longest prefix of a path that is known to replay.
    pub fn find_verified_prefix(&self, mut path: TracePath) -> Option<VerifiedPath> {
        let mut cursor = PrefixTrie::ROOT;
        let (mut groups_by_step, mut units_by_step) = (Vec::new(), Vec::new());
        for label in self.traces.labels_of(&path) {
            cursor = self.trie.advance(cursor, label);
            let Some(coverage) = self.trie.coverage_at(cursor) else { break };
            groups_by_step.push(coverage.groups.clone());
            units_by_step.push(Arc::clone(&coverage.units));
        }
        path.steps.truncate(groups_by_step.len().checked_sub(1)?);
        Some(VerifiedPath::new(self.traces, path, groups_by_step, units_by_step))
    }
}
