//! The executions that a lab remembers. On a deterministic device the same events in the same world give the
//! same observations, so an execution that is known as a whole need not run again.
//!
//! An event that misses its widget changes nothing. So it leads back to where it was tried, and events that
//! differ only in such misses share one known execution.

use super::{Execution, Job};
use retap_model::{Event, Observation, Outcome, WorldSeed};
use std::collections::BTreeMap;

/// All is forgotten beyond this many positions, so that memory stays bounded.
const MAX_POSITIONS: usize = 50_000;

/// A tree of positions. Each is reached from a clean install by the events on the way to it.
#[derive(Debug, Default)]
pub(super) struct KnownExecutions {
    launches: BTreeMap<WorldSeed, usize>,
    positions: Vec<KnownPosition>,
}

#[derive(Debug)]
struct KnownPosition {
    observation: Observation,
    next: BTreeMap<Event, KnownStep>,
}

#[derive(Debug)]
enum KnownStep {
    To(usize),
    Missed(Observation),
}

impl KnownExecutions {
    /// Remembers an execution of the job.
    pub fn learn(&mut self, job: &Job, execution: &Execution) {
        if self.positions.len() > MAX_POSITIONS {
            *self = Self::default();
        }
        let Some((launch, others)) = execution.observations.split_first() else { return };
        let mut here = match self.launches.get(&job.world_seed) {
            Some(&known) => known,
            None => {
                let added = self.add(launch);
                self.launches.insert(job.world_seed, added);
                added
            }
        };
        for (event, observation) in job.events.iter().zip(others) {
            match self.positions[here].next.get(event) {
                Some(KnownStep::To(known)) => here = *known,
                Some(KnownStep::Missed(_)) => {}
                None if observation.outcome == Outcome::Missed => {
                    let missed = KnownStep::Missed(observation.clone());
                    self.positions[here].next.insert(event.clone(), missed);
                }
                None => {
                    let added = self.add(observation);
                    self.positions[here].next.insert(event.clone(), KnownStep::To(added));
                    here = added;
                }
            }
        }
    }

    /// Returns the execution of the job if it is known to its end: all its events, or those up to a crash or
    /// to where `stop_when` ends it.
    pub fn find(
        &self,
        job: &Job,
        stop_when: &dyn Fn(usize, &Observation) -> bool,
    ) -> Option<Execution> {
        let mut here = *self.launches.get(&job.world_seed)?;
        let mut observations = vec![self.positions[here].observation.clone()];
        let mut events = job.events.iter();
        loop {
            let last = observations.last()?;
            if last.outcome.is_final() || stop_when(observations.len() - 1, last) {
                return Some(Execution { observations });
            }
            let Some(event) = events.next() else { return Some(Execution { observations }) };
            match self.positions[here].next.get(event)? {
                KnownStep::Missed(observation) => observations.push(observation.clone()),
                KnownStep::To(next) => {
                    here = *next;
                    observations.push(self.positions[here].observation.clone());
                }
            }
        }
    }

    fn add(&mut self, observation: &Observation) -> usize {
        let observation = observation.clone();
        self.positions.push(KnownPosition { observation, next: BTreeMap::new() });
        self.positions.len() - 1
    }
}
