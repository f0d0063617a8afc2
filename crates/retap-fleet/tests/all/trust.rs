//! Who may run what in a fleet.

use crate::common::{Fakes, Fleet, NEVER, job};
use retap_device::RemotePool;
use retap_fleet::{
    CampaignSettings, FleetError, FleetOptions, Signer, TrustedKeys, WorkerSettings, run_worker,
};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

const FAKES: Fakes = Fakes { delay: Duration::ZERO };

/// Asks a worker that trusts one key for an execution, and signs with a key or with none.
fn ask(signs: bool) -> Result<usize, String> {
    let fleet = Fleet::start("");
    let (seed, public) = Signer::generate().unwrap();
    let trusted = TrustedKeys::read([public.as_str()]).unwrap();
    let settings = WorkerSettings { trusted, ..fleet.worker("strict") };
    let stop = AtomicBool::new(false);
    let signer = if signs { Signer::from_seed(&seed).unwrap() } else { Signer::default() };
    thread::scope(|scope| {
        scope.spawn(|| run_worker(&fleet.options(), &settings, &FAKES, &stop).unwrap());
        let campaign = CampaignSettings { signer, ..fleet.settings() };
        let mut pool = fleet.try_pool(fleet.options(), campaign).unwrap();
        let ran = pool.run_shares(&[vec![job("mm")]]);
        stop.store(true, Ordering::Relaxed);
        ran.map(|shares| shares[0][0].events()).map_err(|error| error.to_string())
    })
}

#[test]
fn a_worker_runs_only_what_a_trusted_key_has_signed() {
    assert_eq!(ask(true), Ok(2));
    let refused = ask(false).unwrap_err();
    assert!(refused.contains("not trusted"), "{refused}");
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
