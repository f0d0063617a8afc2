//! The lab on fakes: shared prefixes, snapshots, exact costs, lost devices and interruption.

#![allow(clippy::unwrap_used)] // in what the tests share, too

use retap_device::fake::{FakeApp, FakeDevice};
use retap_device::{Connect, Device, DeviceError, Execution, Job, Lab, NEVER_STOP};
use retap_model::{Cost, Event, Outcome, Selector, Target};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

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

/// Connects fakes of one app. They share the app, so that a fault with `once` strikes one of them.
struct Fakes(Arc<FakeApp>);

impl Fakes {
    fn new(more: &str) -> Self {
        Self(Arc::new(FakeApp::parse("counter.fake", &format!("{COUNTER}{more}\n")).unwrap()))
    }
}

impl Connect for Fakes {
    fn connect(&self) -> Result<(Box<dyn Device>, retap_model::App), DeviceError> {
        let device = FakeDevice::new(Arc::clone(&self.0), Path::new("counter.fake"));
        Ok((Box::new(device), self.0.describe()))
    }
}

fn tap(id: &str) -> Event {
    let selector = Selector { id: id.into(), ..Selector::default() };
    Event::Tap(Target { on: Some(selector), at: None })
}

/// `m` taps More, `b` taps Boom.
fn job(taps: &str) -> Job {
    let events = taps.chars().map(|c| tap(if c == 'm' { "more" } else { "boom" })).collect();
    Job { world_seed: 1, events }
}

fn title(execution: &Execution) -> String {
    execution.last().screen.windows[0].title.clone()
}

static NEVER: AtomicBool = AtomicBool::new(false);

#[test]
fn a_device_at_a_prefix_continues_from_there() {
    let fakes = Fakes::new("snapshots off");
    let mut lab = Lab::new(&fakes, 1, &NEVER);
    lab.run(&job("mm")).unwrap();
    let longer = lab.run(&job("mmmb")).unwrap();
    assert!(matches!(longer.last().outcome, Outcome::Crashed(_)));
    assert_eq!(longer.observations.len(), 5, "the prefix's observations are part of it");
    assert_eq!(lab.cost(), Cost { events: 4, events_saved: 2, restarts: 1, ..Cost::default() });
}

#[test]
fn without_a_shared_prefix_an_execution_restarts() {
    let fakes = Fakes::new("snapshots off");
    let mut lab = Lab::new(&fakes, 1, &NEVER);
    lab.run(&job("mm")).unwrap();
    lab.run(&job("m")).unwrap();
    let other_world = Job { world_seed: 2, ..job("mm") };
    lab.run(&other_world).unwrap();
    assert_eq!(lab.cost(), Cost { events: 5, restarts: 3, ..Cost::default() });
}

#[test]
fn a_nondeterministic_device_shares_no_prefix() {
    let fakes = Fakes::new("snapshots off\ndeterministic off");
    let mut lab = Lab::new(&fakes, 1, &NEVER);
    lab.run(&job("mm")).unwrap();
    lab.run(&job("mmm")).unwrap();
    assert_eq!(lab.cost(), Cost { events: 5, restarts: 2, ..Cost::default() });
}

#[test]
fn branches_of_a_batch_are_saved_once_and_restored() {
    let fakes = Fakes::new("snapshots on");
    let mut lab = Lab::new(&fakes, 1, &NEVER);
    let jobs = [job("mmmb"), job("mmmm"), job("mmb"), job("mmm")];
    let executions = lab.run_all(&jobs, NEVER_STOP).unwrap();
    let lengths: Vec<usize> = executions.iter().map(Execution::events).collect();
    assert_eq!(lengths, [4, 4, 3, 3], "answers come in the order of the jobs");
    assert!(matches!(executions[0].last().outcome, Outcome::Crashed(_)));
    let cost = lab.cost();
    let naive = 4 + 4 + 3 + 3;
    assert_eq!(cost.restarts, 1);
    assert!(cost.events < naive && cost.restores > 0, "{cost:?}");
    assert_eq!(cost.events + cost.events_saved, naive, "every event is run or saved");
    let fresh = Fakes::new("snapshots off");
    let alone = Lab::new(&fresh, 1, &NEVER).run(&jobs[1]).unwrap();
    assert_eq!(title(&executions[1]), title(&alone));
}

#[test]
fn a_known_crash_in_the_prefix_needs_no_events() {
    let fakes = Fakes::new("snapshots off");
    let mut lab = Lab::new(&fakes, 1, &NEVER);
    lab.run(&job("mmmb")).unwrap();
    let before = lab.cost().events;
    let longer = lab.run(&job("mmmbmm")).unwrap();
    assert_eq!(longer.events(), 4);
    assert_eq!(lab.cost().events, before);
}

#[test]
fn any_number_of_devices_gives_the_same_executions() {
    let jobs: Vec<Job> =
        ["mmmb", "m", "mmmmm", "bm", "", "mmmm", "mb", "mmm"].into_iter().map(job).collect();
    let answers = |devices: usize| {
        let fakes = Fakes::new("snapshots on");
        let mut lab = Lab::new(&fakes, devices, &NEVER);
        let executions = lab.run_all(&jobs, NEVER_STOP).unwrap();
        let cost = lab.cost();
        let shown: Vec<_> = executions.iter().map(|e| (title(e), e.events())).collect();
        (shown, cost.events + cost.events_saved)
    };
    for devices in [2, 3, 8, 20] {
        assert_eq!(answers(1), answers(devices));
    }
}

#[test]
fn a_lost_device_is_replaced_and_the_execution_completes() {
    let fakes = Fakes::new("snapshots off\nfault lose at event 3 once");
    let mut lab = Lab::new(&fakes, 1, &NEVER);
    let execution = lab.run(&job("mmmb")).unwrap();
    assert!(matches!(execution.last().outcome, Outcome::Crashed(_)));
    let cost = lab.cost();
    assert_eq!((cost.devices_lost, cost.restarts), (1, 2));
    let remarks = lab.take_remarks();
    assert!(remarks.len() == 1 && remarks[0].contains("replaced"), "{remarks:?}");
    assert!(lab.take_remarks().is_empty(), "said once");
}

#[test]
fn an_event_that_loses_every_device_is_an_outcome_and_the_next_job_runs() {
    let fakes = Fakes::new("snapshots on\nfault lose at event 3");
    let mut lab = Lab::new(&fakes, 1, &NEVER);
    let execution = lab.run(&job("mmmb")).unwrap();
    assert_eq!(execution.events(), 3, "nothing follows a lost device");
    let Outcome::DeviceLost(loss) = &execution.last().outcome else { panic!("{execution:?}") };
    assert_eq!(execution.last().host_limitations, [loss.limitation()]);
    assert_eq!(lab.cost().devices_lost, 3);
    assert_eq!(lab.run(&job("mb")).unwrap().events(), 2);
}

#[test]
fn devices_that_are_lost_again_on_the_way_back_are_no_reason_to_end() {
    // The first is lost at its third event, and the next two before they are back there.
    let fakes = Fakes::new(
        "snapshots off\nfault die at event 3 once\nfault die at event 2 once\nfault die at event 1 once",
    );
    let mut lab = Lab::new(&fakes, 1, &NEVER);
    let execution = lab.run(&job("mmmb")).unwrap();
    assert!(matches!(execution.last().outcome, Outcome::Crashed(_)), "{execution:?}");
    assert!(lab.cost().devices_lost >= 2, "{:?}", lab.cost());
}

#[test]
fn an_interrupt_stops_before_the_next_event() {
    let fakes = Fakes::new("snapshots off");
    let stop = AtomicBool::new(true);
    let error = Lab::new(&fakes, 1, &stop).run(&job("mm")).unwrap_err();
    assert!(matches!(error, DeviceError::Interrupted));
}

#[test]
fn a_stop_condition_ends_an_execution() {
    let fakes = Fakes::new("snapshots off");
    let mut lab = Lab::new(&fakes, 1, &NEVER);
    let executions = lab.run_all(&[job("mmmmm")], &|_, step, _| step == 2).unwrap();
    assert_eq!(executions[0].events(), 2);
    assert_eq!(lab.cost().events, 2);
}

#[test]
fn a_remembered_execution_does_not_run_again() {
    let fakes = Fakes::new("snapshots off");
    let mut lab = Lab::new(&fakes, 1, &NEVER);
    lab.remember_executions().unwrap();
    let first = lab.run(&job("mmmb")).unwrap();
    let cost = lab.cost();
    let again = lab.run(&job("mmmb")).unwrap();
    assert_eq!(first.observations, again.observations);
    assert_eq!(lab.run(&job("mmmbm")).unwrap().observations, again.observations, "it crashed");
    assert_eq!(title(&lab.run(&job("mm")).unwrap()), "2");
    let after = lab.cost();
    assert_eq!((after.events, after.restarts), (cost.events, cost.restarts));
    assert_eq!(after.events_saved, cost.events_saved + 4 + 4 + 2);

    lab.remember_executions().unwrap();
    lab.run(&job("mm")).unwrap();
    assert_eq!(lab.cost().restarts, cost.restarts + 1, "what was known is forgotten");
}

#[test]
fn an_event_that_misses_its_widget_makes_no_other_execution() {
    let fakes = Fakes::new("snapshots off");
    let mut lab = Lab::new(&fakes, 1, &NEVER);
    lab.remember_executions().unwrap();
    let with =
        |events: &[&str]| Job { world_seed: 1, events: events.iter().map(|id| tap(id)).collect() };
    let missing = lab.run(&with(&["more", "gone", "more"])).unwrap();
    assert_eq!(missing.observations[2].outcome, Outcome::Missed);
    let cost = lab.cost();
    let without = lab.run(&with(&["more", "more"])).unwrap();
    let twice = lab.run(&with(&["more", "gone", "gone", "more"])).unwrap();
    assert_eq!((lab.cost().events, lab.cost().restarts), (cost.events, cost.restarts));
    assert_eq!(without.observations.len(), 3);
    assert_eq!(twice.observations.len(), 5);
    let fresh = Lab::new(&fakes, 1, &NEVER).run(&with(&["more", "more"])).unwrap();
    assert_eq!(without.observations, fresh.observations);
}

#[test]
fn a_nondeterministic_device_remembers_no_execution() {
    let fakes = Fakes::new("snapshots off\ndeterministic off");
    let mut lab = Lab::new(&fakes, 1, &NEVER);
    lab.remember_executions().unwrap();
    lab.run(&job("mm")).unwrap();
    lab.run(&job("mm")).unwrap();
    assert_eq!(lab.cost(), Cost { events: 4, restarts: 2, ..Cost::default() });
}
