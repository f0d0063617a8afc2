//! The suite of an update: for the targets that ran, the few shortened sequences that run them again.

use super::sequence::shorten;
use crate::suite_folder::{self, CoveredTrace, SuiteSettings};
use crate::{Context, Failure};
use retap_device::{Job, Lab};
use retap_model::format::run::RunInfo;
use retap_model::trace::StepResult;
use retap_model::{App, Event, Step, Trace};
use retap_update::{TargetNumber, Targets, UpdateProgress};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Runs for shortening one sequence.
const SHORTENING_RUNS: u64 = 30;

/// What the suite is made from.
#[derive(Debug, Clone, Copy)]
pub struct SuiteInput<'a> {
    pub info: &'a RunInfo,
    pub app: &'a App,
    pub targets: &'a Targets,
    pub progress: &'a UpdateProgress,
    /// The traces of the run, in order.
    pub traces: &'a [Trace],
    pub shortens: bool,
    pub include: &'a [String],
    pub exclude: &'a [String],
}

/// The trace of the suite that runs each target.
#[derive(Debug, Clone, Default)]
pub struct TargetSuite {
    pub traces: BTreeMap<TargetNumber, String>,
    /// The number of traces, and of their events together.
    pub count: usize,
    pub events: usize,
    /// The events of each trace.
    pub sequences: Vec<Vec<Event>>,
}

/// Writes the suite into a new folder. Targets that one sequence runs share it.
pub fn write_suite(
    lab: &mut Lab<'_>,
    folder: &Path,
    input: SuiteInput<'_>,
    context: Context<'_>,
) -> Result<TargetSuite, Failure> {
    let mut kept: Vec<(CoveredTrace, BTreeSet<TargetNumber>)> = Vec::new();
    let mut covered: BTreeSet<TargetNumber> = BTreeSet::new();
    let mut sequences = sequences(input);
    // Long sequences run what short ones run, so that few of them are needed.
    sequences.sort_by_key(|(events, _)| std::cmp::Reverse(events.len()));
    let progress = context.progress(Some(sequences.len() as u64));
    for (number, (events, targets)) in sequences.into_iter().enumerate() {
        let wanted: BTreeSet<TargetNumber> = targets.difference(&covered).copied().collect();
        if wanted.is_empty() || context.is_interrupted() {
            continue;
        }
        progress.update(number as u64, "keeping a sequence for each target".into());
        let events =
            if input.shortens { shorten_sequence(lab, &events, &wanted, input)? } else { events };
        let trace = record(lab, &events, input)?;
        let ran: BTreeSet<TargetNumber> =
            trace.covered.iter().flat_map(|units| input.targets.among(units)).collect();
        covered.extend(&ran);
        kept.push((trace, ran));
    }
    if kept.is_empty() {
        return Ok(TargetSuite::default());
    }
    let header = input.info.trace_header();
    let settings = SuiteSettings {
        header: &header,
        units: &input.app.units,
        apk: Some(Path::new(&input.info.apk)),
        include: input.include,
        exclude: input.exclude,
    };
    let traces: Vec<CoveredTrace> = kept.iter().map(|(trace, _)| trace.clone()).collect();
    let names = suite_folder::write(folder, &settings, &traces)?;
    let mut suite = TargetSuite { count: traces.len(), ..TargetSuite::default() };
    for ((trace, ran), name) in kept.into_iter().zip(names) {
        suite.events += trace.trace.steps.len();
        suite.sequences.push(trace.trace.events().cloned().collect());
        for target in ran {
            suite.traces.entry(target).or_insert_with(|| name.clone());
        }
    }
    Ok(suite)
}

/// Returns the events that first ran each group of targets.
fn sequences(input: SuiteInput<'_>) -> Vec<(Vec<Event>, BTreeSet<TargetNumber>)> {
    let mut groups: BTreeMap<(u64, usize), BTreeSet<TargetNumber>> = BTreeMap::new();
    for (target, first) in &input.progress.first_covers {
        groups.entry((first.trace, first.events)).or_default().insert(*target);
    }
    let sequence = |((trace, events), targets): ((u64, usize), BTreeSet<TargetNumber>)| {
        let trace = input.traces.get(trace as usize)?;
        Some((trace.events().take(events).cloned().collect(), targets))
    };
    groups.into_iter().filter_map(sequence).collect()
}

fn shorten_sequence(
    lab: &mut Lab<'_>,
    events: &[Event],
    wanted: &BTreeSet<TargetNumber>,
    input: SuiteInput<'_>,
) -> Result<Vec<Event>, Failure> {
    let world_seed = input.info.world_seed;
    let mut shows_it = |events: &[Event]| {
        let ran = lab.run(&Job { world_seed, events: events.to_vec() })?;
        let mut missing = wanted.clone();
        for (step, observation) in ran.observations.iter().enumerate() {
            for target in input.targets.among(&observation.coverage) {
                missing.remove(&target);
            }
            if missing.is_empty() {
                return Ok(Some(step));
            }
        }
        Ok(None)
    };
    shorten(events, SHORTENING_RUNS, &mut shows_it)
}

/// Runs events once and keeps what each of them led to and covered.
fn record(
    lab: &mut Lab<'_>,
    events: &[Event],
    input: SuiteInput<'_>,
) -> Result<CoveredTrace, Failure> {
    let world_seed = input.info.world_seed;
    let ran = lab.run(&Job { world_seed, events: events.to_vec() })?.observations;
    let (abstraction, package) = (input.info.abstraction, &input.info.app.package);
    let mut results = ran.iter().map(|it| StepResult::of(it, abstraction, package));
    let start = results.next().unwrap_or_default();
    let steps = events.iter().cloned().zip(results).map(|(event, result)| Step { event, result });
    let trace = Trace { world_seed, start, steps: steps.collect() };
    Ok(CoveredTrace { trace, covered: ran.into_iter().map(|it| it.coverage).collect() })
}
