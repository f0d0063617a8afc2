//! Finds the first point where a passing and a failing run of a flaky test part.
//!
//! Two worlds of different seeds differ from their first decision on, and most of that does not matter. So worlds are
//! joined: the first decisions come from the world that passes, the rest from the one that fails. Somewhere one decision
//! more from the passing world makes the test pass. That is the point; bisection finds it, as in Choi and Zeller,
//! "Isolating failure-inducing thread schedules" (2002).

use super::{TestDriver, TestSettings};
use crate::Failure;
use retap_embedded::DecisionPlan;
use retap_model::WorldSeed;
use retap_test::{Parting, TestName};

/// The worlds to compare.
#[derive(Debug, Clone, Copy)]
pub struct TwoWorlds {
    pub passing: WorldSeed,
    pub failing: WorldSeed,
}

/// Finds the decision at which the two worlds part. Returns nothing if the test does not repeat there. `count` is called
/// for each run.
pub fn find_parting(
    driver: &mut TestDriver<'_>,
    test: &TestName,
    settings: &TestSettings,
    worlds: TwoWorlds,
    mut count: impl FnMut(),
) -> Result<Option<Parting>, Failure> {
    let mut run = |switch_at: Option<u64>, described_at: Option<u64>| {
        count();
        let never = DecisionPlan::default();
        let plan = DecisionPlan {
            other_seed: worlds.failing,
            switch_at: switch_at.unwrap_or(never.switch_at),
            described_at: described_at.unwrap_or(never.described_at),
        };
        driver.run_joined(test, settings, worlds.passing, plan)
    };
    let (passed, report) = run(None, None)?;
    let (failed, _) = run(Some(0), None)?;
    if passed.end.is_failure() || !failed.end.is_failure() || report.count == 0 {
        return Ok(None);
    }
    // With this many decisions of the passing world the test fails, with that many it passes.
    let (mut fails_with, mut passes_with) = (0, report.count);
    while passes_with - fails_with > 1 {
        let middle = fails_with + (passes_with - fails_with) / 2;
        if run(Some(middle), None)?.0.end.is_failure() {
            fails_with = middle;
        } else {
            passes_with = middle;
        }
    }
    let (failed, fails) = run(Some(fails_with), Some(fails_with))?;
    let (passed, passes) = run(Some(passes_with), Some(fails_with))?;
    let is_repeated = failed.end.is_failure() && !passed.end.is_failure();
    Ok(is_repeated.then(|| Parting::new(fails_with, &fails.described, &passes.described)))
}
