//! Where an exploration writes what happens: into the run itself or, for one of several explorers, nowhere yet: it
//! only names what it saw and notes where it travelled, and hands both over with every trace that it ends.

use retap_model::format::run::{Recorder, RunError, RunInfo, TravelRow};
use retap_model::trace::{Return, StepResult};
use retap_model::{Event, Observation, WorldSeed};
use std::path::Path;

#[derive(Debug)]
pub enum Journal {
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

    /// Where the run lies; `None` where somebody else writes it.
    pub fn dir(&self) -> Option<&Path> {
        match self {
            Journal::Run(recorder) => Some(recorder.dir()),
            Journal::Notes { .. } => None,
        }
    }

    pub fn start(&mut self, world: WorldSeed, seen: &Observation) -> Result<StepResult, RunError> {
        match self {
            Journal::Run(recorder) => recorder.start(world, seen),
            Journal::Notes { info, .. } => Ok(name(info, seen)),
        }
    }

    pub fn start_return(
        &mut self,
        world: WorldSeed,
        returns: Return,
        seen: &Observation,
    ) -> Result<StepResult, RunError> {
        match self {
            Journal::Run(recorder) => recorder.start_return(world, returns, seen),
            Journal::Notes { info, .. } => Ok(name(info, seen)),
        }
    }

    pub fn step(&mut self, event: &Event, seen: &Observation) -> Result<StepResult, RunError> {
        match self {
            Journal::Run(recorder) => recorder.step(event, seen),
            Journal::Notes { info, .. } => Ok(name(info, seen)),
        }
    }

    pub fn note_travel(&mut self, row: TravelRow) -> Result<(), RunError> {
        match self {
            Journal::Run(recorder) => recorder.note_travel(row),
            Journal::Notes { travel, .. } => {
                travel.push(row);
                Ok(())
            }
        }
    }

    /// What was noted since last asked.
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

fn name(info: &RunInfo, seen: &Observation) -> StepResult {
    StepResult::of(seen, info.abstraction, &info.app.package)
}
