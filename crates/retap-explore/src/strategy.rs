//! What a strategy sees and says.

use crate::graph::Graph;
use crate::interesting::Met;
use retap_model::trace::Return;
use retap_model::{App, Display, Event, Observation, StateId, Step, Trace};

/// Sendable, because each of several explorers has a thread of its own.
pub trait Strategy: Send {
    /// The next move from here.
    fn decide(&mut self, place: &Place<'_>) -> Move;

    /// Told of every start, return and step, in order, whether it has just happened or is read back from
    /// a run that is taken up again. All memory of a strategy comes from here and from the graph.
    fn learn(&mut self, _lesson: Lesson<'_>) {}

    /// Why the last decision was taken, for a person.
    fn why(&self) -> String {
        String::new()
    }

    /// Whether it wants to see what states look like.
    fn looks(&self) -> bool {
        false
    }

    /// Whether snapshots of interesting states are worth taking.
    fn travels(&self) -> bool {
        false
    }
}

#[derive(Debug, Clone, Copy)]
pub enum Lesson<'a> {
    /// A new trace began here.
    Start(Met<'a>),
    /// A new trace went back to a state, or tried to.
    Return(&'a Trace, Return, Met<'a>),
    Step(&'a Step, Met<'a>),
}

#[derive(Debug, Clone, Copy)]
pub struct Place<'a> {
    pub app: &'a App,
    pub display: Display,
    pub seen: &'a Observation,
    /// Events and returns of the whole run so far: the number of this decision.
    pub decision: u64,
    /// All states met so far, and which of them this is.
    pub graph: &'a Graph,
    /// Nothing can follow here: the app is gone, or the trace is long enough.
    pub is_over: bool,
    /// Whether going back costs no events.
    pub snapshots: bool,
    /// A way back must have fewer events than this: there must be room for one more in its trace.
    pub room: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Move {
    Do(Event),
    /// Begin a new trace from a clean install.
    Restart,
    /// Begin a new trace that leads back to a state of the graph.
    Return(StateId),
}
