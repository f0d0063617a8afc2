//! The course of a run, from one pass over `trace.jsonl`: curves, visits, transitions between states and the log of steps.
//!
//! Memory grows with the states of the app; what grows with the length of the run is bounded.

mod coverage_sets;

use super::KnownStates;
use super::class_coverage::ClassCoverage;
use super::coverage_totals::{CoverageCounts, CoverageTotals};
use super::curve::ThinnedCurve;
use super::state_pictures::StatePictures;
use super::step_log::{StepLog, marks};
use super::trace_folder::describe_damage;
use coverage_sets::CoverageSets;
use retap_model::format::run::{RunError, TRACE, open_growing_trace};
use retap_model::format::trace::TraceEntry;
use retap_model::observation::RecordedOutcome;
use retap_model::trace::StepResult;
use retap_model::{CrashId, StateId, UnitKind};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The number of pairs of states that are counted at most. The state graph shows far fewer.
const MAX_TRANSITIONS: usize = 200_000;
/// The number of different sentences that are kept of a transition.
const MAX_SENTENCES: usize = 4;
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
    pub classes: Vec<ClassCoverage>,
    /// The number of known states over events.
    pub states: ThinnedCurve,
    /// The event at which each crash first occurred.
    pub first_crashes: BTreeMap<CrashId, u64>,
    /// The states in which an event made the app crash.
    pub crashing_states: BTreeSet<StateId>,
    pub not_responding: u64,
    pub visits: BTreeMap<StateId, u64>,
    /// The steps that led from the first state to the second.
    pub transitions: BTreeMap<(StateId, StateId), StateChange>,
    pub host_limitations: BTreeMap<String, u64>,
    totals: CoverageTotals,
    pub log: StepLog,
    pub pictures: StatePictures,
}

/// The steps that led from one state to another.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StateChange {
    pub count: u64,
    /// The numbers of some of their sentences in the log.
    pub sentences: Vec<u32>,
}

impl RunHistory {
    /// Reads the files as far as possible and adds the reason why reading stopped to `damage`.
    pub fn read(run: &Path, states: &KnownStates, damage: &mut Vec<String>) -> Self {
        let mut history = Self { totals: CoverageTotals::read(run, damage), ..Self::default() };
        history.counts = history.totals.counts.clone();
        history.append_trace(run, states, true, damage);
        history
    }

    /// Reads a further run of the same app behind this one. Returns false if it counts other code units, so that its
    /// coverage is left out.
    pub fn append(&mut self, run: &Path, states: &KnownStates, damage: &mut Vec<String>) -> bool {
        let same_units = CoverageTotals::read(run, damage).has_same_units(&self.totals);
        self.append_trace(run, states, same_units, damage);
        same_units
    }

    fn append_trace(
        &mut self,
        run: &Path,
        states: &KnownStates,
        with_coverage: bool,
        damage: &mut Vec<String>,
    ) {
        self.log.begin(run, states);
        self.pictures.add_all(run);
        let mut sets = CoverageSets::open(run);
        let mut totals = std::mem::take(&mut self.totals);
        let covered = with_coverage.then_some((&mut sets, &mut totals));
        if let Err(error) = self.read_trace(&run.join(TRACE), covered) {
            // Some verbs do not record a trace.
            damage.extend(describe_damage(&error));
        }
        self.packages = totals.packages();
        self.classes = totals.classes();
        self.totals = totals;
        damage.extend(sets.into_error());
    }

    fn read_trace(
        &mut self,
        path: &Path,
        mut covered: Option<(&mut CoverageSets, &mut CoverageTotals)>,
    ) -> Result<(), RunError> {
        let mut reader = open_growing_trace(path)?;
        let mut state = None;
        // The steps of a return that a snapshot made unnecessary. They come first and do not count as events.
        let mut steps_saved = 0;
        while let Some(entry) = reader.next_entry()? {
            match &entry {
                TraceEntry::Start { returns, .. } => {
                    self.restarts += u64::from(returns.is_none());
                    steps_saved = returns
                        .map_or(0, |path| path.steps as u64 - path.events.min(path.steps as u64));
                    state = None;
                }
                TraceEntry::Step(_) => {
                    self.events += u64::from(steps_saved == 0);
                    steps_saved = steps_saved.saturating_sub(1);
                }
            }
            let result = entry.result();
            let mut novelty = 0;
            if let (Some(id), Some((sets, totals))) = (result.coverage, covered.as_mut())
                && let Some(set) = sets.take_if_first_use(id)
            {
                if totals.cover(&set, self.events) > 0 {
                    novelty |= marks::NEW_CODE;
                }
                for (kind, count) in &totals.counts {
                    self.coverage.entry(*kind).or_default().push(self.events, count.percent());
                }
                self.counts.clone_from(&totals.counts);
            }
            if result.state.is_some_and(|state| !self.visits.contains_key(&state)) {
                novelty |= marks::NEW_STATE;
            }
            let sentence = self.log.add(&entry, novelty);
            self.pictures.note(result);
            self.record_result(state, result, sentence);
            state = result.state;
        }
        Ok(())
    }

    /// Counts the visit, the transition from the state before, the outcome and the host limitations of a result.
    fn record_result(&mut self, from: Option<StateId>, result: &StepResult, sentence: u32) {
        if let Some(state) = result.state {
            *self.visits.entry(state).or_default() += 1;
            self.states.push(self.events, self.visits.len() as f64);
            if let Some(from) = from.filter(|from| *from != state) {
                self.record_transition((from, state), sentence);
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

impl RunHistory {
    fn record_transition(&mut self, pair: (StateId, StateId), sentence: u32) {
        if self.transitions.len() >= MAX_TRANSITIONS && !self.transitions.contains_key(&pair) {
            return;
        }
        let transition = self.transitions.entry(pair).or_default();
        transition.count += 1;
        let sentences = &mut transition.sentences;
        if sentences.len() < MAX_SENTENCES && !sentences.contains(&sentence) {
            sentences.push(sentence);
        }
    }
}

/// Counts an item, unless it is new and the map already holds `limit` items.
fn count_up_to<K: Ord>(counts: &mut BTreeMap<K, u64>, key: K, limit: usize) {
    if counts.len() < limit || counts.contains_key(&key) {
        *counts.entry(key).or_default() += 1;
    }
}
