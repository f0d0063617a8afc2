//! Runs the phases on the selected traces, and the run that confirms their result.

use crate::model::cost::{CostModel, SizeAndCost};
use crate::model::indexed_traces::IndexedTraces;
use crate::model::requirement_index::RequirementIndex;
use crate::model::verified_path::{VerifiedPath, covered_groups};
use crate::options::{PhaseEffortLimits, ReductionLimits};
use crate::phase1::remove_loops;
use crate::phase2::cheapest_suite::choose_cheapest;
use crate::phase2::transition_system::TransitionSystem;
use crate::phase2::{SplicedSuite, splice};
use crate::phase3::event_priors::EventPriors;
use crate::phase3::{Phase3Outcome, SuiteMinimizer};
use crate::recorded_trace::RecordedTrace;
use crate::reduction::ReducedTrace;
use crate::replay::Replay;
use crate::replay::confirmation::{Confirmation, confirm_and_repair};
use crate::replay::path_tester::PathTester;
use crate::replay::session::ReplaySession;
use crate::select::TraceSelection;
use retap_model::Coverage;

pub(crate) struct PhaseInput<'t> {
    pub recorded_traces: &'t [RecordedTrace],
    pub selection: &'t TraceSelection,
    /// True if some recordings were never run, so that the finished suite has to be.
    pub trusts_recordings: bool,
    pub limits: &'t ReductionLimits,
    pub cost: CostModel,
    pub effort_limits: PhaseEffortLimits,
}

pub(crate) enum PhaseResults {
    Suite(PhaseSuite),
    /// Indices of recorded traces that the suite is made of and that do not hold.
    Refuted(Vec<usize>),
}

/// The suite that the phases found.
pub(crate) struct PhaseSuite {
    /// Kept traces first.
    pub traces: Vec<ReducedTrace>,
    /// Traces of phase 1 that no recorded trace begins with. They are fragments of the lower bound.
    pub shortened: Vec<ReducedTrace>,
    pub sizes: PhaseSizes,
    pub stopped: bool,
}

/// The size of the suite after each phase, without kept traces.
pub(crate) struct PhaseSizes {
    pub selected: SizeAndCost,
    pub phase_1: SizeAndCost,
    pub phase_2: SizeAndCost,
}

/// Reduces the selected traces in three phases and confirms the result.
pub(crate) fn run_phases<R: Replay>(
    input: &PhaseInput<'_>,
    requirements: &mut RequirementIndex,
    session: &mut ReplaySession<'_, R>,
) -> Result<PhaseResults, R::Error> {
    let PhaseInput { selection, limits, cost, effort_limits, .. } = input;
    let traces = IndexedTraces::new(&selection.selected, &selection.covered_by_kept(), *cost);
    let is_stopped = !selection.unexamined.is_empty();
    let mut tester = PathTester::new(&traces, requirements, session, is_stopped);
    let chosen = tester.initial_suite();
    let phase_1 = remove_loops(&mut tester, chosen.clone(), limits, effort_limits.phase_1)?;
    // A prefix of a recorded trace adds no transition that the recording does not have.
    let shortened: Vec<&VerifiedPath> =
        phase_1.iter().filter(|verified| !traces.is_recorded(&verified.path)).collect();
    let recorded = tester.recorded_paths();
    let system = TransitionSystem::new(&traces, shortened.iter().copied().chain(&recorded));
    let spliced = match limits.fragments {
        0 => SplicedSuite { suite: phase_1.clone(), spare: Vec::new() },
        _ => splice(&mut tester, &phase_1, &system, limits, effort_limits.phase_2)?,
    };
    let phase_2 = choose_cheapest(&traces, phase_1.clone(), spliced);
    let size_of = |suite: &[VerifiedPath]| {
        let size = |path: &VerifiedPath| SizeAndCost::of_trace(&traces.trace_of(&path.path), *cost);
        suite.iter().map(size).sum()
    };
    let sizes = PhaseSizes {
        selected: size_of(&chosen),
        phase_1: size_of(&phase_1),
        phase_2: size_of(&phase_2),
    };
    let MinimizedSuite { mut unchanged, minimized } = minimize_suite(input, &mut tester, phase_2)?;
    if input.trusts_recordings {
        let covered = covered_by(tester.requirements, &minimized);
        let to_cover = covered_groups(&traces, &phase_1).minus(&traces.groups_within(&covered));
        let Confirmation { confirmed, refuted } =
            confirm_and_repair(&mut tester, unchanged, &to_cover)?;
        if !refuted.is_empty() {
            let sources = refuted.iter().flat_map(|path| traces.sources_of(&path.path));
            return Ok(PhaseResults::Refuted(sources.collect()));
        }
        unchanged = confirmed;
    }
    let stopped = tester.stopped || tester.session.replay.is_stopped();
    let unchanged = unchanged.into_iter().map(|path| reduced_trace(&traces, path));
    Ok(PhaseResults::Suite(PhaseSuite {
        shortened: shortened.into_iter().map(|path| reduced_trace(&traces, path.clone())).collect(),
        traces: input.kept_traces().chain(unchanged).chain(minimized).collect(),
        sizes,
        stopped,
    }))
}

impl PhaseInput<'_> {
    fn kept_traces(&self) -> impl Iterator<Item = ReducedTrace> {
        self.selection.kept.iter().map(|kept| {
            ReducedTrace::kept(kept.source, &self.recorded_traces[kept.source], &kept.recorded)
        })
    }
}

/// The suite after phase 3.
struct MinimizedSuite {
    unchanged: Vec<VerifiedPath>,
    minimized: Vec<ReducedTrace>,
}

/// Runs phase 3 unless the limits leave it out.
fn minimize_suite<R: Replay>(
    input: &PhaseInput<'_>,
    tester: &mut PathTester<'_, '_, R>,
    suite: Vec<VerifiedPath>,
) -> Result<MinimizedSuite, R::Error> {
    if !input.limits.minimize {
        return Ok(MinimizedSuite { unchanged: suite, minimized: Vec::new() });
    }
    let paths = suite.iter().map(|path| reduced_trace(tester.traces, path.clone()));
    let traces: Vec<ReducedTrace> = input.kept_traces().chain(paths).collect();
    let mut minimizer = SuiteMinimizer {
        requirements: &mut *tester.requirements,
        session: &mut *tester.session,
        claimed: &input.selection.claimed,
        trusts_recordings: input.trusts_recordings,
        cost: input.cost,
        effort_limit: input.effort_limits.phase_3,
        stopped: tester.stopped,
        priors: EventPriors::default(),
    };
    let mut results = minimizer.minimize(traces)?;
    tester.stopped = minimizer.stopped;
    let results = results.split_off(input.selection.kept.len());
    assert_eq!(results.len(), suite.len(), "phase 3 returns one result per trace");
    let (mut unchanged, mut minimized) = (Vec::new(), Vec::new());
    for (path, result) in suite.into_iter().zip(results) {
        match result {
            Phase3Outcome::Unchanged => unchanged.push(path),
            Phase3Outcome::Redundant => {}
            Phase3Outcome::Smaller(smaller) => minimized.push(*smaller),
        }
    }
    Ok(MinimizedSuite { unchanged, minimized })
}

fn covered_by(requirements: &mut RequirementIndex, traces: &[ReducedTrace]) -> Coverage {
    let mut all = Coverage::new();
    for one in traces {
        all.union_with(&requirements.covered_by_trace(&one.trace, &one.covered));
    }
    all
}

fn reduced_trace(traces: &IndexedTraces<'_>, verified: VerifiedPath) -> ReducedTrace {
    ReducedTrace {
        trace: traces.trace_of(&verified.path),
        origins: traces.origins_of(&verified.path),
        covered: verified.units_by_step,
        kept: false,
    }
}
