//! Divides the processor time of each phase among what it was spent on and the stacks it was spent in.
//!
//! The time of compiling and collecting is known. Loading classes is timed by the JVM. The rest of the time of the
//! working threads divides equally among the samples taken outside of it. A thread that the JVM itself keeps busy (it
//! links a class or unwinds an exception) is not sampled; its time goes to the samples around it.

use super::folded_stacks::{FoldedStacks, StackFrame};
use super::phase_clock::{Phase, PhaseSpan};
use super::phase_times::PhaseTimes;
use super::samples::{ClassLoad, CodeForm, Sample, Samples};
use std::collections::BTreeMap;

const COMPILER: &str = "(compiler)";
const COLLECTOR: &str = "(garbage collector)";
const LOADER: &str = "(loading classes)";
const UNSAMPLED: &str = "(not sampled)";

/// Native methods in which a thread waits and takes no time of the processor: the agent's for the next request.
const WAITING: [&str; 3] =
    ["sun.nio.ch.SocketDispatcher.read0", "sun.nio.ch.Net.poll", "sun.nio.ch.EPoll.wait"];

pub fn attribute(spans: &[PhaseSpan], samples: &Samples) -> (Vec<PhaseTimes>, FoldedStacks) {
    let loads = merge(&samples.loads);
    let mut stacks = FoldedStacks::default();
    let phases = Phase::ALL
        .into_iter()
        .map(|phase| attribute_phase(phase, spans, samples, &loads, &mut stacks))
        .collect();
    (phases, stacks)
}

fn attribute_phase(
    phase: Phase,
    spans: &[PhaseSpan],
    samples: &Samples,
    loads: &BTreeMap<u64, Vec<ClassLoad>>,
    stacks: &mut FoldedStacks,
) -> PhaseTimes {
    let mut times = PhaseTimes::none(phase);
    let mut work_ms = 0.0;
    for span in spans.iter().filter(|span| span.phase == phase) {
        times.count += 1;
        times.wall_ms += span.end_ns.saturating_sub(span.begin_ns) as f64 / 1e6;
        times.compile_ms += span.used.compile_ms as f64;
        times.collect_ms += span.used.collect_ms as f64;
        times.record_ms += span.used.record_ms as f64;
        work_ms += span.used.work_ms as f64;
    }
    times.cpu_ms = times.compile_ms + times.collect_ms + work_ms;
    times.waiting_ms = (times.wall_ms - work_ms - times.collect_ms).max(0.0);

    let is_ours = |time_ns: u64| phase_at(spans, time_ns) == Some(phase);
    let loading_ms: f64 = loads
        .values()
        .flatten()
        .filter(|load| is_ours(load.begin_ns))
        .map(|load| load.end_ns.saturating_sub(load.begin_ns) as f64 / 1e6)
        .sum();
    // On a busy machine a load lasts longer than it takes of the processor, like everything in its phase.
    let busy_share = (work_ms / times.wall_ms.max(1e-9)).min(1.0);
    times.load_ms = (loading_ms * busy_share).min(work_ms);

    let (inside, outside): (Vec<&Sample>, Vec<&Sample>) = samples
        .stacks
        .iter()
        .filter(|sample| is_ours(sample.time_ns) && !is_waiting(sample, samples))
        .partition(|sample| is_loading(sample, loads));
    times.samples = (inside.len() + outside.len()) as u64;

    let mut known = |part: &str, ms: f64| {
        stacks.add([phase.name(), part].map(StackFrame::part).to_vec(), ms * 1e3);
    };
    known(COMPILER, times.compile_ms);
    known(COLLECTOR, times.collect_ms);
    if inside.is_empty() {
        known(LOADER, times.load_ms);
    }
    let rest_ms = work_ms - times.load_ms;
    if outside.is_empty() {
        // A phase too short for a sample ran too short to be compiled.
        times.interpreted_ms += rest_ms;
        known(UNSAMPLED, rest_ms);
    }
    let load_each_ms = times.load_ms / inside.len().max(1) as f64;
    for sample in inside {
        stacks.add(folded(phase, sample, samples), load_each_ms * 1e3);
    }
    let each_ms = rest_ms / outside.len().max(1) as f64;
    for sample in outside {
        stacks.add(folded(phase, sample, samples), each_ms * 1e3);
        *part_of(&mut times, sample, samples) += each_ms;
    }
    times
}

/// Returns the phase that a moment belongs to. What happens between two phases belongs to the second.
fn phase_at(spans: &[PhaseSpan], time_ns: u64) -> Option<Phase> {
    let at = spans.partition_point(|span| span.end_ns < time_ns);
    spans.get(at).map(|span| span.phase)
}

fn is_waiting(sample: &Sample, samples: &Samples) -> bool {
    let innermost = sample.stack.last().map(|&number| samples.frames[number].name.as_str());
    innermost.is_some_and(|name| WAITING.contains(&name))
}

/// Returns the part of a phase's time that a sample outside of class loading shows.
fn part_of<'t>(times: &'t mut PhaseTimes, sample: &Sample, samples: &Samples) -> &'t mut f64 {
    let frames = || sample.stack.iter().map(|&number| &samples.frames[number]);
    if frames().any(|frame| frame.name.ends_with(".<clinit>")) {
        return &mut times.load_ms;
    }
    match frames().next_back().map(|frame| frame.form) {
        Some(CodeForm::Compiled) => &mut times.compiled_ms,
        Some(CodeForm::Native) => &mut times.native_ms,
        Some(CodeForm::Interpreted) | None => &mut times.interpreted_ms,
    }
}

fn folded(phase: Phase, sample: &Sample, samples: &Samples) -> Vec<StackFrame> {
    let frames = sample.stack.iter().map(|&number| &samples.frames[number]).map(|frame| {
        StackFrame { name: frame.name.clone(), is_interpreted: frame.form == CodeForm::Interpreted }
    });
    [StackFrame::part(phase.name())].into_iter().chain(frames).collect()
}

/// Joins loads of one thread that lie within each other: a class loads its superclasses first.
fn merge(loads: &[ClassLoad]) -> BTreeMap<u64, Vec<ClassLoad>> {
    let mut sorted = loads.to_vec();
    sorted.sort_by_key(|load| load.begin_ns);
    let mut merged: BTreeMap<u64, Vec<ClassLoad>> = BTreeMap::new();
    for load in sorted {
        let of_thread = merged.entry(load.thread).or_default();
        match of_thread.last_mut() {
            Some(last) if load.begin_ns <= last.end_ns => {
                last.end_ns = last.end_ns.max(load.end_ns);
            }
            _ => of_thread.push(load),
        }
    }
    merged
}

fn is_loading(sample: &Sample, loads: &BTreeMap<u64, Vec<ClassLoad>>) -> bool {
    let Some(loads) = loads.get(&sample.thread) else { return false };
    let at = loads.partition_point(|load| load.end_ns < sample.time_ns);
    loads.get(at).is_some_and(|load| load.begin_ns <= sample.time_ns)
}

#[cfg(test)]
mod tests;
