//! Updates the graph with each recorded start, step and return.

use super::StateGraph;
use super::path_tree::PathId;
use crate::exploration::{Novelty, ends_trace, is_host_limitation};
use retap_model::observation::RecordedOutcome;
use retap_model::trace::Return;
use retap_model::{StateId, Trace};

/// A state is given up after this many failed returns in a row. The first may have been a shortcut.
const MAX_FAILED_RETURNS: u8 = 3;

impl StateGraph {
    /// Records a trace that has just begun with a clean launch.
    pub fn record_start(&mut self, trace: &Trace, novelty: Novelty<'_>) {
        self.trace_paths.truncate(1);
        self.current_state = None;
        self.launch_state = novelty.result.state;
        self.record_visit(trace, novelty);
    }

    /// Records the last step of the trace. Returns true if the step led to a new interesting state.
    pub fn record_step(&mut self, trace: &Trace, novelty: Novelty<'_>) -> bool {
        let from = self.current_state;
        let is_discovery = self.record_visit(trace, novelty);
        let (Some(from), Some(step), Some(to)) = (from, trace.steps.last(), novelty.result.state)
        else {
            return is_discovery;
        };
        let event = self.paths.intern(&step.event);
        if let Some(node) = self.nodes.get_mut(&from) {
            node.discoveries += u64::from(is_discovery);
            if let Some(event) = event.filter(|_| !is_host_limitation(novelty.result)) {
                node.record_transition(event, to);
            }
        }
        is_discovery
    }

    /// Records a trace that has just begun with a return. All its steps so far are the path of the return.
    pub fn record_return(&mut self, trace: &Trace, returns: &Return, novelty: Novelty<'_>) {
        self.trace_paths.truncate(1);
        if returns.events > 0 {
            self.record_transitions(trace);
        }
        if returns.arrived(trace.last()) {
            self.record_arrival(trace, returns.to);
        } else {
            self.record_failed_return(returns.to);
            // The exploration goes on from the state that the return led to instead.
            self.current_state = None;
            self.record_visit(trace, novelty);
        }
    }

    fn record_arrival(&mut self, trace: &Trace, state: StateId) {
        self.current_state = Some(state);
        let Some(node) = self.nodes.get_mut(&state) else { return };
        // One failure stays noted, because a shortcut that failed once is not tried again.
        node.failed_returns = node.failed_returns.min(1);
        node.returns += 1;
        // A return counts as a visit. Otherwise the state would stay the fittest for ever.
        node.visits += 1;
        let recorded_path = node.path.filter(|path| self.paths.is(*path, trace.events()));
        if let Some(path) = recorded_path {
            self.paths.push_prefixes(path, &mut self.trace_paths);
        } else {
            // A repaired path is known to work, and a shortcut is shorter.
            let path = self.store_path(trace);
            if let Some(node) = self.nodes.get_mut(&state) {
                node.path = path;
                node.has_snapshot = false;
            }
        }
    }

    fn record_failed_return(&mut self, state: StateId) {
        if let Some(node) = self.nodes.get_mut(&state) {
            node.failed_returns += 1;
            if node.failed_returns >= MAX_FAILED_RETURNS {
                node.path = None;
            }
        }
    }

    /// Records the transitions of a path that was run. An event that led to an unknown state loses trust, because
    /// every other path through it would fail too.
    fn record_transitions(&mut self, path: &Trace) {
        let before = std::iter::once(&path.start).chain(path.steps.iter().map(|step| &step.result));
        for (before, step) in before.zip(&path.steps) {
            let (Some(from), Some(to)) = (before.state, step.result.state) else { continue };
            if is_host_limitation(&step.result) {
                continue;
            }
            let Some(event) = self.paths.intern(&step.event) else { continue };
            let is_known = self.nodes.contains_key(&to);
            match self.nodes.get_mut(&from) {
                Some(node) if is_known => node.record_transition(event, to),
                Some(node) => node.halve_other_transitions(event, to),
                None => {}
            }
        }
    }

    /// Records a visit of the state that the trace ends in. Returns true if this was the first visit and an
    /// interesting one.
    fn record_visit(&mut self, trace: &Trace, novelty: Novelty<'_>) -> bool {
        let Some(state) = novelty.result.state else { return false };
        let has_stayed = self.current_state.replace(state) == Some(state);
        if !self.nodes.contains_key(&state) && self.nodes.len() >= self.max_states {
            self.forget_least_valuable();
        }
        let is_first_visit = !self.nodes.contains_key(&state);
        // The launch is always part of the corpus, whatever code it runs.
        let is_interesting =
            is_first_visit && (trace.steps.is_empty() || self.interesting.is_interesting(novelty));
        let node = self.nodes.entry(state).or_default();
        node.visits += u64::from(!has_stayed);
        node.stays += u64::from(has_stayed);
        node.is_interesting |= is_interesting;
        node.is_outside_app =
            matches!(novelty.result.outcome, RecordedOutcome::Exited | RecordedOutcome::Left(_));
        let length = trace.steps.len();
        let is_shorter = node.path.is_none_or(|path| length < self.paths.len(path));
        if is_shorter && !ends_trace(novelty.result) {
            let path = self.store_path(trace);
            if let Some(node) = self.nodes.get_mut(&state) {
                node.path = path;
                node.has_snapshot = false;
                node.failed_returns = 0;
            }
        }
        is_interesting
    }

    /// Stores the current trace as a path. It shares the steps that are already stored.
    fn store_path(&mut self, trace: &Trace) -> Option<PathId> {
        if self.paths.is_nearly_full() {
            self.compact_paths();
        }
        for step in &trace.steps[self.trace_paths.len() - 1..] {
            let before = *self.trace_paths.last()?;
            let path = self.paths.extend(before, &step.event)?;
            self.trace_paths.push(path);
        }
        self.trace_paths.last().copied()
    }
}
