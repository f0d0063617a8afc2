//! Several runs of one app as one: their events one after the other, their crashes and findings together.

use super::{KnownStates, ReportedCrash, ReportedFinding, ReportedLimitation, RunData, RunHistory};
use crate::ReportError;
use retap_model::format::run::{EndReason, RunInfo, Summary};
use retap_model::{CrashId, Rate};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// One of the runs that a report joins.
#[derive(Debug)]
pub struct JoinedRun {
    pub dir: PathBuf,
    pub info: RunInfo,
    pub events: u64,
    pub states: u64,
    /// The percentage of covered instructions, or of another unit if there are none.
    pub covered: Option<f64>,
    pub crashes: BTreeSet<CrashId>,
}

impl JoinedRun {
    pub fn new(
        dir: &Path,
        info: &RunInfo,
        history: &RunHistory,
        crashes: &[ReportedCrash],
    ) -> Self {
        Self {
            dir: dir.to_path_buf(),
            info: info.clone(),
            events: history.events,
            states: history.visits.len() as u64,
            covered: history.counts.values().next().map(|count| count.percent()),
            crashes: crashes.iter().map(|crash| crash.id).collect(),
        }
    }
}

impl RunData {
    /// Reads several runs of one app, in this order, as one.
    ///
    /// # Errors
    /// Fails if a directory holds no run, or the run of another app or verb.
    pub fn read_joined(dirs: &[PathBuf]) -> Result<Self, ReportError> {
        let Some((first, others)) = dirs.split_first() else {
            return Err(ReportError::NoRun(PathBuf::new()));
        };
        let mut joined = Self::read(first)?;
        for dir in others {
            joined.join(dir)?;
        }
        joined.sort();
        Ok(joined)
    }

    fn join(&mut self, dir: &Path) -> Result<(), ReportError> {
        let other = Self::read(dir)?;
        let package = &self.info.app.package;
        if other.info.app.package != *package || other.is_minimization() || self.is_minimization() {
            let found = format!("{} {}", other.info.verb, other.info.app.package);
            let expected = format!("{} {package}", self.info.verb);
            return Err(ReportError::OtherRun { dir: dir.to_path_buf(), found, expected });
        }
        join_states(&mut self.states, &other.states, self.history.events);
        if !self.history.append(dir, &self.states, &mut self.damage) {
            self.remarks.push(format!(
                "{} counts other code units, so that its coverage is left out.",
                dir.display()
            ));
        }
        self.summary = match (self.summary.take(), other.summary) {
            (Some(ours), Some(theirs)) => Some(join_summaries(ours, theirs, &self.history)),
            _ => None,
        };
        let number = self.runs.len();
        self.runs.extend(other.runs);
        for mut crash in other.crashes {
            crash.runs = vec![number];
            join_crash(&mut self.crashes, crash);
        }
        for finding in other.findings {
            join_finding(&mut self.findings, finding);
        }
        for limitation in other.limitations {
            join_limitation(&mut self.limitations, limitation);
        }
        let of_run = |text: String| format!("{}: {text}", dir.display());
        self.remarks.extend(other.remarks.into_iter().map(of_run));
        self.damage.extend(other.damage);
        Ok(())
    }

    fn sort(&mut self) {
        self.crashes.sort_by_key(ReportedCrash::rank);
        self.findings.sort_by_key(|known| (known.finding.kind, known.id));
    }
}

/// Adds the states of a run that begins after so many events.
fn join_states(known: &mut KnownStates, others: &KnownStates, events: u64) {
    for (state, first) in others {
        known.entry(*state).or_insert_with(|| {
            let mut first = first.clone();
            first.step = first.step.saturating_add(events);
            first
        });
    }
}

/// Keeps the better trace of a crash that both have, and what both know of it.
fn join_crash(crashes: &mut Vec<ReportedCrash>, other: ReportedCrash) {
    let Some(known) = crashes.iter_mut().find(|known| known.id == other.id) else {
        crashes.push(other);
        return;
    };
    let occurrences = match (known.occurrences, other.occurrences) {
        (Some(ours), Some(theirs)) => Some(ours + theirs),
        (ours, theirs) => ours.or(theirs),
    };
    let runs = [known.runs.as_slice(), &other.runs].concat();
    // Only runs of the same trace can be added up.
    let success = if known.steps == other.steps { add(known.success, other.success) } else { None };
    if other.rank() < known.rank() {
        *known = other;
    }
    known.occurrences = occurrences;
    known.success = success.or(known.success);
    known.runs = runs;
}

fn add(ours: Option<Rate>, theirs: Option<Rate>) -> Option<Rate> {
    let (ours, theirs) = (ours?, theirs?);
    Some(Rate { successes: ours.successes + theirs.successes, runs: ours.runs + theirs.runs })
}

fn join_finding(findings: &mut Vec<ReportedFinding>, other: ReportedFinding) {
    let length = |one: &ReportedFinding| one.events_minimized.unwrap_or(one.events_recorded);
    match findings.iter_mut().find(|known| known.id == other.id) {
        Some(known) if length(&other) < length(known) => *known = other,
        Some(_) => {}
        None => findings.push(other),
    }
}

fn join_limitation(limitations: &mut Vec<ReportedLimitation>, other: ReportedLimitation) {
    if limitations.iter().all(|known| known.what != other.what) {
        limitations.push(other);
    }
}

/// Adds up two summaries. What only the joint history knows comes from there.
fn join_summaries(ours: Summary, theirs: Summary, history: &RunHistory) -> Summary {
    let mut joined = ours;
    joined.events += theirs.events;
    joined.restarts += theirs.restarts;
    joined.returns += theirs.returns;
    joined.returns_failed += theirs.returns_failed;
    joined.return_events += theirs.return_events;
    joined.states = history.visits.len() as u64;
    joined.activities = joined.activities.max(theirs.activities);
    joined.coverage.clone_from(&history.counts);
    for activity in theirs.declared_activities {
        if !joined.declared_activities.contains(&activity) {
            joined.declared_activities.push(activity);
        }
    }
    joined.libraries.extend(theirs.libraries);
    joined.crashes.extend(theirs.crashes);
    joined.findings.extend(theirs.findings);
    for (what, count) in theirs.host_limitations {
        *joined.host_limitations.entry(what).or_default() += count;
    }
    joined.cost += theirs.cost;
    joined.seconds += theirs.seconds;
    joined.events_per_second = (joined.events as f64 / joined.seconds.max(0.001)).round();
    joined.digest = format!("{} {}", joined.digest, theirs.digest);
    if theirs.ended != EndReason::Complete {
        joined.ended = theirs.ended;
    }
    joined
}
