//! Properties of every algorithm under any predicate, monotone or not, steady or flaky.
//!
//! The search ends. The answer is never longer than the original, is still interesting, is 1-minimal
//! where promised, and does not depend on the parallelism.

use proptest::prelude::*;
use retap_minimize::simulation::SplitMix64;
use retap_minimize::{
    Algorithm, Answer, Candidate, CandidateGoal, CandidateOracle, Check, MinimizeEnding,
    MinimizeOptions, MinimizeProblem, MinimizeResult, Question, RunCounts, Scheduler, SearchBudget,
    SearchStop, minimize,
};
use std::collections::BTreeSet;

/// A predicate drawn at random over a sequence with random states.
#[derive(Debug, Clone)]
struct Case {
    length: usize,
    states: Vec<u64>,
    predicate: Predicate,
    /// Per mille of runs that fail by chance.
    flakiness: u64,
    seed: u64,
}

#[derive(Debug, Clone)]
enum Predicate {
    /// Needs all of these positions: monotone.
    Needs(BTreeSet<u32>),
    /// Needs the first positions, and either all or none of the second: not monotone.
    NeedsAllOrNone(BTreeSet<u32>, BTreeSet<u32>),
    /// Draws every candidate at random; the whole sequence always holds.
    Coin,
}

impl Case {
    fn holds(&self, candidate: &Candidate) -> bool {
        let has = |position: &u32| candidate.positions().contains(position);
        if candidate.len() == self.length {
            return true;
        }
        match &self.predicate {
            Predicate::Needs(needed) => needed.iter().all(has),
            Predicate::NeedsAllOrNone(needed, not) => {
                needed.iter().all(has) && (not.iter().all(has) || !not.iter().any(has))
            }
            Predicate::Coin => self.draw(candidate, 0).is_multiple_of(3),
        }
    }

    fn draw(&self, candidate: &Candidate, run: u32) -> u64 {
        let mut random = SplitMix64(self.seed ^ u64::from(run) << 40);
        for &position in candidate.positions() {
            random.0 = random.0.rotate_left(7) ^ u64::from(position);
            random.draw();
        }
        random.draw()
    }

    fn answer(&self, question: &Question) -> Answer {
        let success = match question.goal {
            CandidateGoal::Interesting => self.holds(&question.candidate),
            // A local check that is as often wrong as right.
            CandidateGoal::Reach(position) => {
                self.draw(&question.candidate, position).is_multiple_of(2)
            }
        };
        let fails_by_chance =
            self.draw(&question.candidate, question.run + 1) % 1000 < self.flakiness;
        Answer { success: success && !fails_by_chance, events: self.needed(&question.candidate) }
    }

    /// Returns the events after which the goal is met, where that shows before the end.
    fn needed(&self, candidate: &Candidate) -> usize {
        match &self.predicate {
            Predicate::Needs(needed) if self.holds(candidate) => {
                let after = |last| candidate.positions().partition_point(|&p| p <= last);
                needed.last().map_or(0, |&last| after(last))
            }
            _ => candidate.len(),
        }
    }
}

impl CandidateOracle for Case {
    fn ask(&mut self, round: &[Question]) -> Result<Vec<Answer>, SearchStop> {
        Ok(round.iter().map(|question| self.answer(question)).collect())
    }

    fn watches_every_event(&self) -> bool {
        matches!(self.predicate, Predicate::Needs(_))
    }
}

/// Answers a round on several threads, in any order.
struct InParallel(Case);

impl CandidateOracle for InParallel {
    #[allow(clippy::disallowed_methods, reason = "the caller of the search brings the threads")]
    fn ask(&mut self, round: &[Question]) -> Result<Vec<Answer>, SearchStop> {
        let case = &self.0;
        std::thread::scope(|scope| {
            let answers: Vec<_> = round
                .chunks(round.len().div_ceil(3))
                .map(|part| {
                    scope.spawn(move || part.iter().map(|q| case.answer(q)).collect::<Vec<_>>())
                })
                .collect();
            Ok(answers
                .into_iter()
                .flat_map(|part| part.join().expect("no answer panics"))
                .collect())
        })
    }

    fn watches_every_event(&self) -> bool {
        self.0.watches_every_event()
    }
}

fn case(flakiness: impl Strategy<Value = u64>) -> impl Strategy<Value = Case> {
    (0usize..40, flakiness, any::<u64>(), 0..3).prop_flat_map(|(length, flakiness, seed, kind)| {
        let some = || prop::collection::btree_set(0..length.max(1) as u32, 0..5);
        let states = prop::collection::vec(0u64..6, length);
        (some(), some(), states).prop_map(move |(needed, not, states)| {
            let within =
                |set: BTreeSet<u32>| set.into_iter().filter(|&p| p < length as u32).collect();
            let predicate = match kind {
                0 => Predicate::Needs(within(needed)),
                1 => Predicate::NeedsAllOrNone(within(needed), within(not)),
                _ => Predicate::Coin,
            };
            Case { length, states, predicate, flakiness, seed }
        })
    })
}

fn options() -> impl Strategy<Value = MinimizeOptions> {
    let algorithm = prop::sample::select(Algorithm::ALL.to_vec());
    let scheduler =
        prop::sample::select(vec![Scheduler::Greedy, Scheduler::RoundRobin, Scheduler::HEURISTIC]);
    (algorithm, scheduler, any::<bool>(), 2usize..7).prop_map(
        |(algorithm, scheduler, preselect, parts)| MinimizeOptions {
            algorithm,
            scheduler,
            preselect,
            parts,
            ..MinimizeOptions::default()
        },
    )
}

fn run(case: &Case, oracle: &mut dyn CandidateOracle, options: &MinimizeOptions) -> MinimizeResult {
    let problem = MinimizeProblem { length: case.length, states: Some(&case.states) };
    minimize(&problem, oracle, options).expect("a valid problem")
}

fn without(candidate: &Candidate, place: usize) -> Candidate {
    let mut positions = candidate.positions().to_vec();
    positions.remove(place);
    positions.into()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn a_steady_answer_is_interesting_and_one_minimal_where_promised(
        case in case(Just(0)), options in options(), width in 1u32..20,
    ) {
        let check = Check { width, ..Check::ONCE };
        let result = run(&case, &mut case.clone(), &MinimizeOptions { check, ..options.clone() });
        prop_assert_eq!(result.ending, MinimizeEnding::Finished);
        prop_assert!(result.answer.len() <= case.length);
        prop_assert!(case.holds(&result.answer));
        prop_assert_eq!(result.deciding_runs, RunCounts::new(result.deciding_runs.successes, 0));
        if options.algorithm.promises_one_minimal() {
            for place in 0..result.answer.len() {
                prop_assert!(!case.holds(&without(&result.answer, place)), "{:?}", result.answer);
            }
            prop_assert!(result.answer.is_empty() || !case.holds(&Candidate::empty()));
        }
        let lengths: Vec<usize> = result.improvements.iter().map(|improvement| improvement.answer.len()).collect();
        prop_assert!(lengths.is_sorted_by(|a, b| a >= b), "{lengths:?}");
    }

    #[test]
    fn a_steady_answer_does_not_depend_on_the_width(case in case(Just(0)), options in options()) {
        let at = |width| {
            let check = Check { width, ..Check::ONCE };
            run(&case, &mut case.clone(), &MinimizeOptions { check, ..options.clone() }).answer
        };
        let answer = at(1);
        for width in [2, 5, 15] {
            prop_assert_eq!(&at(width), &answer, "width {}", width);
        }
    }

    #[test]
    fn a_flaky_answer_passed_its_check(
        case in case(0u64..150), options in options(), width in 1u32..20,
    ) {
        let check = Check { width, ..Check::ND3MIN };
        let options = MinimizeOptions { check, ..options };
        let result = run(&case, &mut case.clone(), &options);
        prop_assert!(result.answer.len() <= case.length);
        prop_assert_eq!(result.baseline.runs(), 20);
        if result.ending == MinimizeEnding::NotReproduced {
            prop_assert!(result.baseline.successes < 15);
            prop_assert_eq!(result.answer.len(), case.length);
        } else {
            prop_assert!(case.holds(&result.answer));
            let fresh = result.verification.expect("fresh runs");
            // If fresh runs confirm nothing shorter, the answer is the original, whatever its rate.
            prop_assert!(fresh.successes >= 4 * check.required || result.improvements.len() == 1, "{result:?}");
        }
    }

    #[test]
    fn the_result_does_not_depend_on_how_many_runs_are_parallel(
        case in case(0u64..150), options in options(), required in 1u32..20,
    ) {
        let check = Check { runs: 20, required, width: 15 };
        let options = MinimizeOptions { check, ..options };
        let one = run(&case, &mut case.clone(), &options);
        let many = run(&case, &mut InParallel(case.clone()), &options);
        prop_assert_eq!(one, many);
    }

    #[test]
    fn no_run_of_a_candidate_is_asked_for_twice(
        case in case(0u64..150), options in options(), runs in 1u32..6, width in 1u32..20,
    ) {
        struct Once(Case, BTreeSet<Question>);
        impl CandidateOracle for Once {
            fn ask(&mut self, round: &[Question]) -> Result<Vec<Answer>, SearchStop> {
                for question in round {
                    assert!(self.1.insert(question.clone()), "{question:?}");
                }
                self.0.ask(round)
            }
        }
        let check = Check { runs, required: runs.div_ceil(2), width };
        run(&case, &mut Once(case.clone(), BTreeSet::new()), &MinimizeOptions { check, ..options });
    }

    #[test]
    fn a_budget_is_kept_and_the_best_answer_so_far_is_returned(
        case in case(Just(0)), options in options(), calls in 0u64..40,
    ) {
        struct Kept(Case, Option<Candidate>);
        impl CandidateOracle for Kept {
            fn ask(&mut self, round: &[Question]) -> Result<Vec<Answer>, SearchStop> {
                self.0.ask(round)
            }
            fn record_best(&mut self, best: &Candidate, _: &retap_minimize::SearchCost) {
                self.1 = Some(best.clone());
            }
        }
        let budget = SearchBudget { oracle_calls: Some(calls), ..SearchBudget::default() };
        let mut oracle = Kept(case.clone(), None);
        let result = run(&case, &mut oracle, &MinimizeOptions { budget, ..options });
        prop_assert!(result.cost.oracle_calls <= calls);
        prop_assert!(case.holds(&result.answer));
        let stopped = result.ending == MinimizeEnding::Stopped(SearchStop::Budget);
        prop_assert!(stopped || result.ending == MinimizeEnding::Finished);
        prop_assert_eq!(oracle.1.unwrap_or(Candidate::whole(case.length)), result.answer);
    }
}

#[test]
fn an_interruption_keeps_the_best_answer_so_far() {
    struct Interrupted(Case, u32);
    impl CandidateOracle for Interrupted {
        fn ask(&mut self, round: &[Question]) -> Result<Vec<Answer>, SearchStop> {
            self.1 += 1;
            if self.1 > 4 { Err(SearchStop::Interrupted) } else { self.0.ask(round) }
        }
    }
    let case = Case {
        length: 64,
        states: vec![0; 64],
        predicate: Predicate::NeedsAllOrNone([60].into(), BTreeSet::new()),
        flakiness: 0,
        seed: 0,
    };
    let options = MinimizeOptions { algorithm: Algorithm::Dd, ..MinimizeOptions::default() };
    let result = run(&case, &mut Interrupted(case.clone(), 0), &options);
    assert_eq!(result.ending, MinimizeEnding::Stopped(SearchStop::Interrupted));
    assert_eq!(result.answer.len(), 32);
    assert!(case.holds(&result.answer));
}
