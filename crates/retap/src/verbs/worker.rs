//! `retap worker`.

use super::fleet::{failure, options, signer, trusted};
use crate::cli::{Cli, Verb, WorkerArgs};
use crate::console::Console;
use crate::exit::Exit;
use crate::interrupt;
use clap::Parser;
use retap_device::{Connect, DeviceError, Job, Lab};
use retap_engine::explore::ExploreSettings;
use retap_engine::explore::legs::{self, LegPlan};
use retap_engine::{Context, DeviceKind, DeviceSettings, Failure, Reporter, cache, connection};
use retap_explore::{ExploreError, FinishedTrace};
use retap_fleet::{
    DeviceSetup, ExploredTrace, FleetOptions, TaskResult, Work, WorkerSettings, Workshop,
    run_worker,
};
use retap_model::format::executions::ExecutionTable;
use std::path::Path;

pub fn run(args: &WorkerArgs, console: &Console) -> Result<Exit, Failure> {
    interrupt::listen();
    let redeliver_after = args.redeliver_after;
    let options = FleetOptions { redeliver_after, ..options(&args.fleet, &args.server) };
    let settings = WorkerSettings {
        name: args.name.clone().unwrap_or_else(name),
        devices: args.jobs.into(),
        trusted: trusted(&args.trust)?,
        signer: signer(args.fleet_key.as_deref())?,
        folder: cache::dir().join("fleet"),
    };
    let (devices, name) = (settings.devices, &settings.name);
    console.remark(&format!("worker {name} with {devices} devices on {}", args.fleet));
    let workshop = LocalWorkshop { context: console.context() };
    run_worker(&options, &settings, &workshop, &interrupt::INTERRUPTED).map_err(failure)?;
    Ok(Exit::Clean)
}

/// Returns a name that no other worker has: of the machine and of the process. A key of the store has plain letters.
fn name() -> String {
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    let host: String = host.trim().chars().map(plain).collect();
    let host = if host.is_empty() { "worker".to_string() } else { host };
    format!("{host}-{}", std::process::id())
}

/// The devices of this machine, set up as for every other verb.
struct LocalWorkshop<'a> {
    context: Context<'a>,
}

impl Workshop for LocalWorkshop<'_> {
    fn connect(&self, setup: &DeviceSetup, app: &Path) -> Result<Box<dyn Connect>, DeviceError> {
        let (kind, apk) = match setup.kind.as_str() {
            "fake" => (DeviceKind::Fake(app.to_owned()), None),
            "embedded" => (DeviceKind::Embedded, Some(app)),
            other => return Err(DeviceError::Setup(format!("there is no device {other:?}"))),
        };
        let settings = DeviceSettings {
            kind,
            serials: Vec::new(),
            api: setup.api,
            display: setup.display,
            outside: setup.outside.clone(),
            abstraction: None,
            include: setup.include.clone(),
            exclude: setup.exclude.clone(),
        };
        match connection::connect(&settings, apk, self.context) {
            Ok(connection) => Ok(connection.connect),
            Err(Failure::Device(error)) => Err(error),
            Err(failure) => Err(DeviceError::App(failure.to_string())),
        }
    }

    fn explore(
        &self,
        lab: &mut Lab<'_>,
        app: &Path,
        work: &Work,
    ) -> Result<TaskResult, DeviceError> {
        let Work::Explore { strategy, seed, world_seed, path, max_events } = work else {
            return Err(DeviceError::Unsupported("explore jobs"));
        };
        let settings = read_strategy(strategy).map_err(DeviceError::App)?;
        let plan = LegPlan { seed: *seed, path: path.clone(), max_events: *max_events };
        let before = lab.cost();
        let traces = match legs::run_leg(lab, &settings, &plan, *world_seed, app) {
            Ok(traces) => traces,
            Err(Failure::Device(error) | Failure::Explore(ExploreError::Device(error))) => {
                return Err(error);
            }
            Err(failure) => return Err(DeviceError::App(failure.to_string())),
        };
        let observations = traces.iter().map(|trace| &trace.observations[..]);
        let observations = ExecutionTable::new(observations);
        let explored = |FinishedTrace { trace, began_with, travel, .. }| {
            let events = trace.events().cloned().collect();
            let job = Job { world_seed: trace.world_seed, events };
            ExploredTrace { job, began_with, travel }
        };
        let traces = traces.into_iter().map(explored).collect();
        Ok(TaskResult::Explored { traces, observations, cost: lab.cost() - before })
    }
}

/// Reads the flags of a leg as the command line does.
fn read_strategy(words: &[String]) -> Result<ExploreSettings, String> {
    let words = ["retap", "explore"].into_iter().chain(words.iter().map(String::as_str));
    match Cli::try_parse_from(words) {
        Ok(Cli { verb: Some(Verb::Explore(args)), .. }) => Ok(args.settings()),
        Ok(_) => Err("the flags of a leg are not those of an exploration".into()),
        Err(error) => Err(error.to_string()),
    }
}
