//! `retap bench minimize`: every minimiser on the same traces.

use crate::other_tools::{self, GeneratedTrace, MissingReason, OtherTool};
use crate::table::{median, render};
use retap_device::Lab;
use retap_engine::connection::{NamedTrace, connect_for_trace};
use retap_engine::minimize::{self, AnswerLog, FreshWorlds, Judge, MinimizeRequest};
use retap_engine::{Context, DeviceSettings, Failure, trace_file};
use retap_minimize::simulation::Simulation;
use retap_minimize::{
    Algorithm, Candidate, CandidateGoal, CandidateOracle as _, Check, MinimizeOptions,
    MinimizeProblem, Prior, Question,
};
use retap_model::{Abstraction, Oracle};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::PathBuf;

#[derive(Debug, Clone)]
pub struct MinimizeBench {
    /// Recorded crash traces to minimise besides the generated ones.
    pub traces: Vec<String>,
    pub apk: Option<PathBuf>,
    pub device: DeviceSettings,
    pub lengths: Vec<usize>,
    /// Generated traces of each length.
    pub seeds: u64,
    /// Runs in a thousand that fail by chance.
    pub flakiness: u64,
    /// Also runs other tools, on traces of up to this length.
    pub other_tools: Option<usize>,
}

#[derive(Debug, Serialize)]
pub struct MinimizeResults {
    verb: &'static str,
    measured: Vec<MeasuredMinimizer>,
    /// Other tools without results, with the reason and the number of traces.
    absent: Vec<String>,
}

impl MinimizeResults {
    pub fn render(&self) -> String {
        tables(&self.measured) + &self.absent.join("\n")
    }
}

/// One minimiser on one trace.
#[derive(Debug, Clone, Serialize)]
pub struct MeasuredMinimizer {
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

pub fn run(settings: &MinimizeBench, context: Context<'_>) -> Result<MinimizeResults, Failure> {
    let (mut measured, absent) = measure_generated(settings, context);
    if settings.traces.is_empty() && settings.device.is_fake() {
        context.remark("no --trace was given: the device is not used");
    }
    for trace in &settings.traces {
        measured.extend(measure_recorded(settings, trace, context)?);
    }
    let absent = absent
        .iter()
        .map(|((tool, why), traces)| format!("{} ({traces} traces)", why.describe(*tool)))
        .collect();
    Ok(MinimizeResults { verb: "bench minimize", measured, absent })
}

/// Tools without results, by reason, and the number of traces.
type Absent = BTreeMap<(OtherTool, MissingReason), usize>;

fn measure_generated(
    settings: &MinimizeBench,
    context: Context<'_>,
) -> (Vec<MeasuredMinimizer>, Absent) {
    let traces = generate(settings);
    let progress = context.progress(Some(traces.len() as u64));
    let (mut measured, mut absent) = (Vec::new(), Absent::new());
    for (n, trace) in traces.iter().enumerate() {
        progress.update(n as u64, trace.to_string());
        measured.extend(Algorithm::ALL.map(|algorithm| simulate(trace, algorithm)));
        if settings.other_tools.is_some_and(|longest| trace.length <= longest) {
            for tool in OtherTool::ALL {
                match other_tools::run(tool, trace) {
                    Ok(one) => measured.push(one),
                    Err(why) => *absent.entry((tool, why)).or_default() += 1,
                }
            }
        }
        if context.is_interrupted() {
            break;
        }
    }
    (measured, absent)
}

/// Generates traces of every length and seed, with no, one and three arms.
fn generate(settings: &MinimizeBench) -> Vec<GeneratedTrace> {
    let flakiness = settings.flakiness;
    let mut traces = Vec::new();
    for &length in &settings.lengths {
        for seed in 1..=settings.seeds {
            traces.extend([0, 1, 3].map(|arms| GeneratedTrace { seed, length, arms, flakiness }));
        }
    }
    traces
}

fn simulate(trace: &GeneratedTrace, algorithm: Algorithm) -> MeasuredMinimizer {
    let mut simulation = trace.simulation();
    let states = simulation.states();
    let problem = MinimizeProblem { length: states.len(), states: Some(&states) };
    let check = if trace.flakiness > 0 { Check::ND3MIN } else { Check::ONCE };
    let options = MinimizeOptions { algorithm, check, ..MinimizeOptions::default() };
    let mut measured = MeasuredMinimizer {
        minimizer: algorithm.to_string(),
        trace: trace.to_string(),
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

/// Measures how often an answer succeeds, in runs that no algorithm has used.
fn success(simulation: &mut Simulation, answer: &Candidate) -> f64 {
    const RUNS: u32 = 200;
    const UNSEEN: u32 = 1 << 20;
    let question =
        |run| Question { candidate: answer.clone(), goal: CandidateGoal::Interesting, run };
    let round: Vec<Question> = (UNSEEN..UNSEEN + RUNS).map(question).collect();
    let answers = simulation.ask(&round).unwrap_or_default();
    answers.iter().filter(|answer| answer.success).count() as f64 / f64::from(RUNS)
}

/// Runs every algorithm on a recorded crash trace, each on a fresh device.
fn measure_recorded(
    settings: &MinimizeBench,
    name: &str,
    context: Context<'_>,
) -> Result<Vec<MeasuredMinimizer>, Failure> {
    let (header, trace) = trace_file::read(name)?;
    let oracle = trace
        .last()
        .outcome
        .crash()
        .map(|id| Oracle::Crash(Some(id)))
        .ok_or_else(|| Failure::input(format!("{name} does not end in a crash")))?;
    let named = NamedTrace { name, header: &header };
    let connection = connect_for_trace(&settings.device, settings.apk.as_deref(), named, context)?;
    let mut measured = Vec::new();
    for algorithm in Algorithm::ALL {
        let mut lab = Lab::new(connection.connect.as_ref(), 1, context.interrupt);
        let app = lab.rig().app()?.clone();
        let request = MinimizeRequest {
            header: &header,
            trace: &trace,
            judge: Judge::new(oracle.clone(), &app, header.abstraction),
            options: MinimizeOptions { algorithm, ..MinimizeOptions::default() },
            vary_world: false,
            hierarchy: Abstraction::Activity,
            simplify: false,
            launch_at_activity: false,
            fresh_worlds: FreshWorlds::all(0),
            prior: Prior::default(),
            deadline: None,
        };
        let minimized =
            minimize::minimize(&mut lab, &request, &mut AnswerLog::default(), &mut |_, _| {})?;
        measured.push(MeasuredMinimizer {
            minimizer: algorithm.to_string(),
            trace: name.to_string(),
            oracle_calls: minimized.outcome.cost.oracle_calls,
            rounds: minimized.outcome.cost.rounds,
            events_executed: lab.cost().events,
            events_saved: lab.cost().events_saved,
            events_before: trace.steps.len(),
            events_after: minimized.trace.steps.len(),
            success: minimized.outcome.deciding_runs.success_rate(),
        });
    }
    Ok(measured)
}

fn tables(measured: &[MeasuredMinimizer]) -> String {
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
            let of: Vec<&MeasuredMinimizer> =
                measured.iter().filter(|one| one.minimizer == name).collect();
            let median_of =
                |value: fn(&MeasuredMinimizer) -> f64| median(of.iter().map(|one| value(one)));
            vec![
                name.to_string(),
                of.len().to_string(),
                median_of(|one| one.oracle_calls as f64).to_string(),
                median_of(|one| one.rounds as f64).to_string(),
                median_of(|one| one.events_executed as f64).to_string(),
                median_of(|one| one.events_saved as f64).to_string(),
                median_of(|one| one.events_after as f64).to_string(),
                format!("{:.3}", median_of(|one| one.success)),
            ]
        })
        .collect();
    render(&HEAD, &rows)
}
