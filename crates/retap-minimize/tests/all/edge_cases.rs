//! Edge cases of every algorithm, and inputs that are refused.

use retap_minimize::{
    Algorithm, Answer, CandidateOracle, Check, MinimizeError, MinimizeOptions, MinimizeProblem,
    Question, SearchStop, minimize,
};

#[test]
fn events_after_the_goal_are_removed_without_a_run() {
    /// Crashes as soon as position 3 has run.
    struct Early(u32);
    impl CandidateOracle for Early {
        fn ask(&mut self, round: &[Question]) -> Result<Vec<Answer>, SearchStop> {
            self.0 += 1;
            let answer = |question: &Question| {
                let at = question.candidate.positions().iter().position(|&p| p == 3);
                let events = at.map_or(question.candidate.len(), |index| index + 1);
                Answer { success: at.is_some(), events }
            };
            Ok(round.iter().map(answer).collect())
        }
    }
    let states = [0; 1000];
    for algorithm in Algorithm::ALL {
        let problem = MinimizeProblem { length: 1000, states: Some(&states) };
        let mut oracle = Early(0);
        let options = MinimizeOptions { algorithm, ..MinimizeOptions::default() };
        let result = minimize(&problem, &mut oracle, &options).unwrap();
        assert_eq!(result.answer.positions(), [3], "{algorithm}");
        // The baseline already cuts 1000 events to 4; a dozen rounds settle those.
        assert!(oracle.0 < 12, "{algorithm} needed {} runs", oracle.0);
    }
}

#[test]
fn a_crash_at_launch_leaves_nothing() {
    struct Always;
    impl CandidateOracle for Always {
        fn ask(&mut self, round: &[Question]) -> Result<Vec<Answer>, SearchStop> {
            Ok(round.iter().map(|_| Answer { success: true, events: 0 }).collect())
        }
    }
    for algorithm in Algorithm::ALL {
        let problem = MinimizeProblem { length: 3, states: Some(&[1, 2, 3]) };
        let options = MinimizeOptions { algorithm, ..MinimizeOptions::default() };
        let result = minimize(&problem, &mut Always, &options).unwrap();
        assert!(result.answer.is_empty(), "{algorithm}");
    }
}

#[test]
#[should_panic(expected = "an oracle must answer every question of a round")]
fn an_oracle_that_leaves_out_an_answer_is_a_bug_that_shows() {
    struct Forgetful;
    impl CandidateOracle for Forgetful {
        fn ask(&mut self, _: &[Question]) -> Result<Vec<Answer>, SearchStop> {
            Ok(Vec::new())
        }
    }
    let problem = MinimizeProblem { length: 2, states: None };
    let _ = minimize(&problem, &mut Forgetful, &MinimizeOptions::default());
}

#[test]
fn bad_problems_are_refused() {
    let check = |states: Option<&[u64]>, options: MinimizeOptions| {
        let mut never = Never;
        minimize(&MinimizeProblem { length: 2, states }, &mut never, &options).unwrap_err()
    };
    struct Never;
    impl CandidateOracle for Never {
        fn ask(&mut self, _: &[Question]) -> Result<Vec<Answer>, SearchStop> {
            panic!("the oracle must not be asked")
        }
    }
    let hdd = MinimizeOptions { algorithm: Algorithm::Hdd, ..MinimizeOptions::default() };
    assert_eq!(check(None, hdd), MinimizeError::NeedsStates(Algorithm::Hdd));
    assert_eq!(
        check(Some(&[1]), MinimizeOptions::default()),
        MinimizeError::StatesMismatch { states: 1, events: 2 }
    );
    let impossible = Check { runs: 3, required: 4, width: 1 };
    assert!(matches!(
        check(None, MinimizeOptions { check: impossible, ..MinimizeOptions::default() }),
        MinimizeError::ImpossibleCheck { .. }
    ));
    assert_eq!(
        check(None, MinimizeOptions { parts: 1, ..MinimizeOptions::default() }),
        MinimizeError::TooFewParts(1)
    );
    assert_eq!(
        check(None, MinimizeOptions { initial_probability: 1.0, ..MinimizeOptions::default() }),
        MinimizeError::ImpossibleProbability(1.0)
    );
    let with = |probabilities: &[f64]| MinimizeOptions {
        event_probabilities: probabilities.to_vec(),
        ..MinimizeOptions::default()
    };
    assert_eq!(
        check(None, with(&[0.5])),
        MinimizeError::ProbabilitiesMismatch { probabilities: 1, events: 2 }
    );
    assert_eq!(check(None, with(&[0.5, 0.0])), MinimizeError::ImpossibleProbability(0.0));
}
