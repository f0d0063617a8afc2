//! What happened in a run, from one pass over `trace.jsonl`: curves, visits and moves between states.
//! Memory grows with the states of the app and not with the length of the run.

use crate::curve::Curve;
use crate::rows::Rows;
use crate::totals::{CoverageCounts, Totals};
use retap_model::coverage::CoverageId;
use retap_model::format::FormatError;
use retap_model::format::run::{COVERAGE, TRACE};
use retap_model::format::trace::{Entry, TraceReader};
use retap_model::observation::RecordedOutcome;
use retap_model::trace::StepResult;
use retap_model::{Coverage, CrashId, StateId, UnitKind};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{BufReader, ErrorKind};
use std::path::Path;

/// Pairs of states beyond this are not counted: the map shows far fewer.
const MOST_MOVES: usize = 200_000;
/// Different sentences beyond this are not listed.
const MOST_LIMITATIONS: usize = 100;

#[derive(Debug, Default)]
pub struct History {
    pub events: u64,
    pub starts: u64,
    /// Percent covered, per kind of unit.
    pub coverage: BTreeMap<UnitKind, Curve>,
    pub counts: CoverageCounts,
    /// The same by package; the app's code units name it.
    pub packages: BTreeMap<String, CoverageCounts>,
    /// How many states were known.
    pub states: Curve,
    /// The event at which each crash was first met, and how often it was met.
    pub crashes: BTreeMap<CrashId, (u64, u64)>,
    /// States in which an event made the app crash.
    pub fatal: BTreeSet<StateId>,
    pub not_responding: u64,
    pub visits: BTreeMap<StateId, u64>,
    pub moves: BTreeMap<(StateId, StateId), u64>,
    pub host_limitations: BTreeMap<String, u64>,
}

impl History {
    /// Reads as far as the files can be read; what stopped it goes into `remarks`.
    pub fn read(run: &Path, remarks: &mut Vec<String>) -> Self {
        let mut history = Self::default();
        let mut sets = CoverageSets::open(run);
        let mut totals = Totals::read(run, remarks);
        history.counts = totals.counts.clone();
        if let Err(error) = history.follow(&run.join(TRACE), &mut sets, &mut totals) {
            remarks.push(error.to_string());
        }
        history.packages = totals.packages();
        remarks.extend(sets.rows.trouble);
        history
    }

    fn follow(
        &mut self,
        path: &Path,
        sets: &mut CoverageSets,
        totals: &mut Totals,
    ) -> Result<(), FormatError> {
        let name = path.display().to_string();
        let file = match File::open(path) {
            Ok(file) => file,
            // Not every verb records one.
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(FormatError::io(&name, error)),
        };
        let mut reader = TraceReader::new(BufReader::new(file), &name)?;
        let mut here = None;
        // Steps of a way back that count as events, and those that a snapshot made unnecessary.
        let mut free = 0;
        while let Some(entry) = reader.next_entry()? {
            let result = match &entry {
                Entry::Start(_, result, returns) => {
                    self.starts += u64::from(returns.is_none());
                    free = returns
                        .map_or(0, |way| way.steps as u64 - way.events.min(way.steps as u64));
                    here = None;
                    result
                }
                Entry::Step(step) => {
                    self.events += u64::from(free == 0);
                    free = free.saturating_sub(1);
                    &step.result
                }
            };
            self.enter(here, result);
            here = result.state;
            if let Some(set) = result.coverage.and_then(|id| sets.first_use(id)) {
                totals.cover(&set);
                for (kind, count) in &totals.counts {
                    self.coverage.entry(*kind).or_default().push(self.events, count.percent());
                }
                self.counts.clone_from(&totals.counts);
            }
        }
        Ok(())
    }

    fn enter(&mut self, from: Option<StateId>, result: &StepResult) {
        if let Some(state) = result.state {
            *self.visits.entry(state).or_default() += 1;
            self.states.push(self.events, self.visits.len() as f64);
            if let Some(from) = from.filter(|from| *from != state)
                && (self.moves.len() < MOST_MOVES || self.moves.contains_key(&(from, state)))
            {
                *self.moves.entry((from, state)).or_default() += 1;
            }
        }
        match &result.outcome {
            RecordedOutcome::Crashed { id, .. } => {
                self.crashes.entry(*id).or_insert((self.events, 0)).1 += 1;
                self.fatal.extend(from);
            }
            RecordedOutcome::NotResponding => self.not_responding += 1,
            _ => {}
        }
        for limitation in &result.host_limitations {
            let listed = &mut self.host_limitations;
            if listed.len() < MOST_LIMITATIONS || listed.contains_key(limitation) {
                *listed.entry(limitation.clone()).or_default() += 1;
            }
        }
    }
}

/// `coverage.jsonl`, read side by side with the trace: sets were written in the order of their first
/// use, so that only those a resumed run left behind have to wait in memory.
#[derive(Debug)]
struct CoverageSets {
    rows: Rows<SetRow>,
    used: BTreeSet<CoverageId>,
    ahead: BTreeMap<CoverageId, Coverage>,
}

#[derive(Debug, Deserialize)]
struct SetRow {
    id: CoverageId,
    units: Coverage,
}

impl CoverageSets {
    fn open(run: &Path) -> Self {
        let rows = Rows::open(&run.join(COVERAGE));
        Self { rows, used: BTreeSet::new(), ahead: BTreeMap::new() }
    }

    /// The set, when it is asked for the first time.
    fn first_use(&mut self, id: CoverageId) -> Option<Coverage> {
        if !self.used.insert(id) {
            return None;
        }
        if let Some(set) = self.ahead.remove(&id) {
            return Some(set);
        }
        for row in self.rows.by_ref() {
            if row.id == id {
                return Some(row.units);
            }
            self.ahead.insert(row.id, row.units);
        }
        None
    }
}
