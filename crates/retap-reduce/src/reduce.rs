//! The entry point: turns recorded traces into a smaller suite with a proof.

use crate::bound::LowerBound;
use crate::bound::comparison_suites::ComparisonSuites;
use crate::model::cost::SizeAndCost;
use crate::model::requirement_index::RequirementIndex;
use crate::options::{PhaseEffortLimits, ReductionLimits, ReductionOptions};
use crate::phases::{PhaseInput, PhaseResults, PhaseSuite, run_phases};
use crate::proof::prove;
use crate::recorded_trace::{IncompleteRecording, RecordedTrace};
use crate::reduction::{ReductionStages, SuiteReduction};
use crate::replay::Replay;
use crate::replay::session::ReplaySession;
use crate::select::quarantine::{QuarantinedTrace, find_unstable};
use crate::select::{SelectedTrace, TraceSelection, select};
use crate::stats::ReductionStats;
use retap_model::Coverage;
use std::collections::BTreeSet;

/// The reason why a reduction has no result.
#[derive(Debug, thiserror::Error)]
pub enum ReductionError<E> {
    #[error(transparent)]
    IncompleteRecording(#[from] IncompleteRecording),
    #[error("{0}")]
    Replay(E),
}

/// Reduces recorded traces to a small suite that covers the same requirements and replays.
pub fn reduce<R: Replay>(
    recorded_traces: &[RecordedTrace],
    options: &ReductionOptions,
    replay: &mut R,
) -> Result<SuiteReduction, ReductionError<R::Error>> {
    recorded_traces.iter().enumerate().try_for_each(|(index, recorded)| recorded.check(index))?;
    reduce_in_passes(recorded_traces, options, replay).map_err(ReductionError::Replay)
}

/// Passes after which no recording is trusted any more.
const TRUSTING_PASSES: usize = 3;

/// Trusts recordings where it may. If the finished suite shows that some do not hold, it reduces again without
/// trusting those.
fn reduce_in_passes<R: Replay>(
    recorded_traces: &[RecordedTrace],
    options: &ReductionOptions,
    replay: &mut R,
) -> Result<SuiteReduction, R::Error> {
    let mut session = ReplaySession::new(replay);
    let mut doubted = BTreeSet::new();
    let mut refuted_passes = 0;
    let mut options = options.clone();
    let mut best: Option<SuiteReduction> = None;
    loop {
        let before = session.stats;
        let pass = Pass { recorded_traces, doubted: &doubted, options: &options };
        match pass.run(&mut session)? {
            PassResult::Done(reduction) => {
                let yields = PassYield::new(best.as_ref(), &reduction, before);
                let reduction = match best {
                    Some(best) if best.stages.phase_3.cost <= reduction.stages.phase_3.cost => {
                        SuiteReduction { stats: session.stats, ..best }
                    }
                    _ => *reduction,
                };
                if !yields.is_worth_another_pass(&options.limits) {
                    return Ok(reduction);
                }
                // Twice what this pass took, beyond all that was spent.
                options.limits.effort = session.stats.effort + 2 * yields.effort;
                best = Some(reduction);
            }
            PassResult::Refuted(sources) => {
                refuted_passes += 1;
                doubted.extend(sources);
                if refuted_passes == TRUSTING_PASSES {
                    doubted.extend(0..recorded_traces.len());
                }
            }
        }
    }
}

/// What a pass gave for its effort.
struct PassYield {
    /// The cost by which the suite became smaller.
    saved: u64,
    effort: u64,
    /// True if searches ended at a limit, so that more effort may give more.
    hit_limits: bool,
}

impl PassYield {
    fn new(
        best: Option<&SuiteReduction>,
        reduction: &SuiteReduction,
        before: ReductionStats,
    ) -> Self {
        // The first pass begins with the traces that were selected.
        let cost_before =
            best.map_or(reduction.stages.selected.cost, |best| best.stages.phase_3.cost);
        Self {
            saved: cost_before.saturating_sub(reduction.stages.phase_3.cost),
            effort: reduction.stats.effort - before.effort,
            hit_limits: reduction.stats.limits_hit > before.limits_hit && !reduction.stopped,
        }
    }

    /// Returns true if the pass saved enough for its effort, and another with twice the effort may save more.
    fn is_worth_another_pass(&self, limits: &ReductionLimits) -> bool {
        self.hit_limits && self.saved > 0 && self.saved.saturating_mul(limits.worth) >= self.effort
    }
}

/// One attempt at the whole reduction.
struct Pass<'p> {
    recorded_traces: &'p [RecordedTrace],
    /// Indices of recorded traces that must be replayed before they are used.
    doubted: &'p BTreeSet<usize>,
    options: &'p ReductionOptions,
}

enum PassResult {
    Done(Box<SuiteReduction>),
    /// Indices of recorded traces that the suite is made of and that do not hold.
    Refuted(Vec<usize>),
}

impl Pass<'_> {
    fn run<R: Replay>(&self, session: &mut ReplaySession<'_, R>) -> Result<PassResult, R::Error> {
        let Self { recorded_traces, doubted, options } = *self;
        let ReductionOptions { scope, cost, limits } = options;
        let mut requirements = RequirementIndex::new(scope.clone());
        let selection = select(recorded_traces, doubted, *cost, &mut requirements, session)?;
        let trusts_recordings = doubted.len() < recorded_traces.len();
        let input = PhaseInput {
            recorded_traces,
            selection: &selection,
            trusts_recordings,
            limits,
            cost: *cost,
            effort_limits: self.divide_effort(&selection, trusts_recordings, session.stats.effort),
        };
        match run_phases(&input, &mut requirements, session)? {
            PhaseResults::Suite(suite) => {
                let reduction = self.finish(selection, suite, &mut requirements, session);
                Ok(PassResult::Done(Box::new(reduction)))
            }
            PhaseResults::Refuted(sources) => Ok(PassResult::Refuted(sources)),
        }
    }

    fn divide_effort(
        &self,
        selection: &TraceSelection,
        trusts_recordings: bool,
        spent: u64,
    ) -> PhaseEffortLimits {
        let limits: &ReductionLimits = &self.options.limits;
        // A repeated pass remembers earlier results, so it needs less.
        let minimum = if self.doubted.is_empty() { limits.effort / 4 } else { limits.effort / 10 };
        let to_confirm = if trusts_recordings { selection.effort_to_run() } else { 0 };
        let available = limits.effort.saturating_sub(spent).max(to_confirm + minimum);
        limits.divide_effort(spent, available, to_confirm)
    }

    /// Returns the recorded traces that selection left out or cut though nothing says that they do not replay. Suites
    /// of their fragments count for the lower bound, or it would hold for the selection alone.
    fn others(
        &self,
        selected: &[SelectedTrace],
        quarantined: &[QuarantinedTrace],
        requirements: &mut RequirementIndex,
    ) -> Vec<SelectedTrace> {
        let is_whole = |source: usize, recorded: &RecordedTrace| {
            let steps = recorded.trace.steps.len();
            selected
                .iter()
                .any(|one| one.source == source && one.recorded.trace.steps.len() == steps)
        };
        let is_quarantined = |source: usize| quarantined.iter().any(|one| one.trace == source);
        let recorded = self.recorded_traces.iter().enumerate();
        recorded
            .filter(|(source, recorded)| {
                !recorded.keep && !is_whole(*source, recorded) && !is_quarantined(*source)
            })
            .map(|(source, recorded)| {
                let requirements_by_step =
                    requirements.covered_by_steps(&recorded.trace, &recorded.covered);
                let recorded = recorded.clone();
                SelectedTrace { source, recorded, requirements_by_step, chosen_steps: None }
            })
            .collect()
    }

    fn finish<R: Replay>(
        &self,
        selection: TraceSelection,
        suite: PhaseSuite,
        requirements: &mut RequirementIndex,
        session: &ReplaySession<'_, R>,
    ) -> SuiteReduction {
        let Self { recorded_traces, options, .. } = *self;
        let ReductionOptions { cost, limits, .. } = options;
        let covered_by_kept = selection.covered_by_kept();
        let TraceSelection { kept, selected, quarantined, claimed, stable, unexamined } = selection;
        let PhaseSuite { traces, shortened, sizes, stopped } = suite;
        let kept_size = SizeAndCost::of_traces(kept.iter().map(|kept| &kept.recorded.trace), *cost);
        let stages = ReductionStages {
            recorded: SizeAndCost::of_traces(recorded_traces.iter().map(|one| &one.trace), *cost),
            selected: kept_size + sizes.selected,
            phase_1: kept_size + sizes.phase_1,
            phase_2: kept_size + sizes.phase_2,
            phase_3: SizeAndCost::of_traces(traces.iter().map(|one| &one.trace), *cost),
        };
        let others = self.others(&selected, &quarantined, requirements);
        let suites = ComparisonSuites { selected, others, shortened, covered_by_kept, cost: *cost };
        let bound = (!stopped)
            .then(|| {
                let is_stopped = || session.replay.is_stopped();
                suites.lower_bound(&traces, limits.fragments.max(1), requirements, is_stopped)
            })
            .flatten();
        let lower_bound =
            bound.map(|bound| LowerBound { cost: bound.cost + kept_size.cost, ..bound });
        // A spliced trace may show something again that no replay of a recorded trace showed.
        let mut shown: Coverage = stable;
        for one in &traces {
            shown.union_with(&requirements.covered_by_trace(&one.trace, &one.covered));
        }
        let shown = shown.intersection(&claimed);
        let unstable = find_unstable(recorded_traces, requirements, &claimed.difference(&shown));
        let proof = prove(recorded_traces, &unexamined, &traces, &shown, requirements);
        let stats = session.stats;
        SuiteReduction {
            traces,
            stages,
            lower_bound,
            quarantined,
            unstable,
            stopped,
            unexamined,
            proof,
            stats,
        }
    }
}
