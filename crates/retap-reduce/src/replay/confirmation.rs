//! Confirms a suite that rests on recordings alone by running it once. If a trace does not hold, the missing
//! coverage is taken from other recordings, which is much cheaper than to reduce again.

use super::path_tester::PathTester;
use super::{Replay, ReplayError, ReplayMode};
use crate::model::bit_set::BitSet;
use crate::model::verified_path::{VerifiedPath, covered_groups};
use crate::phase2::cheapest_suite::{choose_greedily, trim};
use retap_model::Trace;

/// Rounds of repair before the recordings that were refuted are doubted.
const REPAIR_ROUNDS: usize = 4;

/// The result of running a suite once.
pub(crate) struct Confirmation {
    /// The paths that replayed, with the coverage of this run.
    pub confirmed: Vec<VerifiedPath>,
    /// The paths that diverged or covered less than before.
    pub refuted: Vec<VerifiedPath>,
}

impl Confirmation {
    fn unrefuted(confirmed: Vec<VerifiedPath>) -> Self {
        Self { confirmed, refuted: Vec::new() }
    }
}

/// Runs the suite and repairs it until it covers `all`. Only if that fails, the result names refuted paths.
pub(crate) fn confirm_and_repair<R: Replay>(
    tester: &mut PathTester<'_, '_, R>,
    suite: Vec<VerifiedPath>,
    all: &BitSet,
) -> Result<Confirmation, R::Error> {
    let traces = tester.traces;
    let Confirmation { confirmed: mut suite, mut refuted } = confirm(tester, suite)?;
    for _ in 0..REPAIR_ROUNDS {
        let missing = all.minus(&covered_groups(traces, &suite));
        if missing.is_empty() {
            return Ok(Confirmation::unrefuted(trim(traces, suite, all)));
        }
        if tester.stopped {
            return Ok(Confirmation::unrefuted(suite));
        }
        let recorded = tester.recorded_paths().into_iter();
        let pool = recorded.filter_map(|path| tester.find_verified_prefix(path.path)).collect();
        let replacement = trim(traces, choose_greedily(traces, pool, &missing), &missing);
        let more = confirm(tester, replacement)?;
        suite.extend(more.confirmed);
        refuted.extend(more.refuted);
    }
    let missing = all.minus(&covered_groups(traces, &suite));
    // Rounds that repaired nothing have left paths that nobody needs.
    let confirmed = trim(traces, suite, &all.minus(&missing));
    Ok(if missing.is_empty() {
        Confirmation::unrefuted(confirmed)
    } else {
        Confirmation { confirmed, refuted }
    })
}

fn confirm<R: Replay>(
    tester: &mut PathTester<'_, '_, R>,
    suite: Vec<VerifiedPath>,
) -> Result<Confirmation, R::Error> {
    if suite.is_empty() || tester.stopped || !tester.session.replay.can_trust_recordings() {
        return Ok(Confirmation::unrefuted(suite));
    }
    let traces: Vec<Trace> = suite.iter().map(|path| tester.traces.trace_of(&path.path)).collect();
    let results = match tester.session.replay_all(&traces, ReplayMode::StopAtDivergence) {
        Ok(results) => results,
        Err(ReplayError::Stopped) => {
            tester.stopped = true;
            return Ok(Confirmation::unrefuted(suite));
        }
        Err(ReplayError::Failed(error)) => return Err(error),
    };
    let mut confirmation = Confirmation { confirmed: Vec::new(), refuted: Vec::new() };
    for ((before, trace), result) in suite.into_iter().zip(&traces).zip(results) {
        let is_faithful = result.is_faithful(trace);
        tester.learn_path(&before.path, trace, &result);
        let requirements = tester.requirements.covered_by_steps(trace, &result.covered);
        let groups = requirements.iter().map(|step| tester.traces.groups_within(step)).collect();
        let now = VerifiedPath::new(tester.traces, before.path.clone(), groups, result.covered);
        if !is_faithful || !before.groups.is_subset(&now.groups) {
            confirmation.refuted.push(before);
        }
        // A path that replays stays for what it covers now.
        if is_faithful {
            confirmation.confirmed.push(now);
        }
    }
    Ok(confirmation)
}
