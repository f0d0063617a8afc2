//! The loop: ask the strategy, do it, record it, keep what was found.

use crate::findings::Findings;
use crate::strategy::{Lesson, Move, Place, Strategy};
use retap_device::{DeviceError, Rig};
use retap_model::format::run::{Recorder, RunError, keep_crash};
use retap_model::format::trace::Entry;
use retap_model::observation::OutcomeBrief;
use retap_model::trace::Led;
use retap_model::{App, Display, Event, Observation, Step, Trace, WorldSeed};
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
}

pub struct Exploration<'s> {
    recorder: Recorder,
    strategy: &'s mut dyn Strategy,
    findings: Findings,
    /// The trace that is being made: what a crash at its end is kept with.
    current: Option<Trace>,
}

impl std::fmt::Debug for Exploration<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Exploration").field("findings", &self.findings).finish_non_exhaustive()
    }
}

impl<'s> Exploration<'s> {
    pub fn new(recorder: Recorder, strategy: &'s mut dyn Strategy) -> Self {
        let findings = Findings::default();
        Self { recorder, strategy, findings, current: None }
    }

    /// Takes up what an earlier run recorded in `dir`.
    pub fn resume(dir: &Path, strategy: &'s mut dyn Strategy) -> Result<Self, RunError> {
        let mut findings = Findings::default();
        let mut current: Option<Trace> = None;
        let recorder = Recorder::resume(dir, |entry, units, row| {
            match entry {
                Entry::Start(world_seed, led) => {
                    findings.start(led);
                    strategy.learn(Lesson::Start(led));
                    let start = led.clone();
                    current = Some(Trace { world_seed: *world_seed, start, steps: Vec::new() });
                }
                Entry::Step(step) => {
                    findings.step(&step.led);
                    strategy.learn(Lesson::Step(step));
                    if let Some(trace) = current.as_mut() {
                        trace.steps.push(step.clone());
                    }
                }
            }
            findings.cover(units);
            if let Some(row) = row {
                findings.see_state(row);
            }
        })?;
        Ok(Self { recorder, strategy, findings, current })
    }

    pub fn findings(&self) -> &Findings {
        &self.findings
    }

    pub fn recorder(&self) -> &Recorder {
        &self.recorder
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
        let flushed = self.recorder.flush();
        result?;
        Ok(flushed?)
    }

    /// On disk up to here.
    pub fn flush(&mut self) -> Result<(), RunError> {
        self.recorder.flush()
    }

    fn explore(
        &mut self,
        rig: &mut Rig<'_>,
        limits: Limits,
        watch: &mut dyn FnMut(Progress<'_>) -> bool,
    ) -> Result<(), ExploreError> {
        let app = rig.app()?.clone();
        let display = rig.device()?.describe().display;
        self.stand_where_it_stopped(rig)?;
        while self.findings.events < limits.max_events {
            if !watch(Progress { findings: &self.findings, app: &app }) {
                break;
            }
            self.advance(rig, &app, display, limits.trace_length)?;
        }
        Ok(())
    }

    /// A run that is taken up goes on where it was, and what it meets there must be what it knew.
    fn stand_where_it_stopped(&self, rig: &mut Rig<'_>) -> Result<(), ExploreError> {
        let Some(trace) = self.current.as_ref().filter(|trace| !is_over(trace.last())) else {
            return Ok(());
        };
        let events: Vec<Event> = trace.events().cloned().collect();
        let seen = rig.go_to(trace.world_seed, &events, &|_, _| false)?;
        let same = seen.len() == events.len() + 1
            && seen.last().map(|seen| seen.screen.id()) == trace.last().screen;
        if same { Ok(()) } else { Err(ExploreError::Diverged { events: events.len() }) }
    }

    /// One restart or one event.
    fn advance(
        &mut self,
        rig: &mut Rig<'_>,
        app: &App,
        display: Display,
        trace_length: usize,
    ) -> Result<(), ExploreError> {
        let decision = self.findings.events;
        let goes_on = self
            .current
            .as_ref()
            .is_some_and(|trace| !is_over(trace.last()) && trace.steps.len() < trace_length);
        let next = match rig.here().filter(|_| goes_on) {
            Some(seen) => self.strategy.decide(&Place { app, display, seen, decision }),
            None => Move::Restart,
        };
        match next {
            Move::Restart => {
                let world_seed = self.recorder.info().world_seed;
                let seen = rig.reset(world_seed)?;
                self.record_start(world_seed, seen)
            }
            Move::Do(event) => {
                let seen = rig.perform(&event)?;
                self.record_step(event, seen)
            }
        }
    }

    fn record_start(&mut self, world: WorldSeed, seen: &Observation) -> Result<(), ExploreError> {
        let start = self.recorder.start(world, seen)?;
        self.current = Some(Trace { world_seed: world, start: start.clone(), steps: Vec::new() });
        self.keep_crash(seen, &start)?;
        self.findings.start(&start);
        self.strategy.learn(Lesson::Start(&start));
        self.note(seen);
        Ok(())
    }

    fn record_step(&mut self, event: Event, seen: &Observation) -> Result<(), ExploreError> {
        let led = self.recorder.step(&event, seen)?;
        let step = Step { event, led };
        if let Some(trace) = self.current.as_mut() {
            trace.steps.push(step.clone());
        }
        self.keep_crash(seen, &step.led)?;
        self.findings.step(&step.led);
        self.strategy.learn(Lesson::Step(&step));
        self.note(seen);
        Ok(())
    }

    fn note(&mut self, seen: &Observation) {
        self.findings.cover(&seen.coverage);
        self.findings.see_activity(&seen.screen.activity);
    }

    /// Keeps the current trace with the crash it ends in, if no shorter one is known. Before the
    /// findings are told, and on disk before the line that names it.
    fn keep_crash(&mut self, seen: &Observation, led: &Led) -> Result<(), ExploreError> {
        let (Some(crash), Some(id), Some(trace)) =
            (seen.outcome.crash(), led.outcome.crash(), self.current.as_ref())
        else {
            return Ok(());
        };
        if self.findings.is_better(id, trace.steps.len() as u64) {
            let header = self.recorder.info().trace_header();
            keep_crash(self.recorder.dir(), id, crash, &header, trace)?;
        }
        Ok(self.recorder.flush()?)
    }
}

/// Nothing can follow but a clean install.
fn is_over(led: &Led) -> bool {
    matches!(led.outcome, OutcomeBrief::Crashed { .. } | OutcomeBrief::NotResponding)
}
