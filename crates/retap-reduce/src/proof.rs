//! The evidence: for everything that any recording covered, which step covers it now; for everything that
//! was removed, what it covered, so that each of its needs can be looked up.

use crate::need::{Need, Needs};
use crate::recording::Recording;
use crate::reduction::{Origin, Reduced};
use retap_model::Coverage;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Proof {
    /// What is covered, and the first step of the reduced suite that covers it.
    pub covered: Vec<(Need, Where)>,
    pub removed: Vec<Removed>,
}

/// A launch or step of the reduced suite.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Where {
    pub trace: usize,
    /// Zero is the launch.
    pub step: usize,
}

/// Steps of a recording that the suite does without.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Removed {
    pub trace: usize,
    /// The first and the last of them.
    pub steps: (usize, usize),
    pub kind: RemovedKind,
    /// What they covered: places in [`Proof::covered`].
    pub covered: Coverage,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RemovedKind {
    /// A whole trace.
    Trace,
    /// Steps that end in the state in which they began.
    Loop,
    /// Other steps: a tail, or what another trace's fragment stands for.
    Part,
}

pub(crate) fn prove(
    recordings: &[Recording],
    unexamined: &[usize],
    reduced: &[Reduced],
    stable: &Coverage,
    needs: &mut Needs,
) -> Proof {
    let mut places: BTreeMap<u32, Where> = BTreeMap::new();
    for (trace, one) in reduced.iter().enumerate() {
        for (step, units) in one.covered.iter().enumerate() {
            for need in needs.of(one.trace.result_after(step), units).intersection(stable).iter() {
                places.entry(need).or_insert(Where { trace, step });
            }
        }
    }
    let index: BTreeMap<u32, u32> =
        places.keys().enumerate().map(|(at, need)| (*need, at as u32)).collect();
    let used: BTreeSet<Origin> =
        reduced.iter().flat_map(|one| one.origins.iter().copied()).collect();
    let mut removed = Vec::new();
    let examined = |(trace, _): &(usize, &Recording)| !unexamined.contains(trace);
    for (trace, recording) in recordings.iter().enumerate().filter(examined) {
        for (first, last) in unused(trace, recording, &used) {
            let mut covered = Coverage::new();
            for step in first..=last {
                let all = needs.of(recording.trace.result_after(step), &recording.covered[step]);
                covered
                    .union_with(&all.iter().filter_map(|need| index.get(&need)).copied().collect());
            }
            let kind = kind(recording, first, last);
            removed.push(Removed { trace, steps: (first, last), kind, covered });
        }
    }
    let covered = places.into_iter().map(|(need, at)| (needs.name(need), at)).collect();
    Proof { covered, removed }
}

/// Longest runs of steps that nothing of the suite came from; the launch counts with a whole trace only.
fn unused(trace: usize, recording: &Recording, used: &BTreeSet<Origin>) -> Vec<(usize, usize)> {
    let steps = recording.trace.steps.len();
    let is_used = |step: &usize| used.contains(&Origin { trace, step: *step });
    if !(0..=steps).any(|step| is_used(&step)) {
        return vec![(0, steps)];
    }
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for step in (1..=steps).filter(|step| !is_used(step)) {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == step => *last = step,
            _ => runs.push((step, step)),
        }
    }
    runs
}

fn kind(recording: &Recording, first: usize, last: usize) -> RemovedKind {
    let state = |step: usize| recording.trace.result_after(step).state;
    match first.checked_sub(1) {
        None => RemovedKind::Trace,
        Some(before) if state(before) == state(last) => RemovedKind::Loop,
        Some(_) => RemovedKind::Part,
    }
}
