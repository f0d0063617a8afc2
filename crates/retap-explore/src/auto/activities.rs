//! Which activity each state is of. There are few activities and there may be millions of states: names are shared, and
//! the states met longest ago are forgotten.

use retap_model::StateId;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

/// States that are remembered at most: more than the graph holds, because it forgets in another order.
const MOST: usize = 40_000;

#[derive(Debug, Clone, Default)]
pub struct Activities {
    names: BTreeSet<Arc<str>>,
    of: BTreeMap<StateId, Arc<str>>,
    /// Met longest ago first.
    order: VecDeque<StateId>,
}

impl Activities {
    pub fn of(&self, state: StateId) -> &str {
        self.of.get(&state).map_or("", |name| name)
    }

    pub fn learn(&mut self, state: StateId, activity: &str) {
        let name = match self.names.get(activity) {
            Some(known) => Arc::clone(known),
            None => {
                let new: Arc<str> = activity.into();
                self.names.insert(Arc::clone(&new));
                new
            }
        };
        if self.of.insert(state, name).is_none() {
            self.order.push_back(state);
        }
        if self.order.len() > MOST
            && let Some(oldest) = self.order.pop_front()
        {
            self.of.remove(&oldest);
        }
    }
}
