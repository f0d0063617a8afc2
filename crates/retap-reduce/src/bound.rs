//! The distance from the best possible suite: a lower bound on the cost of any suite that covers the same with at most
//! k fragments per trace. It is the linear relaxation of a set cover in which steps do not stand alone: whatever
//! enters a location must have come there.

pub(crate) mod comparison_suites;
mod linear_program;
mod observed_coverage;

use crate::model::verified_path::VerifiedPath;
use crate::phase2::transition_system::TransitionSystem;
use linear_program::LinearProgram;
use microlp::{Problem, Solution, SolutionStatus, SolveOutcome};
use observed_coverage::ObservedCoverage;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Steps above which the program leaves the flow out: the solver's time grows with the square of its rows.
const MAX_FLOW_STEPS: usize = 1500;

/// A cost that no suite of the same fragments can go below.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct LowerBound {
    /// In the unit of the cost model, kept traces included.
    pub cost: u64,
    pub method: BoundMethod,
}

/// The constraints that the linear program has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BoundMethod {
    /// Cover, flow through locations, and the number of fragments.
    Flow,
    /// Cover and flow, for any number of fragments: equal steps count as one.
    #[serde(rename = "flow_of_any")]
    FlowWithoutFragments,
    /// Cover alone, for suites too large for the flow.
    Cover,
}

/// Computes the lower bound. A step may cover more in `answer` than where it was recorded, so its coverage there
/// counts too.
fn lower_bound(
    system: &TransitionSystem<'_>,
    answer: &[VerifiedPath],
    fragments: usize,
    is_stopped: impl Fn() -> bool,
) -> Option<LowerBound> {
    if answer.is_empty() {
        return Some(LowerBound { cost: 0, method: BoundMethod::Cover });
    }
    let observed = ObservedCoverage::new(system, answer);
    let distinct = system.distinct();
    let (system, method) = match (system.transitions.len(), distinct.transitions.len()) {
        (..=MAX_FLOW_STEPS, _) => (system, BoundMethod::Flow),
        (_, ..=MAX_FLOW_STEPS) => (&distinct, BoundMethod::FlowWithoutFragments),
        _ => (&distinct, BoundMethod::Cover),
    };
    let mut program = LinearProgram::new(system);
    program.require_coverage(&observed);
    match method {
        BoundMethod::Flow => program.require_flow(Some(fragments)),
        BoundMethod::FlowWithoutFragments => program.require_flow(None),
        BoundMethod::Cover => {}
    }
    let solution = solve(program.problem, is_stopped)?;
    // Costs are whole numbers, so the best suite costs at least the next one; the margin absorbs rounding errors.
    let cost = (solution.objective() - 1e-6).ceil().max(0.0) as u64;
    Some(LowerBound { cost, method })
}

/// Returns the optimum; anything less proven would be no bound. The solver pauses now and then so that it can be
/// stopped. Its final answer does not depend on the pauses.
fn solve(mut problem: Problem, is_stopped: impl Fn() -> bool) -> Option<Solution> {
    problem.set_time_limit(Duration::from_millis(200));
    let mut outcome = problem.solve().ok()?;
    loop {
        match outcome {
            SolveOutcome::Solution(solution) if solution.status() == SolutionStatus::Optimal => {
                return Some(solution);
            }
            _ if is_stopped() => return None,
            unfinished => outcome = unfinished.resume().ok()?,
        }
    }
}
