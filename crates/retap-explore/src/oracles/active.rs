//! Active oracles: after a run they rotate the display, leave the app and press back in the states that were visited.

use super::losable::ProbedThings;
use super::probe::{ACTIVE_KINDS, ExaminedSuspicions, StateProbe};
use crate::exploration::{Exploration, ExploreError};
use retap_device::Rig;
use retap_model::StateId;
use retap_model::format::run::{StateRow, read_screen, read_states};
use retap_oracle::find_losable;
use std::collections::BTreeMap;

/// The largest cost of all probes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProbeLimits {
    pub effort: u64,
    pub states: usize,
}

impl Exploration<'_> {
    /// Probes the states that were visited, the nearest of every activity first, and leaves out those that can lose
    /// nothing but what earlier ones could. It ends early when `go_on` returns false.
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
        let cost_before = rig.cost();
        let mut things = ProbedThings::default();
        let mut examined = ExaminedSuspicions::default();
        let mut probed = 0;
        for StateRow { state, screen, activity, .. } in self.states_to_probe()? {
            let Some(dir) = self.journal.dir() else { break };
            let losable = find_losable(&read_screen(dir, screen)?, &oracles.package);
            if !things.has_new(&activity, &losable) {
                continue;
            }
            let is_spent = (rig.cost() - cost_before).effort() >= limits.effort;
            if is_spent || probed == limits.states || !go_on() {
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
            let Some(found) = probe.run(rig, &mut examined)? else { continue };
            things.add(&activity, losable);
            probed += 1;
            for probed in found {
                if let Some(passive) = &mut self.oracles {
                    passive.keep(&probed.finding, &probed.trace, &self.journal)?;
                }
            }
        }
        rig.forget_position();
        Ok(())
    }

    /// Returns the nearest state of every activity, then the second nearest of every activity, and so on.
    fn states_to_probe(&mut self) -> Result<Vec<StateRow>, ExploreError> {
        self.journal.flush()?;
        let graph = &self.memory.graph;
        let mut by_activity: BTreeMap<String, Vec<(usize, StateId, StateRow)>> = BTreeMap::new();
        let rows = self.journal.dir().map(read_states).transpose()?;
        for row in rows.unwrap_or_default() {
            let is_in_app = graph.node(row.state).is_some_and(|node| !node.is_outside_app);
            if let Some(length) = graph.path_length(row.state).filter(|_| is_in_app) {
                let of_activity = by_activity.entry(row.activity.clone()).or_default();
                of_activity.push((length, row.state, row));
            }
        }
        // Sorted by rank within the activity, then by path length.
        let mut ranked: Vec<(usize, usize, StateRow)> = Vec::new();
        for (_, mut states) in by_activity {
            states.sort_unstable_by_key(|(length, state, _)| (*length, *state));
            let states = states.into_iter().enumerate();
            ranked.extend(states.map(|(rank, (length, _, row))| (rank, length, row)));
        }
        ranked.sort_unstable_by_key(|(rank, length, row)| (*rank, *length, row.state));
        Ok(ranked.into_iter().map(|(_, _, row)| row).collect())
    }
}
