//! Resumes a run that was killed, and reads what a run has recorded.

use super::appender::Appender;
use super::coverage::CoverageRow;
use super::reader::{StateRow, read_all_rows, read_rows};
use super::recorder::{LastObservation, Recorder};
use super::{
    COVERAGE, INFO, Lock, RunError, RunInfo, STATES, TRACE, TRAVEL, TravelRow, read_screen,
    write_whole,
};
use crate::coverage::{Coverage, CoverageId};
use crate::format::trace::{TraceEntry, TraceReader};
use crate::screen::ScreenId;
use crate::state::StateId;
use crate::trace::StepResult;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom, Take};
use std::path::{Path, PathBuf};

/// Everything read from a run, and the ends of its whole lines.
struct RecordedRun {
    states: BTreeMap<StateId, StateRow>,
    known_screens: BTreeSet<ScreenId>,
    known_states: BTreeSet<StateId>,
    known_coverage: BTreeSet<CoverageId>,
    coverage_end: u64,
    trace_end: u64,
    steps: u64,
    starts: u64,
    /// True if something that an entry refers to is missing.
    is_damaged: bool,
}

/// A function that visits every entry. It receives the entry, the units that its step covered and,
/// on the first visit of a state, the state's row.
pub type EntryVisitor<'e> = &'e mut dyn FnMut(&TraceEntry, &Coverage, Option<&StateRow>);

/// Visits every entry that a run has recorded so far and leaves its files as they are.
pub fn visit_entries(dir: &Path, each: EntryVisitor<'_>) -> Result<(), RunError> {
    read_recorded(dir, Reading::Everything, each).map(|_| ())
}

impl Recorder {
    /// Resumes a run. Half-written last lines are cut off, and so is a return whose steps are
    /// incomplete, and everything from the first entry on whose state, screen or coverage is missing.
    /// `each` visits every remaining entry.
    pub fn resume(dir: &Path, each: EntryVisitor<'_>) -> Result<Self, RunError> {
        let lock = Lock::resume(dir)?;
        let info: RunInfo = super::read_json(&dir.join(INFO), "what a run was asked to do")?;
        let mut recorded = read_recorded(dir, Reading::UpToDamage, each)?;
        if recorded.starts == 0 && recorded.is_damaged {
            return Err(RunError::Damaged(dir.to_path_buf()));
        }
        // A state that no whole line refers to is written again when the run visits it again.
        recorded.states.retain(|state, _| recorded.known_states.contains(state));
        let states = rewrite_states(dir.join(STATES), recorded.states.into_values().collect())?;
        let travel = rewrite_travel(dir.join(TRAVEL), recorded.steps + recorded.starts)?;
        Ok(Self {
            dir: dir.to_path_buf(),
            _lock: lock,
            info,
            trace: Appender::open(dir.join(TRACE), recorded.trace_end)?,
            states,
            coverage: Appender::open(dir.join(COVERAGE), recorded.coverage_end)?,
            travel,
            known_screens: recorded.known_screens,
            known_coverage: recorded.known_coverage,
            known_states: recorded.known_states,
            steps: recorded.steps,
            starts: recorded.starts,
            flushed: recorded.steps + recorded.starts,
            last: LastObservation::default(),
        })
    }
}

/// How much of a run is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reading {
    Everything,
    /// A file may have been cut. What an entry refers to must be there, or the run would not go on as
    /// if nothing had happened.
    UpToDamage,
}

fn read_recorded(
    dir: &Path,
    reading: Reading,
    each: EntryVisitor<'_>,
) -> Result<RecordedRun, RunError> {
    let mut sets = BTreeMap::new();
    let coverage_end = read_rows(&dir.join(COVERAGE), "a coverage set", |row: CoverageRow| {
        expect_first(sets.insert(row.id, row.units).is_none(), "each coverage set once")
    })?;
    let mut states = BTreeMap::new();
    read_rows(&dir.join(STATES), "a state", |row: StateRow| {
        expect_first(states.insert(row.state, row).is_none(), "each state once")
    })?;

    let mut reader = open_growing_trace(&dir.join(TRACE))?;
    let mut known_screens = BTreeSet::new();
    let mut known_states = BTreeSet::new();
    let (mut steps, mut starts) = (0, 0);
    let no_coverage = Coverage::new();
    let mut trace_end = reader.consumed();
    let mut is_damaged = false;
    while let Some(whole) = next_complete(&mut reader)? {
        let is_there = |result: &StepResult| {
            result.coverage.is_none_or(|id| sets.contains_key(&id))
                && result.state.is_none_or(|state| states.contains_key(&state))
                && result
                    .screen
                    .is_none_or(|id| known_screens.contains(&id) || is_whole_screen(dir, id))
        };
        if reading == Reading::UpToDamage && !whole.iter().all(|entry| is_there(entry.result())) {
            is_damaged = true;
            break;
        }
        for entry in &whole {
            match entry {
                TraceEntry::Start { .. } => starts += 1,
                TraceEntry::Step(_) => steps += 1,
            }
            let result = entry.result();
            known_screens.extend(result.screen);
            let first = result.state.filter(|state| known_states.insert(*state));
            let row = first.and_then(|state| states.get(&state));
            let units = result.coverage.and_then(|id| sets.get(&id)).unwrap_or(&no_coverage);
            each(entry, units, row);
        }
        trace_end = reader.consumed();
    }
    let known_coverage = sets.into_keys().collect();
    Ok(RecordedRun {
        states,
        known_screens,
        known_states,
        known_coverage,
        coverage_end,
        trace_end,
        steps,
        starts,
        is_damaged,
    })
}

/// Opens the trace of a run, which may still grow. A last line that a kill has cut does not count.
pub fn open_growing_trace(path: &Path) -> Result<TraceReader<BufReader<Take<File>>>, RunError> {
    let file = File::open(path).map_err(RunError::io(path))?;
    let length = file.metadata().map_err(RunError::io(path))?.len();
    let lines = file.take(last_line_end(path, length)?);
    Ok(TraceReader::new(BufReader::new(lines), &path.display().to_string())?)
}

/// Returns true if the file of a screen is there and was not cut.
fn is_whole_screen(dir: &Path, id: ScreenId) -> bool {
    read_screen(dir, id).is_ok_and(|screen| screen.id() == id)
}

/// Refuses a row whose id was there before: a recorder writes each id once.
fn expect_first(is_first: bool, expected: &'static str) -> Result<(), &'static str> {
    if is_first { Ok(()) } else { Err(expected) }
}

/// Returns the next entry, or a start with all the steps of its return. `None` at the end, or at a
/// return whose steps are not all on disk.
fn next_complete<R: std::io::BufRead>(
    reader: &mut TraceReader<R>,
) -> Result<Option<Vec<TraceEntry>>, RunError> {
    let Some(first) = reader.next_entry()? else { return Ok(None) };
    let steps = match &first {
        TraceEntry::Start { returns: Some(returns), .. } => returns.steps,
        _ => 0,
    };
    let mut whole = vec![first];
    while whole.len() <= steps {
        match reader.next_entry()? {
            Some(step @ TraceEntry::Step(_)) => whole.push(step),
            _ => return Ok(None),
        }
    }
    Ok(Some(whole))
}

/// Drops the lines about entries that were cut off.
fn rewrite_travel(path: PathBuf, entries: u64) -> Result<Appender, RunError> {
    let mut bytes = Vec::new();
    let mut rows: Vec<TravelRow> = Vec::new();
    read_all_rows(&path, "a line of the travel log", &mut rows)?;
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

/// Returns the end of the last whole line, because a kill may have cut the one after it.
fn last_line_end(path: &Path, length: u64) -> Result<u64, RunError> {
    let window = (crate::format::lines::MAX_LINE as u64 + 1).min(length);
    let mut tail = Vec::new();
    let mut file = File::open(path).map_err(RunError::io(path))?;
    file.seek(SeekFrom::Start(length - window)).map_err(RunError::io(path))?;
    file.take(window).read_to_end(&mut tail).map_err(RunError::io(path))?;
    let end = tail.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at as u64 + 1);
    Ok(length - window + end)
}
