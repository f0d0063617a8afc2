//! Active oracles: after a run they rotate the display, leave the app and press back in the states that were visited.

use super::probe::{ACTIVE_KINDS, StateProbe};
use crate::exploration::{Exploration, ExploreError};
use retap_device::Rig;
use retap_model::StateId;
use retap_model::format::run::read_states;
use std::collections::BTreeMap;

/// The largest cost of all probes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProbeLimits {
    pub events: u64,
    pub states: usize,
}

impl Exploration<'_> {
    /// Probes the states that were visited, the nearest of every activity first. It ends early when `go_on` returns
    /// false.
    pub fn probe(
        &mut self,
        rig: &mut Rig<'_>,
        limits: ProbeLimits,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<(), ExploreError> {
        let Some(oracles) = self.oracles.as_ref().map(|passive| passive.oracles.clone()) else {
            return Ok(());
        };
        if !ACTIVE_KINDS.iter().any(|kind| oracles.is_enabled(*kind)) {
            return Ok(());
        }
        let events_before = rig.cost().events;
        for state in self.states_to_probe()?.into_iter().take(limits.states) {
            if rig.cost().events - events_before >= limits.events || !go_on() {
                break;
            }
            let Some(path) = self.memory.graph.recorded_path(state) else { continue };
            let info = self.journal.info();
            let probe = StateProbe {
                oracles: &oracles,
                world_seed: info.world_seed,
                path: &path,
                state,
                abstraction: info.abstraction,
                package: &info.app.package,
            };
            for probed in probe.run(rig)? {
                if let Some(passive) = &mut self.oracles {
                    passive.keep(&probed.finding, &probed.trace, &self.journal)?;
                }
            }
        }
        rig.forget_position();
        Ok(())
    }

    /// Returns the nearest state of every activity, then the second nearest of every activity, and so on.
    fn states_to_probe(&mut self) -> Result<Vec<StateId>, ExploreError> {
        self.journal.flush()?;
        let graph = &self.memory.graph;
        let mut by_activity: BTreeMap<String, Vec<(usize, StateId)>> = BTreeMap::new();
        let rows = self.journal.dir().map(read_states).transpose()?;
        for row in rows.unwrap_or_default() {
            let is_in_app = graph.node(row.state).is_some_and(|node| !node.is_outside_app);
            if let Some(length) = graph.path_length(row.state).filter(|_| is_in_app) {
                by_activity.entry(row.activity).or_default().push((length, row.state));
            }
        }
        // Sorted by rank within the activity, then by path length.
        let mut ranked: Vec<(usize, usize, StateId)> = Vec::new();
        for (_, mut states) in by_activity {
            states.sort_unstable();
            let states = states.into_iter().enumerate();
            ranked.extend(states.map(|(rank, (length, state))| (rank, length, state)));
        }
        ranked.sort_unstable();
        Ok(ranked.into_iter().map(|(_, _, state)| state).collect())
    }
}
