//! Measures every algorithm on generated nested traces: medians of oracle calls, rounds, events executed,
//! final length and success rate.
//!
//! `cargo run --release -p retap-minimize --example minimizers [-- runs required width]`

#![allow(clippy::print_stdout, clippy::disallowed_methods)]

use retap_minimize::simulation::Simulation;
use retap_minimize::{
    Algorithm, Check, MinimizeOptions, MinimizeProblem, MinimizeResult, minimize,
};

const LENGTHS: [usize; 8] = [16, 36, 64, 128, 256, 512, 1024, 1500];
const SEEDS: u64 = 6;

fn main() {
    let mut arguments = std::env::args().skip(1).filter_map(|argument| argument.parse().ok());
    let mut next = |default| arguments.next().unwrap_or(default);
    let check = Check { runs: next(1), required: next(1), width: next(1) };
    let flakiness = if check.runs > 1 { 30 } else { 0 };
    println!("{check:?}, {flakiness} ‰ of all runs fail by chance");
    let mut all: Vec<Simulation> = Vec::new();
    for preparations in [0, 1, 3] {
        let simulations = LENGTHS.iter().flat_map(|&length| {
            (1..=SEEDS).map(move |seed| Simulation::generate(seed, length, preparations, flakiness))
        });
        let simulations: Vec<Simulation> = simulations.collect();
        println!("\n{preparations} events needed besides the path to the crash");
        print_table(&simulations, check, true);
        all.extend(simulations);
    }
    println!("\nall of them");
    print_table(&all, check, true);
    println!("\nall of them, their states unknown");
    print_table(&all, check, false);
}

fn print_table(simulations: &[Simulation], check: Check, with_states: bool) {
    println!(
        "{:8}{:>9}{:>9}{:>9}{:>9}{:>12}{:>8}{:>9}",
        "", "calls", "rounds", "events", "× auto", "all events", "length", "success"
    );
    let mut auto = Vec::new();
    for algorithm in Algorithm::ALL {
        if with_states || !algorithm.needs_states() {
            let options = MinimizeOptions { algorithm, check, ..MinimizeOptions::default() };
            let results: Vec<MinimizeResult> = simulations
                .iter()
                .map(|simulation| measure(simulation, &options, with_states))
                .collect();
            if algorithm == Algorithm::Auto {
                auto.clone_from(&results);
            }
            print_row(algorithm, &results, &auto);
        }
    }
}

fn measure(
    simulation: &Simulation,
    options: &MinimizeOptions,
    with_states: bool,
) -> MinimizeResult {
    let states = simulation.states();
    let problem = MinimizeProblem { length: states.len(), states: with_states.then_some(&states) };
    match minimize(&problem, &mut simulation.clone(), options) {
        Ok(result) => result,
        Err(error) => panic!("{error}"),
    }
}

fn print_row(algorithm: Algorithm, results: &[MinimizeResult], auto: &[MinimizeResult]) {
    let all: u64 = results.iter().map(|result| result.cost.events).sum();
    let success: f64 = results
        .iter()
        .map(|result| result.verification.unwrap_or(result.deciding_runs).success_rate())
        .sum();
    println!(
        "{:8}{:>9}{:>9}{:>9}{:>9.2}{:>12}{:>8}{:>9.3}",
        algorithm.name(),
        median(results.iter().map(|result| result.cost.oracle_calls as f64)),
        median(results.iter().map(|result| result.cost.rounds as f64)),
        median(results.iter().map(|result| result.cost.events as f64)),
        median(results.iter().zip(auto).map(|(o, a)| o.cost.events as f64 / a.cost.events as f64)),
        all,
        median(results.iter().map(|result| result.answer.len() as f64)),
        success / results.len() as f64,
    );
}

fn median(measured: impl Iterator<Item = f64>) -> f64 {
    let mut measured: Vec<f64> = measured.collect();
    measured.sort_by(f64::total_cmp);
    measured[measured.len() / 2]
}
