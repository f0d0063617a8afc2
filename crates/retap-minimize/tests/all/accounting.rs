//! What a search promises and how it counts: minimality, rounds of the final check, and the runs that refine the prior.

use retap_minimize::{
    Algorithm, Answer, CandidateOracle, Check, MinimizeEnding, MinimizeOptions, MinimizeProblem,
    MinimizeResult, Question, SearchBudget, SearchStop, minimize,
};

/// Succeeds as soon as one event has run.
struct OneEvent {
    needed: u32,
    /// The number of runs of each round.
    rounds: Vec<usize>,
}

impl CandidateOracle for OneEvent {
    fn ask(&mut self, round: &[Question]) -> Result<Vec<Answer>, SearchStop> {
        self.rounds.push(round.len());
        let answer = |question: &Question| {
            let positions = question.candidate.positions();
            let place = positions.iter().position(|position| *position == self.needed);
            let events = place.map_or(positions.len(), |place| place + 1);
            Answer { success: place.is_some(), events }
        };
        Ok(round.iter().map(answer).collect())
    }
}

fn run(oracle: &mut OneEvent, length: usize, options: &MinimizeOptions) -> MinimizeResult {
    let states = vec![0; length];
    minimize(&MinimizeProblem { length, states: Some(&states) }, oracle, options)
        .expect("a valid problem")
}

fn options(algorithm: Algorithm) -> MinimizeOptions {
    MinimizeOptions { algorithm, check: Check::ND3MIN, ..MinimizeOptions::default() }
}

#[test]
fn the_final_check_fills_its_rounds() {
    let mut oracle = OneEvent { needed: 0, rounds: Vec::new() };
    let result = run(&mut oracle, 1, &options(Algorithm::Dd));
    let fresh = result.verification.expect("fresh runs");
    let width = Check::ND3MIN.width;
    // The last rounds are those of the final check: each is full.
    let last = fresh.runs().div_ceil(width) as usize;
    let final_rounds = &oracle.rounds[oracle.rounds.len() - last..];
    assert_eq!(final_rounds.iter().sum::<usize>(), fresh.runs() as usize, "{:?}", oracle.rounds);
    assert!(last <= Check::ND3MIN.confirmation().runs.div_ceil(width) as usize);
}

#[test]
fn every_run_refines_the_prior_at_most_once() {
    for algorithm in [Algorithm::Dd, Algorithm::Nd, Algorithm::Probdd] {
        let mut oracle = OneEvent { needed: 9, rounds: Vec::new() };
        let result = run(&mut oracle, 40, &options(algorithm));
        let observed: u64 = result.observed.iter().map(|counts| u64::from(counts.runs())).sum();
        assert!(observed > 0 && observed <= result.cost.oracle_calls, "{algorithm}: {observed}");
    }
}

#[test]
fn minimality_is_claimed_only_where_every_single_event_was_tested() {
    for algorithm in Algorithm::ALL {
        let mut oracle = OneEvent { needed: 9, rounds: Vec::new() };
        let result = run(&mut oracle, 40, &options(algorithm));
        assert_eq!(result.minimality.is_some(), algorithm.promises_one_minimal(), "{algorithm}");
        // A budget that ends in the search.
        let budget = SearchBudget { oracle_calls: Some(45), ..SearchBudget::default() };
        let mut oracle = OneEvent { needed: 9, rounds: Vec::new() };
        let result = run(&mut oracle, 40, &MinimizeOptions { budget, ..options(algorithm) });
        assert!(matches!(result.ending, MinimizeEnding::Stopped(_)), "{algorithm}");
        assert_eq!(result.minimality, None, "{algorithm}");
    }
}
