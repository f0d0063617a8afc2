//! The activity of each state.
//!
//! There are few activities but maybe millions of states. States share the names of activities, and the states met
//! longest ago are forgotten.

use retap_model::StateId;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

/// The largest number of states: more than the graph holds, because the graph forgets in another order.
const MAX_STATES: usize = 40_000;

#[derive(Debug, Clone, Default)]
pub struct StateActivities {
    names: BTreeSet<Arc<str>>,
    by_state: BTreeMap<StateId, Arc<str>>,
    /// The states in the order in which they were met.
    states: VecDeque<StateId>,
}

impl StateActivities {
    /// Returns the activity of a state; empty if it is not known.
    pub fn activity_of(&self, state: StateId) -> &str {
        self.by_state.get(&state).map_or("", |name| name)
    }

    pub fn record(&mut self, state: StateId, activity: &str) {
        let name = match self.names.get(activity) {
            Some(known) => Arc::clone(known),
            None => {
                let new: Arc<str> = activity.into();
                self.names.insert(Arc::clone(&new));
                new
            }
        };
        if self.by_state.insert(state, name).is_none() {
            self.states.push_back(state);
        }
        if self.states.len() > MAX_STATES
            && let Some(oldest) = self.states.pop_front()
        {
            self.by_state.remove(&oldest);
        }
    }
}
