//! `retap bench`: from flags to the benches of `retap-bench`, and their results to the terminal.

use super::fleet::{LabRequest, open_pool};
use crate::cli::{
    Bench, BenchApkArgs, BenchArgs, BenchDeviceArgs, BenchExploreArgs, BenchFaultsArgs,
    BenchFidelityArgs, BenchFleetArgs, BenchFleetFaultsArgs, BenchMinimizeArgs, BenchReduceArgs,
    Cli, JudgeArgs, Verb,
};
use crate::console::Console;
use crate::exit::Exit;
use crate::interrupt;
use clap::Parser;
use retap_bench::apk::ApkBench;
use retap_bench::device::DeviceBench;
use retap_bench::explore::{CommandLine, ExploreBench, JoinFleet, StudySettings, strategy_words};
use retap_bench::faults::FaultBench;
use retap_bench::fidelity::FidelityBench;
use retap_bench::fleet::{FleetBench, FleetFaultBench};
use retap_bench::minimize::MinimizeBench;
use retap_bench::other_tools::ToolQuestion;
use retap_bench::reduce::ReduceBench;
use retap_engine::connection::Connection;
use retap_engine::explore::ExploreSettings;
use retap_engine::{DeviceSettings, Failure, Reporter};

pub fn run(args: &BenchArgs, console: &Console) -> Result<Exit, Failure> {
    interrupt::listen();
    match &args.what {
        Bench::Apk(args) => apk(args, console),
        Bench::Device(args) => device(args, console),
        Bench::Fidelity(args) => fidelity(args, console),
        Bench::Faults(args) => faults(args, console),
        Bench::Fleet(args) => fleet(args, console),
        Bench::FleetFaults(args) => fleet_faults(args, console),
        Bench::Minimize(args) => minimize(args, console),
        Bench::Explore(args) => explore(args, console),
        Bench::Reduce(args) => reduce(args, console),
        Bench::Judge(args) => judge(args),
    }
}

fn apk(args: &BenchApkArgs, console: &Console) -> Result<Exit, Failure> {
    let bench = ApkBench {
        apks: args.apks.clone(),
        androguard: args.androguard.clone(),
        flowdroid: args.flowdroid.clone().zip(args.android_jar.clone()),
        diffuse: args.diffuse.clone(),
        runs: args.runs.clone(),
        join_mb: args.join,
    };
    let results = retap_bench::apk::run(&bench, console.context())?;
    console.json(&results);
    console.result(&results.render());
    Ok(Exit::Clean)
}

fn device(args: &BenchDeviceArgs, console: &Console) -> Result<Exit, Failure> {
    let bench = DeviceBench {
        apks: args.apks.clone(),
        api: args.api,
        events: args.events,
        runs: args.runs,
        verify_restarts: args.verify_restarts,
        profile: args.profile,
        trace_length: args.trace_length,
        load: args.load,
        prefixes: args.prefixes,
        jobs: args.jobs,
        output: args.output.clone(),
        seed: args.seed,
        world_seed: args.world_seed,
    };
    let results = retap_bench::device::run(&bench, console.context())?;
    console.json(&results);
    console.result(&results.render());
    Ok(if results.differ() { Exit::Found } else { Exit::Clean })
}

fn fidelity(args: &BenchFidelityArgs, console: &Console) -> Result<Exit, Failure> {
    let bench = FidelityBench {
        apk: args.apk.clone(),
        levels: args.api.clone(),
        output: args.output.clone(),
    };
    let results = retap_bench::fidelity::run(&bench, console.context())?;
    console.json(&results);
    console.result(&results.render());
    Ok(Exit::Clean)
}

fn faults(args: &BenchFaultsArgs, console: &Console) -> Result<Exit, Failure> {
    let cannot_write = |error: std::io::Error| Failure::input(error.to_string());
    let temporary = tempfile::tempdir().map_err(cannot_write)?;
    let bench = FaultBench {
        apps: args.apps.clone(),
        runs: args.runs,
        max_events: args.max_events,
        strikes: args.strikes,
        seed: args.seed,
        kinds: args.faults.clone(),
        folder: args.output.clone().unwrap_or_else(|| temporary.path().to_path_buf()),
        program: std::env::current_exe().map_err(cannot_write)?,
    };
    let results = retap_bench::faults::run(&bench, console.context())?;
    console.json(&results);
    console.result(&results.render());
    Ok(if results.lost() == 0 { Exit::Clean } else { Exit::Found })
}

fn fleet(args: &BenchFleetArgs, console: &Console) -> Result<Exit, Failure> {
    let bench = FleetBench {
        app: args.app.clone(),
        workers: args.workers.clone(),
        events: args.events,
        task_events: args.task_events.into(),
        delay: args.delay,
    };
    let results = retap_bench::fleet::run(&bench, console.context())?;
    console.json(&results);
    console.result(&results.render());
    Ok(ended())
}

fn fleet_faults(args: &BenchFleetFaultsArgs, console: &Console) -> Result<Exit, Failure> {
    let cannot = |error: std::io::Error| Failure::input(error.to_string());
    std::fs::create_dir_all(&args.output).map_err(cannot)?;
    let bench = FleetFaultBench {
        app: args.app.clone(),
        max_events: args.max_events,
        seed: args.seed,
        pause: args.pause,
        partition: (!args.no_partition).then_some(args.partition),
        folder: args.output.clone(),
        program: std::env::current_exe().map_err(cannot)?,
    };
    let results = retap_bench::fleet::run_faults(&bench, console.context())?;
    console.json(&results);
    console.result(&results.render());
    Ok(if results.is_whole() { ended() } else { Exit::Found })
}

fn minimize(args: &BenchMinimizeArgs, console: &Console) -> Result<Exit, Failure> {
    let bench = MinimizeBench {
        traces: args.traces.clone(),
        apk: args.app.apk.clone(),
        device: args.device.settings(),
        lengths: args.lengths.clone(),
        seeds: args.seeds,
        flakiness: args.flakiness,
        other_tools: args.other_tools,
    };
    let results = retap_bench::minimize::run(&bench, console.context())?;
    console.json(&results);
    console.result(&results.render());
    Ok(Exit::Clean)
}

fn explore(args: &BenchExploreArgs, console: &Console) -> Result<Exit, Failure> {
    // A run is a task, and -j says how many of them are open at a time.
    let mut fleet = args.fleet.clone();
    if fleet.fleet_limit == 0 {
        fleet.fleet_limit = args.jobs.into();
    }
    let join = |connection: &Connection, device: &DeviceSettings| {
        let wanted = LabRequest::new("bench explore", device, args.jobs, &fleet);
        open_pool(connection, wanted, console)?
            .ok_or_else(|| Failure::input("--fleet names no server"))
    };
    let join: Option<JoinFleet<'_>> = if fleet.fleet.is_some() { Some(&join) } else { None };
    let command_line = CommandLine { parse: &parse_strategy, join };
    if let Some(file) = &args.study {
        let settings = StudySettings {
            file: file.clone(),
            device: args.device.settings(),
            jobs: args.jobs,
            output: args.output.clone(),
            markdown: args.markdown.clone(),
        };
        let results = retap_bench::explore::run_study(&settings, command_line, console.context())?;
        console.json(&results);
        console.result(&results.render());
        console.remark(&format!("Everything is in {}", args.output.display()));
        return Ok(ended());
    }
    let bench = ExploreBench {
        apps: args.apps.clone(),
        strategies: args.strategies.clone(),
        ablate: args.ablate,
        runs: args.runs,
        max_events: args.max_events,
        device: args.device.settings(),
        jobs: args.jobs,
        output: args.output.clone(),
        known: args.known.clone(),
        markdown: args.markdown.clone(),
    };
    let results = retap_bench::explore::run(&bench, command_line, console.context())?;
    console.json(&results);
    console.result(&results.render());
    console.remark(&format!("Everything is in {}", args.output.display()));
    Ok(ended())
}

fn reduce(args: &BenchReduceArgs, console: &Console) -> Result<Exit, Failure> {
    let bench = ReduceBench {
        apps: args.apps.clone(),
        strategies: args.strategies.clone(),
        steps: args.steps,
        trace_length: args.trace_length,
        k: args.k.clone(),
        seed: args.seed,
        device: args.device.settings(),
        jobs: args.jobs,
        output: args.output.clone(),
    };
    let results = retap_bench::reduce::run(&bench, &parse_strategy, console.context())?;
    console.json(&results);
    console.result(&results.render());
    Ok(ended())
}

/// Answers a minimiser of another tool by the exit code.
fn judge(args: &JudgeArgs) -> Result<Exit, Failure> {
    let JudgeArgs { case, log, candidate } = args.clone();
    let crashes = retap_bench::other_tools::answer(&ToolQuestion { trace: case, log, candidate })?;
    Ok(if crashes { Exit::Clean } else { Exit::Found })
}

fn ended() -> Exit {
    if interrupt::is_set() { Exit::Interrupted } else { Exit::Clean }
}

/// Reads a strategy with flags of `retap explore` behind it: `auto:without=walk`.
fn parse_strategy(text: &str) -> Result<ExploreSettings, Failure> {
    let words = ["retap".to_string(), "explore".into()].into_iter().chain(strategy_words(text));
    match Cli::try_parse_from(words) {
        Ok(Cli { verb: Some(Verb::Explore(args)), .. }) => Ok(args.settings()),
        Ok(_) => Err(Failure::input(format!("{text:?} is not a strategy"))),
        Err(error) => Err(Failure::input(format!("{text:?}: {error}"))),
    }
}
