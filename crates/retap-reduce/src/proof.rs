//! The proof of a reduction: for every requirement the step that covers it now, and for everything that was removed
//! the requirements it covered, so that each of them can be looked up.

use crate::model::requirement::Requirement;
use crate::model::requirement_index::RequirementIndex;
use crate::recorded_trace::RecordedTrace;
use crate::reduction::{ReducedTrace, StepPosition};
use retap_model::Coverage;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// The proof that a reduced suite covers what the recorded traces cover.
#[derive(Debug, Clone, PartialEq)]
pub struct CoverageProof {
    pub covered: Vec<RequirementProof>,
    pub removed: Vec<RemovedSteps>,
}

/// A requirement, and the first step of the reduced suite that covers it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RequirementProof {
    pub requirement: Requirement,
    pub by: StepPosition,
}

/// Consecutive steps of a recorded trace that the reduced suite does not use.
#[derive(Debug, Clone, PartialEq)]
pub struct RemovedSteps {
    /// The index of the recorded trace.
    pub trace: usize,
    pub first_step: usize,
    pub last_step: usize,
    pub kind: RemovedKind,
    /// The requirements they covered, as indices into [`CoverageProof::covered`].
    pub covered: Coverage,
}

/// The kind of piece that was removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RemovedKind {
    /// A whole trace.
    Trace,
    /// Steps that end in the state in which they began.
    Loop,
    /// Other steps: a tail, or steps that a fragment of another trace replaces.
    Part,
}

/// Proves that `reduced` covers every requirement of `stable`. Traces in `unexamined` are not listed as removed.
pub(crate) fn prove(
    recorded_traces: &[RecordedTrace],
    unexamined: &[usize],
    reduced: &[ReducedTrace],
    stable: &Coverage,
    requirements: &mut RequirementIndex,
) -> CoverageProof {
    let first_covering = find_first_covering_steps(reduced, stable, requirements);
    let index_of: BTreeMap<u32, u32> = first_covering.keys().copied().zip(0..).collect();
    let used: BTreeSet<StepPosition> =
        reduced.iter().flat_map(|trace| trace.origins.iter().copied()).collect();
    let mut removed = Vec::new();
    for (trace, recorded) in recorded_traces.iter().enumerate() {
        if unexamined.contains(&trace) {
            continue;
        }
        for StepRange { first, last } in find_unused_steps(trace, recorded, &used) {
            let mut covered = Coverage::new();
            for step in first..=last {
                let result = recorded.trace.result_after(step);
                let all = requirements.covered_by_step(result, &recorded.covered[step]);
                let indices = all.iter().filter_map(|number| index_of.get(&number)).copied();
                covered.union_with(&indices.collect());
            }
            let kind = kind_of(recorded, first, last);
            removed.push(RemovedSteps { trace, first_step: first, last_step: last, kind, covered });
        }
    }
    let name =
        |(number, by)| RequirementProof { requirement: requirements.requirement(number), by };
    CoverageProof { covered: first_covering.into_iter().map(name).collect(), removed }
}

/// Returns, for each requirement by its number, the first step of the reduced suite that covers it.
fn find_first_covering_steps(
    reduced: &[ReducedTrace],
    stable: &Coverage,
    requirements: &mut RequirementIndex,
) -> BTreeMap<u32, StepPosition> {
    let mut first_covering = BTreeMap::new();
    for (trace, one) in reduced.iter().enumerate() {
        for (step, covered) in
            requirements.covered_by_steps(&one.trace, &one.covered).iter().enumerate()
        {
            for number in covered.intersection(stable).iter() {
                first_covering.entry(number).or_insert(StepPosition { trace, step });
            }
        }
    }
    first_covering
}

struct StepRange {
    first: usize,
    last: usize,
}

/// Returns the longest runs of steps that the suite does not use. The launch counts only with a whole trace.
fn find_unused_steps(
    trace: usize,
    recorded: &RecordedTrace,
    used: &BTreeSet<StepPosition>,
) -> Vec<StepRange> {
    let steps = recorded.trace.steps.len();
    let is_used = |step: &usize| used.contains(&StepPosition { trace, step: *step });
    if !(0..=steps).any(|step| is_used(&step)) {
        return vec![StepRange { first: 0, last: steps }];
    }
    let mut ranges: Vec<StepRange> = Vec::new();
    for step in (1..=steps).filter(|step| !is_used(step)) {
        match ranges.last_mut() {
            Some(range) if range.last + 1 == step => range.last = step,
            _ => ranges.push(StepRange { first: step, last: step }),
        }
    }
    ranges
}

fn kind_of(recorded: &RecordedTrace, first: usize, last: usize) -> RemovedKind {
    let state = |step: usize| recorded.trace.result_after(step).state;
    match first.checked_sub(1) {
        None => RemovedKind::Trace,
        Some(before) if state(before) == state(last) => RemovedKind::Loop,
        Some(_) => RemovedKind::Part,
    }
}
