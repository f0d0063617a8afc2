//! Writes a run's trace, states, screens and coverage while the run goes on, and takes up where a
//! killed run stopped.

use super::appender::Appender;
use super::reader::{StateRow, read_rows};
use super::{
    COVERAGE, INFO, Lock, RunError, RunInfo, STATES, TRACE, TRAVEL, TravelRow, UNITS, screen_path,
    write_whole,
};
use crate::abstraction::Abstraction;
use crate::app::WorldSeed;
use crate::coverage::{Coverage, CoverageId, Units};
use crate::event::Event;
use crate::format::trace::{
    Entry, TraceReader, write_header, write_return, write_start, write_step,
};
use crate::observation::Observation;
use crate::screen::{Screen, ScreenId};
use crate::state::StateId;
use crate::trace::{Led, Return};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Lines are kept back until there are this many bytes, or the caller flushes.
const BUFFER: usize = 64 << 10;

#[derive(Debug)]
pub struct Recorder {
    dir: PathBuf,
    _lock: Lock,
    info: RunInfo,
    trace: Appender,
    states: Appender,
    coverage: Appender,
    travel: Appender,
    known_screens: BTreeSet<ScreenId>,
    known_coverage: BTreeSet<CoverageId>,
    known_states: BTreeSet<StateId>,
    steps: u64,
    starts: u64,
    last: Last,
}

/// What the last observation was: most events change neither screen nor coverage set, and the device
/// then hands over the very same allocation.
#[derive(Debug, Default)]
struct Last {
    screen: Option<(Arc<Screen>, ScreenId, StateId)>,
    coverage: Option<(Arc<Coverage>, CoverageId)>,
}

/// A line of `coverage.jsonl`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SetRow {
    pub id: CoverageId,
    pub units: Coverage,
}

impl Recorder {
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
            last: Last::default(),
        })
    }

    /// Takes up a run. Half-written last lines are cut off, and so is a return whose steps are not all
    /// there; `each` sees every entry that is left, with the units its step covered and, when it was the
    /// first visit of a state, that state's row.
    pub fn resume(
        dir: &Path,
        mut each: impl FnMut(&Entry, &Coverage, Option<&StateRow>),
    ) -> Result<Self, RunError> {
        let lock = Lock::resume(dir)?;
        let info: RunInfo = super::read_json(&dir.join(INFO), "what a run was asked to do")?;
        let mut sets = BTreeMap::new();
        let coverage_end = read_rows(&dir.join(COVERAGE), "a coverage set", |row: SetRow| {
            sets.insert(row.id, row.units);
        })?;
        let mut rows = BTreeMap::new();
        read_rows(&dir.join(STATES), "a state", |row: StateRow| {
            rows.insert(row.state, row);
        })?;

        let path = dir.join(TRACE);
        let file = File::open(&path).map_err(RunError::io(&path))?;
        let length = file.metadata().map_err(RunError::io(&path))?.len();
        let lines = std::io::Read::take(file, last_line_end(&path, length)?);
        let mut reader = TraceReader::new(BufReader::new(lines), &path.display().to_string())?;
        let mut known_screens = BTreeSet::new();
        let mut known_states = BTreeSet::new();
        let (mut steps, mut starts) = (0, 0);
        let nothing = Coverage::new();
        let mut cut = reader.consumed();
        while let Some(whole) = next_whole(&mut reader)? {
            for entry in &whole {
                let led = match entry {
                    Entry::Start(_, led, _) => {
                        starts += 1;
                        led
                    }
                    Entry::Step(step) => {
                        steps += 1;
                        &step.led
                    }
                };
                known_screens.extend(led.screen);
                let first = led.state.filter(|state| known_states.insert(*state));
                let row = first.and_then(|state| rows.get(&state));
                let units = led.coverage.and_then(|id| sets.get(&id)).unwrap_or(&nothing);
                each(entry, units, row);
            }
            cut = reader.consumed();
        }

        // States that no whole line refers to any more are written again when they are met again.
        rows.retain(|state, _| known_states.contains(state));
        let states = rewrite_states(dir.join(STATES), rows.into_values().collect())?;
        let travel = rewrite_travel(dir.join(TRAVEL), steps + starts)?;
        Ok(Self {
            dir: dir.to_path_buf(),
            _lock: lock,
            info,
            trace: Appender::open(path, cut)?,
            states,
            coverage: Appender::open(dir.join(COVERAGE), coverage_end)?,
            travel,
            known_screens,
            known_coverage: sets.into_keys().collect(),
            known_states,
            steps,
            starts,
            last: Last::default(),
        })
    }

    pub fn dir(&self) -> &Path {
        &self.dir
    }

    pub fn info(&self) -> &RunInfo {
        &self.info
    }

    pub fn start(&mut self, world: WorldSeed, seen: &Observation) -> Result<Led, RunError> {
        self.starts += 1;
        let led = self.led(seen)?;
        write_start(&mut self.trace.pending, world, &led).map_err(RunError::io(&self.dir))?;
        self.flush_if_full()?;
        Ok(led)
    }

    /// The start of a trace that returns to a state. The steps of the way there must follow.
    pub fn start_return(
        &mut self,
        world: WorldSeed,
        returns: Return,
        seen: &Observation,
    ) -> Result<Led, RunError> {
        self.starts += 1;
        let led = self.led(seen)?;
        write_return(&mut self.trace.pending, world, returns, &led)
            .map_err(RunError::io(&self.dir))?;
        Ok(led)
    }

    /// A line for who wants to know afterwards what was saved and why the run went where it went.
    pub fn note_travel(&mut self, mut row: TravelRow) -> Result<(), RunError> {
        row.entry = self.steps + self.starts;
        self.travel.append_json(&row)
    }

    pub fn step(&mut self, event: &Event, seen: &Observation) -> Result<Led, RunError> {
        self.steps += 1;
        let led = self.led(seen)?;
        write_step(&mut self.trace.pending, event, &led).map_err(RunError::io(&self.dir))?;
        self.flush_if_full()?;
        Ok(led)
    }

    /// Everything so far on disk, referred-to files first.
    pub fn flush(&mut self) -> Result<(), RunError> {
        self.coverage.flush()?;
        self.states.flush()?;
        self.travel.flush()?;
        self.trace.flush()
    }

    fn flush_if_full(&mut self) -> Result<(), RunError> {
        if self.trace.pending.len() + self.coverage.pending.len() > BUFFER {
            self.flush()?;
        }
        Ok(())
    }

    /// The observation in ids, its screen and coverage set kept if they are new.
    fn led(&mut self, seen: &Observation) -> Result<Led, RunError> {
        let (screen, state) = self.keep_screen(&seen.screen)?;
        let coverage = self.keep_coverage(&seen.coverage)?;
        Ok(Led {
            state: Some(state),
            screen: Some(screen),
            coverage,
            elapsed_ms: seen.elapsed_ms,
            outcome: seen.outcome.brief(&self.info.app.package),
            host_limitations: seen.host_limitations.clone(),
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
            self.coverage.append_json(&SetRow { id, units: (**units).clone() })?;
        }
        self.last.coverage = Some((Arc::clone(units), id));
        Ok(Some(id))
    }
}

/// The next entry, or a start with all the steps of its return. `None` at the end, also where a return
/// was cut: its steps were not yet all on disk.
fn next_whole<R: std::io::BufRead>(
    reader: &mut TraceReader<R>,
) -> Result<Option<Vec<Entry>>, RunError> {
    let Some(first) = reader.next_entry()? else { return Ok(None) };
    let steps = match &first {
        Entry::Start(_, _, Some(returns)) => returns.steps,
        _ => 0,
    };
    let mut whole = vec![first];
    while whole.len() <= steps {
        match reader.next_entry()? {
            Some(step @ Entry::Step(_)) => whole.push(step),
            _ => return Ok(None),
        }
    }
    Ok(Some(whole))
}

/// Drops what was noted of entries that are gone.
fn rewrite_travel(path: PathBuf, entries: u64) -> Result<Appender, RunError> {
    let mut bytes = Vec::new();
    let mut rows: Vec<TravelRow> = Vec::new();
    read_rows(&path, "a line of the travel log", |row: TravelRow| rows.push(row))?;
    for row in rows.iter().filter(|row| row.entry <= entries) {
        serde_json::to_writer(&mut bytes, row).map_err(|e| RunError::io(&path)(e.into()))?;
        bytes.push(b'\n');
    }
    write_whole(&path, &bytes)?;
    Appender::open(path, bytes.len() as u64)
}

fn rewrite_states(path: PathBuf, mut rows: Vec<StateRow>) -> Result<Appender, RunError> {
    rows.sort_by_key(|row| row.step);
    let mut bytes = Vec::new();
    for row in &rows {
        serde_json::to_writer(&mut bytes, row).map_err(|e| RunError::io(&path)(e.into()))?;
        bytes.push(b'\n');
    }
    write_whole(&path, &bytes)?;
    Appender::open(path, bytes.len() as u64)
}

pub(super) fn write_units(path: &Path, units: &Units) -> Result<(), RunError> {
    let mut bytes = Vec::new();
    for (_, unit) in units.iter() {
        serde_json::to_writer(&mut bytes, unit).map_err(|e| RunError::io(path)(e.into()))?;
        bytes.push(b'\n');
    }
    write_whole(path, &bytes)
}

/// Where the last whole line ends: a kill may have cut the one after it.
fn last_line_end(path: &Path, length: u64) -> Result<u64, RunError> {
    use std::io::{Read, Seek, SeekFrom};
    let window = (crate::format::lines::MAX_LINE as u64 + 1).min(length);
    let mut tail = Vec::new();
    let mut file = File::open(path).map_err(RunError::io(path))?;
    file.seek(SeekFrom::Start(length - window)).map_err(RunError::io(path))?;
    file.take(window).read_to_end(&mut tail).map_err(RunError::io(path))?;
    let end = tail.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at as u64 + 1);
    Ok(length - window + end)
}
