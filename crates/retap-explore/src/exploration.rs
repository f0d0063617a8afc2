//! The exploring loop: ask the strategy for a move, make it, record it and keep what was found.

mod apart;
mod avoided;
mod journal;
mod limits;
mod memory;
mod moves;
mod novelty;
mod recording;
mod resuming;
mod team;
mod totals;
mod trace_end;

pub use apart::explore_apart;
pub use avoided::AvoidedEvents;
pub use limits::ExplorationLimits;
pub use novelty::Novelty;
pub use resuming::recall;
pub use team::{FinishedTrace, TeamSettings};
pub use totals::{CrashTotals, ExplorationTotals};
pub use trace_end::{ends_trace, is_host_limitation};

use crate::graph::StateGraph;
use crate::oracles::PassiveOracles;
use crate::policy::InterestingPolicy;
use crate::strategy::{Decision, DecisionContext, Move, Strategy, StrategyEnd};
use crate::travel::HeldSnapshots;
pub(crate) use journal::Journal;
pub(crate) use memory::RunMemory;
use retap_device::{DeviceError, Rig};
use retap_model::format::run::{Recorder, RunError, RunInfo};
use retap_model::{App, Event};
use retap_oracle::Oracles;
use std::path::Path;
use trace_end::is_over;

#[derive(Debug, thiserror::Error)]
pub enum ExploreError {
    #[error(transparent)]
    Device(#[from] DeviceError),
    #[error(transparent)]
    Output(#[from] RunError),
    #[error(
        "cannot resume the run: after {events} events the device shows another screen than the recorded one; \
         the app or the device has changed"
    )]
    Diverged { events: usize },
}

/// The state of an exploration for a progress line.
#[derive(Debug, Clone, Copy)]
pub struct ExplorationProgress<'a> {
    pub totals: &'a ExplorationTotals,
    pub app: &'a App,
    /// The last move and its reason. `None` before the first move and for a team.
    pub last_decision: Option<&'a Decision>,
}

/// A run that is being explored.
pub struct Exploration<'s> {
    pub(crate) journal: Journal,
    pub(crate) memory: RunMemory<'s>,
    pub(crate) oracles: Option<PassiveOracles>,
    snapshots: HeldSnapshots,
}

impl std::fmt::Debug for Exploration<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Exploration").field("totals", &self.memory.totals).finish_non_exhaustive()
    }
}

impl<'s> Exploration<'s> {
    pub fn new(
        recorder: Recorder,
        strategy: &'s mut dyn Strategy,
        interesting: InterestingPolicy,
        app: &App,
    ) -> Self {
        let memory = RunMemory::new(strategy, interesting, app);
        Self::with_memory(Journal::Run(Box::new(recorder)), memory)
    }

    fn with_memory(journal: Journal, memory: RunMemory<'s>) -> Self {
        Self { journal, memory, oracles: None, snapshots: HeldSnapshots::default() }
    }

    /// Shows every observation of the run to these oracles.
    pub fn with_oracles(mut self, oracles: Oracles) -> Self {
        self.oracles = self.journal.dir().map(|dir| PassiveOracles::new(oracles, dir));
        self
    }

    /// Resumes the run that was recorded in `dir`.
    pub fn resume(
        dir: &Path,
        strategy: &'s mut dyn Strategy,
        interesting: InterestingPolicy,
        app: &App,
    ) -> Result<Self, RunError> {
        resuming::resume(dir, RunMemory::new(strategy, interesting, app))
    }

    pub fn totals(&self) -> &ExplorationTotals {
        &self.memory.totals
    }

    pub fn graph(&self) -> &StateGraph {
        &self.memory.graph
    }

    pub fn info(&self) -> &RunInfo {
        self.journal.info()
    }

    /// Explores until a limit is reached, the strategy is done or `watch` returns false. However it ends, everything that happened is on
    /// disk.
    pub fn run(
        &mut self,
        rig: &mut Rig<'_>,
        limits: ExplorationLimits,
        watch: &mut dyn FnMut(ExplorationProgress<'_>) -> bool,
    ) -> Result<(), ExploreError> {
        let result = self.explore(rig, limits, watch);
        let flushed = self.journal.flush();
        result?;
        Ok(flushed?)
    }

    /// Writes everything recorded so far to disk.
    pub fn flush(&mut self) -> Result<(), RunError> {
        self.journal.flush()
    }

    fn explore(
        &mut self,
        rig: &mut Rig<'_>,
        limits: ExplorationLimits,
        watch: &mut dyn FnMut(ExplorationProgress<'_>) -> bool,
    ) -> Result<(), ExploreError> {
        let app = rig.app()?.clone();
        self.restore_position(rig)?;
        let mut last_decision: Option<Decision> = None;
        while limits.allow_another_move(&self.memory.totals)
            && !self.memory.strategy.is_done()
            && self.strategy_end().is_none()
        {
            let totals = &self.memory.totals;
            let last_move = last_decision.as_ref();
            if !watch(ExplorationProgress { totals, app: &app, last_decision: last_move }) {
                break;
            }
            last_decision = Some(self.advance(rig, &app, limits)?);
        }
        Ok(())
    }

    /// Makes one move of the strategy and returns it with its reason.
    pub fn advance(
        &mut self,
        rig: &mut Rig<'_>,
        app: &App,
        limits: ExplorationLimits,
    ) -> Result<Decision, ExploreError> {
        let next_move = self.decide(rig, app, limits, TraceState::InProgress)?;
        let reason = self.memory.strategy.reason();
        if self.strategy_end().is_none() {
            self.make_move(&next_move, rig, limits, &reason)?;
        }
        Ok(Decision { next_move, reason })
    }

    /// Returns how the strategy has ended, if it decides no more.
    pub fn strategy_end(&self) -> Option<StrategyEnd> {
        self.memory.strategy.end()
    }

    /// Returns true if a trace has begun.
    pub fn has_trace(&self) -> bool {
        self.memory.trace.is_some()
    }

    /// Returns the current trace, if one has begun.
    pub fn trace(&self) -> Option<&retap_model::Trace> {
        self.memory.trace.as_ref()
    }

    /// Returns true if no event can follow the current trace.
    pub fn is_trace_over(&self) -> bool {
        self.memory.trace.as_ref().is_none_or(is_over)
    }

    /// Brings the rig to the end of the current trace, for a run that is resumed. It fails if the device shows
    /// another screen there than the recorded one.
    pub fn restore_position(&self, rig: &mut Rig<'_>) -> Result<(), ExploreError> {
        let Some(trace) = self.memory.trace.as_ref() else { return Ok(()) };
        let events: Vec<Event> = trace.events().cloned().collect();
        let observations = rig.go_to(trace.world_seed, &events, &|_, _| false)?;
        let is_same = observations.len() == events.len() + 1
            && observations.last().map(|last| last.screen.id()) == trace.last().screen;
        if is_same {
            Ok(())
        } else if ends_trace(trace.last()) {
            // No event could have followed, so a crash that does not come again does no harm.
            rig.forget_position();
            Ok(())
        } else {
            Err(ExploreError::Diverged { events: events.len() })
        }
    }

    /// Asks the strategy for the next move. Without a trace that move is a restart, unless a trace was handed over:
    /// then the strategy chooses where the next one begins.
    fn decide(
        &mut self,
        rig: &mut Rig<'_>,
        app: &App,
        limits: ExplorationLimits,
        trace_state: TraceState,
    ) -> Result<Move, ExploreError> {
        let description = rig.describe()?;
        let (display, has_snapshots) = (description.display, description.snapshots);
        let is_trace_over = match (self.memory.trace.as_ref(), trace_state) {
            (Some(trace), _) => is_over(trace) || trace.steps.len() >= limits.trace_length,
            (None, TraceState::HandedOver) => true,
            (None, TraceState::InProgress) => return Ok(Move::Restart),
        };
        // A resumed trace that ended in a crash leaves the rig without a position.
        let Some(observation) = rig.last_observation() else { return Ok(Move::Restart) };
        let totals = &self.memory.totals;
        let context = DecisionContext {
            app,
            display,
            observation,
            decision_number: totals.events + totals.returns,
            graph: &self.memory.graph,
            avoided: &self.memory.avoided,
            is_trace_over,
            has_snapshots,
            path_limit: limits.path_limit(totals.events, has_snapshots),
        };
        Ok(match self.memory.strategy.decide(&context) {
            Move::Do(_) if is_trace_over => Move::Restart,
            next_move => next_move,
        })
    }
}

/// The state of the current trace when the next move is decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TraceState {
    InProgress,
    /// The trace was handed over to the coordinator of a team.
    HandedOver,
}
