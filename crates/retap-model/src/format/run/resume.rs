//! Takes up where a killed run stopped, and reads back what a run recorded.

use super::appender::Appender;
use super::coverage::CoverageRow;
use super::reader::{StateRow, read_all_rows, read_rows};
use super::recorder::{LastObservation, Recorder};
use super::{
    COVERAGE, INFO, Lock, RunError, RunInfo, STATES, TRACE, TRAVEL, TravelRow, write_whole,
};
use crate::coverage::{Coverage, CoverageId};
use crate::format::trace::{TraceEntry, TraceReader};
use crate::screen::ScreenId;
use crate::state::StateId;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

/// What is known of a run when all of it was read, and where its whole lines end.
struct ReadBack {
    states: BTreeMap<StateId, StateRow>,
    known_screens: BTreeSet<ScreenId>,
    known_states: BTreeSet<StateId>,
    known_coverage: BTreeSet<CoverageId>,
    coverage_end: u64,
    trace_end: u64,
    steps: u64,
    starts: u64,
}

/// Asked of every entry: the entry, the units its step covered and, when it was the first visit of a state, that
/// state's row.
pub type EntryVisitor<'e> = &'e mut dyn FnMut(&TraceEntry, &Coverage, Option<&StateRow>);

/// Reads what a run recorded so far and leaves its files as they are.
pub fn visit_entries(dir: &Path, each: EntryVisitor<'_>) -> Result<(), RunError> {
    read_back(dir, each).map(|_| ())
}

impl Recorder {
    /// Takes up a run. Half-written last lines are cut off, and so is a return whose steps are not all
    /// there; `each` sees every entry that is left.
    pub fn resume(dir: &Path, each: EntryVisitor<'_>) -> Result<Self, RunError> {
        let lock = Lock::resume(dir)?;
        let info: RunInfo = super::read_json(&dir.join(INFO), "what a run was asked to do")?;
        let mut back = read_back(dir, each)?;
        // States that no whole line refers to any more are written again when they are met again.
        back.states.retain(|state, _| back.known_states.contains(state));
        let states = rewrite_states(dir.join(STATES), back.states.into_values().collect())?;
        let travel = rewrite_travel(dir.join(TRAVEL), back.steps + back.starts)?;
        Ok(Self {
            dir: dir.to_path_buf(),
            _lock: lock,
            info,
            trace: Appender::open(dir.join(TRACE), back.trace_end)?,
            states,
            coverage: Appender::open(dir.join(COVERAGE), back.coverage_end)?,
            travel,
            known_screens: back.known_screens,
            known_coverage: back.known_coverage,
            known_states: back.known_states,
            steps: back.steps,
            starts: back.starts,
            last: LastObservation::default(),
        })
    }
}

fn read_back(dir: &Path, each: EntryVisitor<'_>) -> Result<ReadBack, RunError> {
    let mut sets = BTreeMap::new();
    let coverage_end = read_rows(&dir.join(COVERAGE), "a coverage set", |row: CoverageRow| {
        expect_first(sets.insert(row.id, row.units).is_none(), "each coverage set once")
    })?;
    let mut states = BTreeMap::new();
    read_rows(&dir.join(STATES), "a state", |row: StateRow| {
        expect_first(states.insert(row.state, row).is_none(), "each state once")
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
    let mut trace_end = reader.consumed();
    while let Some(whole) = next_whole(&mut reader)? {
        for entry in &whole {
            let result = match entry {
                TraceEntry::Start { result, .. } => {
                    starts += 1;
                    result
                }
                TraceEntry::Step(step) => {
                    steps += 1;
                    &step.result
                }
            };
            known_screens.extend(result.screen);
            let first = result.state.filter(|state| known_states.insert(*state));
            let row = first.and_then(|state| states.get(&state));
            let units = result.coverage.and_then(|id| sets.get(&id)).unwrap_or(&nothing);
            each(entry, units, row);
        }
        trace_end = reader.consumed();
    }
    let known_coverage = sets.into_keys().collect();
    Ok(ReadBack {
        states,
        known_screens,
        known_states,
        known_coverage,
        coverage_end,
        trace_end,
        steps,
        starts,
    })
}

/// Refuses a row whose id was there before: a recorder writes each id once.
fn expect_first(is_first: bool, expected: &'static str) -> Result<(), &'static str> {
    if is_first { Ok(()) } else { Err(expected) }
}

/// The next entry, or a start with all the steps of its return. `None` at the end, also where a return
/// was cut: its steps were not yet all on disk.
fn next_whole<R: std::io::BufRead>(
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

/// Drops what was noted of entries that are gone.
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
