//! One explorer of a team.

use super::{ExplorerMessage, FinishedTrace, SharedState, TeamSettings};
use crate::exploration::{Exploration, ExplorationLimits, ExploreError, TraceState};
use crate::strategy::Move;
use retap_device::Rig;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, Sender};

pub(in crate::exploration) struct Explorer<'t, 's> {
    pub number: usize,
    pub exploration: Exploration<'s>,
    /// The traces of the other explorers.
    pub traces: Receiver<Arc<FinishedTrace>>,
    pub to_coordinator: Sender<ExplorerMessage>,
    pub shared: &'t SharedState,
}

impl Explorer<'_, '_> {
    /// Explores until a limit is reached or the coordinator ends the run.
    pub(in crate::exploration) fn run(mut self, rig: &mut Rig<'_>, settings: TeamSettings) {
        let result = self.explore(rig, settings);
        self.hand_over_trace(rig);
        self.send(ExplorerMessage::EndReason(result));
    }

    fn explore(&mut self, rig: &mut Rig<'_>, settings: TeamSettings) -> Result<(), ExploreError> {
        let app = rig.app()?.clone();
        // An explorer counts the events it knows of. Only the shared state counts those of all.
        let limits = ExplorationLimits { max_events: u64::MAX, ..settings.limits };
        while !self.shared.must_stop.load(Ordering::Relaxed)
            && self.shared.events.load(Ordering::Relaxed) < settings.limits.max_events
            && limits.allow_another_move(&self.exploration.memory.totals)
        {
            let mut next_move =
                self.exploration.decide(rig, &app, limits, TraceState::InProgress)?;
            if !matches!(next_move, Move::Do(_)) {
                self.hand_over_trace(rig);
                if self.learn_from_others()? {
                    next_move =
                        self.exploration.decide(rig, &app, limits, TraceState::HandedOver)?;
                }
            }
            let reason = self.exploration.memory.strategy.reason();
            let events_before = self.exploration.memory.totals.events;
            self.exploration.make_move(&next_move, rig, limits, &reason)?;
            let events = self.exploration.memory.totals.events - events_before;
            self.shared.events.fetch_add(events, Ordering::Relaxed);
            self.send(ExplorerMessage::Moved);
        }
        Ok(())
    }

    /// Sends the current trace to the coordinator, if there is one.
    fn hand_over_trace(&mut self, rig: &Rig<'_>) {
        if let Some(trace) = self.take_trace(rig) {
            self.send(ExplorerMessage::Finished { explorer: self.number, trace: Arc::new(trace) });
        }
    }

    /// Takes the current trace with its observations. Returns `None` if the rig has lost its position, which happens
    /// only when its device was lost and could not be replaced.
    fn take_trace(&mut self, rig: &Rig<'_>) -> Option<FinishedTrace> {
        let trace = self.exploration.memory.trace.take()?;
        let began_with = self.exploration.memory.began_with;
        let travel = self.exploration.journal.take_travel();
        let observations = rig.observations().to_vec();
        let is_whole = observations.len() == trace.steps.len() + 1;
        debug_assert!(is_whole || observations.is_empty(), "the rig is at the end of the trace");
        is_whole.then_some(FinishedTrace { trace, began_with, observations, travel })
    }

    /// Learns from the traces that the other explorers have ended meanwhile. Returns true if there were any.
    fn learn_from_others(&mut self) -> Result<bool, ExploreError> {
        let mut has_learnt = false;
        // The snapshots of the others lie on their devices.
        let snapshots = std::mem::take(&mut self.exploration.memory.snapshots);
        while let Ok(trace) = self.traces.try_recv() {
            self.exploration.record_trace(&trace, &mut |_| {})?;
            has_learnt = true;
        }
        self.exploration.memory.snapshots = snapshots;
        self.exploration.memory.trace = None;
        Ok(has_learnt)
    }

    fn send(&self, message: ExplorerMessage) {
        // The coordinator receives until every explorer has ended; if it is gone, it has panicked already.
        let _ = self.to_coordinator.send(message);
    }
}
