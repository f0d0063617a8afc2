//! Writes a reduction as `reduction.json`: with names of traces, units and states instead of numbers.

use retap_engine::reduce::LoadedTrace;
use retap_model::Units;
use retap_model::format::reduction::{
    CoveredRequirement, LostRequirement, LowerBoundMethod, LowerBoundRecord, QuarantineRecord,
    ReduceEnded, ReductionCounts, ReductionFile, ReductionSummary, RemovedStepsKind,
    RemovedStepsRecord, StageSizes, StepRange, SuiteSize, SuiteTraceRecord,
};
use retap_model::format::trace::Header;
use retap_reduce::{
    BoundMethod, LowerBound, ReductionStages, ReductionStats, RemovedKind, Requirement,
    RequirementProof, SizeAndCost, SuiteReduction,
};

/// The names behind the numbers of a reduction.
pub struct Sources<'a> {
    pub header: &'a Header,
    pub loaded: &'a [LoadedTrace],
    /// The names of the reduced suite's traces.
    pub names: &'a [String],
    pub units: &'a Units,
}

/// Builds the content of `reduction.json`.
pub fn describe_reduction(reduction: &SuiteReduction, sources: &Sources<'_>) -> ReductionFile {
    let Sources { header, loaded, names, units } = *sources;
    let source = |trace: usize| loaded[trace].name.clone();
    let covered = |RequirementProof { requirement, by }: &RequirementProof| CoveredRequirement {
        requirement: name(*requirement, units),
        trace: names[by.trace].clone(),
        step: by.step as u64,
    };
    ReductionFile {
        retap: ReductionFile::KIND.into(),
        version: ReductionFile::VERSION,
        app: header.app.clone(),
        summary: summarize(reduction, sources),
        traces: reduction
            .traces
            .iter()
            .zip(names)
            .map(|(one, name)| SuiteTraceRecord {
                trace: name.clone(),
                kept: one.kept,
                fragments: fragments(one, loaded),
            })
            .collect(),
        covered: reduction.proof.covered.iter().map(covered).collect(),
        removed: reduction
            .proof
            .removed
            .iter()
            .map(|removed| RemovedStepsRecord {
                trace: source(removed.trace),
                steps: StepRange {
                    first: removed.first_step as u64,
                    last: removed.last_step as u64,
                },
                kind: removed_kind(removed.kind),
                covered: removed.covered.clone(),
            })
            .collect(),
    }
}

fn summarize(reduction: &SuiteReduction, sources: &Sources<'_>) -> ReductionSummary {
    let source = |trace: usize| sources.loaded[trace].name.clone();
    ReductionSummary {
        ended: if reduction.stopped { ReduceEnded::Interrupted } else { ReduceEnded::Complete },
        stages: stage_sizes(reduction.stages),
        lower_bound: reduction.lower_bound.map(lower_bound),
        gap: reduction.gap(),
        counts: counts(reduction.stats),
        quarantined: reduction
            .quarantined
            .iter()
            .map(|quarantined| QuarantineRecord {
                trace: source(quarantined.trace),
                step: quarantined.step as u64,
                steps: quarantined.steps as u64,
                rate: quarantined.rate,
            })
            .collect(),
        unstable: reduction
            .unstable
            .iter()
            .map(|lost| LostRequirement {
                requirement: name(lost.requirement, sources.units),
                trace: source(lost.trace),
                step: lost.step as u64,
            })
            .collect(),
        unexamined: reduction.unexamined.iter().copied().map(source).collect(),
    }
}

fn stage_sizes(stages: ReductionStages) -> StageSizes {
    StageSizes {
        recorded: suite_size(stages.recorded),
        selected: suite_size(stages.selected),
        phase_1: suite_size(stages.phase_1),
        phase_2: suite_size(stages.phase_2),
        phase_3: Some(suite_size(stages.phase_3)),
    }
}

fn suite_size(SizeAndCost { steps, restarts, cost, ms }: SizeAndCost) -> SuiteSize {
    SuiteSize { steps, restarts, cost, ms }
}

fn lower_bound(LowerBound { cost, method }: LowerBound) -> LowerBoundRecord {
    let method = match method {
        BoundMethod::Flow => LowerBoundMethod::Flow,
        BoundMethod::FlowWithoutFragments => LowerBoundMethod::FlowOfAny,
        BoundMethod::Cover => LowerBoundMethod::Cover,
    };
    LowerBoundRecord { cost, method }
}

fn removed_kind(kind: RemovedKind) -> RemovedStepsKind {
    match kind {
        RemovedKind::Trace => RemovedStepsKind::Trace,
        RemovedKind::Loop => RemovedStepsKind::Loop,
        RemovedKind::Part => RemovedStepsKind::Part,
    }
}

/// Every field is named, so that a new count cannot be forgotten here.
fn counts(stats: ReductionStats) -> ReductionCounts {
    let ReductionStats {
        candidates,
        replayed,
        faithful,
        insufficient,
        known_replayable,
        cut_branches,
        traces_saved,
        expanded,
        rounds,
        attempts,
        sufficient,
        effort,
        limits_hit,
    } = stats;
    ReductionCounts {
        candidates,
        replayed,
        faithful,
        short: insufficient,
        known: known_replayable,
        cut: cut_branches,
        traces_saved,
        expanded,
        rounds,
        attempts,
        sufficient,
        effort,
        limits_hit,
    }
}

fn name(requirement: Requirement, units: &Units) -> String {
    match requirement {
        Requirement::Unit(id) => match units.get(id) {
            Some(unit) => format!("{} {}", unit.kind, unit.name),
            None => format!("unit {id}"),
        },
        Requirement::State(state) => format!("state {state}"),
        Requirement::Crash(crash) => format!("crash {crash}"),
        Requirement::NotResponding => "the app stops responding".into(),
    }
}

/// `run/trace.jsonl#3 steps 4-9`, one for every run of steps that followed each other when recorded.
fn fragments(reduced: &retap_reduce::ReducedTrace, loaded: &[LoadedTrace]) -> Vec<String> {
    let mut runs: Vec<(usize, usize, usize)> = Vec::new();
    for origin in &reduced.origins {
        match runs.last_mut() {
            Some((trace, _, last)) if *trace == origin.trace && *last + 1 == origin.step => {
                *last = origin.step;
            }
            _ => runs.push((origin.trace, origin.step, origin.step)),
        }
    }
    let line = |(trace, first, last): (usize, usize, usize)| {
        let steps = match (first, last) {
            (0, 0) => "launch".to_string(),
            (0, 1) => "launch and step 1".to_string(),
            (0, last) => format!("launch and steps 1-{last}"),
            (first, last) if first == last => format!("step {first}"),
            (first, last) => format!("steps {first}-{last}"),
        };
        format!("{} {steps}", loaded[trace].name)
    };
    runs.into_iter().map(line).collect()
}
