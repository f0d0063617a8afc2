//! Writes a run's trace, states, screens and coverage while the run goes on.

use super::appender::Appender;
use super::coverage::{CoverageRow, write_units};
use super::reader::StateRow;
use super::{
    COVERAGE, INFO, Lock, RunError, RunInfo, STATES, TRACE, TRAVEL, TravelRow, UNITS, screen_path,
    write_whole,
};
use crate::abstraction::Abstraction;
use crate::app::WorldSeed;
use crate::coverage::{Coverage, CoverageId, Units};
use crate::event::Event;
use crate::format::trace::{write_header, write_return, write_start, write_step};
use crate::observation::Observation;
use crate::screen::{Screen, ScreenId};
use crate::state::StateId;
use crate::trace::{Return, StepResult};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The recorder writes its lines when it has buffered this many bytes, or when the caller flushes.
const BUFFER: usize = 64 << 10;

/// It writes them after this many entries too: a kill loses no more, and an event of a real device costs far more than
/// a write.
const MAX_BUFFERED: u64 = 16;

/// Writes a run directory.
#[derive(Debug)]
pub struct Recorder {
    pub(super) dir: PathBuf,
    pub(super) _lock: Lock,
    pub(super) info: RunInfo,
    pub(super) trace: Appender,
    pub(super) states: Appender,
    pub(super) coverage: Appender,
    pub(super) travel: Appender,
    pub(super) known_screens: BTreeSet<ScreenId>,
    pub(super) known_coverage: BTreeSet<CoverageId>,
    pub(super) known_states: BTreeSet<StateId>,
    pub(super) steps: u64,
    pub(super) starts: u64,
    /// The entries that were recorded when the lines were written last.
    pub(super) flushed: u64,
    pub(super) last: LastObservation,
}

/// The last screen and coverage with their ids. Most events change neither, and the device then
/// passes the very same allocation.
#[derive(Debug, Default)]
pub(super) struct LastObservation {
    screen: Option<(Arc<Screen>, ScreenId, StateId)>,
    coverage: Option<(Arc<Coverage>, CoverageId)>,
}

impl Recorder {
    /// Creates a run in a new or empty directory.
    pub fn create(dir: &Path, info: RunInfo, units: &Units) -> Result<Self, RunError> {
        let lock = Lock::create(dir)?;
        super::write_json(&dir.join(INFO), &info)?;
        write_units(&dir.join(UNITS), units)?;
        let mut trace = Appender::open(dir.join(TRACE), 0)?;
        write_header(&mut trace.pending, &info.trace_header()).map_err(RunError::io(dir))?;
        trace.flush()?;
        Ok(Self {
            dir: dir.to_path_buf(),
            _lock: lock,
            info,
            trace,
            states: Appender::open(dir.join(STATES), 0)?,
            coverage: Appender::open(dir.join(COVERAGE), 0)?,
            travel: Appender::open(dir.join(TRAVEL), 0)?,
            known_screens: BTreeSet::new(),
            known_coverage: BTreeSet::new(),
            known_states: BTreeSet::new(),
            steps: 0,
            starts: 0,
            flushed: 0,
            last: LastObservation::default(),
        })
    }

    pub fn dir(&self) -> &Path {
        &self.dir
    }

    pub fn info(&self) -> &RunInfo {
        &self.info
    }

    /// Records the launch that begins a trace.
    pub fn record_start(
        &mut self,
        world: WorldSeed,
        observation: &Observation,
    ) -> Result<StepResult, RunError> {
        self.starts += 1;
        let result = self.result(observation)?;
        write_start(&mut self.trace.pending, world, &result).map_err(RunError::io(&self.dir))?;
        self.flush_if_full()?;
        Ok(result)
    }

    /// Records the start of a trace that returns to a state. The steps of the path must follow.
    pub fn record_return(
        &mut self,
        world: WorldSeed,
        returns: Return,
        observation: &Observation,
    ) -> Result<StepResult, RunError> {
        self.starts += 1;
        let result = self.result(observation)?;
        write_return(&mut self.trace.pending, world, returns, &result)
            .map_err(RunError::io(&self.dir))?;
        Ok(result)
    }

    /// Records a line of `travel.jsonl`, for people who audit the run.
    pub fn record_travel(&mut self, mut row: TravelRow) -> Result<(), RunError> {
        row.entry = self.steps + self.starts;
        self.travel.append_json(&row)
    }

    /// Records a step of the current trace.
    pub fn record_step(
        &mut self,
        event: &Event,
        observation: &Observation,
    ) -> Result<StepResult, RunError> {
        self.steps += 1;
        let result = self.result(observation)?;
        write_step(&mut self.trace.pending, event, &result).map_err(RunError::io(&self.dir))?;
        self.flush_if_full()?;
        Ok(result)
    }

    /// Writes all buffered lines to disk. Files that others refer to come first.
    pub fn flush(&mut self) -> Result<(), RunError> {
        self.flushed = self.steps + self.starts;
        self.coverage.flush()?;
        self.states.flush()?;
        self.travel.flush()?;
        self.trace.flush()
    }

    fn flush_if_full(&mut self) -> Result<(), RunError> {
        let buffered = self.steps + self.starts - self.flushed;
        let bytes = self.trace.pending.len() + self.coverage.pending.len();
        if bytes > BUFFER || buffered >= MAX_BUFFERED {
            self.flush()?;
        }
        Ok(())
    }

    /// Returns the observation's ids, and writes its screen and coverage set if they are new.
    fn result(&mut self, observation: &Observation) -> Result<StepResult, RunError> {
        let (screen, state) = self.keep_screen(&observation.screen)?;
        let coverage = self.keep_coverage(&observation.coverage)?;
        Ok(StepResult {
            state: Some(state),
            screen: Some(screen),
            coverage,
            elapsed_ms: observation.elapsed_ms,
            outcome: observation.outcome.recorded(&self.info.app.package),
            host_limitations: observation.host_limitations.clone(),
        })
    }

    fn keep_screen(&mut self, screen: &Arc<Screen>) -> Result<(ScreenId, StateId), RunError> {
        if let Some((last, id, state)) = &self.last.screen
            && Arc::ptr_eq(last, screen)
        {
            return Ok((*id, *state));
        }
        let id = screen.id();
        let abstraction: Abstraction = self.info.abstraction;
        let state = abstraction.state(screen);
        if self.known_screens.insert(id) {
            let path = screen_path(&self.dir, id);
            if let Some(folder) = path.parent() {
                fs::create_dir_all(folder).map_err(RunError::io(folder))?;
            }
            let bytes = serde_json::to_vec(screen).map_err(|e| RunError::io(&path)(e.into()))?;
            write_whole(&path, &bytes)?;
        }
        if self.known_states.insert(state) {
            let activity = screen.activity.clone();
            self.states.append_json(&StateRow { state, activity, screen: id, step: self.steps })?;
        }
        self.last.screen = Some((Arc::clone(screen), id, state));
        Ok((id, state))
    }

    fn keep_coverage(&mut self, units: &Arc<Coverage>) -> Result<Option<CoverageId>, RunError> {
        if let Some((last, id)) = &self.last.coverage
            && Arc::ptr_eq(last, units)
        {
            return Ok(Some(*id));
        }
        if units.is_empty() {
            return Ok(None);
        }
        let id = units.id();
        if self.known_coverage.insert(id) {
            self.coverage.append_json(&CoverageRow { id, units: (**units).clone() })?;
        }
        self.last.coverage = Some((Arc::clone(units), id));
        Ok(Some(id))
    }
}
