//! The states of the run that a return can lead to, with the number of events that lead there.

use retap_model::{ScreenId, StateId};
use std::collections::BTreeMap;

/// The cheapest visit of a state of the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordedVisit {
    /// The events from a clean launch.
    pub events: usize,
    pub screen: ScreenId,
}

/// A fold over recorded entries. States are those of the run, not those of the model.
#[derive(Debug, Clone, Default)]
pub struct Visits {
    visits: BTreeMap<StateId, RecordedVisit>,
    /// The screen after a clean launch.
    pub launch: Option<ScreenId>,
    /// The events of the current trace.
    events: usize,
}

impl Visits {
    pub fn record_start(&mut self, state: Option<StateId>, screen: Option<ScreenId>) {
        self.events = 0;
        self.launch = screen;
        self.record(state, screen);
    }

    pub fn record_return(
        &mut self,
        events: usize,
        state: Option<StateId>,
        screen: Option<ScreenId>,
    ) {
        self.events = events;
        self.record(state, screen);
    }

    pub fn record_step(&mut self, state: Option<StateId>, screen: Option<ScreenId>) {
        self.events += 1;
        self.record(state, screen);
    }

    /// Forgets a state that a return did not lead to.
    pub fn forget(&mut self, state: StateId) {
        self.visits.remove(&state);
    }

    pub fn iter(&self) -> impl Iterator<Item = (StateId, RecordedVisit)> + '_ {
        self.visits.iter().map(|(state, visit)| (*state, *visit))
    }

    fn record(&mut self, state: Option<StateId>, screen: Option<ScreenId>) {
        let (Some(state), Some(screen)) = (state, screen) else { return };
        let new = RecordedVisit { events: self.events, screen };
        let known = self.visits.entry(state).or_insert(new);
        if new.events < known.events {
            *known = new;
        }
    }
}
