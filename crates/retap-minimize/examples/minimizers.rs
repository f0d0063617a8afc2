//! Measures every algorithm on generated nested traces: medians of oracle calls, rounds, events executed
//! and final length. `cargo run --release -p retap-minimize --example minimizers [-- runs required width]`

#![allow(clippy::print_stdout)]

use retap_minimize::simulation::Simulation;
use retap_minimize::{Algorithm, Check, Options, Outcome, Problem, minimize};

const LENGTHS: [usize; 8] = [16, 36, 64, 128, 256, 512, 1024, 1500];
const SEEDS: u64 = 6;

fn main() {
    let mut arguments = std::env::args().skip(1).filter_map(|argument| argument.parse().ok());
    let mut next = |default| arguments.next().unwrap_or(default);
    let check = Check { runs: next(1), required: next(1), width: next(1) };
    let flakiness = if check.runs > 1 { 30 } else { 0 };
    for arms in [0, 1, 3] {
        println!("\n{arms} events needed beside the way to the crash; {check:?}, {flakiness} ‰ flaky");
        println!("{:8}{:>10}{:>10}{:>12}{:>12}{:>9}", "", "calls", "rounds", "events", "all events", "length");
        let simulations: Vec<Simulation> = LENGTHS
            .iter()
            .flat_map(|&length| (0..SEEDS).map(move |seed| (length, seed)))
            .map(|(length, seed)| Simulation::generate(seed + 1, length, arms, flakiness))
            .collect();
        for algorithm in Algorithm::ALL {
            let options = Options { algorithm, check, ..Options::default() };
            let outcomes: Vec<Outcome> =
                simulations.iter().map(|simulation| measure(simulation, &options)).collect();
            row(algorithm, &outcomes);
        }
    }
}

fn measure(simulation: &Simulation, options: &Options) -> Outcome {
    let states = simulation.states();
    let problem = Problem { length: states.len(), states: Some(&states) };
    match minimize(&problem, &mut simulation.clone(), options) {
        Ok(outcome) => outcome,
        Err(error) => panic!("{error}"),
    }
}

fn row(algorithm: Algorithm, outcomes: &[Outcome]) {
    let all: u64 = outcomes.iter().map(|outcome| outcome.cost.events).sum();
    println!(
        "{:8}{:>10}{:>10}{:>12}{:>12}{:>9}",
        algorithm.name(),
        median(outcomes, |outcome| outcome.cost.oracle_calls),
        median(outcomes, |outcome| outcome.cost.rounds),
        median(outcomes, |outcome| outcome.cost.events),
        all,
        median(outcomes, |outcome| outcome.answer.len() as u64),
    );
}

fn median(outcomes: &[Outcome], measure: impl Fn(&Outcome) -> u64) -> u64 {
    let mut measured: Vec<u64> = outcomes.iter().map(measure).collect();
    measured.sort_unstable();
    measured[measured.len() / 2]
}
