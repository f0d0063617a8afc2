//! `retap reduce --verify`: replays a suite and compares its coverage with the original's, unit by unit. It uses the
//! device and the files alone, and nothing of the reducer.

use super::{check_app, scope};
use crate::cli::ReduceArgs;
use crate::console::Console;
use crate::exit::Exit;
use crate::interrupt;
use retap_device::replay::compare;
use retap_device::{Execution, Job, Lab, NEVER_STOP};
use retap_engine::Failure;
use retap_engine::connection::{NamedTrace, connect_for_trace};
use retap_engine::reduce::{ClassFilter, Loader, OriginalCoverage, original, restate};
use retap_engine::suite_folder::{self, SuiteTrace};
use retap_model::format::run::read_json;
use retap_model::format::trace::Header;
use retap_model::{App, Cost, Outcome};
use serde::Serialize;
use std::fmt::Write;
use std::path::Path;

#[derive(Debug, Default, Serialize)]
struct Verification {
    verb: &'static str,
    traces: usize,
    /// One sentence for each trace that diverged.
    divergences: Vec<String>,
    /// The coverage of the original.
    units: u64,
    states: usize,
    crashes: usize,
    /// Units, states and crashes that the original covered and the suite does not.
    missing: Vec<String>,
    cost: Cost,
}

pub fn run(suite: &Path, args: &ReduceArgs, console: &Console) -> Result<Exit, Failure> {
    let members = suite_folder::read(suite)?;
    let Some(first) = members.first() else {
        return Err(Failure::input(format!("{} lists no trace", suite.display())));
    };
    let header = first.header.clone();
    let mut settings = args.device.settings().as_recorded(&header);
    if let Some(counted) = ClassFilter::in_folder(suite)? {
        counted.fill(&mut settings);
    }
    let near = args.inputs.first().cloned().unwrap_or_else(|| first.file.display().to_string());
    let named = NamedTrace { name: &near, header: &header };
    let connection = connect_for_trace(&settings, args.apk.as_deref(), named, console.context())?;
    let mut lab = Lab::new(connection.connect.as_ref(), args.jobs.into(), &interrupt::INTERRUPTED);
    let app = lab.rig().app()?.clone();
    check_app(&header, &app)?;
    let original = original_coverage(suite, args, &header, &app)?;

    let job = |member: &SuiteTrace| Job {
        world_seed: member.trace.world_seed,
        events: member.trace.events().cloned().collect(),
    };
    let jobs: Vec<Job> = members.iter().map(job).collect();
    let executions = lab.run_all(&jobs, NEVER_STOP)?;
    assert_eq!(jobs.len(), executions.len(), "the lab answers every job");
    let mut verification = Verification {
        verb: "reduce",
        traces: members.len(),
        units: original.units.len(),
        states: original.states.len(),
        crashes: original.crashes.len(),
        cost: lab.cost(),
        ..Verification::default()
    };
    let package = &app.identity.package;
    let mut left = original;
    for (member, execution) in members.iter().zip(&executions) {
        if let Some(divergence) = compare(&member.trace, execution, header.abstraction, package) {
            verification.divergences.push(format!("{} {divergence}", member.name));
        }
        remove_covered(&mut left, execution, &header, package);
    }
    let unit =
        |id| app.units.get(id).map_or(format!("unit {id}"), |u| format!("{} {}", u.kind, u.name));
    verification.missing.extend(left.units.iter().map(unit));
    verification.missing.extend(left.states.iter().map(|state| format!("state {state}")));
    verification.missing.extend(left.crashes.iter().map(|crash| format!("crash {crash}")));
    verification
        .missing
        .extend(left.not_responding.then(|| "the app stops responding".to_string()));
    console.json(&verification);
    console.result(&render(&verification));
    let holds = verification.missing.is_empty() && verification.divergences.is_empty();
    Ok(if holds { Exit::Clean } else { Exit::Found })
}

/// Returns the coverage of the original: of the named inputs, else as the suite recorded it.
fn original_coverage(
    suite: &Path,
    args: &ReduceArgs,
    header: &Header,
    app: &App,
) -> Result<OriginalCoverage, Failure> {
    if args.inputs.is_empty() {
        return Ok(read_json(&suite.join(original::FILE), "the coverage of the original")?);
    }
    let mut loader = Loader::default();
    args.inputs.iter().try_for_each(|name| loader.add(name, false))?;
    restate::restate(&mut loader.loaded, Some(header.abstraction))?;
    Ok(OriginalCoverage::of(&loader.loaded, &scope(args, app)))
}

/// Removes what an execution covered.
fn remove_covered(
    left: &mut OriginalCoverage,
    execution: &Execution,
    header: &Header,
    package: &str,
) {
    for observation in &execution.observations {
        left.units = left.units.difference(&observation.coverage);
        left.states.remove(&header.abstraction.state(&observation.screen));
        match &observation.outcome {
            Outcome::Crashed(crash) => {
                left.crashes.remove(&crash.identity(package));
            }
            Outcome::NotResponding { .. } => left.not_responding = false,
            _ => {}
        }
    }
}

fn render(verification: &Verification) -> String {
    let mut text = String::new();
    let Verification { traces, units, states, crashes, .. } = verification;
    let whole = verification.missing.is_empty() && verification.divergences.is_empty();
    let begin = if whole { "Verified" } else { "Not verified" };
    let _ = writeln!(
        text,
        "{begin}: {traces} traces against {units} units, {states} states and {crashes} crashes"
    );
    const SHOWN: usize = 10;
    for divergence in verification.divergences.iter().take(SHOWN) {
        let _ = writeln!(text, "  diverged: {divergence}");
    }
    for missing in verification.missing.iter().take(SHOWN) {
        let _ = writeln!(text, "  not covered: {missing}");
    }
    let hidden = verification.missing.len().saturating_sub(SHOWN);
    if hidden > 0 {
        let _ = writeln!(text, "  … and {hidden} more");
    }
    text
}
