//! The optimal policy against value iteration over plain tuples, which merges and prunes nothing.

use retap_minimize::statistics::POINT_COUNT;
use retap_minimize::{
    Check, JobRunner, PolicySetting, Prior, RunCounts, Scheduler, SchedulingPolicy, SingleThread,
};
use std::collections::BTreeMap;

/// Runs jobs on this many threads.
struct Threads(usize);

impl JobRunner for Threads {
    fn threads(&self) -> usize {
        self.0
    }

    #[allow(clippy::disallowed_methods, reason = "the caller of the solver brings the threads")]
    fn run(&self, count: usize, job: &(dyn Fn(usize) + Sync)) {
        std::thread::scope(|scope| {
            for thread in 0..self.0 {
                scope.spawn(move || (thread..count).step_by(self.0).for_each(job));
            }
        });
    }
}

/// Computes the expected rounds from a tuple of (s, f) by recursion over every schedule and outcome.
struct BruteForce<'p> {
    check: Check,
    prior: &'p Prior,
    known: BTreeMap<Vec<RunCounts>, f64>,
}

impl BruteForce<'_> {
    fn value(&mut self, tuple: &[RunCounts]) -> f64 {
        let passed = tuple.iter().any(|counts| counts.successes >= self.check.required);
        let dead = |counts: &RunCounts| counts.failures > self.check.tolerance();
        if passed || tuple.iter().all(dead) {
            return 0.0;
        }
        if let Some(&value) = self.known.get(tuple) {
            return value;
        }
        let left: Vec<u32> = tuple
            .iter()
            .map(|counts| if dead(counts) { 0 } else { self.check.runs - counts.runs() })
            .collect();
        let room = self.check.width.min(left.iter().sum());
        let mut best = f64::INFINITY;
        for schedule in schedules(&left, room) {
            best = best.min(1.0 + self.expected(tuple, &schedule));
        }
        self.known.insert(tuple.to_vec(), best);
        best
    }

    fn expected(&mut self, tuple: &[RunCounts], schedule: &[u32]) -> f64 {
        let outcomes = outcomes(self.prior, tuple, schedule);
        outcomes.iter().map(|(probability, after)| probability * self.value(after)).sum()
    }
}

fn schedules(left: &[u32], room: u32) -> Vec<Vec<u32>> {
    match left.split_first() {
        None if room == 0 => vec![Vec::new()],
        None => Vec::new(),
        Some((&most, rest)) => (0..=most.min(room))
            .flat_map(|runs| {
                schedules(rest, room - runs).into_iter().map(move |mut schedule| {
                    schedule.insert(0, runs);
                    schedule
                })
            })
            .collect(),
    }
}

fn binomial(runs: u32, successes: u32, p: f64) -> f64 {
    let ways: f64 = (0..successes).map(|k| f64::from(runs - k) / f64::from(k + 1)).product();
    ways * p.powi(successes as i32) * (1.0 - p).powi((runs - successes) as i32)
}

#[test]
fn merging_and_pruning_change_no_value() {
    let prior = Prior::default();
    for (candidates, runs, required, width) in
        [(1, 4, 3, 2), (2, 4, 3, 3), (2, 5, 4, 3), (2, 6, 4, 2), (3, 3, 2, 2), (3, 4, 3, 4)]
    {
        let check = Check { runs, required, width };
        let policy =
            SchedulingPolicy::solve(&PolicySetting { candidates, check }, &prior, &Threads(2))
                .unwrap();
        let mut brute = BruteForce { check, prior: &prior, known: BTreeMap::new() };
        let value = brute.value(&vec![RunCounts::default(); candidates as usize]);
        let difference = (policy.expected_rounds() - value).abs();
        assert!(difference < 1e-5, "n={candidates} {check:?}: {policy:?} is not {value}");

        // Its schedules have that value too: the first round of each start with fewer candidates.
        for open in 1..=candidates as usize {
            let start = vec![RunCounts::default(); open];
            let schedule = policy.schedule(&check, &start).unwrap();
            let rounds = 1.0 + brute.expected(&start, &schedule);
            assert!((rounds - brute.value(&start)).abs() < 1e-5, "{open} open: {schedule:?}");
        }
    }
}

#[test]
fn the_policy_is_no_worse_than_the_other_schedulers() {
    let check = Check { runs: 8, required: 7, width: 6 };
    let prior = Prior::default();
    let policy =
        SchedulingPolicy::solve(&PolicySetting { candidates: 3, check }, &prior, &SingleThread)
            .unwrap();
    for scheduler in [Scheduler::Greedy, Scheduler::RoundRobin, Scheduler::HEURISTIC] {
        let mut brute = BruteForce { check, prior: &prior, known: BTreeMap::new() };
        let rounds = expected_rounds(&mut brute, &scheduler, &[RunCounts::default(); 3]);
        assert!(policy.expected_rounds() <= rounds + 1e-5, "{scheduler:?}: {rounds} {policy:?}");
    }
}

/// Computes the expected rounds of a scheduler exactly.
fn expected_rounds(brute: &mut BruteForce<'_>, scheduler: &Scheduler, tuple: &[RunCounts]) -> f64 {
    let check = brute.check;
    let open: Vec<RunCounts> =
        tuple.iter().filter(|counts| counts.failures <= check.tolerance()).copied().collect();
    if open.is_empty() || open.iter().any(|counts| counts.successes >= check.required) {
        return 0.0;
    }
    if let Some(&value) = brute.known.get(&open) {
        return value;
    }
    let schedule = scheduler.schedule(&check, &open);
    let mut value = 1.0;
    for (probability, after) in outcomes(brute.prior, &open, &schedule) {
        value += probability * expected_rounds(brute, scheduler, &after);
    }
    brute.known.insert(open, value);
    value
}

/// Returns everything that a schedule may lead to, with its probability.
fn outcomes(prior: &Prior, open: &[RunCounts], schedule: &[u32]) -> Vec<(f64, Vec<RunCounts>)> {
    let mut outcomes: Vec<(f64, Vec<RunCounts>)> = vec![(1.0, Vec::new())];
    for (counts, &runs) in open.iter().zip(schedule) {
        let posterior = prior.posterior_given(counts);
        outcomes = outcomes
            .iter()
            .flat_map(|(probability, before)| {
                (0..=runs).map(move |successes| {
                    let likely: f64 = (0..POINT_COUNT)
                        .map(|point| {
                            posterior[point] * binomial(runs, successes, Prior::success_rate(point))
                        })
                        .sum();
                    let mut after = before.clone();
                    let failures = counts.failures + runs - successes;
                    after.push(RunCounts::new(counts.successes + successes, failures));
                    (probability * likely, after)
                })
            })
            .collect();
    }
    outcomes
}

#[test]
fn the_papers_check_is_solved_for_three_candidates() {
    let (check, prior) = (Check::ND3MIN, Prior::default());
    let policy =
        SchedulingPolicy::solve(&PolicySetting { candidates: 3, check }, &prior, &Threads(2))
            .unwrap();
    let mut brute = BruteForce { check, prior: &prior, known: BTreeMap::new() };
    let rounds = expected_rounds(&mut brute, &Scheduler::HEURISTIC, &[RunCounts::default(); 3]);
    assert!(policy.expected_rounds() < rounds, "heuristic {rounds}, {policy:?}");
    assert!(policy.expected_rounds() > 1.0);
    // It fills whole rounds, exceeds no run limit, and ignores the order of the candidates.
    let open = [RunCounts::new(4, 1), RunCounts::new(9, 0), RunCounts::new(0, 1)];
    let runs = policy.schedule(&check, &open).unwrap();
    assert_eq!(runs.iter().sum::<u32>(), check.width);
    assert!(open.iter().zip(&runs).all(|(counts, v)| counts.runs() + v <= check.runs));
    let reordered = policy.schedule(&check, &[open[2], open[0], open[1]]).unwrap();
    assert_eq!(reordered, [runs[2], runs[0], runs[1]]);
}

#[test]
fn the_policy_does_not_depend_on_the_number_of_threads() {
    let check = Check { runs: 10, required: 9, width: 8 };
    let setting = PolicySetting { candidates: 3, check };
    let prior = Prior::default();
    let bytes = |runner: &dyn JobRunner| {
        SchedulingPolicy::solve(&setting, &prior, runner).unwrap().to_bytes()
    };
    assert_eq!(bytes(&SingleThread), bytes(&Threads(3)));
}

#[test]
fn a_stored_policy_is_read_back_and_damage_is_noticed() {
    let check = Check { runs: 5, required: 4, width: 3 };
    let setting = PolicySetting { candidates: 3, check };
    let prior = Prior::default();
    let policy = SchedulingPolicy::solve(&setting, &prior, &SingleThread).unwrap();
    let bytes = policy.to_bytes();
    let read = SchedulingPolicy::from_bytes(&bytes).unwrap();
    assert!(read.is_for(&setting, &prior));
    assert!(!read.is_for(&setting, &prior.refined(&[RunCounts::new(5, 0)])));
    let open = [RunCounts::new(2, 0), RunCounts::default(), RunCounts::new(3, 1)];
    assert_eq!(read.schedule(&check, &open), policy.schedule(&check, &open));
    assert_eq!(read.to_bytes(), bytes);

    for length in 0..bytes.len() {
        assert!(SchedulingPolicy::from_bytes(&bytes[..length]).is_err());
    }
    for place in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[place] ^= 1;
        assert!(SchedulingPolicy::from_bytes(&damaged).is_err(), "byte {place}");
    }
}

#[test]
fn a_policy_schedules_only_the_setting_that_it_was_solved_for() {
    let check = Check { runs: 5, required: 4, width: 3 };
    let policy = SchedulingPolicy::solve(
        &PolicySetting { candidates: 2, check },
        &Prior::default(),
        &SingleThread,
    )
    .unwrap();
    let open = |count| vec![RunCounts::default(); count];
    assert!(policy.schedule(&check, &open(2)).is_some());
    assert!(policy.schedule(&check, &open(3)).is_none());
    assert!(policy.schedule(&Check { width: 2, ..check }, &open(2)).is_none());
    // With all candidates open, only whole rounds can have been run.
    assert!(policy.schedule(&check, &[RunCounts::new(1, 0), RunCounts::default()]).is_none());
    assert!(policy.schedule(&check, &[RunCounts::new(1, 0)]).is_some());
}
