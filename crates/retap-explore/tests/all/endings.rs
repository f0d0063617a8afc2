//! Explores an app that stores something it does not survive, and that needs what this device lacks.
#![allow(clippy::unwrap_used)] // a test may panic

use retap_device::{Description, Device, DeviceError, Lab, Rig, SnapshotId};
use retap_explore::{
    Exploration, ExplorationLimits, ExplorationTotals, InterestingPolicy, SeededStrategy, Strategy,
    TeamSettings,
};
use retap_model::app::AppIdentity;
use retap_model::format::run::Recorder;
use retap_model::format::trace::TraceEntry;
use retap_model::observation::RecordedOutcome;
use retap_model::screen::{Window, WindowKind};
use retap_model::{
    App, Coverage, Display, Event, Flags, Observation, Outcome, Rect, Screen, Selector, Target,
    Units, Widget, WorldSeed,
};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

const STRATEGIES: [&str; 4] = ["random", "random-restart", "timemachine", "auto"];
const EVENTS: u64 = 400;

/// A screen with four buttons. The first stores what makes every later launch exit, the second calls native code.
struct FragileDevice {
    description: Description,
    is_spoilt: bool,
    is_running: bool,
}

impl FragileDevice {
    fn observe(&self, host_limitations: Vec<String>) -> Observation {
        Observation {
            screen: Arc::new(if self.is_running { screen() } else { Screen::default() }),
            coverage: Arc::new(Coverage::new()),
            elapsed_ms: 1,
            outcome: if self.is_running { Outcome::Running } else { Outcome::Exited },
            log: Vec::new(),
            host_limitations,
        }
    }
}

impl Device for FragileDevice {
    fn describe(&self) -> &Description {
        &self.description
    }

    fn install(&mut self, _: &Path) -> Result<App, DeviceError> {
        Ok(app())
    }

    fn reset(&mut self, _: WorldSeed) -> Result<Observation, DeviceError> {
        (self.is_spoilt, self.is_running) = (false, true);
        Ok(self.observe(Vec::new()))
    }

    fn perform(&mut self, event: &Event) -> Result<Observation, DeviceError> {
        let tapped = match event {
            Event::Tap(target) => target.on.as_ref().map_or("", |on| &on.id),
            _ => "",
        };
        let mut limitations = Vec::new();
        if *event == Event::Launch {
            self.is_running = !self.is_spoilt;
        } else if self.is_running && tapped == "b0" {
            (self.is_spoilt, self.is_running) = (true, false);
        } else if self.is_running && tapped == "b1" {
            self.is_running = false;
            limitations.push("native method: a.B.c".to_string());
        }
        Ok(self.observe(limitations))
    }

    fn save(&mut self) -> Result<SnapshotId, DeviceError> {
        Err(DeviceError::Unsupported("save"))
    }

    fn restore(&mut self, _: SnapshotId) -> Result<Observation, DeviceError> {
        Err(DeviceError::Unsupported("restore"))
    }

    fn screenshot(&mut self) -> Result<Vec<u8>, DeviceError> {
        Err(DeviceError::Unsupported("take screenshots"))
    }
}

fn screen() -> Screen {
    let bounds = Rect { left: 0, top: 0, right: 400, bottom: 400 };
    let button = |number: i32| Widget {
        class: "android.widget.Button".into(),
        id: format!("b{number}"),
        bounds: Rect { left: 0, top: number * 100, right: 400, bottom: number * 100 + 100 },
        flags: Flags::CLICKABLE | Flags::ENABLED | Flags::VISIBLE,
        ..Widget::default()
    };
    let window = Window {
        kind: WindowKind::Activity,
        package: "com.example.fragile".into(),
        title: String::new(),
        bounds,
        focused: true,
        widgets: (0..4).map(button).collect(),
    };
    Screen { activity: "a.Main".into(), windows: vec![window], ..Screen::default() }
}

fn app() -> App {
    let identity = AppIdentity {
        package: "com.example.fragile".into(),
        version: "1".into(),
        sha256: "0".into(),
    };
    App {
        identity,
        activities: Vec::new(),
        broadcasts: Vec::new(),
        libraries: Default::default(),
        units: Arc::new(Units::default()),
    }
}

fn connect() -> Result<(Box<dyn Device>, App), DeviceError> {
    let description = Description {
        kind: "fake".into(),
        serial: "fragile".into(),
        api: None,
        display: Display::default(),
        snapshots: false,
        screenshots: false,
        deterministic: true,
    };
    let device = FragileDevice { description, is_spoilt: false, is_running: false };
    Ok((Box::new(device), app()))
}

const LIMITS: ExplorationLimits = ExplorationLimits { max_events: EVENTS, trace_length: 1000 };

fn explore(name: &str) -> (ExplorationTotals, Vec<TraceEntry>) {
    explore_with(crate::common::strategy(name, 1, &app()).as_mut())
}

fn explore_with(strategy: &mut dyn Strategy) -> (ExplorationTotals, Vec<TraceEntry>) {
    let temp = tempfile::tempdir().unwrap();
    let dir = temp.path().join("run");
    let interrupt = AtomicBool::new(false);
    let mut rig = Rig::new(&connect, &interrupt);
    let recorder = Recorder::create(&dir, crate::common::info(&app(), 1), &app().units).unwrap();
    let interesting = InterestingPolicy::default();
    let mut exploration = Exploration::new(recorder, strategy, interesting, &app());
    exploration.run(&mut rig, LIMITS, &mut |_| true).unwrap();
    (exploration.totals().clone(), crate::common::entries(&dir))
}

/// Explores with two explorers, and returns their traces.
fn explore_with_team(name: &str) -> Vec<TraceEntry> {
    let temp = tempfile::tempdir().unwrap();
    let dir = temp.path().join("run");
    let interrupt = AtomicBool::new(false);
    let mut lab = Lab::new(&connect, 2, &interrupt);
    let recorder = Recorder::create(&dir, crate::common::info(&app(), 1), &app().units).unwrap();
    let interesting = InterestingPolicy::default();
    let mut coordinator = crate::common::strategy(name, 1, &app());
    let mut exploration = Exploration::new(recorder, coordinator.as_mut(), interesting, &app());
    let mut strategies = [1, 2].map(|seed| crate::common::strategy(name, seed, &app()));
    let settings = TeamSettings { limits: LIMITS, interesting, shares_traces: name == "auto" };
    exploration.run_team(lab.rigs(), &mut strategies, settings, &mut |_| true).unwrap();
    drop(exploration);
    crate::common::entries(&dir)
}

/// Checks that the app exited, and that a clean install followed soon whenever it did so at each launch.
#[track_caller]
fn assert_installs_again(name: &str, entries: &[TraceEntry]) {
    let (mut in_a_row, mut longest, mut exits) = (0, 0, 0);
    for entry in entries {
        let (TraceEntry::Start { result, .. } | TraceEntry::Step(retap_model::Step { result, .. })) =
            entry;
        let is_exit = result.outcome == RecordedOutcome::Exited;
        in_a_row = if is_exit { in_a_row + 1 } else { 0 };
        longest = longest.max(in_a_row);
        exits += u64::from(is_exit);
    }
    assert!(exits > 0, "{name} never tapped the first button");
    assert!(longest <= 3, "{name} met {longest} exits in a row");
}

#[test]
fn an_app_that_exits_at_every_launch_gets_a_clean_install() {
    for name in STRATEGIES {
        assert_installs_again(name, &explore(name).1);
        assert_installs_again(&format!("a team of {name}"), &explore_with_team(name));
        let on = Selector { id: "b0".into(), ..Selector::default() };
        let spoil = Event::Tap(Target { on: Some(on), at: None });
        let seed_trace = std::iter::once(spoil).chain(std::iter::repeat_n(Event::Launch, 50));
        let inner = crate::common::strategy(name, 1, &app());
        let mut seeded = SeededStrategy::new(vec![seed_trace.collect()], inner);
        assert_installs_again(&format!("a seeded {name}"), &explore_with(&mut seeded).1);
    }
}

#[test]
fn an_event_that_leads_to_a_host_limitation_is_not_tried_again() {
    for name in STRATEGIES {
        let (totals, entries) = explore(name);
        let limited = totals.host_limitations.values().sum::<u64>();
        assert_eq!(limited, 1, "{name}");
        let follows = entries.windows(2).find(|pair| match &pair[0] {
            TraceEntry::Step(step) => !step.result.host_limitations.is_empty(),
            TraceEntry::Start { .. } => false,
        });
        let Some([_, TraceEntry::Start { .. }]) = follows else {
            panic!("{name} went on after a host limitation");
        };
    }
}
