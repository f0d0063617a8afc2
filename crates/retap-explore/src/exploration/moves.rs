//! Makes a move: a restart, a return to a state, or an event.

use super::{Exploration, ExplorationLimits, ExploreError};
use crate::strategy::Move;
use crate::travel::{ReturnAttempt, ReturnOutcome, ReturnPath};
use retap_device::Rig;
use retap_model::StateId;
use retap_model::format::run::{TravelKind, TravelRow};
use retap_model::trace::Return;

impl Exploration<'_> {
    /// Makes one move, whoever chose it, and records it.
    pub fn make_move(
        &mut self,
        next_move: &Move,
        rig: &mut Rig<'_>,
        limits: ExplorationLimits,
        reason: &str,
    ) -> Result<(), ExploreError> {
        match next_move {
            Move::Restart => self.restart(rig, reason),
            Move::Return(to) => self.return_to(*to, rig, limits, reason),
            Move::Do(event) => {
                let observation = rig.perform(event)?;
                let is_interesting = self.record_step(event.clone(), observation)?;
                if is_interesting && self.memory.strategy.wants_snapshots() {
                    self.save_snapshot(rig)?;
                }
                Ok(())
            }
        }
    }

    fn restart(&mut self, rig: &mut Rig<'_>, reason: &str) -> Result<(), ExploreError> {
        let from = self.memory.graph.current_state();
        if let Some(from) = from.filter(|_| !reason.is_empty()) {
            let row = TravelRow::new(TravelKind::Restarted, from);
            self.journal.note_travel(TravelRow { why: reason.into(), ..row })?;
        }
        let world_seed = self.journal.info().world_seed;
        let observation = rig.reset(world_seed)?;
        self.record_start(world_seed, observation)?;
        if self.memory.strategy.wants_snapshots() { self.save_snapshot(rig) } else { Ok(()) }
    }

    /// Returns to a state. It restarts instead if no path is known or none that the limits have room for.
    fn return_to(
        &mut self,
        to: StateId,
        rig: &mut Rig<'_>,
        limits: ExplorationLimits,
        reason: &str,
    ) -> Result<(), ExploreError> {
        let has_snapshots = rig.describe()?.snapshots;
        let events_so_far = self.memory.totals.events;
        let path_limit = limits.path_limit(events_so_far, has_snapshots);
        let path = self.choose_path(to, has_snapshots).filter(|path| path.len() < path_limit);
        let Some(path) = path else { return self.restart(rig, reason) };
        let spared = if has_snapshots { self.events_spared(&path, rig)? } else { 0 };
        if (path.len() - spared) as u64 >= limits.events_left(events_so_far) {
            return self.restart(rig, reason);
        }
        let info = self.journal.info();
        let (world_seed, abstraction) = (info.world_seed, info.abstraction);
        let max_events = match &path {
            ReturnPath::Recorded(_) => path_limit,
            // A shortcut must not take more events than the recorded path.
            ReturnPath::Shortcut(_) => {
                self.memory.graph.path_length(to).unwrap_or(path_limit).min(path_limit)
            }
        };
        let attempt =
            ReturnAttempt { world_seed, destination: to, path: &path, abstraction, max_events };
        let outcome = attempt.run(rig, &self.memory.graph)?;
        let steps = rig.events().len();
        let kind = match outcome {
            ReturnOutcome::Arrived => TravelKind::Returned,
            ReturnOutcome::ArrivedAfterRepair => TravelKind::Repaired,
            ReturnOutcome::Failed => TravelKind::Failed,
        };
        let row = TravelRow::new(kind, to);
        self.journal.note_travel(TravelRow { steps: Some(steps), why: reason.into(), ..row })?;
        let events = steps.saturating_sub(spared) as u64;
        let returns = Return { to, steps, events };
        self.record_return(world_seed, returns, rig.events(), rig.observations())?;
        if outcome == ReturnOutcome::Failed { Ok(()) } else { self.save_snapshot(rig) }
    }

    /// Chooses the path of a return. With snapshots it is the recorded path, because a snapshot lies at its end.
    /// Without them every event must be run, and a shortcut is better.
    fn choose_path(&self, to: StateId, has_snapshots: bool) -> Option<ReturnPath> {
        let graph = &self.memory.graph;
        let shortcut = if has_snapshots { None } else { graph.find_shortcut(to) };
        shortcut
            .map(ReturnPath::Shortcut)
            .or_else(|| graph.recorded_path(to).map(ReturnPath::Recorded))
    }

    /// Returns the number of events of a path that need not be run: a snapshot lies there, or the device is there.
    fn events_spared(&self, path: &ReturnPath, rig: &mut Rig<'_>) -> Result<usize, ExploreError> {
        let ReturnPath::Recorded(events) = path else { return Ok(0) };
        let by_snapshot = self.memory.snapshots.events_spared(events);
        let can_continue = rig.describe()?.deterministic;
        let trace = self.memory.trace.as_ref().filter(|_| can_continue);
        let by_position = trace
            .filter(|trace| {
                trace.steps.len() <= events.len() && trace.events().eq(&events[..trace.steps.len()])
            })
            .map_or(0, |trace| trace.steps.len());
        Ok(by_snapshot.max(by_position))
    }

    /// Saves a snapshot of the current state, if the device can.
    pub fn save_snapshot(&mut self, rig: &mut Rig<'_>) -> Result<(), ExploreError> {
        let state = self.memory.graph.current_state().filter(|_| !self.is_trace_over());
        let Some(state) = state else { return Ok(()) };
        self.memory.record_snapshot();
        for row in self.snapshots.save(rig, state, &self.memory.snapshots)? {
            self.journal.note_travel(row)?;
        }
        Ok(())
    }
}
