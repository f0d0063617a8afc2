//! What a strategy sees and says.

use retap_model::trace::Led;
use retap_model::{App, Display, Event, Observation, Step};

pub trait Strategy {
    /// The next move from here.
    fn decide(&mut self, place: &Place<'_>) -> Move;

    /// Told of every start and step, in order, whether it has just happened or is read back from a run
    /// that is taken up again. All memory of a strategy comes from here.
    fn learn(&mut self, _lesson: Lesson<'_>) {}
}

#[derive(Debug, Clone, Copy)]
pub enum Lesson<'a> {
    /// A new trace began here.
    Start(&'a Led),
    Step(&'a Step),
}

#[derive(Debug, Clone, Copy)]
pub struct Place<'a> {
    pub app: &'a App,
    pub display: Display,
    pub seen: &'a Observation,
    /// Events of the whole run so far: the number of this decision.
    pub decision: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Move {
    Do(Event),
    /// Begin a new trace from a clean install.
    Restart,
}
