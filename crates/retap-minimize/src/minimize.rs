//! The entry point: runs the baseline, then the chosen algorithm, then verifies the answer.

use crate::algorithms::{self, Algorithm};
use crate::hierarchy::StateTree;
use crate::problem::{MinimizeError, MinimizeOptions, MinimizeProblem};
use crate::result::{MinimizeEnding, MinimizeResult};
use crate::search::{CandidateOracle, Examiner, Forecast, SearchStop};
use crate::statistics::Check;

/// Minimises the sequence of `problem`.
///
/// The result is a function of the problem, the options and the oracle's answers.
pub fn minimize(
    problem: &MinimizeProblem<'_>,
    oracle: &mut dyn CandidateOracle,
    options: &MinimizeOptions,
) -> Result<MinimizeResult, MinimizeError> {
    let tree = problem.build_tree(options)?;
    let mut examiner = Examiner::new(oracle, options, problem.length);
    let ending = match search(&mut examiner, &tree, Forecast::new(problem.states), options) {
        Ok(ending) => ending,
        Err(stop) => {
            examiner.forget_minimality();
            MinimizeEnding::Stopped(stop)
        }
    };
    Ok(examiner.into_result(ending))
}

fn search(
    examiner: &mut Examiner<'_>,
    tree: &StateTree,
    forecast: Forecast<'_>,
    options: &MinimizeOptions,
) -> Result<MinimizeEnding, SearchStop> {
    if !examiner.run_baseline()? {
        return Ok(MinimizeEnding::NotReproduced);
    }
    for check in successive_checks(options, examiner.has_steady_baseline()) {
        examiner.set_check(check);
        examiner.retreat_to_passing()?;
        algorithms::reduce(examiner, tree, forecast, options)?;
        if options.algorithm.promises_one_minimal() {
            examiner.note_minimality();
        }
        examiner.set_check(options.check);
        if examiner.verify_best()? {
            return Ok(MinimizeEnding::Finished);
        }
    }
    examiner.retreat_to_verified()?;
    Ok(MinimizeEnding::Finished)
}

/// The number of attempts with the stricter check, each from an earlier answer. After them the best
/// answer that fresh runs confirm is taken as it is.
const STRICT_ATTEMPTS: usize = 3;

/// Returns the checks to search with. Each is used if fresh runs refuted the answer found with the one
/// before: many candidates were judged, and the luckiest won. A check of one run is the only one.
fn successive_checks(options: &MinimizeOptions, has_steady_baseline: bool) -> Vec<Check> {
    let requested = options.check;
    if requested.runs == 1 {
        return vec![requested];
    }
    // `auto` first trusts an original that never failed: one run per candidate.
    let trusts_one_run = options.algorithm == Algorithm::Auto && has_steady_baseline;
    let one_run = trusts_one_run.then_some(Check { runs: 1, required: 1, ..requested });
    let strict = std::iter::repeat_n(requested.confirmation(), STRICT_ATTEMPTS);
    one_run.into_iter().chain([requested]).chain(strict).collect()
}
