//! The cost of the algorithms on generated traces of nested sessions, 16 to 1,500 events long. The
//! example `minimizers` prints the same figures.

use retap_minimize::simulation::Simulation;
use retap_minimize::{
    Algorithm, Candidate, MinimizeOptions, MinimizeProblem, MinimizeResult, minimize,
};

fn simulations() -> Vec<Simulation> {
    let mut simulations = Vec::new();
    for length in [16, 36, 64, 128, 256, 512, 1024, 1500] {
        for preparations in [0, 1, 3] {
            let generate = |seed| Simulation::generate(seed, length, preparations, 0);
            simulations.extend((1..=6).map(generate));
        }
    }
    simulations
}

fn run(simulation: &Simulation, algorithm: Algorithm) -> MinimizeResult {
    let states = simulation.states();
    let problem = MinimizeProblem { length: states.len(), states: Some(&states) };
    let options = MinimizeOptions { algorithm, ..MinimizeOptions::default() };
    minimize(&problem, &mut simulation.clone(), &options).expect("a valid problem")
}

fn events(simulations: &[Simulation], algorithm: Algorithm) -> Vec<u64> {
    simulations.iter().map(|simulation| run(simulation, algorithm).cost.events).collect()
}

fn median<T: PartialOrd + Copy>(mut measured: Vec<T>) -> T {
    measured.sort_by(|a, b| a.partial_cmp(b).expect("comparable"));
    measured[measured.len() / 2]
}

#[test]
fn generated_traces_have_their_length_and_crash_at_the_end() {
    for simulation in simulations() {
        let length = simulation.events.len();
        assert_eq!(simulation.run(&Candidate::whole(length)).crashed_after, Some(length));
        assert_eq!(simulation.run(&Candidate::whole(length - 1)).crashed_after, None);
    }
}

#[test]
fn lhdd_executes_at_most_a_third_of_dds_events() {
    let simulations = simulations();
    let dd = events(&simulations, Algorithm::Dd);
    let lhdd = events(&simulations, Algorithm::Lhdd);
    let ratio = median(lhdd.iter().zip(&dd).map(|(&l, &d)| l as f64 / d as f64).collect());
    assert!(ratio <= 1.0 / 3.0, "{ratio} trace by trace");
    let (dd, lhdd) = (median(dd), median(lhdd));
    assert!(3 * lhdd <= dd, "lhdd {lhdd}, dd {dd}");
}

#[test]
fn the_default_is_within_a_tenth_of_the_best_single_algorithm() {
    let simulations = simulations();
    let auto = events(&simulations, Algorithm::Auto);
    for algorithm in Algorithm::ALL {
        let single = events(&simulations, algorithm);
        let ratio = median(auto.iter().zip(&single).map(|(&a, &s)| a as f64 / s as f64).collect());
        assert!(ratio <= 1.1, "{ratio} times the events of {algorithm}, trace by trace");
        let check = |what, auto: u64, single: u64| {
            assert!(10 * auto <= 11 * single, "auto {auto}, {algorithm} {single} {what}");
        };
        check("in all", auto.iter().sum(), single.iter().sum());
        check("at the median", median(auto.clone()), median(single));
    }
}

#[test]
fn the_default_needs_no_more_events_than_dd_with_meaningless_states() {
    let simulations = simulations();
    let dd = events(&simulations, Algorithm::Dd);
    let check = |case, mislead: fn(&mut [u64])| {
        let auto = simulations.iter().map(|simulation| {
            let mut states = simulation.states();
            mislead(&mut states);
            let problem = MinimizeProblem { length: states.len(), states: Some(&states) };
            let result = minimize(&problem, &mut simulation.clone(), &MinimizeOptions::default());
            result.expect("a valid problem").cost.events
        });
        let (auto, dd): (u64, u64) = (auto.sum(), dd.iter().sum());
        assert!(auto <= dd, "{case}: auto {auto}, dd {dd}");
    };
    check("no two screens alike", |states| states.iter_mut().zip(0..).for_each(|(s, n)| *s = n));
    check("states unrelated to the screens", |states| {
        states.iter_mut().zip(0..).for_each(|(s, n)| *s = n * n % 7);
    });
}

#[test]
fn every_answer_crashes_and_is_one_minimal_where_promised() {
    for simulation in simulations().iter().filter(|simulation| simulation.events.len() <= 256) {
        for algorithm in Algorithm::ALL {
            let answer = run(simulation, algorithm).answer;
            assert!(simulation.run(&answer).has_crashed(), "{algorithm}");
            if algorithm.promises_one_minimal() {
                for place in 0..answer.len() {
                    let mut fewer = answer.positions().to_vec();
                    fewer.remove(place);
                    let crashes = simulation.run(&fewer.into()).has_crashed();
                    assert!(!crashes, "{algorithm} left {answer:?}");
                }
            }
        }
    }
}
