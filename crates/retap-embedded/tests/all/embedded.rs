//! The embedded device itself: the conformance suite on the app made for it, and an agent killed in the
//! middle of a run. The tests use the ordinary cache, so that the agent is built only once.

use retap_device::conformance::{ConformanceScript, check};
use retap_device::{Connect, Device, DeviceError, Rig};
use retap_embedded::{EmbeddedConnect, EmbeddedDevice, EmbeddedOptions, Notice};
use retap_model::{App, Event, Key, Observation, Outcome, Point, Selector, Target};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

/// One JVM at a time: each takes hundreds of megabytes.
static ALONE: Mutex<()> = Mutex::new(());

fn run_alone() -> MutexGuard<'static, ()> {
    ALONE.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

fn fixture(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fixtures").join(name)
}

fn connector(name: &str, options: EmbeddedOptions) -> EmbeddedConnect {
    EmbeddedConnect::new(fixture(name), options, Arc::new(|_: Notice<'_>| {}))
}

#[test]
fn the_conformance_suite_passes() {
    let _alone = run_alone();
    let report =
        check(&connector("conform.apk", EmbeddedOptions::default()), &ConformanceScript::conform());
    assert!(report.passes(), "\n{report}");
    assert!(!report.skipped().any(|check| check.contains("coverage")), "\n{report}");
}

#[test]
fn an_agent_killed_during_a_run_costs_one_device_and_nothing_else() {
    let _alone = run_alone();
    let connect = KillableConnect::default();
    let interrupt = AtomicBool::new(false);
    let mut rig = Rig::new(&connect, &interrupt);
    let counter = Selector { id: "counter".into(), ..Selector::default() };
    let tap = Event::Tap(Target { on: Some(counter), at: None });

    rig.reset(1).unwrap();
    let untouched: Vec<Observation> = (0..4).map(|_| rig.perform(&tap).unwrap().clone()).collect();

    rig.reset(1).unwrap();
    let mut killed = Vec::new();
    for step in 0..4 {
        if step == 2 {
            connect.kill();
        }
        killed.push(rig.perform(&tap).unwrap().clone());
    }
    assert_eq!(killed, untouched);
    assert_eq!(rig.cost().devices_lost, 1);
    assert_eq!(rig.events().len(), 4);
    let remarks = rig.take_remarks().join("\n");
    assert!(remarks.contains("killed by signal 9"), "{remarks}");
}

/// A replayed prefix must find a process as the undisturbed one found it, in which others have ended before.
#[test]
fn a_process_that_crashed_while_something_moved_leaves_nothing_to_the_next() {
    let _alone = run_alone();
    // From this level on the framework animates the way back.
    let options = EmbeddedOptions { api: Some(34), ..EmbeddedOptions::default() };
    let (mut device, _) = connector("notes.apk", options).connect().unwrap();
    let at = |x: i32, y: i32| Target { on: None, at: Some(Point { x, y }) };
    let tap = |x, y| Event::Tap(at(x, y));
    let share = [Event::LongPress(at(540, 453)), tap(786, 741)];
    let back = Event::Key(Key::new("back").unwrap());
    let pick_nothing = [tap(540, 1080), tap(1020, 156), tap(774, 156), back];
    let mut run = |events: &[Event]| -> Vec<Observation> {
        let launch = device.reset(1).unwrap();
        let others = events.iter().map(|event| device.perform(event).unwrap());
        std::iter::once(launch).chain(others).collect()
    };
    let first = run(&share);
    let crashed = run(&pick_nothing);
    assert!(matches!(crashed[4].outcome, Outcome::Crashed(_)), "{:?}", crashed[4].outcome);
    assert_eq!(run(&share), first);
}

#[test]
fn an_app_that_hangs_is_replaced_at_the_next_reset() {
    let _alone = run_alone();
    let (mut device, _) = connector("hang.apk", EmbeddedOptions::default()).connect().unwrap();
    let first = device.reset(1).unwrap();
    let hung = first
        .screen
        .actionable()
        .map(|found| Event::Tap(Target { on: None, at: Some(found.widget().bounds.center()) }))
        .map(|tap| {
            let observation = device.perform(&tap).unwrap();
            if observation.outcome.is_final() {
                let after = device.perform(&Event::Key(Key::back())).unwrap();
                assert_eq!(after.outcome, retap_model::Outcome::Exited);
            }
            observation.outcome
        })
        .find(|outcome| outcome.is_final());
    assert!(matches!(hung, Some(retap_model::Outcome::NotResponding { .. })), "{hung:?}");
    let again = device.reset(1).unwrap();
    assert_eq!(again.screen, first.screen);
}

#[test]
fn apps_that_cannot_run_are_refused_with_the_reason() {
    let refusal = |name: &str, options: EmbeddedOptions| match connector(name, options).connect() {
        Err(DeviceError::App(reason)) => reason,
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("{name} was taken"),
    };
    let level = |api| EmbeddedOptions { api: Some(api), ..EmbeddedOptions::default() };
    let reason = refusal("nolauncher.apk", EmbeddedOptions::default());
    assert!(reason.contains("no launcher activity"), "{reason}");
    let reason = refusal("conform.apk", level(99));
    assert!(reason.contains("23 to 35, not 99"), "{reason}");
    let reason = refusal("README.md", EmbeddedOptions::default());
    assert!(reason.contains("not an APK"), "{reason}");
    let reason = refusal("no-such.apk", EmbeddedOptions::default());
    assert!(reason.contains("No such file"), "{reason}");
}

/// Connects devices and remembers the process of the last one, so that a test can kill it.
#[derive(Default)]
struct KillableConnect {
    process: AtomicU32,
}

impl KillableConnect {
    fn kill(&self) {
        let process = i32::try_from(self.process.load(Ordering::Relaxed)).expect("a process id");
        let process = rustix::process::Pid::from_raw(process).expect("a process id");
        rustix::process::kill_process(process, rustix::process::Signal::KILL).expect("it lives");
    }
}

impl Connect for KillableConnect {
    fn connect(&self) -> Result<(Box<dyn Device>, App), DeviceError> {
        let mut device = EmbeddedDevice::on_this_machine(
            EmbeddedOptions::default(),
            Arc::new(|_: Notice<'_>| {}),
        )?;
        let app = device.install(&fixture("conform.apk"))?;
        self.process.store(device.process_id().unwrap_or_default(), Ordering::Relaxed);
        Ok((Box::new(device), app))
    }
}
