//! Turns flags into the oracle, the judge and the options of a minimisation.

use crate::cli::{MinimizeArgs, SchedulerName};
use crate::console::Console;
use retap_device::{Job, Lab};
use retap_engine::explore::oracles::read_properties;
use retap_engine::minimize::{Judge, LearnedStore, MinimizeRequest};
use retap_engine::{Failure, Reporter};
use retap_minimize::{Check, MinimizeOptions, Scheduler, SearchBudget};
use retap_model::format::run::{self, KeptFinding};
use retap_model::format::trace::Header;
use retap_model::observation::RecordedOutcome;
use retap_model::{App, Event, FindingKind, Oracle, Rate, Trace};
use std::path::Path;
use std::sync::Arc;

/// Returns the oracle: the one asked for, else the crash at the trace's end, else the finding beside the trace.
pub fn oracle(args: &MinimizeArgs, trace: &Trace, name: &str) -> Result<Oracle, Failure> {
    let own = match &trace.last().outcome {
        RecordedOutcome::Crashed { id, .. } => Some(Oracle::Crash(Some(*id))),
        RecordedOutcome::NotResponding => Some(Oracle::NotResponding),
        RecordedOutcome::DeviceLost => Some(Oracle::DeviceLost),
        _ => finding_of(name),
    };
    match &args.oracle {
        Some(Oracle::Crash(None)) => Ok(own.unwrap_or(Oracle::Crash(None))),
        Some(oracle) => Ok(oracle.clone()),
        None => own.ok_or_else(|| {
            Failure::input(format!(
                "{name} does not end in a crash, so the oracle is unknown: name one, \
                 for example --oracle activity:NAME or --oracle text:REGEX"
            ))
        }),
    }
}

/// Returns the finding of `retap explore` that is kept beside this trace.
fn finding_of(name: &str) -> Option<Oracle> {
    let beside = Path::new(name).parent()?.join("finding.json");
    let kept: KeptFinding = run::read_json(&beside, "a finding").ok()?;
    Some(Oracle::Finding(kept.finding.kind, Some(kept.finding.id())))
}

pub fn judge(
    args: &MinimizeArgs,
    oracle: Oracle,
    app: &App,
    header: &Header,
) -> Result<Judge, Failure> {
    let judge = Judge::new(oracle, app, header.abstraction);
    match (&args.properties, &judge.oracle) {
        (Some(file), _) => Ok(judge.with_properties(&Arc::new(read_properties(file)?))),
        (None, Oracle::Finding(FindingKind::Property, _)) => {
            Err(Failure::input("no properties given: name their file with --properties"))
        }
        (None, _) => Ok(judge),
    }
}

/// The first number of parts with the optimal scheduler. Its policy must be solved for as many candidates, and for five
/// that takes minutes.
const MDP_PARTS: usize = 4;

pub fn options(
    args: &MinimizeArgs,
    store: &LearnedStore,
    console: &Console,
) -> Result<MinimizeOptions, Failure> {
    let runs = args.runs.unwrap_or(if args.vary_world { Check::ND3MIN.runs } else { 1 });
    let required = args.required.unwrap_or((runs * 9).div_ceil(10));
    let check = Check { runs, required, width: if runs == 1 { 1 } else { Check::ND3MIN.width } };
    let parts = args.parts.unwrap_or(match args.scheduler {
        SchedulerName::Mdp => MDP_PARTS,
        _ => MinimizeOptions::default().parts,
    });
    let scheduler = match args.scheduler {
        SchedulerName::Greedy => Scheduler::Greedy,
        SchedulerName::RoundRobin => Scheduler::RoundRobin,
        SchedulerName::Heuristic => Scheduler::HEURISTIC,
        SchedulerName::Mdp => {
            let remark = |text: &str| console.remark(text);
            Scheduler::Mdp(store.policy(parts as u32, check, &remark)?)
        }
    };
    Ok(MinimizeOptions {
        algorithm: args.algorithm,
        check,
        scheduler,
        budget: SearchBudget { oracle_calls: args.budget, ..SearchBudget::default() },
        preselect: !args.no_preselect,
        parts,
        ..MinimizeOptions::default()
    })
}

/// Warns if the oracle program gives different answers for the same execution. Then every answer is a guess.
pub fn warn_of_flaky_program(
    lab: &mut Lab<'_>,
    request: &MinimizeRequest<'_>,
    console: &Console,
) -> Result<(), Failure> {
    const CALLS: usize = 8;
    let Oracle::Cmd(program) = &request.judge.oracle else { return Ok(()) };
    let events: Vec<Event> = request.trace.events().cloned().collect();
    let job = Job { world_seed: request.trace.world_seed, events };
    let execution = lab.run(&job)?;
    let mut rate = Rate::default();
    for _ in 0..CALLS {
        rate.add(request.judge.holds(&job.events, &execution)?);
    }
    if rate.successes > 0 && rate.successes < rate.runs {
        console.remark(&format!(
            "the oracle program `{program}` gives different answers for the same execution: \
             yes in {rate}; --runs calls it more often"
        ));
    }
    Ok(())
}
