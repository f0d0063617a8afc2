//! ND3MIN's worked example (section 4), step by step: three candidates, rounds of 15, 18 of 20 runs.

use retap_minimize::{Check, RunCounts, Scheduler};

/// Schedules a round as `get_passing` does: dead candidates get no runs.
fn schedule(scheduler: &Scheduler, counts: &[(u32, u32)]) -> Vec<u32> {
    let check = Check::ND3MIN;
    let open: Vec<usize> =
        (0..counts.len()).filter(|&index| counts[index].1 <= check.tolerance()).collect();
    let open_counts: Vec<RunCounts> =
        open.iter().map(|&index| RunCounts::new(counts[index].0, counts[index].1)).collect();
    let mut runs = vec![0; counts.len()];
    let scheduled = scheduler.schedule(&check, &open_counts);
    assert_eq!(scheduled.len(), open.len());
    open.iter().zip(scheduled).for_each(|(&index, count)| runs[index] = count);
    runs
}

/// The (s, f) of each candidate before a round, and the runs that the round must have.
type Step = ([(u32, u32); 3], [u32; 3]);

#[track_caller]
fn check(scheduler: &Scheduler, steps: &[Step]) {
    for (counts, runs) in steps {
        assert_eq!(schedule(scheduler, counts), runs, "{scheduler:?} at {counts:?}");
    }
}

#[test]
fn greedy_takes_four_rounds() {
    check(
        &Scheduler::Greedy,
        &[
            ([(0, 0), (0, 0), (0, 0)], [15, 0, 0]),
            ([(13, 2), (0, 0), (0, 0)], [5, 10, 0]),
            ([(17, 3), (3, 7), (0, 0)], [0, 0, 15]),
            ([(17, 3), (3, 7), (15, 0)], [0, 0, 5]),
        ],
    );
}

#[test]
fn round_robin_takes_three_rounds() {
    check(
        &Scheduler::RoundRobin,
        &[
            ([(0, 0), (0, 0), (0, 0)], [5, 5, 5]),
            ([(4, 1), (2, 3), (5, 0)], [8, 0, 7]),
            ([(11, 2), (2, 3), (12, 0)], [7, 0, 8]),
        ],
    );
}

#[test]
fn the_heuristic_takes_two_rounds() {
    check(
        &Scheduler::HEURISTIC,
        &[([(0, 0), (0, 0), (0, 0)], [5, 5, 5]), ([(4, 1), (2, 3), (5, 0)], [2, 0, 13])],
    );
}

#[test]
fn the_heuristic_fills_a_round_with_a_candidate_that_needs_more_than_one() {
    // 18 more runs are expected. No round holds them, so the candidate gets the whole round.
    let open = [RunCounts::new(1, 0), RunCounts::new(0, 1)];
    assert_eq!(Scheduler::HEURISTIC.schedule(&Check::ND3MIN, &open), [15, 0]);
}

#[test]
fn the_heuristic_runs_every_candidate_once_before_ruling_out_the_bad() {
    let check = Check { width: 3, ..Check::ND3MIN };
    let open =
        [RunCounts::new(0, 1), RunCounts::new(0, 1), RunCounts::default(), RunCounts::default()];
    assert_eq!(Scheduler::HEURISTIC.schedule(&check, &open), [1, 0, 1, 1]);
}

#[test]
fn no_scheduler_exceeds_the_limits_or_wastes_a_round() {
    let check = Check { runs: 6, required: 5, width: 4 };
    for scheduler in [Scheduler::Greedy, Scheduler::RoundRobin, Scheduler::HEURISTIC] {
        for s in 0..5 {
            for f in 0..2 {
                let open = [RunCounts::new(s, f), RunCounts::new(4, 1), RunCounts::default()];
                let runs = scheduler.schedule(&check, &open);
                assert_eq!(runs.iter().sum::<u32>(), check.width, "{scheduler:?}");
                let within =
                    open.iter().zip(&runs).all(|(counts, runs)| counts.runs() + runs <= check.runs);
                assert!(within, "{scheduler:?} gives {runs:?} to {open:?}");
            }
        }
    }
}
