//! The interface of a strategy: the entries it learns from, the context it decides in, and the moves it makes.

pub mod auto;
pub mod published;
pub mod random;
pub mod random_restart;
pub mod seeded;
pub mod timemachine;

use crate::exploration::{AvoidedEvents, Novelty};
use crate::graph::StateGraph;
use retap_model::trace::Return;
use retap_model::{App, Display, Event, Observation, StateId, Step, Trace};

/// Decides the next move of an exploration. It is `Send` because each explorer of a team runs on its own thread.
pub trait Strategy: Send {
    /// Decides the next move.
    fn decide(&mut self, context: &DecisionContext<'_>) -> Move;

    /// Learns from a start, return or step, in order. The exploration calls it for each entry, whether the entry has
    /// just happened or is read back from a resumed run. All memory of a strategy comes from here and from the graph.
    fn learn(&mut self, _entry: RecordedEntry<'_>) {}

    /// Returns the reason for the last decision, for a person; empty if there is nothing to say.
    fn reason(&self) -> String {
        String::new()
    }

    /// Returns true if the strategy has done what it is for. The exploration ends then, whatever its limits say.
    fn is_done(&self) -> bool {
        false
    }

    /// Returns how the strategy has ended, if it cannot or does not want to decide any more. Its last decision does not
    /// count then.
    fn end(&self) -> Option<StrategyEnd> {
        None
    }

    /// Returns true if `learn` needs screens: those of new states, and of known states that show another screen than
    /// the last time.
    fn wants_screens(&self) -> bool {
        false
    }

    /// Returns true if snapshots of interesting states are worth their cost.
    fn wants_snapshots(&self) -> bool {
        false
    }
}

/// The end of a strategy that decides no more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StrategyEnd {
    /// It wants to stop here.
    Stopped,
    /// It failed for this reason.
    Failed(String),
}

/// An entry of the run that a strategy learns from.
#[derive(Debug, Clone, Copy)]
pub enum RecordedEntry<'a> {
    /// A trace began with a clean launch.
    Start(Novelty<'a>),
    /// A trace began with a return, which may have failed. The novelty is that of its last step.
    Return {
        trace: &'a Trace,
        returns: Return,
        novelty: Novelty<'a>,
    },
    Step(&'a Step, Novelty<'a>),
}

impl<'a> RecordedEntry<'a> {
    /// Returns the novelty of the entry.
    pub fn novelty(self) -> Novelty<'a> {
        match self {
            RecordedEntry::Start(novelty)
            | RecordedEntry::Return { novelty, .. }
            | RecordedEntry::Step(_, novelty) => novelty,
        }
    }
}

/// The situation in which a strategy decides.
#[derive(Debug, Clone, Copy)]
pub struct DecisionContext<'a> {
    pub app: &'a App,
    pub display: Display,
    /// The last observation of the device.
    pub observation: &'a Observation,
    /// The number of events and returns of the whole run so far.
    pub decision_number: u64,
    /// All states visited so far, and the current one.
    pub graph: &'a StateGraph,
    /// Events that lead to a host limitation.
    pub avoided: &'a AvoidedEvents,
    /// True if no event can follow: the app is gone or the trace is long enough.
    pub is_trace_over: bool,
    /// True if the device has snapshots, so that a return costs no events.
    pub has_snapshots: bool,
    /// The path of a return must have fewer events than this, to leave room for one more event in its trace.
    pub path_limit: usize,
}

impl DecisionContext<'_> {
    /// Returns true if the event, or a part of a hasty one, led to a host limitation here.
    pub fn is_avoided(&self, event: &Event) -> bool {
        let state = self.graph.current_state();
        self.avoided.contains(state, event)
            || event.parts().iter().any(|part| self.avoided.contains(state, part))
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Move {
    Do(Event),
    /// Begins a new trace from a clean install.
    Restart,
    /// Begins a new trace that leads back to a state of the graph.
    Return(StateId),
}

/// A move and the reason for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    pub next_move: Move,
    /// The reason, for a person; empty if there is nothing to say.
    pub reason: String,
}

impl Decision {
    pub fn new(next_move: Move, reason: impl Into<String>) -> Self {
        Self { next_move, reason: reason.into() }
    }
}
