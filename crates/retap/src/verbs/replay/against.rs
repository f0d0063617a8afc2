//! `retap replay TRACE -d adb --against embedded`: a trace on two devices, and where they differ.

use crate::cli::ReplayArgs;
use crate::console::Console;
use crate::exit::Exit;
use crate::interrupt;
use retap_device::{Execution, Job, Lab};
use retap_engine::against::{DeviceDifference, compare};
use retap_engine::connection::{Connection, connect};
use retap_engine::{DeviceKind, DeviceSettings, Failure, Reporter, same_app};
use retap_model::format::trace::Header;
use retap_model::{Cost, Trace};
use serde::Serialize;
use std::fmt::Write;

/// The differences that are shown; `--json` has all.
const SHOWN: usize = 20;

/// The result, as `--json` prints it.
#[derive(Debug, Serialize)]
struct AgainstSummary {
    verb: &'static str,
    trace: String,
    devices: [String; 2],
    events: usize,
    /// Steps, the launch included, at which nothing differs.
    equal_steps: usize,
    steps: usize,
    ends: [String; 2],
    differences: Vec<DeviceDifference>,
    costs: [Cost; 2],
}

/// What one device did.
struct DeviceRun {
    name: String,
    execution: Execution,
    cost: Cost,
}

pub fn run(
    args: &ReplayArgs,
    (kind, settings, connection): (&DeviceKind, &DeviceSettings, &Connection),
    (header, trace): (&Header, &Trace),
    console: &Console,
) -> Result<Exit, Failure> {
    let other = DeviceSettings { kind: kind.clone(), ..settings.clone() };
    let apk = match (kind, settings.is_fake()) {
        (DeviceKind::Fake(_), _) => None,
        (_, false) => Some(connection.apk.as_path()),
        (_, true) => args.app.apk.as_deref(),
    };
    let second = connect(&other, apk, console.context())?;
    let runs = [connection, &second].map(|one| replay(one, args, header, trace, console));
    let [first, second] = runs;
    let (first, second) = (first?, second?);
    let package = &header.app.package;
    let differences = compare(trace, &first.execution, &second.execution, package);
    let steps = first.execution.observations.len().max(second.execution.observations.len());
    let differing = differences.iter().map(|it| it.step).collect::<std::collections::BTreeSet<_>>();
    let end = |run: &DeviceRun| run.execution.last().outcome.recorded(package).to_string();
    let summary = AgainstSummary {
        verb: "replay",
        trace: args.trace.clone(),
        events: trace.steps.len(),
        equal_steps: steps.saturating_sub(differing.len()),
        steps,
        ends: [end(&first), end(&second)],
        devices: [first.name, second.name],
        differences,
        costs: [first.cost, second.cost],
    };
    console.json(&summary);
    console.result(&render(&summary));
    Ok(if summary.differences.is_empty() { Exit::Clean } else { Exit::Found })
}

fn replay(
    connection: &Connection,
    args: &ReplayArgs,
    header: &Header,
    trace: &Trace,
    console: &Console,
) -> Result<DeviceRun, Failure> {
    let mut lab = Lab::new(connection.connect.as_ref(), 1, &interrupt::INTERRUPTED);
    let app = lab.rig().app()?.clone();
    same_app::check(header, &app, args.force, console.context())?;
    let described = lab.rig().describe()?;
    let name =
        match described.serial == described.kind || described.serial.starts_with(&described.kind) {
            true => described.serial.clone(),
            false => format!("{} {}", described.kind, described.serial),
        };
    let events = trace.events().cloned().collect();
    let execution = lab.run(&Job { world_seed: trace.world_seed, events })?;
    lab.take_remarks().iter().for_each(|remark| console.remark(remark));
    Ok(DeviceRun { name, execution, cost: lab.cost() })
}

fn render(summary: &AgainstSummary) -> String {
    let mut text = String::new();
    let [first, second] = &summary.devices;
    let _ = writeln!(
        text,
        "{} of {} steps are equal on {first} and {second}",
        summary.equal_steps, summary.steps
    );
    for (name, end) in summary.devices.iter().zip(&summary.ends) {
        let _ = writeln!(text, "  {name} ended: {end}");
    }
    let show = |text: &str| if text.is_empty() { "nothing".to_string() } else { text.to_string() };
    for difference in summary.differences.iter().take(SHOWN) {
        let DeviceDifference { step, event, what, first: one, second: other } = difference;
        let _ = writeln!(
            text,
            "  step {step} ({event}), {what}: {} on {first}, {} on {second}",
            show(one),
            show(other)
        );
    }
    if summary.differences.len() > SHOWN {
        let _ = writeln!(text, "  … and {} more differences", summary.differences.len() - SHOWN);
    }
    text
}
