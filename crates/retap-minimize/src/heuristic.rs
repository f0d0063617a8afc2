//! ND3MIN's scheduling heuristic (its figure 3): exploration, then greed.

use crate::check::{Check, Tally};
use crate::scheduler::Round;

pub(crate) fn schedule(check: &Check, open: &[Tally], cut: f64) -> Vec<u32> {
    let mut round = Round::new(check, open);
    let (seen, unseen): (Vec<usize>, Vec<usize>) =
        (0..open.len()).partition(|&index| open[index].runs() > 0);
    let (good, bad): (Vec<usize>, Vec<usize>) =
        by_promise(seen, open).into_iter().partition(|&index| open[index].rate() >= cut);

    // Lines 9-17: runs expected to confirm the good, those that would fit the next round put off.
    let mut deferred = Vec::new();
    for index in good {
        let tally = &open[index];
        let wanted = f64::from(check.required - tally.successes) / tally.rate();
        let runs = (wanted.ceil() as u32).min(check.left(tally));
        if runs <= round.room || runs > check.width {
            round.give(index, runs);
        } else {
            deferred.push(index);
        }
    }
    round.fill_in_turn(&deferred);

    // The paper does not say what a candidate without any run is (more candidates than a round
    // holds): one look at each comes before ruling out those that already look bad.
    for index in unseen.iter().copied() {
        round.give(index, 1);
    }

    // Lines 20-23: runs expected to rule out the bad.
    for index in bad {
        let tally = &open[index];
        let wanted = f64::from(check.tolerance() + 1 - tally.failures) / (1.0 - tally.rate());
        round.give(index, wanted.ceil() as u32);
    }
    round.fill_in_turn(&Vec::from_iter(0..open.len()));
    round.runs
}

/// Line 4: by success rate, then by successes, both descending.
fn by_promise(mut seen: Vec<usize>, open: &[Tally]) -> Vec<usize> {
    seen.sort_by(|&a, &b| {
        let (a, b) = (&open[a], &open[b]);
        b.rate().total_cmp(&a.rate()).then(b.successes.cmp(&a.successes))
    });
    seen
}
