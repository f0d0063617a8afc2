//! The loop: ask the strategy, do it, record it, keep what was found.

use crate::findings::Findings;
use crate::graph::Graph;
use crate::interesting::Interesting;
use crate::journal::Journal;
use crate::snapshots::Snapshots;
use crate::strategy::{Move, Place, Strategy};
use crate::watching::Watcher;
use retap_device::{DeviceError, Rig};
use retap_model::format::run::{Recorder, RunError, RunInfo};
use retap_model::observation::RecordedOutcome;
use retap_model::trace::{Return, StepResult};
use retap_model::{App, Event, Trace};
use retap_oracle::Oracles;
use std::path::Path;

#[derive(Debug, thiserror::Error)]
pub enum ExploreError {
    #[error(transparent)]
    Device(#[from] DeviceError),
    #[error(transparent)]
    Output(#[from] RunError),
    #[error(
        "the run cannot be taken up: after {events} events the device shows another screen than was \
         recorded; the app or the device has changed"
    )]
    Diverged { events: usize },
}

/// Launches in a row that end in a crash before a run is given up.
const DEAD_LAUNCHES: u64 = 3;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    pub max_events: u64,
    /// A trace that grows longer than this is ended and a new one begun, so that every trace stays
    /// short enough to be replayed, minimised and held in memory.
    pub trace_length: usize,
}

/// What a progress line shows.
#[derive(Debug, Clone, Copy)]
pub struct Progress<'a> {
    pub findings: &'a Findings,
    pub app: &'a App,
    /// The last move and why it was made.
    pub last: Option<(&'a Move, &'a str)>,
}

pub struct Exploration<'s> {
    pub(crate) journal: Journal,
    pub(crate) strategy: &'s mut dyn Strategy,
    pub(crate) findings: Findings,
    pub(crate) graph: Graph,
    pub(crate) sees_code: bool,
    /// The trace that is being made: what a crash at its end is kept with.
    pub(crate) current: Option<Trace>,
    /// How it began, if not with a clean launch.
    pub(crate) began: Option<Return>,
    pub(crate) snapshots: Snapshots,
    pub(crate) watcher: Option<Watcher>,
}

impl std::fmt::Debug for Exploration<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Exploration").field("findings", &self.findings).finish_non_exhaustive()
    }
}

impl<'s> Exploration<'s> {
    pub fn new(
        recorder: Recorder,
        strategy: &'s mut dyn Strategy,
        interesting: Interesting,
        app: &App,
    ) -> Self {
        Self::with_journal(Journal::Run(Box::new(recorder)), strategy, interesting, app)
    }

    pub(crate) fn with_journal(
        journal: Journal,
        strategy: &'s mut dyn Strategy,
        interesting: Interesting,
        app: &App,
    ) -> Self {
        Self {
            journal,
            strategy,
            findings: Findings::default(),
            graph: Graph::new(interesting),
            sees_code: !app.units.is_empty(),
            current: None,
            began: None,
            snapshots: Snapshots::default(),
            watcher: None,
        }
    }

    /// Lets these oracles see what the run sees.
    pub fn watched_by(mut self, oracles: Oracles) -> Self {
        self.watcher = self.journal.dir().map(|dir| Watcher::new(oracles, dir));
        self
    }

    /// Takes up what an earlier run recorded in `dir`.
    pub fn resume(
        dir: &Path,
        strategy: &'s mut dyn Strategy,
        interesting: Interesting,
        app: &App,
    ) -> Result<Self, RunError> {
        crate::memory::resume(dir, strategy, interesting, app)
    }

    pub fn findings(&self) -> &Findings {
        &self.findings
    }

    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    pub fn info(&self) -> &RunInfo {
        self.journal.info()
    }

    /// Explores until a limit is reached or `watch` answers `false`. Whatever ends it, all that
    /// happened is on disk.
    pub fn run(
        &mut self,
        rig: &mut Rig<'_>,
        limits: Limits,
        watch: &mut dyn FnMut(Progress<'_>) -> bool,
    ) -> Result<(), ExploreError> {
        let result = self.explore(rig, limits, watch);
        let flushed = self.journal.flush();
        result?;
        Ok(flushed?)
    }

    /// On disk up to here.
    pub fn flush(&mut self) -> Result<(), RunError> {
        self.journal.flush()
    }

    fn explore(
        &mut self,
        rig: &mut Rig<'_>,
        limits: Limits,
        watch: &mut dyn FnMut(Progress<'_>) -> bool,
    ) -> Result<(), ExploreError> {
        let app = rig.app()?.clone();
        self.stand_where_it_stopped(rig)?;
        let mut last: Option<(Move, String)> = None;
        while can_go_on(&self.findings, limits) {
            let why = last.as_ref().map(|(last, why)| (last, why.as_str()));
            if !watch(Progress { findings: &self.findings, app: &app, last: why }) {
                break;
            }
            last = Some(self.advance(rig, &app, limits)?);
        }
        Ok(())
    }

    /// One move of the strategy's, and why.
    pub fn advance(
        &mut self,
        rig: &mut Rig<'_>,
        app: &App,
        limits: Limits,
    ) -> Result<(Move, String), ExploreError> {
        let next = self.decide(rig, app, limits, false)?;
        let why = self.strategy.why();
        self.take(&next, rig, limits, &why)?;
        Ok((next, why))
    }

    /// Whether there is a trace to go on with.
    pub fn is_begun(&self) -> bool {
        self.current.is_some()
    }

    /// Whether nothing can follow where the run stands.
    pub fn is_over(&self) -> bool {
        self.current.as_ref().is_none_or(|trace| is_over(trace.last()))
    }

    /// A run that is taken up goes on where it was, and what it meets there must be what it knew.
    pub fn stand_where_it_stopped(&self, rig: &mut Rig<'_>) -> Result<(), ExploreError> {
        let Some(trace) = self.current.as_ref() else { return Ok(()) };
        let events: Vec<Event> = trace.events().cloned().collect();
        let seen = rig.go_to(trace.world_seed, &events, &|_, _| false)?;
        let same = seen.len() == events.len() + 1
            && seen.last().map(|seen| seen.screen.id()) == trace.last().screen;
        if same {
            Ok(())
        } else if is_over(trace.last()) {
            // Nothing could have followed: a crash that does not come again is no obstacle.
            rig.leave();
            Ok(())
        } else {
            Err(ExploreError::Diverged { events: events.len() })
        }
    }

    /// The next move from here; where to begin anew if the trace is `ended` whatever it ended in.
    pub(crate) fn decide(
        &mut self,
        rig: &mut Rig<'_>,
        app: &App,
        limits: Limits,
        ended: bool,
    ) -> Result<Move, ExploreError> {
        let description = rig.device()?.describe();
        let (display, snapshots) = (description.display, description.snapshots);
        let is_over = match self.current.as_ref() {
            Some(trace) => is_over(trace.last()) || trace.steps.len() >= limits.trace_length,
            None if ended => true,
            None => return Ok(Move::Restart),
        };
        // A trace that was taken up after its app was gone is not stood in any more.
        let Some(seen) = rig.here() else { return Ok(Move::Restart) };
        let decision = self.findings.events + self.findings.returns;
        let room = room(limits, self.findings.events, snapshots);
        let graph = &self.graph;
        let place = Place { app, display, seen, decision, graph, is_over, snapshots, room };
        Ok(match self.strategy.decide(&place) {
            Move::Do(_) if is_over => Move::Restart,
            next => next,
        })
    }
}

/// An app that does not survive its launch offers nothing to explore.
pub(crate) fn can_go_on(findings: &Findings, limits: Limits) -> bool {
    findings.events < limits.max_events && findings.dead_launches < DEAD_LAUNCHES
}

/// How long a trace may still become: what is left counts only where the events of a way back do.
pub(crate) fn room(limits: Limits, events: u64, free: bool) -> usize {
    let left = limits.max_events.saturating_sub(events);
    if free { limits.trace_length } else { limits.trace_length.min(left as usize) }
}

/// Nothing can follow but a clean install.
pub(crate) fn is_over(result: &StepResult) -> bool {
    matches!(result.outcome, RecordedOutcome::Crashed { .. } | RecordedOutcome::NotResponding)
}
