//! A leg of an exploration that runs apart from the run it belongs to, on another machine perhaps. The run adds its
//! traces afterwards, as it does with those of a team.

use super::team::{Explorer, ExplorerMessage, FinishedTrace, SharedState};
use super::{Exploration, ExplorationTotals, ExploreError, Journal, RunMemory, TeamSettings};
use crate::strategy::Strategy;
use retap_device::Rig;
use retap_model::format::run::RunInfo;
use std::sync::mpsc::channel;

/// Explores until the limits end the leg, and returns its traces. It knows nothing of the run but what its strategy knows.
pub fn explore_apart(
    rig: &mut Rig<'_>,
    strategy: &mut dyn Strategy,
    info: &RunInfo,
    settings: TeamSettings,
) -> Result<Vec<FinishedTrace>, ExploreError> {
    let app = rig.app()?.clone();
    let memory = RunMemory::new(strategy, settings.interesting, &app);
    let shared = SharedState::default();
    let (to_coordinator, messages) = channel();
    let (_others, traces) = channel();
    let explorer = Explorer {
        number: 0,
        exploration: Exploration::with_memory(Journal::notes(info), memory),
        traces,
        to_coordinator,
        shared: &shared,
    };
    explorer.run(rig, settings);
    let mut finished = Vec::new();
    for message in messages {
        match message {
            ExplorerMessage::Moved => {}
            ExplorerMessage::Finished { trace, .. } => finished.push(trace),
            ExplorerMessage::EndReason(ended) => ended?,
        }
    }
    // Nobody else holds a trace of the leg.
    Ok(finished.into_iter().filter_map(std::sync::Arc::into_inner).collect())
}

impl Exploration<'_> {
    /// Adds a trace of a leg to the run, as if it had happened here. `watch` sees the totals after every entry.
    pub fn add_trace(
        &mut self,
        trace: &FinishedTrace,
        watch: &mut dyn FnMut(&ExplorationTotals),
    ) -> Result<(), ExploreError> {
        self.write_trace(trace, watch)
    }
}
