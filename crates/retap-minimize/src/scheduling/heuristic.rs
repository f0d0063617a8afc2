//! ND3MIN's scheduling heuristic (its figure 3): first explore, then act greedily.

use super::round_plan::RoundPlan;
use crate::statistics::{Check, RunCounts};

pub(super) fn schedule(check: &Check, open: &[RunCounts], cut: f64) -> Vec<u32> {
    let mut plan = RoundPlan::new(check, open);
    let (tried, untried): (Vec<usize>, Vec<usize>) =
        (0..open.len()).partition(|&index| open[index].runs() > 0);
    let (good, bad): (Vec<usize>, Vec<usize>) = sort_by_success(tried, open)
        .into_iter()
        .partition(|&index| open[index].success_rate() >= cut);

    // Lines 9-17: the runs expected to confirm the good candidates. Those that would fit the next round
    // are deferred.
    let mut deferred = Vec::new();
    for index in good {
        let counts = &open[index];
        let expected = f64::from(check.required - counts.successes) / counts.success_rate();
        let runs = (expected.ceil() as u32).min(check.remaining_runs(counts));
        if runs <= plan.room || runs > check.width {
            plan.add_runs(index, runs);
        } else {
            deferred.push(index);
        }
    }
    plan.fill_in_turn(&deferred);

    // The paper does not say what to do with a candidate without any run, which occurs if there are more
    // candidates than a round holds. Each gets one run before the bad ones are ruled out.
    for index in untried {
        plan.add_runs(index, 1);
    }

    // Lines 20-23: the runs expected to rule out the bad candidates.
    for index in bad {
        let counts = &open[index];
        let failures_to_die = check.tolerance() + 1 - counts.failures;
        let expected = f64::from(failures_to_die) / (1.0 - counts.success_rate());
        plan.add_runs(index, expected.ceil() as u32);
    }
    plan.fill_in_turn(&Vec::from_iter(0..open.len()));
    plan.runs
}

/// Line 4: sorts by success rate, then by successes, both descending.
fn sort_by_success(mut tried: Vec<usize>, open: &[RunCounts]) -> Vec<usize> {
    tried.sort_by(|&a, &b| {
        let (a, b) = (&open[a], &open[b]);
        let by_rate = b.success_rate().total_cmp(&a.success_rate());
        by_rate.then(b.successes.cmp(&a.successes))
    });
    tried
}
