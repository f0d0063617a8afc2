//! The state graph: every state that was met, how often, what was found from it, the shortest known way to
//! it and the events that led on from it. A fold over recorded entries, bounded in memory: states that are
//! worn out make room for new ones, and screens stay on disk.

mod node;
mod paths;
mod route;

pub use node::{Edge, Node};
pub use route::Leg;

use crate::interesting::{Interesting, Met};
use paths::{EventId, PathId, Paths};
use retap_model::observation::RecordedOutcome;
use retap_model::trace::Return;
use retap_model::{Event, StateId, Trace};
use std::collections::BTreeMap;

/// States that are remembered at most.
const MOST_STATES: usize = 20_000;
/// A state that this many returns in a row did not lead to is given up. The first may have been a shortcut.
const TRIES: u8 = 3;

#[derive(Debug, Clone)]
pub struct Graph {
    interesting: Interesting,
    nodes: BTreeMap<StateId, Node>,
    paths: Paths,
    /// The path after each of the first steps of the current trace, as far as it was needed.
    trail: Vec<PathId>,
    here: Option<StateId>,
    /// Where a clean launch leads.
    launch: Option<StateId>,
    most_states: usize,
}

impl Graph {
    pub fn new(interesting: Interesting) -> Self {
        Self::with_room_for(interesting, MOST_STATES)
    }

    pub fn with_room_for(interesting: Interesting, most_states: usize) -> Self {
        Self {
            interesting,
            nodes: BTreeMap::new(),
            paths: Paths::default(),
            trail: vec![Paths::LAUNCH],
            here: None,
            launch: None,
            most_states: most_states.max(2),
        }
    }

    /// The trace has just begun with a clean launch.
    pub fn start(&mut self, trace: &Trace, met: Met<'_>) {
        self.trail.truncate(1);
        self.here = None;
        self.launch = met.result.state;
        self.visit(trace, met);
    }

    /// The last step of the trace has just been done. Whether it led to an interesting state.
    pub fn step(&mut self, trace: &Trace, met: Met<'_>) -> bool {
        let from = self.here;
        let is_new = self.visit(trace, met);
        let (Some(from), Some(step), Some(to)) = (from, trace.steps.last(), met.result.state)
        else {
            return is_new;
        };
        let event = self.paths.intern(&step.event);
        if let Some(node) = self.nodes.get_mut(&from) {
            node.found += u64::from(is_new);
            if let Some(event) = event {
                node.lead(event, to);
            }
        }
        is_new
    }

    /// The trace has just begun with a return: all its steps so far are the way.
    pub fn returned(&mut self, trace: &Trace, returns: &Return, met: Met<'_>) {
        self.trail.truncate(1);
        if returns.events > 0 {
            self.learn_edges(trace);
        }
        if !returns.arrived(trace.last()) {
            if let Some(node) = self.nodes.get_mut(&returns.to) {
                node.failures += 1;
                if node.failures >= TRIES {
                    node.path = None;
                }
            }
            // Wherever this is, the run goes on from here.
            self.here = None;
            self.visit(trace, met);
            return;
        }
        self.here = Some(returns.to);
        let Some(node) = self.nodes.get_mut(&returns.to) else { return };
        // A shortcut that failed once is not tried again.
        node.failures = node.failures.min(1);
        node.restored += 1;
        // Going back to a state wears it out as coming to it does, or it would be the fittest for ever.
        node.visits += 1;
        let recorded = node.path.filter(|path| self.paths.is(*path, trace.events()));
        if let Some(path) = recorded {
            self.paths.trail(path, &mut self.trail);
        } else {
            // A repaired way is known to work, and a shortcut is shorter.
            let path = self.materialize(trace);
            if let Some(node) = self.nodes.get_mut(&returns.to) {
                node.path = path;
            }
        }
    }

    /// Where the events of a way that was run led. One that led elsewhere than it used to would fail every other way through it too.
    fn learn_edges(&mut self, way: &Trace) {
        let before = std::iter::once(&way.start).chain(way.steps.iter().map(|step| &step.result));
        for (before, step) in before.zip(&way.steps) {
            let (Some(from), Some(to)) = (before.state, step.result.state) else { continue };
            let Some(event) = self.paths.intern(&step.event) else { continue };
            let is_known = self.nodes.contains_key(&to);
            match self.nodes.get_mut(&from) {
                Some(node) if is_known => node.lead(event, to),
                Some(node) => node.doubt(event, to),
                None => {}
            }
        }
    }

    /// A device holds a snapshot of this state, or holds it no longer.
    pub fn set_saved(&mut self, state: StateId, saved: bool) {
        if let Some(node) = self.nodes.get_mut(&state) {
            node.saved = saved;
        }
    }

    /// Where the run stands.
    pub fn here(&self) -> Option<StateId> {
        self.here
    }

    pub fn node(&self, state: StateId) -> Option<&Node> {
        self.nodes.get(&state)
    }

    pub fn nodes(&self) -> impl Iterator<Item = (StateId, &Node)> {
        self.nodes.iter().map(|(state, node)| (*state, node))
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// States to go back to: interesting ones with a way that still works.
    pub fn corpus(&self) -> impl Iterator<Item = (StateId, &Node)> {
        self.nodes().filter(|(_, node)| node.interesting && node.path.is_some())
    }

    /// Events of the shortest known way to a state.
    pub fn depth(&self, state: StateId) -> Option<usize> {
        self.nodes.get(&state)?.path.map(|path| self.paths.len(path))
    }

    /// The shortest recorded way to a state, from a clean launch.
    pub fn way_to(&self, state: StateId) -> Option<Vec<Event>> {
        self.nodes.get(&state)?.path.map(|path| self.paths.events(path))
    }

    /// A shorter way than the recorded one, along events that are known to lead on: a trace that found a state after a
    /// hundred events seldom needed them all. `None` where there is none, or where it was tried in vain.
    pub fn shortcut_to(&self, state: StateId) -> Option<Vec<Leg>> {
        let node = self.nodes.get(&state).filter(|node| node.failures == 0)?;
        let recorded = self.paths.len(node.path?);
        self.route(self.launch?, state, recorded.checked_sub(1)?)
    }

    /// How many events a return to each state takes: those of the shortcut, where one would be tried.
    pub fn way_lengths(&self) -> BTreeMap<StateId, usize> {
        let straight = self.launch.map(|launch| self.distances(launch, usize::MAX));
        let straight = straight.unwrap_or_default();
        let length = |(state, node): (StateId, &Node)| {
            let recorded = self.paths.len(node.path?);
            let shortcut = straight.get(&state).filter(|_| node.failures == 0);
            Some((state, shortcut.map_or(recorded, |shortcut| recorded.min(*shortcut))))
        };
        self.nodes().filter_map(length).collect()
    }

    pub fn event(&self, edge: &Edge) -> Option<&Event> {
        self.paths.event(edge.event)
    }

    /// Whether this was the first visit and an interesting one.
    fn visit(&mut self, trace: &Trace, met: Met<'_>) -> bool {
        let Some(state) = met.result.state else { return false };
        let stayed = self.here.replace(state) == Some(state);
        if !self.nodes.contains_key(&state) && self.nodes.len() >= self.most_states {
            self.forget_worn_out();
        }
        let first = !self.nodes.contains_key(&state);
        // The corpus begins with the launch, whatever it executes.
        let interesting = first && (trace.steps.is_empty() || self.interesting.is(met));
        let node = self.nodes.entry(state).or_default();
        node.visits += u64::from(!stayed);
        node.stays += u64::from(stayed);
        node.interesting |= interesting;
        node.away =
            matches!(met.result.outcome, RecordedOutcome::Exited | RecordedOutcome::Left(_));
        let depth = trace.steps.len();
        let ends_well = !crate::exploration::is_over(met.result);
        let known = node.path;
        if ends_well && known.is_none_or(|path| depth < self.paths.len(path)) {
            let path = self.materialize(trace);
            if let Some(node) = self.nodes.get_mut(&state) {
                node.path = path;
                node.failures = 0;
            }
        }
        interesting
    }

    /// The current trace as a path, sharing what the trail already has.
    fn materialize(&mut self, trace: &Trace) -> Option<PathId> {
        if self.paths.is_full() {
            self.compact();
        }
        for step in &trace.steps[self.trail.len() - 1..] {
            let before = *self.trail.last()?;
            let path = self.paths.extend(before, &step.event)?;
            self.trail.push(path);
        }
        self.trail.last().copied()
    }

    /// Makes room: drops the tenth of the states that were visited most for what they gave.
    fn forget_worn_out(&mut self) {
        let mut worth: Vec<(i64, StateId)> = self
            .nodes()
            .filter(|(state, _)| Some(*state) != self.here)
            .map(|(state, node)| (node.worth(), state))
            .collect();
        worth.sort_unstable();
        for (_, state) in worth.iter().take(self.most_states.div_ceil(10)) {
            self.nodes.remove(state);
        }
        let nodes = &self.nodes;
        let gone = |state: StateId| !nodes.contains_key(&state);
        let dangling: Vec<StateId> = nodes
            .iter()
            .filter(|(_, node)| node.edges.iter().any(|edge| gone(edge.to)))
            .map(|(state, _)| *state)
            .collect();
        for state in dangling {
            let Some(mut node) = self.nodes.remove(&state) else { continue };
            let known = |edge: &Edge| edge.to == state || self.nodes.contains_key(&edge.to);
            node.edges.retain(known);
            self.nodes.insert(state, node);
        }
        self.compact();
    }

    fn compact(&mut self) {
        let mut ways: Vec<&mut PathId> = self.trail.iter_mut().collect();
        let mut events: Vec<&mut EventId> = Vec::new();
        for node in self.nodes.values_mut() {
            ways.extend(node.path.as_mut());
            events.extend(node.edges.iter_mut().map(|edge| &mut edge.event));
        }
        self.paths.compact(ways, events);
    }
}

#[cfg(test)]
mod tests;
