//! Interrupts an exploration, or takes its device away, at each call of the device in turn: everything that was counted
//! is on disk, and the exploration ends as the undisturbed one does.
#![allow(clippy::unwrap_used)] // a test may panic

use crate::common::Subject;
use retap_device::fake::FakeConnect;
use retap_device::{Connect, Description, Device, DeviceError, Rig, SnapshotId};
use retap_explore::{
    Exploration, ExplorationLimits, ExplorationTotals, ExploreError, InterestingPolicy,
};
use retap_model::format::run::{Recorder, TRACE};
use retap_model::format::trace::TraceEntry;
use retap_model::{App, Event, Observation, WorldSeed};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

const SEED: u64 = 3;
const LIMITS: ExplorationLimits = ExplorationLimits { max_events: 60, trace_length: 1000 };

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    Interrupt,
    LostBefore,
    LostAfter,
}

/// The calls of all devices of a run, and what happens at one of them.
struct Strike {
    calls: AtomicU64,
    at: u64,
    fault: Fault,
    interrupt: AtomicBool,
}

impl Strike {
    fn new(fault: Fault, at: u64) -> Arc<Self> {
        Arc::new(Self { calls: AtomicU64::new(0), at, fault, interrupt: AtomicBool::new(false) })
    }

    /// Makes a call, and the fault before or after it if this is the one.
    fn call<T>(&self, call: impl FnOnce() -> Result<T, DeviceError>) -> Result<T, DeviceError> {
        if self.calls.fetch_add(1, Ordering::Relaxed) != self.at {
            return call();
        }
        match self.fault {
            Fault::Interrupt => self.interrupt.store(true, Ordering::Relaxed),
            Fault::LostBefore => return Err(DeviceError::lost("killed")),
            Fault::LostAfter => {
                call()?;
                return Err(DeviceError::lost("killed"));
            }
        }
        call()
    }
}

struct StruckDevice {
    device: Box<dyn Device>,
    strike: Arc<Strike>,
}

impl Device for StruckDevice {
    fn describe(&self) -> &Description {
        self.device.describe()
    }

    fn install(&mut self, apk: &Path) -> Result<App, DeviceError> {
        self.device.install(apk)
    }

    fn reset(&mut self, world_seed: WorldSeed) -> Result<Observation, DeviceError> {
        self.strike.call(|| self.device.reset(world_seed))
    }

    fn perform(&mut self, event: &Event) -> Result<Observation, DeviceError> {
        self.strike.call(|| self.device.perform(event))
    }

    fn save(&mut self) -> Result<SnapshotId, DeviceError> {
        self.strike.call(|| self.device.save())
    }

    fn restore(&mut self, snapshot: SnapshotId) -> Result<Observation, DeviceError> {
        self.strike.call(|| self.device.restore(snapshot))
    }

    fn forget(&mut self, snapshot: SnapshotId) -> Result<(), DeviceError> {
        self.device.forget(snapshot)
    }

    fn screenshot(&mut self) -> Result<Vec<u8>, DeviceError> {
        self.device.screenshot()
    }
}

/// Explores, or resumes, with a fault on the way. Returns the totals and whether the exploration was interrupted.
fn explore(
    subject: &Subject,
    dir: &Path,
    name: &str,
    strike: &Arc<Strike>,
    resumes: bool,
) -> (ExplorationTotals, bool) {
    let fake = FakeConnect::load(&subject.app).unwrap();
    let connect = || {
        let (device, app) = fake.connect()?;
        let device = StruckDevice { device, strike: Arc::clone(strike) };
        Ok::<(Box<dyn Device>, App), DeviceError>((Box::new(device), app))
    };
    let mut rig = Rig::new(&connect, &strike.interrupt);
    let app = rig.app().unwrap().clone();
    let mut strategy = crate::common::strategy(name, SEED, &app);
    let interesting = InterestingPolicy::default();
    let mut exploration = if resumes {
        Exploration::resume(dir, strategy.as_mut(), interesting, &app).unwrap()
    } else {
        let recorder = Recorder::create(dir, crate::common::info(&app, SEED), &app.units).unwrap();
        Exploration::new(recorder, strategy.as_mut(), interesting, &app)
    };
    let result = exploration.run(&mut rig, LIMITS, &mut |_| true);
    let is_interrupted = matches!(result, Err(ExploreError::Device(DeviceError::Interrupted)));
    if !is_interrupted {
        result.unwrap();
    }
    (exploration.totals().clone(), is_interrupted)
}

/// Checks that the trace file has as many lines as were counted. The events of a return's path are in it, though those
/// that a snapshot spares do not count.
#[track_caller]
fn assert_counted(dir: &Path, totals: &ExplorationTotals, at: u64) {
    let entries = crate::common::entries(dir);
    let path_steps: u64 = entries
        .iter()
        .filter_map(|entry| match entry {
            TraceEntry::Start { returns, .. } => returns.as_ref(),
            TraceEntry::Step(_) => None,
        })
        .map(|returns| returns.steps as u64)
        .sum();
    let counted = totals.starts + totals.returns + totals.events - totals.return_events;
    assert_eq!(entries.len() as u64, counted + path_steps, "interrupted at call {at}");
}

fn disturb_everywhere(source: &str, name: &str, fault: Fault) {
    let subject = Subject::new(source);
    let never = Strike::new(fault, u64::MAX);
    let whole_dir = subject.dir("whole");
    let (whole, _) = explore(&subject, &whole_dir, name, &never, false);
    assert!(whole.returns > 0, "{name} returns to states");
    let trace = std::fs::read(whole_dir.join(TRACE)).unwrap();
    for at in 0..never.calls.load(Ordering::Relaxed) {
        let dir = subject.dir(&format!("struck-{at}"));
        let (totals, is_interrupted) =
            explore(&subject, &dir, name, &Strike::new(fault, at), false);
        assert_counted(&dir, &totals, at);
        let ended = if is_interrupted {
            explore(&subject, &dir, name, &Strike::new(fault, u64::MAX), true).0
        } else {
            totals
        };
        assert_eq!(ended, whole, "{name}, {fault:?} at call {at}");
        assert!(std::fs::read(dir.join(TRACE)).unwrap() == trace, "{name}, {fault:?} at {at}");
        std::fs::remove_dir_all(&dir).unwrap();
    }
}

#[test]
fn an_interrupt_at_any_call_loses_nothing() {
    let notes = crate::common::fake("notes.fake");
    disturb_everywhere(&notes, "timemachine", Fault::Interrupt);
    disturb_everywhere(&crate::common::without_snapshots(&notes), "auto", Fault::Interrupt);
}

#[test]
fn a_device_that_is_lost_at_any_call_changes_nothing() {
    let notes = crate::common::fake("notes.fake");
    disturb_everywhere(&notes, "timemachine", Fault::LostBefore);
    disturb_everywhere(&crate::common::without_snapshots(&notes), "auto", Fault::LostAfter);
}
