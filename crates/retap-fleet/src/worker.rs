//! A worker: takes tasks, runs them on its devices, stores the results and acknowledges.

mod result_keeper;
mod task_runner;
#[cfg(test)]
mod tests;

use crate::campaign::check_version;
use crate::envelope::{Signer, TrustedKeys};
use crate::error::FleetError;
use crate::nats::{Bucket, Bus};
use crate::options::FleetOptions;
use crate::result::TaskResult;
use crate::status::WorkerRecord;
use crate::task::{DeviceSetup, Work};
use result_keeper::ResultKeeper;
use retap_device::{Connect, DeviceError, Lab};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};
use task_runner::TaskRunner;

/// How often a worker shows that it is there.
const SHOW: Duration = Duration::from_secs(3);
/// How often it looks whether it is to stop.
const GLANCE: Duration = Duration::from_millis(100);

/// The devices and explorers of a worker. The command line hands them in.
pub trait Workshop: Sync {
    /// Returns a way to start devices of this setup, with the app in this file.
    fn connect(&self, setup: &DeviceSetup, app: &Path) -> Result<Box<dyn Connect>, DeviceError>;

    /// Explores as the work says.
    fn explore(
        &self,
        lab: &mut Lab<'_>,
        app: &Path,
        work: &Work,
    ) -> Result<TaskResult, DeviceError>;
}

/// How a worker works.
#[derive(Debug)]
pub struct WorkerSettings {
    /// Its name in the status, different from all others.
    pub name: String,
    /// Devices that run in parallel.
    pub devices: usize,
    /// Whose tasks it runs.
    pub trusted: TrustedKeys,
    /// Signs its results.
    pub signer: Signer,
    /// The folder for apps.
    pub folder: PathBuf,
}

/// What all devices of a worker count together.
#[derive(Debug, Default)]
struct Counters {
    busy: AtomicUsize,
    tasks: AtomicU64,
    events: AtomicU64,
    refused: AtomicU64,
}

/// Works until `interrupt` is set.
pub fn run_worker(
    options: &FleetOptions,
    settings: &WorkerSettings,
    workshop: &dyn Workshop,
    interrupt: &AtomicBool,
) -> Result<(), FleetError> {
    if settings.trusted == TrustedKeys::Everyone && !options.is_local() {
        return Err(FleetError::NotTrusted(format!(
            "{} is not on this machine: name the keys whose tasks this worker runs with --trust, as `retap fleet key` shows them",
            options.url
        )));
    }
    let bus = Bus::connect(options)?;
    check_version(&bus, &options.version)?;
    let counters = Counters::default();
    let show = |rate| show(&bus, options, settings, &counters, rate);
    show(0.0)?;
    let keeper = ResultKeeper { bus: &bus, options, settings, counters: &counters, interrupt };
    let runner = TaskRunner { bus: &bus, options, settings, workshop, keeper, interrupt };
    thread::scope(|scope| {
        for _ in 0..settings.devices.max(1) {
            scope.spawn(|| runner.work());
        }
        let (mut shown, mut events) = (Instant::now(), 0);
        while !interrupt.load(Ordering::Relaxed) {
            thread::sleep(GLANCE);
            let elapsed = shown.elapsed();
            if elapsed >= SHOW {
                let before =
                    std::mem::replace(&mut events, counters.events.load(Ordering::Relaxed));
                // If the server is away, the worker goes on and is seen again later.
                let _ = show((events - before) as f64 / elapsed.as_secs_f64());
                shown = Instant::now();
            }
        }
    });
    // The record disappears by itself if this fails.
    let _ = bus.delete_record(Bucket::Workers, &settings.name);
    Ok(())
}

fn show(
    bus: &Bus,
    options: &FleetOptions,
    settings: &WorkerSettings,
    counters: &Counters,
    events_per_second: f64,
) -> Result<(), FleetError> {
    let record = WorkerRecord {
        name: settings.name.clone(),
        version: options.version.clone(),
        devices: settings.devices,
        busy: counters.busy.load(Ordering::Relaxed),
        tasks: counters.tasks.load(Ordering::Relaxed),
        events: counters.events.load(Ordering::Relaxed),
        events_per_second,
        refused: counters.refused.load(Ordering::Relaxed),
    };
    bus.put_record(Bucket::Workers, &settings.name, &record)
}
