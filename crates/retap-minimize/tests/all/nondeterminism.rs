//! ND3MIN's example (section 2.1): an app that shows a dialog at half of its launches.
//!
//! Three taps reach the login with and without the dialog. One or two reach it half of the time.

use retap_minimize::simulation::SplitMix64;
use retap_minimize::{
    Algorithm, Answer, Candidate, CandidateGoal, CandidateOracle, Check, MinimizeEnding,
    MinimizeOptions, MinimizeProblem, MinimizeResult, PolicySetting, Prior, Question, Scheduler,
    SchedulingPolicy, SearchStop, SingleThread, minimize, statistics,
};
use std::sync::Arc;

const LENGTH: usize = 200;
/// Opens the login if there is no dialog; in a dialog it only types a blank.
const TAP_BOTTOM: u32 = 41;
/// Dismisses the dialog.
const TAP_OUTSIDE: u32 = 90;
/// Opens the login when the dialog is gone but its keyboard is still there.
const TAP_PANEL: u32 = 151;

struct Eat24;

impl CandidateOracle for Eat24 {
    fn ask(&mut self, round: &[Question]) -> Result<Vec<Answer>, SearchStop> {
        Ok(round.iter().map(answer).collect())
    }
}

fn answer(question: &Question) -> Answer {
    let positions = question.candidate.positions();
    let has = |tap: u32| positions.contains(&tap);
    let shows_dialog = SplitMix64(u64::from(question.run)).draw().is_multiple_of(2);
    let reached = if shows_dialog { has(TAP_OUTSIDE) && has(TAP_PANEL) } else { has(TAP_BOTTOM) };
    // The launch screen is the only state, so no candidate leads to another one.
    let success = reached && question.goal == CandidateGoal::Interesting;
    Answer { success, events: positions.len() }
}

fn run(options: &MinimizeOptions) -> MinimizeResult {
    let states = [0; LENGTH];
    minimize(&MinimizeProblem { length: LENGTH, states: Some(&states) }, &mut Eat24, options)
        .expect("a valid problem")
}

#[test]
fn every_algorithm_finds_the_three_taps_that_always_work() {
    for algorithm in Algorithm::ALL {
        for scheduler in [Scheduler::Greedy, Scheduler::RoundRobin, Scheduler::HEURISTIC] {
            let check = Check::ND3MIN;
            let result =
                run(&MinimizeOptions { algorithm, check, scheduler, ..MinimizeOptions::default() });
            assert_eq!(result.ending, MinimizeEnding::Finished);
            // The hierarchical algorithms keep the last event, because they never try to leave it out.
            let mut taps = result.answer.positions().to_vec();
            taps.retain(|&tap| algorithm.promises_one_minimal() || tap != LENGTH as u32 - 1);
            assert_eq!(taps, [TAP_BOTTOM, TAP_OUTSIDE, TAP_PANEL], "{algorithm}");
            let fresh = result.verification.expect("fresh runs");
            assert!(fresh.failures == 0 && fresh.runs() >= 72, "{algorithm}");
            assert!(statistics::p1(&Prior::default(), &fresh) > 0.98);
        }
    }
}

#[test]
fn plain_dd_ends_at_an_answer_that_works_half_of_the_time() {
    let result = run(&MinimizeOptions { algorithm: Algorithm::Dd, ..MinimizeOptions::default() });
    assert!(result.answer.len() < 3, "{:?}", result.answer);
}

#[test]
fn the_default_notices_that_one_run_was_not_enough() {
    // The original never fails, so the default first uses one run per candidate.
    let result = run(&MinimizeOptions { check: Check::ND3MIN, ..MinimizeOptions::default() });
    assert_eq!(result.baseline.failures, 0);
    assert_eq!(result.answer.len(), 3);
    // Answers that fresh runs refuted are not listed.
    assert!(result.improvements.iter().all(|improvement| improvement.answer.len() >= 3));
}

#[test]
fn the_optimal_policy_takes_no_more_rounds_than_round_robin() {
    let check = Check { runs: 10, required: 9, width: 8 };
    let setting = PolicySetting { candidates: 3, check };
    let policy = SchedulingPolicy::solve(&setting, &Prior::default(), &SingleThread)
        .expect("a small process");
    let rounds = |scheduler| {
        let algorithm = Algorithm::Nd;
        let result = run(&MinimizeOptions {
            algorithm,
            check,
            scheduler,
            parts: 3,
            ..MinimizeOptions::default()
        });
        assert_eq!(result.answer.positions(), [TAP_BOTTOM, TAP_OUTSIDE, TAP_PANEL]);
        result.cost.rounds
    };
    let optimal = rounds(Scheduler::Mdp(Arc::new(policy)));
    let in_turn = rounds(Scheduler::RoundRobin);
    assert!(optimal <= in_turn, "{optimal} rounds, round-robin {in_turn}");
}

/// An app in which three events are needed. Four others steady the app: leaving one out lowers the
/// success rate.
struct Unsteady {
    seed: u64,
}

impl Unsteady {
    const LENGTH: usize = 40;
    const NEEDED: [u32; 3] = [7, 19, 38];
    const STEADYING: [u32; 4] = [3, 11, 24, 30];

    /// Returns the success rate, per mille.
    fn success_rate(candidate: &Candidate) -> u64 {
        let has = |position: &u32| candidate.positions().contains(position);
        if !Self::NEEDED.iter().all(has) {
            return 0;
        }
        let missing = Self::STEADYING.iter().filter(|position| !has(position)).count();
        [980, 950, 800, 650, 500][missing]
    }
}

impl CandidateOracle for Unsteady {
    fn ask(&mut self, round: &[Question]) -> Result<Vec<Answer>, SearchStop> {
        let answer = |Question { candidate, run, .. }: &Question| {
            let mut random = SplitMix64(self.seed ^ u64::from(*run) << 40);
            for &position in candidate.positions() {
                random.0 = random.draw() ^ u64::from(position);
            }
            Answer {
                success: random.below(1000) < Self::success_rate(candidate),
                events: candidate.len(),
            }
        };
        Ok(round.iter().map(answer).collect())
    }
}

#[test]
fn answers_succeed_at_least_as_often_as_asked_for() {
    const SEEDS: u64 = 60;
    let states = [0; Unsteady::LENGTH];
    let problem = MinimizeProblem { length: Unsteady::LENGTH, states: Some(&states) };
    for algorithm in Algorithm::ALL {
        let options =
            MinimizeOptions { algorithm, check: Check::ND3MIN, ..MinimizeOptions::default() };
        let (mut rates, mut lengths) = (0, 0);
        for seed in 0..SEEDS {
            let result = minimize(&problem, &mut Unsteady { seed }, &options);
            let result = result.expect("a valid problem");
            assert_eq!(result.ending, MinimizeEnding::Finished);
            // The true rate of the answer, not the one of the runs that chose it.
            rates += Unsteady::success_rate(&result.answer);
            lengths += result.answer.len() as u64;
        }
        let (rate, length) = (rates / SEEDS, lengths / SEEDS);
        assert!(rate >= 900, "{algorithm}: answers succeed {rate} times of 1000");
        // Six events succeed often enough; the three needed ones alone do not.
        assert!((6..12).contains(&length), "{algorithm}: {length} events");
    }
}
