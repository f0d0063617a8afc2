//! Workers that die while they hold a task: they take it and are silent from then on.

use super::*;
use crate::campaign::CampaignSettings;
use crate::{FleetPool, FleetStatus, LocalServer, Priority};
use retap_device::fake::FakeConnect;
use retap_device::{Execution, Job, RemotePool};
use retap_model::format::executions::ExecutionTable;
use retap_model::{Cost, Event, Key, Outcome};
use sha2::{Digest, Sha256};

const APP: &str =
    "app a.b 1\nstart main\nscreen main activity Main \"Hello\"\n  button go \"Go\"\n";

struct Fakes;

impl Workshop for Fakes {
    fn connect(&self, _: &DeviceSetup, app: &Path) -> Result<Box<dyn Connect>, DeviceError> {
        Ok(Box::new(FakeConnect::load(app)?))
    }

    fn explore(&self, _: &mut Lab<'_>, _: &Path, _: &Work) -> Result<TaskResult, DeviceError> {
        let observations = ExecutionTable::default();
        Ok(TaskResult::Explored { traces: Vec::new(), observations, cost: Cost::default() })
    }
}

fn settings(folder: &Path) -> CampaignSettings {
    let app = folder.join("a.fake");
    std::fs::write(&app, APP).unwrap();
    let setup = DeviceSetup {
        kind: "fake".into(),
        app: retap_model::hash::to_hex(&Sha256::digest(APP)),
        file: "a.fake".into(),
        api: None,
        display: None,
        outside: Vec::new(),
        include: Vec::new(),
        exclude: Vec::new(),
    };
    let (verb, arguments) = ("test".into(), Vec::new());
    CampaignSettings {
        verb,
        arguments,
        setup,
        app,
        limit: 0,
        signer: Signer::default(),
        trusted: TrustedKeys::Everyone,
    }
}

/// The world seed of the job that ends workers.
const CULPRIT: u64 = 2;

/// Takes a task and dies, so many times.
fn die(bus: &Bus, priority: Priority, times: i64) {
    loop {
        let taken = bus.take(priority, Duration::from_secs(2));
        if let Ok(Some(taken)) = taken
            && taken.deliveries >= times
        {
            return;
        }
    }
}

/// Asks a fleet for something that ends so many workers before one survives.
fn with_deaths<T: Send>(
    priority: Priority,
    deaths: i64,
    ask: impl FnOnce(&mut FleetPool<'_>) -> T + Send,
) -> (T, FleetStatus) {
    let folder = tempfile::tempdir().unwrap();
    let server = LocalServer::start(folder.path(), "").unwrap();
    let redeliver_after = Duration::from_millis(200);
    let options = FleetOptions { redeliver_after, ..FleetOptions::new(server.url(), "1") };
    let stop = AtomicBool::new(false);
    let worker = WorkerSettings {
        name: "survivor".into(),
        devices: 1,
        trusted: TrustedKeys::Everyone,
        signer: Signer::default(),
        folder: folder.path().join("worker"),
    };
    thread::scope(|scope| {
        let asked = scope.spawn(|| {
            let settings = settings(folder.path());
            let never = AtomicBool::new(false);
            let mut pool =
                FleetPool::open(options.clone(), settings, Box::new(|_| ()), &never).unwrap();
            ask(&mut pool)
        });
        let bus = Bus::connect(&options).unwrap();
        die(&bus, priority, deaths);
        let survivor = scope.spawn(|| run_worker(&options, &worker, &Fakes, &stop).unwrap());
        let asked = asked.join();
        stop.store(true, Ordering::Relaxed);
        survivor.join().unwrap();
        (asked.unwrap(), FleetStatus::read(&options).unwrap())
    })
}

fn job(world_seed: u64) -> Job {
    Job { world_seed, events: vec![Event::Key(Key::back())] }
}

/// Runs two jobs in one share. Once it is set aside, its jobs come again, each alone.
fn run_share(deaths: i64) -> (Vec<Vec<Execution>>, Vec<String>, FleetStatus) {
    let ((executions, remarks), status) = with_deaths(Priority::Answer, deaths, |pool| {
        (pool.run_shares(&[vec![job(1), job(CULPRIT)]]).unwrap(), pool.take_remarks())
    });
    (executions, remarks, status)
}

#[test]
fn a_share_that_ends_three_workers_is_set_aside_and_its_jobs_run_alone() {
    let (executions, _, status) = run_share(3);
    let events: Vec<usize> = executions[0].iter().map(Execution::events).collect();
    assert_eq!(events, [1, 1]);
    let set_aside = &status.campaigns[0].set_aside;
    assert!(set_aside.len() == 1 && set_aside[0].contains("3 workers in a row"), "{set_aside:?}");
}

#[test]
fn a_share_that_ends_two_workers_runs_on_the_third() {
    let (executions, remarks, status) = run_share(2);
    assert_eq!((executions[0].len(), remarks.len()), (2, 0));
    assert!(status.campaigns[0].set_aside.is_empty());
}

#[test]
fn an_execution_that_ends_every_worker_is_a_lost_device_and_a_remark() {
    let ((executions, remarks), _) = with_deaths(Priority::Answer, 3, |pool| {
        (pool.run_shares(&[vec![job(1)]]).unwrap(), pool.take_remarks())
    });
    assert!(matches!(executions[0][0].last().outcome, Outcome::DeviceLost(_)));
    assert!(remarks[0].contains("set aside"), "{remarks:?}");
}

#[test]
fn a_leg_that_runs_at_its_second_try_is_no_longer_set_aside() {
    let leg = Work::Explore {
        strategy: Vec::new(),
        seed: 1,
        world_seed: 1,
        path: Vec::new(),
        max_events: 1,
    };
    let (results, status) =
        with_deaths(Priority::Explore, 3, |pool| pool.run_tasks(vec![leg]).unwrap());
    assert!(matches!(results[..], [TaskResult::Explored { .. }]), "{results:?}");
    assert!(status.campaigns[0].set_aside.is_empty(), "{status:?}");
}
