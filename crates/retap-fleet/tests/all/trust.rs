//! Who may run what in a fleet.

use crate::common::{Fakes, Fleet, NEVER, job};
use retap_device::RemotePool;
use retap_fleet::{
    CampaignSettings, FleetError, FleetOptions, FleetPool, Signer, TrustedKeys, WorkerSettings,
    run_worker,
};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

const FAKES: Fakes = Fakes { delay: Duration::ZERO };

/// Who signs the tasks and the results. Both sides trust one key.
#[derive(Clone, Copy)]
struct Signs {
    tasks: bool,
    results: bool,
}

/// Asks a worker for an execution. Returns its events, and how often the coordinator refused a result.
fn ask(signs: Signs) -> Result<(usize, usize), String> {
    let fleet = Fleet::start("");
    let (seed, public) = Signer::generate().unwrap();
    let trusted = || TrustedKeys::read([public.as_str()]).unwrap();
    let signer =
        |signs: bool| if signs { Signer::from_seed(&seed).unwrap() } else { Signer::default() };
    let settings = WorkerSettings {
        trusted: trusted(),
        signer: signer(signs.results),
        ..fleet.worker("strict")
    };
    let (stop, refused) = (AtomicBool::new(false), AtomicUsize::new(0));
    thread::scope(|scope| {
        scope.spawn(|| run_worker(&fleet.options(), &settings, &FAKES, &stop).unwrap());
        let campaign = CampaignSettings {
            signer: signer(signs.tasks),
            trusted: trusted(),
            ..fleet.settings()
        };
        let tell = Box::new(|_: &str| {
            refused.fetch_add(1, Ordering::Relaxed);
        });
        let mut pool = FleetPool::open(fleet.options(), campaign, tell, &NEVER).unwrap();
        let ran = pool.run_shares(&[vec![job("mm")]]);
        stop.store(true, Ordering::Relaxed);
        let refused = refused.load(Ordering::Relaxed);
        ran.map(|shares| (shares[0][0].events(), refused)).map_err(|error| error.to_string())
    })
}

#[test]
fn a_worker_runs_only_what_a_trusted_key_has_signed() {
    assert_eq!(ask(Signs { tasks: true, results: true }), Ok((2, 0)));
    let refused = ask(Signs { tasks: false, results: true }).unwrap_err();
    assert!(refused.contains("nobody signed the task of campaign"), "{refused}");
}

#[test]
fn a_coordinator_takes_only_results_that_a_trusted_key_has_signed() {
    let refused = ask(Signs { tasks: true, results: false }).unwrap_err();
    assert!(refused.contains("3 results of one task were refused"), "{refused}");
    assert!(refused.contains("nobody signed the result of task"), "{refused}");
    assert!(refused.contains("--fleet-key"), "{refused}");
}

#[test]
fn a_forged_result_is_thrown_away_and_the_task_runs_again() {
    let fleet = Fleet::start("");
    let (seed, public) = Signer::generate().unwrap();
    let share = vec![vec![job("mm")]];
    // A worker that nobody trusts has stored results before.
    let first = fleet.with_workers(&[0], || fleet.pool().run_shares(&share).unwrap());
    let trusted = TrustedKeys::read([public.as_str()]).unwrap();
    let signer = Signer::from_seed(&seed).unwrap();
    let settings = WorkerSettings { signer, ..fleet.worker("signs") };
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| run_worker(&fleet.options(), &settings, &FAKES, &stop).unwrap());
        let campaign = CampaignSettings { trusted, ..fleet.settings() };
        let mut pool = fleet.try_pool(fleet.options(), campaign).unwrap();
        let ran = pool.run_shares(&share);
        stop.store(true, Ordering::Relaxed);
        assert_eq!(ran.unwrap(), first);
        assert_eq!((pool.counts().tasks, pool.counts().found), (1, 0));
    });
}

#[test]
fn a_worker_of_a_server_elsewhere_must_know_whom_to_trust() {
    let fleet = Fleet::start("");
    let options = FleetOptions { url: "nats://192.0.2.1:4222".into(), ..fleet.options() };
    let error = run_worker(&options, &fleet.worker("anyone"), &FAKES, &NEVER).unwrap_err();
    assert!(matches!(&error, FleetError::NotTrusted(text) if text.contains("--trust")), "{error}");
}

#[test]
fn two_versions_of_retap_are_not_in_one_fleet() {
    let fleet = Fleet::start("");
    let newer = || FleetOptions { version: "2/1".into(), ..fleet.options() };
    fleet.with_workers(&[0], || {
        // The worker is there once a task of its own version ran.
        fleet.pool().run_shares(&[vec![job("m")]]).unwrap();
        let worker = run_worker(&newer(), &fleet.worker("newer"), &FAKES, &NEVER).unwrap_err();
        let pool = fleet.try_pool(newer(), fleet.settings()).unwrap_err();
        for error in [worker, pool] {
            let text = error.to_string();
            assert!(matches!(error, FleetError::OtherVersion(_)), "{text}");
            assert!(text.contains("retap 1/1") && text.contains("retap 2/1"), "{text}");
        }
    });
}

#[test]
fn a_server_without_the_password_is_not_reached() {
    let fleet = Fleet::start("authorization { user: a, password: b }");
    let error = fleet.try_pool(fleet.options(), fleet.settings()).unwrap_err();
    assert!(matches!(error, FleetError::Unreachable(_)), "{error}");
    let url = fleet.server.url().replace("nats://", "nats://a:b@");
    let options = FleetOptions { url, ..fleet.options() };
    fleet.try_pool(options, fleet.settings()).unwrap();
}
