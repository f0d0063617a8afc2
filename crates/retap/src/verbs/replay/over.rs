//! `retap replay TRACE --over OLD`: does the trace on an old version, installs the app over it, and does the trace again.

use super::Rate;
use crate::cli::ReplayArgs;
use crate::console::Console;
use crate::exit::Exit;
use retap_apk::Apk;
use retap_engine::Failure;
use retap_engine::connection::Connection;
use retap_engine::update::{UpgradeSettings, repeat_upgrade};
use retap_model::format::trace::Header;
use retap_model::{Cost, Event, Trace, WorldSeed};
use retap_update::UpgradeFault;
use serde::Serialize;
use std::fmt::Write;
use std::path::Path;

/// The result, as `--json` prints it.
#[derive(Debug, Serialize)]
struct OverSummary {
    verb: &'static str,
    trace: String,
    over: String,
    events: usize,
    wanted_runs: u64,
    /// Runs with a fault that neither version has on its own data.
    reproduced: Rate,
    interval: (f64, f64),
    /// Different faults, each from the first run that had it.
    faults: Vec<UpgradeFault>,
    cost: Cost,
}

pub fn run(
    args: &ReplayArgs,
    (old, connection): (&Path, &Connection),
    (header, trace): (&Header, &Trace),
    console: &Console,
) -> Result<Exit, Failure> {
    check_package(old, header)?;
    let world =
        |run: u32| trace.world_seed.wrapping_add(if args.vary_world { run.into() } else { 0 });
    let worlds: Vec<WorldSeed> = (0..args.runs).map(world).collect();
    let events: Vec<Event> = trace.events().cloned().collect();
    let settings = UpgradeSettings {
        connect: connection.connect.as_ref(),
        old,
        new: &connection.apk,
        package: &header.app.package,
        world_seed: trace.world_seed,
    };
    let repeated = repeat_upgrade(&events, &worlds, settings, console.context())?;
    let mut reproduced = Rate::default();
    let mut faults: Vec<UpgradeFault> = Vec::new();
    for fault in repeated.faults {
        reproduced.add(fault.is_some());
        faults.extend(fault.filter(|fault| !faults.iter().any(|known| known.is_same(fault))));
    }
    let summary = OverSummary {
        verb: "replay",
        trace: args.trace.clone(),
        over: old.display().to_string(),
        events: events.len(),
        wanted_runs: args.runs.into(),
        reproduced,
        interval: reproduced.interval(),
        faults,
        cost: repeated.cost,
    };
    console.json(&summary);
    console.result(&render(&summary));
    Ok(if reproduced.runs < summary.wanted_runs {
        Exit::Interrupted
    } else if reproduced.successes == 0 {
        Exit::DoesNotReproduce
    } else {
        Exit::Found
    })
}

/// Refuses an APK of another app, which could not be updated.
fn check_package(old: &Path, header: &Header) -> Result<(), Failure> {
    let apk = Apk::open(old).map_err(|error| Failure::input(error.to_string()))?;
    if apk.manifest.package == header.app.package {
        return Ok(());
    }
    Err(Failure::input(format!(
        "{} is {}, not an old version of {}",
        old.display(),
        apk.manifest.package,
        header.app.package
    )))
}

fn render(summary: &OverSummary) -> String {
    let mut text = String::new();
    let rate = summary.reproduced;
    let _ = match rate.successes {
        0 => writeln!(text, "No fault on data of the old version: 0 of {} runs", rate.runs),
        _ => writeln!(text, "A fault on data of the old version in {rate}"),
    };
    for fault in &summary.faults {
        let _ = match fault {
            UpgradeFault::Crash { step, exception, .. } => {
                writeln!(text, "  {exception} after {step} events on the new version")
            }
            UpgradeFault::LostData { activity, texts, .. } => {
                writeln!(text, "  {activity} no longer shows {}", texts.join(", "))
            }
        };
    }
    text
}
