//! The journal that an exploration writes.
//!
//! A run of its own writes into the run directory. An explorer of a team writes nothing: it only turns observations
//! into results, notes its travel, and hands both over with every trace that it ends.

use retap_model::format::run::{Recorder, RunError, RunInfo, TravelRow};
use retap_model::trace::{Return, StepResult};
use retap_model::{Event, Observation, WorldSeed};
use std::path::Path;

#[derive(Debug)]
pub(crate) enum Journal {
    Run(Box<Recorder>),
    Notes { info: Box<RunInfo>, travel: Vec<TravelRow> },
}

impl Journal {
    pub fn notes(info: &RunInfo) -> Self {
        Journal::Notes { info: Box::new(info.clone()), travel: Vec::new() }
    }

    pub fn info(&self) -> &RunInfo {
        match self {
            Journal::Run(recorder) => recorder.info(),
            Journal::Notes { info, .. } => info,
        }
    }

    /// Returns the run directory; `None` for an explorer of a team.
    pub fn dir(&self) -> Option<&Path> {
        match self {
            Journal::Run(recorder) => Some(recorder.dir()),
            Journal::Notes { .. } => None,
        }
    }

    pub fn record_start(
        &mut self,
        world_seed: WorldSeed,
        observation: &Observation,
    ) -> Result<StepResult, RunError> {
        match self {
            Journal::Run(recorder) => recorder.record_start(world_seed, observation),
            Journal::Notes { info, .. } => Ok(result_of(info, observation)),
        }
    }

    /// Records the start of a trace whose first steps are a return.
    pub fn record_return_start(
        &mut self,
        world_seed: WorldSeed,
        returns: Return,
        observation: &Observation,
    ) -> Result<StepResult, RunError> {
        match self {
            Journal::Run(recorder) => recorder.record_return(world_seed, returns, observation),
            Journal::Notes { info, .. } => Ok(result_of(info, observation)),
        }
    }

    pub fn record_step(
        &mut self,
        event: &Event,
        observation: &Observation,
    ) -> Result<StepResult, RunError> {
        match self {
            Journal::Run(recorder) => recorder.record_step(event, observation),
            Journal::Notes { info, .. } => Ok(result_of(info, observation)),
        }
    }

    /// Adds a row to the travel log.
    pub fn note_travel(&mut self, row: TravelRow) -> Result<(), RunError> {
        match self {
            Journal::Run(recorder) => recorder.record_travel(row),
            Journal::Notes { travel, .. } => {
                travel.push(row);
                Ok(())
            }
        }
    }

    /// Takes the travel rows that an explorer of a team has noted.
    pub fn take_travel(&mut self) -> Vec<TravelRow> {
        match self {
            Journal::Run(_) => Vec::new(),
            Journal::Notes { travel, .. } => std::mem::take(travel),
        }
    }

    pub fn flush(&mut self) -> Result<(), RunError> {
        match self {
            Journal::Run(recorder) => recorder.flush(),
            Journal::Notes { .. } => Ok(()),
        }
    }
}

fn result_of(info: &RunInfo, observation: &Observation) -> StepResult {
    StepResult::of(observation, info.abstraction, &info.app.package)
}
