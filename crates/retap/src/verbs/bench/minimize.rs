//! `retap bench minimize`: every algorithm on the same traces.

use super::rivals::{self, Absence, Case, Rival};
use super::table::{median, render};
use crate::cli::BenchMinimizeArgs;
use crate::console::Console;
use crate::failure::{Exit, Failure};
use crate::minimizing::{self, Judge, Memory, Request};
use crate::{device, interrupt, trace_file};
use retap_device::Lab;
use retap_minimize::simulation::Simulation;
use retap_minimize::{
    Algorithm, Candidate, Check, Goal, Options, Oracle as _, Prior, Problem, Question,
};
use retap_model::{Abstraction, Oracle};
use serde::Serialize;
use std::collections::BTreeMap;

/// One minimiser on one trace.
#[derive(Debug, Clone, Serialize)]
pub struct Measured {
    pub minimizer: String,
    pub trace: String,
    pub oracle_calls: u64,
    pub rounds: u64,
    pub events_executed: u64,
    pub events_saved: u64,
    pub events_before: usize,
    pub events_after: usize,
    pub success: f64,
}

pub fn run(args: &BenchMinimizeArgs, console: &Console) -> Result<Exit, Failure> {
    interrupt::listen();
    let (mut measured, absent) = generated(args, console);
    if args.traces.is_empty() && args.device.is_fake() {
        console.remark("no --trace was given: the device is not used");
    }
    for trace in &args.traces {
        measured.extend(recorded(args, trace, console)?);
    }
    let absent: Vec<String> = absent
        .iter()
        .map(|((rival, why), traces)| format!("{} ({traces} traces)", why.sentence(*rival)))
        .collect();
    console.json(&serde_json::json!({
        "verb": "bench minimize", "measured": measured, "absent": absent
    }));
    console.result(&(tables(&measured) + &absent.join("\n")));
    Ok(Exit::Clean)
}

/// Rivals that have nothing to show, why, and for how many traces.
type Absent = BTreeMap<(Rival, Absence), usize>;

fn generated(args: &BenchMinimizeArgs, console: &Console) -> (Vec<Measured>, Absent) {
    let cases: Vec<Case> = args
        .lengths
        .iter()
        .flat_map(|&length| (1..=args.seeds).map(move |seed| (length, seed)))
        .flat_map(|(length, seed)| {
            [0, 1, 3].map(|arms| Case { seed, length, arms, flakiness: args.flakiness })
        })
        .collect();
    let progress = console.progress(Some(cases.len() as u64));
    let (mut measured, mut absent) = (Vec::new(), Absent::new());
    for (n, case) in cases.iter().enumerate() {
        progress.update(n as u64, case.to_string());
        measured.extend(Algorithm::ALL.map(|algorithm| simulate(case, algorithm)));
        if args.rivals.is_some_and(|longest| case.length <= longest) {
            for rival in Rival::ALL {
                match rivals::run(rival, case) {
                    Ok(one) => measured.push(one),
                    Err(why) => *absent.entry((rival, why)).or_default() += 1,
                }
            }
        }
        if interrupt::is_set() {
            break;
        }
    }
    (measured, absent)
}

fn simulate(case: &Case, algorithm: Algorithm) -> Measured {
    let mut simulation = case.simulation();
    let states = simulation.states();
    let problem = Problem { length: states.len(), states: Some(&states) };
    let check = if case.flakiness > 0 { Check::ND3MIN } else { Check::ONCE };
    let options = Options { algorithm, check, ..Options::default() };
    let mut measured = Measured {
        minimizer: algorithm.to_string(),
        trace: case.to_string(),
        oracle_calls: 0,
        rounds: 0,
        events_executed: 0,
        events_saved: 0,
        events_before: states.len(),
        events_after: states.len(),
        success: 0.0,
    };
    if let Ok(outcome) = retap_minimize::minimize(&problem, &mut simulation, &options) {
        measured.oracle_calls = outcome.cost.oracle_calls;
        measured.rounds = outcome.cost.rounds;
        measured.events_executed = outcome.cost.events;
        measured.events_after = outcome.answer.len();
        measured.success = success(&mut simulation, &outcome.answer);
    }
    measured
}

/// How often an answer works, in runs that no algorithm has seen.
fn success(simulation: &mut Simulation, answer: &Candidate) -> f64 {
    const RUNS: u32 = 200;
    const UNSEEN: u32 = 1 << 20;
    let question = |run| Question { candidate: answer.clone(), goal: Goal::Interesting, run };
    let round: Vec<Question> = (UNSEEN..UNSEEN + RUNS).map(question).collect();
    let answers = simulation.ask(&round).unwrap_or_default();
    answers.iter().filter(|answer| answer.success).count() as f64 / f64::from(RUNS)
}

/// Every algorithm on a crash trace, on a device of its own each time.
fn recorded(
    args: &BenchMinimizeArgs,
    name: &str,
    console: &Console,
) -> Result<Vec<Measured>, Failure> {
    let (header, trace) = trace_file::read(name)?;
    let oracle = trace
        .last()
        .outcome
        .crash()
        .map(|id| Oracle::Crash(Some(id)))
        .ok_or_else(|| Failure::input(format!("{name} does not end in a crash")))?;
    let apk = args.app.apk.as_deref();
    let chosen = device::choose_for_trace(&args.device, apk, (name, &header), console)?;
    let mut measured = Vec::new();
    for algorithm in Algorithm::ALL {
        let mut lab = Lab::new(chosen.connect.as_ref(), 1, &interrupt::INTERRUPTED);
        let app = lab.rig().app()?.clone();
        let request = Request {
            header: &header,
            trace: &trace,
            judge: Judge::new(oracle.clone(), &app, header.abstraction),
            options: Options { algorithm, ..Options::default() },
            vary_world: false,
            hierarchy: Abstraction::Activity,
            simplify: false,
            launch_at: false,
            worlds: 0,
            prior: Prior::default(),
            deadline: None,
        };
        let minimized =
            minimizing::minimize(&mut lab, &request, &mut Memory::default(), &mut |_, _| {})?;
        measured.push(Measured {
            minimizer: algorithm.to_string(),
            trace: name.to_string(),
            oracle_calls: minimized.outcome.cost.oracle_calls,
            rounds: minimized.outcome.cost.rounds,
            events_executed: lab.cost().events,
            events_saved: lab.cost().events_saved,
            events_before: trace.steps.len(),
            events_after: minimized.trace.steps.len(),
            success: minimized.outcome.tally.rate(),
        });
    }
    Ok(measured)
}

fn tables(measured: &[Measured]) -> String {
    const HEAD: [&str; 8] =
        ["median of", "traces", "calls", "rounds", "events run", "saved", "length", "success"];
    let mut minimizers: Vec<&str> = Vec::new();
    for one in measured {
        if !minimizers.contains(&one.minimizer.as_str()) {
            minimizers.push(&one.minimizer);
        }
    }
    let rows: Vec<Vec<String>> = minimizers
        .into_iter()
        .map(|name| {
            let of: Vec<&Measured> = measured.iter().filter(|one| one.minimizer == name).collect();
            let middle = |value: fn(&Measured) -> f64| median(of.iter().map(|one| value(one)));
            vec![
                name.to_string(),
                of.len().to_string(),
                middle(|one| one.oracle_calls as f64).to_string(),
                middle(|one| one.rounds as f64).to_string(),
                middle(|one| one.events_executed as f64).to_string(),
                middle(|one| one.events_saved as f64).to_string(),
                middle(|one| one.events_after as f64).to_string(),
                format!("{:.3}", middle(|one| one.success)),
            ]
        })
        .collect();
    render(&HEAD, &rows)
}
