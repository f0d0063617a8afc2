//! How a fleet scales: workers on this machine whose device sleeps a while for each event, so that many of them fit on few
//! cores; what the server and the coordinator cost for each task; and a simulation that takes these costs further.

mod delayed;
mod faults;
mod process_fleet;
mod simulation;

pub use faults::{FleetFaultBench, FleetFaultResults, FleetFaultRun, run_faults};

use crate::{process, table};
use delayed::DelayedFakes;
use retap_device::fake::FakeConnect;
use retap_device::{Connect, DeviceError, Job, RemotePool, Worker, run_side_by_side};
use retap_engine::{Context, Failure};
use retap_fleet::{
    CampaignSettings, DeviceSetup, FleetError, FleetOptions, FleetPool, LocalServer, ServerCounts,
    Signer, TrustedKeys, WorkerSettings, run_worker,
};
use retap_model::{Event, Key, Selector, Target};
use serde::Serialize;
use simulation::{SimulatedFleet, TaskCosts};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The sizes of fleets that are simulated.
const SIMULATED: [usize; 10] = [1, 2, 4, 8, 16, 64, 256, 1024, 4096, 10_000];

/// The settings of the bench.
#[derive(Debug, Clone)]
pub struct FleetBench {
    /// The fake that all workers run.
    pub app: PathBuf,
    /// Numbers of workers.
    pub workers: Vec<usize>,
    /// Events of each worker.
    pub events: usize,
    /// Events of each task.
    pub task_events: usize,
    /// How long a device takes for an event.
    pub delay: Duration,
}

#[derive(Debug, Clone, Serialize)]
pub struct FleetResults {
    pub events: usize,
    pub task_events: usize,
    pub delay_ms: u128,
    pub measured: Vec<MeasuredFleet>,
    pub costs: TaskCosts,
    pub simulated: Vec<SimulatedFleet>,
}

/// One number of workers.
#[derive(Debug, Clone, Serialize)]
pub struct MeasuredFleet {
    pub workers: usize,
    pub tasks: usize,
    pub seconds: f64,
    /// The time that the devices slept, shared by all workers, to the time that it took.
    pub efficiency: f64,
    /// The share of the time in which devices performed events. What is missing is the fleet's; what the efficiency lacks
    /// beside it is the machine's, which woke the devices late.
    pub devices_busy: f64,
    pub messages_per_event: f64,
    pub bytes_per_event: f64,
    /// Processor time of the server for a task.
    pub server_ms: f64,
    /// Processor time of the coordinator for a task whose result is there.
    pub coordinator_ms: f64,
    pub messages_per_task: f64,
    pub bytes_per_task: f64,
}

pub fn run(bench: &FleetBench, context: Context<'_>) -> Result<FleetResults, Failure> {
    let mut measured = Vec::new();
    for &workers in &bench.workers {
        if context.is_interrupted() {
            break;
        }
        context.remark(&format!("{workers} workers"));
        let row = measure(bench, workers).map_err(|error| Failure::Device(error.into()));
        measured.push(row?);
    }
    let costs = TaskCosts::of(&measured, bench);
    Ok(FleetResults {
        events: bench.events,
        task_events: bench.task_events,
        delay_ms: bench.delay.as_millis(),
        simulated: SIMULATED.iter().map(|&workers| simulation::simulate(workers, costs)).collect(),
        measured,
        costs,
    })
}

fn measure(bench: &FleetBench, workers: usize) -> Result<MeasuredFleet, FleetError> {
    let failed = |error: std::io::Error| FleetError::Unreachable(error.to_string());
    let folder = tempfile::tempdir().map_err(failed)?;
    let server = LocalServer::start(folder.path(), "")?;
    let options = FleetOptions::new(server.url(), "bench");
    let stop = AtomicBool::new(false);
    let performed = Arc::new(AtomicU64::new(0));
    let workshop = DelayedFakes { delay: bench.delay, performed: Arc::clone(&performed) };
    let work = |number: usize| -> Worker<'_> {
        let (options, stop, workshop, folder) = (&options, &stop, &workshop, folder.path());
        Box::new(move || {
            let settings = WorkerSettings {
                name: format!("worker-{number}"),
                devices: 1,
                trusted: TrustedKeys::Everyone,
                signer: Signer::default(),
                folder: folder.join(number.to_string()),
            };
            // A worker that cannot start leaves its work to the others, which the efficiency shows.
            let _ = run_worker(options, &settings, workshop, stop);
        })
    };
    let all = (0..workers).map(work).collect();
    run_side_by_side(all, || {
        let measured = measure_campaign(bench, workers, &options, &server, &performed);
        stop.store(true, Ordering::Relaxed);
        measured
    })
}

fn measure_campaign(
    bench: &FleetBench,
    workers: usize,
    options: &FleetOptions,
    server: &LocalServer,
    performed: &AtomicU64,
) -> Result<MeasuredFleet, FleetError> {
    let never = AtomicBool::new(false);
    let open = |words: &str| {
        let settings = settings(bench, words)?;
        FleetPool::open(options.clone(), settings, Box::new(|_| ()), &never)
    };
    let unreachable = |error: DeviceError| FleetError::Unreachable(error.to_string());
    let shares = |count: usize, first_seed: u64| -> Vec<Vec<Job>> {
        let selector = Selector { id: "add".into(), ..Selector::default() };
        let tap = Event::Tap(Target { on: Some(selector), at: None });
        let events = [tap, Event::Key(Key::back())].into_iter().cycle().take(bench.task_events);
        let events: Vec<Event> = events.collect();
        let job = |seed| Job { world_seed: seed, events: events.clone() };
        (first_seed..).take(count).map(|seed| vec![job(seed)]).collect()
    };
    let mut pool = open("measured")?;
    // Every worker has connected its device once before the clock starts.
    pool.run_shares(&shares(4 * workers, 1 << 40)).map_err(unreachable)?;
    let tasks = workers * bench.events / bench.task_events;
    let shares = shares(tasks, 0);
    let (before, server_before) = (server.counts(), process::cpu_ms(server.process()));
    performed.store(0, Ordering::Relaxed);
    let started = Instant::now();
    pool.run_shares(&shares).map_err(unreachable)?;
    let seconds = started.elapsed().as_secs_f64();
    let performed = performed.load(Ordering::Relaxed) as f64 / 1e9;
    let traffic = server.counts() - before;
    let server_ms = process::cpu_ms(server.process()) - server_before;
    drop(pool);
    // A second coordinator finds all results: what it costs is what a coordinator pays for a task.
    let mut again = open("measured again")?;
    let own = std::process::id();
    let own_before = process::cpu_ms(own);
    again.run_shares(&shares).map_err(unreachable)?;
    let coordinator_ms = process::cpu_ms(own) - own_before;
    let slept = bench.delay.as_secs_f64() * (tasks * bench.task_events) as f64;
    let (events, tasks_f) = ((tasks * bench.task_events) as f64, tasks as f64);
    let ServerCounts { messages, bytes } = traffic;
    Ok(MeasuredFleet {
        workers,
        tasks,
        seconds,
        efficiency: slept / workers as f64 / seconds,
        devices_busy: performed / workers as f64 / seconds,
        messages_per_event: messages as f64 / events,
        bytes_per_event: bytes as f64 / events,
        server_ms: server_ms as f64 / tasks_f,
        coordinator_ms: coordinator_ms as f64 / tasks_f,
        messages_per_task: messages as f64 / tasks_f,
        bytes_per_task: bytes as f64 / tasks_f,
    })
}

fn settings(bench: &FleetBench, words: &str) -> Result<CampaignSettings, FleetError> {
    let failed =
        |error: std::io::Error| FleetError::Malformed(format!("{}: {error}", bench.app.display()));
    let bytes = std::fs::read(&bench.app).map_err(failed)?;
    let file = bench.app.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Ok(CampaignSettings {
        verb: "bench".into(),
        arguments: vec![words.into()],
        setup: DeviceSetup {
            kind: "fake".into(),
            app: retap_apk::sha256_hex(&bytes),
            file,
            api: None,
            display: None,
            outside: Vec::new(),
            include: Vec::new(),
            exclude: Vec::new(),
        },
        app: bench.app.clone(),
        limit: 0,
        signer: Signer::default(),
        trusted: TrustedKeys::Everyone,
    })
}

/// Starts fakes of one file.
fn fakes(app: &Path) -> Result<Box<dyn Connect>, DeviceError> {
    Ok(Box::new(FakeConnect::load(app)?))
}

impl FleetResults {
    pub fn render(&self) -> String {
        let head = [
            "workers",
            "tasks",
            "seconds",
            "efficiency",
            "devices busy",
            "messages/event",
            "bytes/event",
            "server ms/task",
            "coordinator ms/task",
        ];
        let row = |one: &MeasuredFleet| {
            vec![
                one.workers.to_string(),
                one.tasks.to_string(),
                format!("{:.1}", one.seconds),
                format!("{:.2}", one.efficiency),
                format!("{:.2}", one.devices_busy),
                format!("{:.2}", one.messages_per_event),
                format!("{:.0}", one.bytes_per_event),
                format!("{:.2}", one.server_ms),
                format!("{:.2}", one.coordinator_ms),
            ]
        };
        let measured = table::render(&head, &self.measured.iter().map(row).collect::<Vec<_>>());
        let head =
            ["simulated", "efficiency", "events/s", "server", "coordinator", "network", "busiest"];
        let share = |share: f64| format!("{:.0}%", 100.0 * share);
        let row = |one: &SimulatedFleet| {
            vec![
                one.workers.to_string(),
                format!("{:.2}", one.efficiency),
                format!("{:.0}", one.events_per_second),
                share(one.server),
                share(one.coordinator),
                share(one.network),
                one.busiest().into(),
            ]
        };
        let simulated = table::render(&head, &self.simulated.iter().map(row).collect::<Vec<_>>());
        format!("{measured}\n{simulated}")
    }
}
