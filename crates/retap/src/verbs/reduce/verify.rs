//! `retap reduce --verify`: replays a suite and holds what it covers against what the original covered,
//! unit by unit. It asks the device and the files alone, and nothing of the reducer.

use super::counted::Counted;
use super::load::Loader;
use super::original::{self, Original};
use super::{check_app, restate, scope};
use crate::cli::ReduceArgs;
use crate::console::Console;
use crate::failure::{Exit, Failure};
use crate::suite_folder::{self, Member};
use crate::{device, interrupt};
use retap_device::replay::compare;
use retap_device::{Execution, Job, Lab, NEVER_STOP};
use retap_model::format::run::read_json;
use retap_model::{Cost, Outcome};
use serde::Serialize;
use std::fmt::Write;
use std::path::Path;

#[derive(Debug, Default, Serialize)]
struct Verdict {
    verb: &'static str,
    traces: usize,
    /// Traces that did not follow what they say, and where.
    divergences: Vec<String>,
    /// How much the original covered.
    units: u64,
    states: usize,
    crashes: usize,
    /// What the original covered and the suite did not.
    missing: Vec<String>,
    cost: Cost,
}

pub fn run(suite: &Path, args: &ReduceArgs, console: &Console) -> Result<Exit, Failure> {
    let members = suite_folder::read(suite)?;
    let Some(first) = members.first() else {
        return Err(Failure::input(format!("{} lists no trace", suite.display())));
    };
    let header = first.header.clone();
    let mut device_args = args.device.as_recorded(&header);
    if let Some(counted) = Counted::in_folder(suite)? {
        counted.fill(&mut device_args);
    }
    let near = args.inputs.first().cloned().unwrap_or_else(|| first.file.display().to_string());
    let chosen =
        device::choose_for_trace(&device_args, args.apk.as_deref(), (&near, &header), console)?;
    let mut lab = Lab::new(chosen.connect.as_ref(), args.jobs.into(), &interrupt::INTERRUPTED);
    let app = lab.rig().app()?.clone();
    check_app(&header, &app)?;
    let original = if args.inputs.is_empty() {
        read_json(&suite.join(original::FILE), "what the original covered")?
    } else {
        let mut loader = Loader::default();
        args.inputs.iter().try_for_each(|name| loader.add(name, false))?;
        restate::restate(&mut loader.loaded, Some(header.abstraction))?;
        Original::of(&loader.loaded, &scope(args, &app))
    };

    let job = |member: &Member| Job {
        world_seed: member.trace.world_seed,
        events: member.trace.events().cloned().collect(),
    };
    let jobs: Vec<Job> = members.iter().map(job).collect();
    let executions = lab.run_all(&jobs, NEVER_STOP)?;
    let mut verdict = Verdict {
        verb: "reduce",
        traces: members.len(),
        units: original.units.len(),
        states: original.states.len(),
        crashes: original.crashes.len(),
        cost: lab.cost(),
        ..Verdict::default()
    };
    let package = &app.identity.package;
    let mut left = original;
    for (member, execution) in members.iter().zip(&executions) {
        if let Some(divergence) = compare(&member.trace, execution, header.abstraction, package) {
            verdict.divergences.push(format!("{} {divergence}", member.name));
        }
        strike(&mut left, execution, &header, package);
    }
    let unit =
        |id| app.units.get(id).map_or(format!("unit {id}"), |u| format!("{} {}", u.kind, u.name));
    verdict.missing.extend(left.units.iter().map(unit));
    verdict.missing.extend(left.states.iter().map(|state| format!("state {state}")));
    verdict.missing.extend(left.crashes.iter().map(|crash| format!("crash {crash}")));
    verdict.missing.extend(left.not_responding.then(|| "the app stops responding".to_string()));
    console.json(&verdict);
    console.result(&render(&verdict));
    let holds = verdict.missing.is_empty() && verdict.divergences.is_empty();
    Ok(if holds { Exit::Clean } else { Exit::Found })
}

/// Takes away what an execution covered.
fn strike(
    left: &mut Original,
    execution: &Execution,
    header: &retap_model::format::trace::Header,
    package: &str,
) {
    for seen in &execution.observations {
        left.units = left.units.difference(&seen.coverage);
        left.states.remove(&header.abstraction.state(&seen.screen));
        match &seen.outcome {
            Outcome::Crashed(crash) => {
                left.crashes.remove(&crash.identity(package));
            }
            Outcome::NotResponding { .. } => left.not_responding = false,
            _ => {}
        }
    }
}

fn render(verdict: &Verdict) -> String {
    let mut text = String::new();
    let Verdict { traces, units, states, crashes, .. } = verdict;
    let whole = verdict.missing.is_empty() && verdict.divergences.is_empty();
    let begin = if whole { "Verified" } else { "Not verified" };
    let _ = writeln!(
        text,
        "{begin}: {traces} traces against {units} units, {states} states and {crashes} crashes"
    );
    const SHOWN: usize = 10;
    for divergence in verdict.divergences.iter().take(SHOWN) {
        let _ = writeln!(text, "  diverged: {divergence}");
    }
    for missing in verdict.missing.iter().take(SHOWN) {
        let _ = writeln!(text, "  not covered: {missing}");
    }
    let hidden = verdict.missing.len().saturating_sub(SHOWN);
    if hidden > 0 {
        let _ = writeln!(text, "  … and {hidden} more");
    }
    text
}
