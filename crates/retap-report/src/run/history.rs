//! The course of a run, from one pass over `trace.jsonl`: curves, visits and transitions between states.
//!
//! Memory grows with the states of the app and not with the length of the run.

mod coverage_sets;

use super::coverage_totals::{CoverageCounts, CoverageTotals};
use super::curve::ThinnedCurve;
use super::trace_folder::describe_damage;
use coverage_sets::CoverageSets;
use retap_model::format::run::{RunError, TRACE, open_growing_trace};
use retap_model::format::trace::TraceEntry;
use retap_model::observation::RecordedOutcome;
use retap_model::trace::StepResult;
use retap_model::{CrashId, StateId, UnitKind};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The number of pairs of states that are counted at most. The state map shows far fewer.
const MAX_TRANSITIONS: usize = 200_000;
/// The number of different host limitations that are listed at most.
const MAX_LIMITATIONS: usize = 100;

/// The course of a run.
#[derive(Debug, Default)]
pub struct RunHistory {
    pub events: u64,
    /// Launches from a clean install; returns to an earlier state do not count.
    pub restarts: u64,
    /// The percentage of covered units over events, by kind of unit.
    pub coverage: BTreeMap<UnitKind, ThinnedCurve>,
    pub counts: CoverageCounts,
    /// Coverage by package, for packages that units name.
    pub packages: BTreeMap<String, CoverageCounts>,
    /// The number of known states over events.
    pub states: ThinnedCurve,
    /// The event at which each crash first occurred.
    pub first_crashes: BTreeMap<CrashId, u64>,
    /// The states in which an event made the app crash.
    pub crashing_states: BTreeSet<StateId>,
    pub not_responding: u64,
    pub visits: BTreeMap<StateId, u64>,
    /// The number of steps that led from the first state to the second.
    pub transitions: BTreeMap<(StateId, StateId), u64>,
    pub host_limitations: BTreeMap<String, u64>,
}

impl RunHistory {
    /// Reads the files as far as possible and adds the reason why reading stopped to `damage`.
    pub fn read(run: &Path, damage: &mut Vec<String>) -> Self {
        let mut history = Self::default();
        let mut sets = CoverageSets::open(run);
        let mut totals = CoverageTotals::read(run, damage);
        history.counts = totals.counts.clone();
        if let Err(error) = history.read_trace(&run.join(TRACE), &mut sets, &mut totals) {
            // Some verbs do not record a trace.
            damage.extend(describe_damage(&error));
        }
        history.packages = totals.packages();
        damage.extend(sets.into_error());
        history
    }

    fn read_trace(
        &mut self,
        path: &Path,
        sets: &mut CoverageSets,
        totals: &mut CoverageTotals,
    ) -> Result<(), RunError> {
        let mut reader = open_growing_trace(path)?;
        let mut state = None;
        // The steps of a return that a snapshot made unnecessary. They come first and do not count as events.
        let mut steps_saved = 0;
        while let Some(entry) = reader.next_entry()? {
            let result = match &entry {
                TraceEntry::Start { result, returns, .. } => {
                    self.restarts += u64::from(returns.is_none());
                    steps_saved = returns
                        .map_or(0, |path| path.steps as u64 - path.events.min(path.steps as u64));
                    state = None;
                    result
                }
                TraceEntry::Step(step) => {
                    self.events += u64::from(steps_saved == 0);
                    steps_saved = steps_saved.saturating_sub(1);
                    &step.result
                }
            };
            self.record_result(state, result);
            state = result.state;
            if let Some(set) = result.coverage.and_then(|id| sets.take_if_first_use(id)) {
                totals.cover(&set);
                for (kind, count) in &totals.counts {
                    self.coverage.entry(*kind).or_default().push(self.events, count.percent());
                }
                self.counts.clone_from(&totals.counts);
            }
        }
        Ok(())
    }

    /// Counts the visit, the transition from the state before, the outcome and the host limitations of a result.
    fn record_result(&mut self, from: Option<StateId>, result: &StepResult) {
        if let Some(state) = result.state {
            *self.visits.entry(state).or_default() += 1;
            self.states.push(self.events, self.visits.len() as f64);
            if let Some(from) = from.filter(|from| *from != state) {
                count_up_to(&mut self.transitions, (from, state), MAX_TRANSITIONS);
            }
        }
        match &result.outcome {
            RecordedOutcome::Crashed { id, .. } => {
                self.first_crashes.entry(*id).or_insert(self.events);
                self.crashing_states.extend(from);
            }
            RecordedOutcome::NotResponding => self.not_responding += 1,
            _ => {}
        }
        for limitation in &result.host_limitations {
            count_up_to(&mut self.host_limitations, limitation.clone(), MAX_LIMITATIONS);
        }
    }
}

/// Counts an item, unless it is new and the map already holds `limit` items.
fn count_up_to<K: Ord>(counts: &mut BTreeMap<K, u64>, key: K, limit: usize) {
    if counts.len() < limit || counts.contains_key(&key) {
        *counts.entry(key).or_default() += 1;
    }
}
