//! A fleet on this machine: a server of its own, workers as threads, a small fake app.

use retap_device::fake::FakeConnect;
use retap_device::{Connect, Description, Device, DeviceError, Job, Lab, SnapshotId};
use retap_fleet::{
    CampaignSettings, DeviceSetup, FleetError, FleetOptions, FleetPool, FleetStatus, LocalServer,
    Signer, TaskResult, TrustedKeys, Work, WorkerSettings, Workshop, run_worker,
};
use retap_model::{App, Event, Observation, Selector, Target, WorldSeed};
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

const COUNTER: &str = r#"
app com.example.counter 1
start main
var n = 0
screen main activity Main "{n}"
  button more "More"
  button boom "Boom"
on main tap more -> stay set n = n + 1 covers more
on main tap boom if n > 2 -> crash boom covers boom
crash boom
  java.lang.IllegalStateException: too many
    at com.example.counter.Main.boom(Main.java:7)
end
"#;

pub static NEVER: AtomicBool = AtomicBool::new(false);

/// A server, the app, and a folder that goes with them.
pub struct Fleet {
    pub server: LocalServer,
    pub app: PathBuf,
    pub folder: tempfile::TempDir,
}

impl Fleet {
    pub fn start(settings: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let server = LocalServer::start(folder.path(), settings).unwrap();
        let app = folder.path().join("counter.fake");
        std::fs::write(&app, COUNTER).unwrap();
        Self { server, app, folder }
    }

    pub fn options(&self) -> FleetOptions {
        FleetOptions {
            redeliver_after: Duration::from_millis(500),
            ..FleetOptions::new(self.server.url(), "1/1")
        }
    }

    pub fn settings(&self) -> CampaignSettings {
        let bytes = std::fs::read(&self.app).unwrap();
        CampaignSettings {
            verb: "test".into(),
            arguments: vec!["words".into()],
            setup: DeviceSetup {
                kind: "fake".into(),
                app: retap_model::hash::to_hex(&Sha256::digest(&bytes)),
                file: "counter.fake".into(),
                api: None,
                display: None,
                outside: Vec::new(),
                include: Vec::new(),
                exclude: Vec::new(),
            },
            app: self.app.clone(),
            limit: 0,
            signer: Signer::default(),
            trusted: TrustedKeys::Everyone,
        }
    }

    pub fn pool(&self) -> FleetPool<'static> {
        self.try_pool(self.options(), self.settings()).unwrap()
    }

    pub fn try_pool(
        &self,
        options: FleetOptions,
        settings: CampaignSettings,
    ) -> Result<FleetPool<'static>, FleetError> {
        FleetPool::open(options, settings, Box::new(|_| ()), &NEVER)
    }

    pub fn worker(&self, name: &str) -> WorkerSettings {
        WorkerSettings {
            name: name.into(),
            devices: 1,
            trusted: TrustedKeys::Everyone,
            signer: Signer::default(),
            folder: self.folder.path().join(name),
        }
    }

    /// Waits until this many workers are there.
    pub fn await_workers(&self, count: usize) {
        let started = Instant::now();
        while FleetStatus::read(&self.options()).unwrap().workers.len() < count {
            assert!(started.elapsed() < Duration::from_secs(60), "a worker is missing");
            thread::sleep(Duration::from_millis(50));
        }
    }

    pub fn connect(&self) -> FakeConnect {
        FakeConnect::load(&self.app).unwrap()
    }

    /// Runs workers with these delays an event while `test` runs.
    pub fn with_workers<R>(&self, delays: &[u64], test: impl FnOnce() -> R) -> R {
        let stop = AtomicBool::new(false);
        thread::scope(|scope| {
            for (number, &delay) in delays.iter().enumerate() {
                let settings = self.worker(&format!("worker-{number}"));
                let workshop = Fakes { delay: Duration::from_millis(delay) };
                let (options, stop) = (self.options(), &stop);
                scope.spawn(move || run_worker(&options, &settings, &workshop, stop).unwrap());
            }
            // The workers stop also if the test fails.
            let _stops = Stops(&stop);
            test()
        })
    }
}

struct Stops<'a>(&'a AtomicBool);

impl Drop for Stops<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Fakes that take their time.
pub struct Fakes {
    pub delay: Duration,
}

impl Workshop for Fakes {
    fn connect(&self, _setup: &DeviceSetup, app: &Path) -> Result<Box<dyn Connect>, DeviceError> {
        let (fakes, delay) = (FakeConnect::load(app)?, self.delay);
        let connect = move || {
            let (device, app) = fakes.connect()?;
            Ok((Box::new(SlowDevice { device, delay }) as Box<dyn Device>, app))
        };
        Ok(Box::new(connect))
    }

    fn explore(&self, _: &mut Lab<'_>, _: &Path, _: &Work) -> Result<TaskResult, DeviceError> {
        Err(DeviceError::Unsupported("explore"))
    }
}

struct SlowDevice {
    device: Box<dyn Device>,
    delay: Duration,
}

impl Device for SlowDevice {
    fn describe(&self) -> &Description {
        self.device.describe()
    }

    fn install(&mut self, apk: &Path) -> Result<App, DeviceError> {
        self.device.install(apk)
    }

    fn reset(&mut self, world_seed: WorldSeed) -> Result<Observation, DeviceError> {
        self.device.reset(world_seed)
    }

    fn perform(&mut self, event: &Event) -> Result<Observation, DeviceError> {
        thread::sleep(self.delay);
        self.device.perform(event)
    }

    fn save(&mut self) -> Result<SnapshotId, DeviceError> {
        self.device.save()
    }

    fn restore(&mut self, snapshot: SnapshotId) -> Result<Observation, DeviceError> {
        self.device.restore(snapshot)
    }

    fn screenshot(&mut self) -> Result<Vec<u8>, DeviceError> {
        self.device.screenshot()
    }
}

/// `m` taps More, `b` taps Boom.
pub fn job(taps: &str) -> Job {
    let tap = |c: char| {
        let id = if c == 'm' { "more" } else { "boom" };
        let selector = Selector { id: id.into(), ..Selector::default() };
        Event::Tap(Target { on: Some(selector), at: None })
    };
    Job { world_seed: 1, events: taps.chars().map(tap).collect() }
}

/// Jobs with common beginnings, some of which crash.
pub fn jobs(count: usize) -> Vec<Job> {
    let taps = |number: usize| format!("{}{}", "m".repeat(number % 7), "bm".repeat(1 + number % 3));
    (0..count)
        .map(|number| Job { world_seed: (number / 21) as u64, ..job(&taps(number)) })
        .collect()
}
