//! Reads a recorded run back into memory: every entry passes through the fold in order, as it did when it happened.

use super::memory::EntryDetails;
use super::{Exploration, Journal, RunMemory};
use crate::policy::InterestingPolicy;
use crate::strategy::Strategy;
use crate::travel::SnapshotLedger;
use retap_model::format::run::{Recorder, RunError, StateRow, read_screen, visit_entries};
use retap_model::format::trace::TraceEntry;
use retap_model::trace::{Return, StepResult};
use retap_model::{App, Coverage, Screen, Trace};
use std::path::Path;

/// Resumes the run in `dir`.
pub(super) fn resume<'s>(dir: &Path, memory: RunMemory<'s>) -> Result<Exploration<'s>, RunError> {
    let mut reader = EntryReader::new(dir, memory);
    let recorder = Recorder::resume(dir, &mut |entry, units, row| reader.read(entry, units, row))?;
    Ok(Exploration::with_memory(Journal::Run(Box::new(recorder)), reader.finish()?))
}

/// Shows a strategy everything that the run in `dir` recorded. The run stays as it is.
pub fn recall(dir: &Path, strategy: &mut dyn Strategy, app: &App) -> Result<(), RunError> {
    let memory = RunMemory::new(strategy, InterestingPolicy::NewState, app);
    let mut reader = EntryReader::new(dir, memory);
    visit_entries(dir, &mut |entry, units, row| reader.read(entry, units, row))?;
    reader.finish().map(|_| ())
}

/// Returns an explorer of a team. It knows what the run has recorded so far and leaves writing to the run.
pub(super) fn join_run<'s>(
    run: &Exploration<'_>,
    memory: RunMemory<'s>,
) -> Result<Exploration<'s>, RunError> {
    let dir = run.journal.dir().unwrap_or(Path::new(""));
    let mut reader = EntryReader::new(dir, memory);
    visit_entries(dir, &mut |entry, units, row| reader.read(entry, units, row))?;
    let mut memory = reader.finish()?;
    // The trace at which the run stopped belongs to no explorer.
    memory.trace = None;
    memory.snapshots = SnapshotLedger::default();
    Ok(Exploration::with_memory(Journal::notes(run.journal.info()), memory))
}

struct EntryReader<'m, 's> {
    dir: &'m Path,
    memory: RunMemory<'s>,
    unfinished_return: Option<UnfinishedReturn>,
    /// The first error. It ends the reading.
    error: Option<RunError>,
}

/// A return whose steps are still being read.
struct UnfinishedReturn {
    returns: Return,
    trace: Trace,
    lines: Vec<ReturnLine>,
}

/// The coverage and the state row that were read with one line of a return.
struct ReturnLine {
    units: Coverage,
    row: Option<StateRow>,
}

impl<'m, 's> EntryReader<'m, 's> {
    fn new(dir: &'m Path, memory: RunMemory<'s>) -> Self {
        Self { dir, memory, unfinished_return: None, error: None }
    }

    fn finish(self) -> Result<RunMemory<'s>, RunError> {
        debug_assert!(self.unfinished_return.is_none(), "a return is read with all its steps");
        self.error.map_or(Ok(self.memory), Err)
    }

    /// Reads one entry. `row` is there when the entry is the first visit of a state.
    fn read(&mut self, entry: &TraceEntry, units: &Coverage, row: Option<&StateRow>) {
        if self.error.is_none()
            && let Err(error) = self.try_read(entry, units, row)
        {
            self.error = Some(error);
        }
    }

    fn try_read(
        &mut self,
        entry: &TraceEntry,
        units: &Coverage,
        row: Option<&StateRow>,
    ) -> Result<(), RunError> {
        let line = || ReturnLine { units: units.clone(), row: row.cloned() };
        match (entry, self.unfinished_return.take()) {
            (TraceEntry::Start { world_seed, result: start, returns: Some(returns) }, _) => {
                let (world_seed, start) = (*world_seed, start.clone());
                let trace = Trace { world_seed, start, steps: Vec::new() };
                let lines = vec![line()];
                self.read_return(UnfinishedReturn { returns: *returns, trace, lines })
            }
            (TraceEntry::Step(step), Some(mut unfinished)) => {
                unfinished.trace.steps.push(step.clone());
                unfinished.lines.push(line());
                self.read_return(unfinished)
            }
            (TraceEntry::Start { world_seed, result: start, returns: None }, _) => {
                let screen = self.read_screen(start)?;
                let details = details_of(units, row, screen.as_ref());
                self.memory.record_start(*world_seed, start.clone(), &details);
                Ok(())
            }
            (TraceEntry::Step(step), None) => {
                let screen = self.read_screen(&step.result)?;
                let details = details_of(units, row, screen.as_ref());
                self.memory.record_step(step.clone(), &details);
                Ok(())
            }
        }
    }

    /// Records a return if all its steps were read, else keeps it for the next entry.
    fn read_return(&mut self, unfinished: UnfinishedReturn) -> Result<(), RunError> {
        if unfinished.trace.steps.len() < unfinished.returns.steps {
            self.unfinished_return = Some(unfinished);
            return Ok(());
        }
        let UnfinishedReturn { returns, trace, lines } = unfinished;
        let screen = self.read_screen(trace.last())?;
        let mut details: Vec<EntryDetails<'_>> =
            lines.iter().map(|line| details_of(&line.units, line.row.as_ref(), None)).collect();
        // A state has its row at the first visit, which may be an earlier step of this return.
        let mut rows = lines.iter().filter_map(|line| line.row.as_ref());
        let row = rows.find(|row| Some(row.state) == trace.last().state);
        if let Some(last) = details.last_mut() {
            *last = details_of(last.units, row, screen.as_ref());
        }
        self.memory.record_return(trace, returns, &details);
        Ok(())
    }

    /// Reads the screen of a result from disk if the memory wants it.
    fn read_screen(&self, result: &StepResult) -> Result<Option<Screen>, RunError> {
        let id = result.screen.filter(|_| self.memory.wants_screen(result));
        id.map(|id| read_screen(self.dir, id)).transpose()
    }
}

fn details_of<'a>(
    units: &'a Coverage,
    row: Option<&'a StateRow>,
    screen: Option<&'a Screen>,
) -> EntryDetails<'a> {
    EntryDetails { units, activity: row.map_or("", |row| &row.activity), screen }
}
