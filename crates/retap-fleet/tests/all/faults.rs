//! What goes wrong in fleets: slow workers, full queues, answers that no message can hold, apps that do not fit.

use crate::common::{Fleet, job, jobs};
use retap_device::{DeviceError, Job, Lab, NEVER_STOP, RemotePool};
use retap_fleet::{CampaignSettings, FleetOptions, FleetStatus};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

fn alone(jobs: Vec<Job>) -> Vec<Vec<Job>> {
    jobs.into_iter().map(|job| vec![job]).collect()
}

/// Returns how many tasks each worker says it has run, once they say this many. They say so now and then.
fn await_tasks(fleet: &Fleet, sum: u64) -> Vec<u64> {
    let started = Instant::now();
    loop {
        let status = FleetStatus::read(&fleet.options()).unwrap();
        let tasks: Vec<u64> = status.workers.iter().map(|worker| worker.tasks).collect();
        if tasks.iter().sum::<u64>() >= sum || started.elapsed() > Duration::from_secs(60) {
            return tasks;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
}

#[test]
fn a_slow_worker_delays_only_what_it_holds() {
    let fleet = Fleet::start("");
    fleet.with_workers(&[300, 2], || {
        let mut pool = fleet.pool();
        let executions = pool.run_shares(&alone(jobs(40))).unwrap();
        // Each ran once: the slow worker kept its task though it took longer than a silent worker may.
        let events: usize = executions.iter().flatten().map(|execution| execution.events()).sum();
        assert_eq!(pool.counts().events, events as u64);
        drop(pool);
        let tasks = await_tasks(&fleet, 40);
        assert!(tasks[0] < tasks[1] && tasks[0] + tasks[1] == 40, "{tasks:?}");
    });
}

#[test]
fn a_coordinator_waits_while_the_queue_is_full() {
    let fleet = Fleet::start("");
    let options = FleetOptions { max_queue: 3, ..fleet.options() };
    let mut pool = fleet.try_pool(options, fleet.settings()).unwrap();
    fleet.with_workers(&[0, 0], || {
        assert_eq!(pool.run_shares(&alone(jobs(30))).unwrap().len(), 30);
    });
}

#[test]
fn a_campaign_never_has_more_open_tasks_than_its_limit() {
    let fleet = Fleet::start("");
    let stop: &'static AtomicBool = Box::leak(Box::new(AtomicBool::new(false)));
    let settings = CampaignSettings { limit: 4, ..fleet.settings() };
    let mut pool =
        retap_fleet::FleetPool::open(fleet.options(), settings, Box::new(|_| ()), stop).unwrap();
    let asked = std::thread::spawn(move || pool.run_shares(&alone(jobs(30))));
    std::thread::sleep(std::time::Duration::from_millis(700));
    let status = FleetStatus::read(&fleet.options()).unwrap();
    assert_eq!(status.waiting, 4);
    stop.store(true, std::sync::atomic::Ordering::Relaxed);
    assert!(matches!(asked.join().unwrap(), Err(DeviceError::Interrupted)));
}

#[test]
fn tasks_and_results_that_no_message_can_hold_are_files() {
    let fleet = Fleet::start("max_payload: 4KB");
    let many: Vec<Job> =
        (0..50).map(|seed| Job { world_seed: seed, ..job(&"m".repeat(60)) }).collect();
    let connect = fleet.connect();
    let expected =
        Lab::new(&connect, 1, &AtomicBool::new(false)).run_all(&many, NEVER_STOP).unwrap();
    fleet.with_workers(&[0], || {
        assert_eq!(fleet.pool().run_shares(std::slice::from_ref(&many)).unwrap(), [expected]);
    });
}

#[test]
fn an_app_that_no_device_can_run_is_an_error_of_the_app() {
    let fleet = Fleet::start("");
    std::fs::write(&fleet.app, "this is no app").unwrap();
    fleet.with_workers(&[0], || {
        let error = fleet.pool().run_shares(&[vec![job("m")]]).unwrap_err();
        assert!(matches!(error, DeviceError::App(_)), "{error}");
    });
}
