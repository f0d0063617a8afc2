//! Fleets on this machine, each with a server of its own on the loopback.

#![allow(clippy::unwrap_used)] // a test may panic

mod common;
mod faults;
mod protection;
mod trust;

use common::{Fleet, NEVER, job, jobs};
use retap_device::{Lab, NEVER_STOP, RemotePool};
use retap_fleet::{CampaignState, FleetStatus, set_campaign_state};
use std::thread;
use std::time::Duration;

#[test]
fn jobs_give_elsewhere_what_they_give_here_at_the_same_cost() {
    let fleet = Fleet::start("");
    let (connect, jobs) = (fleet.connect(), jobs(60));
    let mut here = Lab::new(&connect, 4, &NEVER);
    let expected = here.run_all(&jobs, NEVER_STOP).unwrap();
    fleet.with_workers(&[0, 0, 0], || {
        let mut elsewhere = Lab::new(&connect, 4, &NEVER).with_pool(Box::new(fleet.pool()));
        assert_eq!(elsewhere.run_all(&jobs, NEVER_STOP).unwrap(), expected);
        assert_eq!(elsewhere.cost(), here.cost());
    });
}

#[test]
fn an_execution_ends_where_a_condition_would_have_ended_it() {
    let fleet = Fleet::start("");
    let connect = fleet.connect();
    fleet.with_workers(&[0], || {
        let mut lab = Lab::new(&connect, 1, &NEVER).with_pool(Box::new(fleet.pool()));
        let executions =
            lab.run_all(&[job("mmmmm"), job("mm")], &|job, step, _| job == 0 && step == 3);
        let events: Vec<usize> = executions.unwrap().iter().map(|one| one.events()).collect();
        assert_eq!(events, [3, 2]);
    });
}

#[test]
fn a_coordinator_that_begins_again_finds_every_result() {
    let fleet = Fleet::start("");
    let shares: Vec<_> = jobs(20).into_iter().map(|job| vec![job]).collect();
    let first = fleet.with_workers(&[0, 0], || fleet.pool().run_shares(&shares).unwrap());
    // Nobody works now.
    let mut pool = fleet.pool();
    assert_eq!(pool.run_shares(&shares).unwrap(), first);
    assert_eq!((pool.counts().tasks, pool.counts().found), (20, 20));
}

#[test]
fn the_same_jobs_run_again_when_they_are_asked_for_again() {
    let fleet = Fleet::start("");
    let share = vec![vec![job("mm")]];
    fleet.with_workers(&[0], || {
        let mut pool = fleet.pool();
        let first = pool.run_shares(&share).unwrap();
        assert_eq!(pool.run_shares(&share).unwrap(), first);
        assert_eq!((pool.counts().found, pool.counts().events), (0, 4));
    });
}

#[test]
fn a_campaign_that_is_paused_waits_until_it_is_resumed() {
    let fleet = Fleet::start("");
    fleet.with_workers(&[0], || {
        let mut pool = fleet.pool();
        let campaign = pool.campaign().to_string();
        set_campaign_state(&fleet.options(), &campaign, CampaignState::Paused).unwrap().unwrap();
        // The pool reads its record every second, at first when it is opened.
        thread::sleep(Duration::from_millis(1100));
        let asked = thread::spawn(move || {
            pool.run_shares(&[Vec::new()]).unwrap();
            pool.run_shares(&[vec![job("mm")]]).map(|ran| ran.len())
        });
        thread::sleep(Duration::from_millis(700));
        assert!(!asked.is_finished());
        set_campaign_state(&fleet.options(), &campaign, CampaignState::Running).unwrap().unwrap();
        assert_eq!(asked.join().unwrap().unwrap(), 1);
        let nobody = set_campaign_state(&fleet.options(), "nobody", CampaignState::Paused);
        assert_eq!(nobody.unwrap(), None);
    });
}

#[test]
fn a_new_server_is_opened_by_many_at_once() {
    for _ in 0..5 {
        let fleet = Fleet::start("");
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| drop(fleet.pool()));
            }
        });
    }
}

#[test]
fn the_status_shows_workers_and_campaigns() {
    let fleet = Fleet::start("");
    fleet.with_workers(&[0, 0], || {
        let shares: Vec<_> = jobs(10).into_iter().map(|job| vec![job]).collect();
        let mut pool = fleet.pool();
        pool.run_shares(&shares).unwrap();
        drop(pool);
        fleet.await_workers(2);
        let status = FleetStatus::read(&fleet.options()).unwrap();
        let names: Vec<&str> = status.workers.iter().map(|worker| worker.name.as_str()).collect();
        assert_eq!(names, ["worker-0", "worker-1"]);
        assert_eq!((status.waiting, status.held, status.results), (0, 0, 10));
        let campaign = &status.campaigns[0];
        assert_eq!((campaign.state, campaign.counts.tasks), (CampaignState::Ended, 10));
    });
    assert_eq!(FleetStatus::read(&fleet.options()).unwrap().workers, []);
}
