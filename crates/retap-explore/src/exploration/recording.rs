//! Records what has just happened: its line in the journal, its place in the memory and, for a crash or a finding,
//! the trace that led to it.

use super::memory::EntryDetails;
use super::{Exploration, ExploreError};
use retap_model::crash::CrashId;
use retap_model::format::run::{keep_crash, keep_limitation};
use retap_model::trace::Return;
use retap_model::{Event, Observation, Step, Trace, WorldSeed};

/// The number of host limitations whose traces are kept.
const MAX_LIMITATIONS: usize = 100;

impl<'a> EntryDetails<'a> {
    fn of(observation: &'a Observation) -> Self {
        Self {
            units: &observation.coverage,
            activity: &observation.screen.activity,
            screen: Some(&observation.screen),
        }
    }
}

impl Exploration<'_> {
    /// Records a trace that has begun with a clean launch.
    pub(super) fn record_start(
        &mut self,
        world_seed: WorldSeed,
        observation: &Observation,
    ) -> Result<(), ExploreError> {
        let start = self.journal.record_start(world_seed, observation)?;
        let crash = self.memory.record_start(world_seed, start, &EntryDetails::of(observation));
        self.keep_evidence(observation, crash)
    }

    /// Records a step of the current trace. Returns true if it led to a new interesting state.
    pub(super) fn record_step(
        &mut self,
        event: Event,
        observation: &Observation,
    ) -> Result<bool, ExploreError> {
        // Checked before the line is written, so that a bug does not leave a broken trace on disk.
        assert!(self.has_trace(), "an event was performed before any trace began: {event}");
        let result = self.journal.record_step(&event, observation)?;
        let step = Step { event, result };
        let recorded = self.memory.record_step(step, &EntryDetails::of(observation));
        self.keep_evidence(observation, recorded.new_or_shorter_crash)?;
        Ok(recorded.is_interesting)
    }

    /// Records a trace that has begun with a return, all its steps at once: the path was run before any of it is
    /// written. There is one observation more than events.
    pub(super) fn record_return(
        &mut self,
        world_seed: WorldSeed,
        returns: Return,
        events: &[Event],
        observations: &[Observation],
    ) -> Result<(), ExploreError> {
        let is_aligned = observations.len() == events.len() + 1;
        let Some((first, others)) = observations.split_first().filter(|_| is_aligned) else {
            panic!("a return of {} events has {} observations", events.len(), observations.len());
        };
        let start = self.journal.record_return_start(world_seed, returns, first)?;
        let mut trace = Trace { world_seed, start, steps: Vec::with_capacity(events.len()) };
        for (event, observation) in events.iter().zip(others) {
            let result = self.journal.record_step(event, observation)?;
            trace.steps.push(Step { event: event.clone(), result });
        }
        let details: Vec<EntryDetails<'_>> = observations.iter().map(EntryDetails::of).collect();
        let crash = self.memory.record_return(trace, returns, &details);
        self.keep_evidence(others.last().unwrap_or(first), crash)
    }

    /// Keeps the current trace with the crash it ends in, if it is new or shorter, and with what the oracles find. A
    /// crash is on disk before the line that names it.
    fn keep_evidence(
        &mut self,
        observation: &Observation,
        new_or_shorter_crash: Option<CrashId>,
    ) -> Result<(), ExploreError> {
        let Some(trace) = self.memory.trace.as_ref() else { return Ok(()) };
        if let Some(crash) = observation.outcome.crash() {
            if let Some((dir, id)) = self.journal.dir().zip(new_or_shorter_crash) {
                keep_crash(dir, id, crash, &self.journal.info().trace_header(), trace)?;
            }
            self.journal.flush()?;
        }
        let totals = &self.memory.totals.host_limitations;
        for limitation in &observation.host_limitations {
            let is_new = totals.get(limitation) == Some(&1) && totals.len() <= MAX_LIMITATIONS;
            if let Some(dir) = self.journal.dir().filter(|_| is_new) {
                keep_limitation(dir, limitation, &self.journal.info().trace_header(), trace)?;
            }
        }
        if let Some(oracles) = &mut self.oracles {
            oracles.examine(observation, trace, &self.journal)?;
        }
        Ok(())
    }
}
