//! Devices that break one law each: the conform app behind a wrapper that lies about one thing.

use crate::common;
use retap_device::{Connect, Description, Device, DeviceError, SnapshotId};
use retap_model::{
    App, Coverage, Event, Key, Observation, Orientation, Outcome, Screen, WorldSeed,
};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flaw {
    NamesNoHash,
    FirstScreenVaries,
    ScreenVaries,
    DevicesDiffer,
    KeepsData,
    KeepsCoverage,
    InventsUnits,
    StopsTheClock,
    AppendsText,
    TapsForLongPresses,
    IgnoresDrags,
    IgnoresRotation,
    IgnoresBack,
    HurriesNoFurther,
    HidesMisses,
    ActsOnMisses,
    RepeatsCrashes,
    DiesOfCrashes,
    HidesLosses,
    RestoresSomethingElse,
    CoversByRestoring,
    TakesNoPictures,
}

pub struct BrokenConnect {
    flaw: Flaw,
    devices: AtomicU64,
}

impl BrokenConnect {
    pub fn new(flaw: Flaw) -> Self {
        Self { flaw, devices: AtomicU64::new(0) }
    }
}

impl Connect for BrokenConnect {
    fn connect(&self) -> Result<(Box<dyn Device>, App), DeviceError> {
        let (inner, mut app) = common::connect("conform.fake").connect()?;
        if self.flaw == Flaw::NamesNoHash {
            app.identity.sha256.clear();
        }
        let number = self.devices.fetch_add(1, Ordering::Relaxed);
        let device = Broken {
            inner,
            flaw: self.flaw,
            number,
            resets: 0,
            rotations: 0,
            counted: 0,
            typed: String::new(),
            covered: Coverage::new(),
            crash: None,
        };
        Ok((Box::new(device), app))
    }
}

struct Broken {
    inner: Box<dyn Device>,
    flaw: Flaw,
    number: u64,
    resets: u64,
    rotations: u64,
    counted: u64,
    typed: String,
    covered: Coverage,
    crash: Option<Outcome>,
}

impl Broken {
    /// Returns the event that the device performs instead.
    fn distort(&mut self, event: &Event) -> Event {
        let nothing = Event::Wait(0);
        match (self.flaw, event) {
            (Flaw::AppendsText, Event::Text { on, text }) => {
                self.typed.push_str(text);
                Event::Text { on: on.clone(), text: self.typed.clone() }
            }
            (Flaw::TapsForLongPresses, Event::LongPress(target)) => Event::Tap(target.clone()),
            (Flaw::IgnoresDrags, Event::Drag { .. }) => nothing,
            (Flaw::HurriesNoFurther, Event::Hasty(hasty)) => hasty.events()[0].clone(),
            (Flaw::IgnoresRotation, Event::Rotate(_)) => nothing,
            (Flaw::IgnoresBack, Event::Key(key)) if *key == Key::back() => nothing,
            _ => event.clone(),
        }
    }

    fn falsify(&mut self, event: &Event, seen: &mut Observation) -> Result<(), DeviceError> {
        match (self.flaw, event, &seen.outcome) {
            (Flaw::ScreenVaries, Event::Rotate(Orientation::Landscape), _) => {
                self.rotations += 1;
                retitle(seen, self.rotations);
            }
            (Flaw::DevicesDiffer, Event::Rotate(_), _) => retitle(seen, self.number),
            (Flaw::InventsUnits, _, _) => cover(seen, 9999),
            (Flaw::StopsTheClock, _, _) => seen.elapsed_ms = 0,
            (Flaw::HidesMisses, _, Outcome::Missed) => seen.outcome = Outcome::Running,
            (Flaw::ActsOnMisses, _, Outcome::Missed) => {
                self.inner.perform(&common::tap("counter"))?;
            }
            (Flaw::RepeatsCrashes | Flaw::DiesOfCrashes, _, Outcome::Crashed(_)) => {
                self.crash = Some(seen.outcome.clone());
            }
            (Flaw::KeepsData, event, _) if *event == common::tap("counter") => self.counted += 1,
            _ => {}
        }
        self.covered.union_with(&seen.coverage);
        Ok(())
    }

    fn check_alive(&self) -> Result<(), DeviceError> {
        match (self.flaw, &self.crash) {
            (Flaw::DiesOfCrashes, Some(_)) => Err(DeviceError::lost("it went with the app")),
            _ => Ok(()),
        }
    }
}

impl Device for Broken {
    fn describe(&self) -> &Description {
        self.inner.describe()
    }

    fn install(&mut self, apk: &Path) -> Result<App, DeviceError> {
        self.inner.install(apk)
    }

    fn reset(&mut self, world_seed: WorldSeed) -> Result<Observation, DeviceError> {
        self.check_alive()?;
        self.resets += 1;
        self.typed.clear();
        self.crash = None;
        let mut seen = self.inner.reset(world_seed)?;
        match self.flaw {
            Flaw::FirstScreenVaries => retitle(&mut seen, self.resets),
            Flaw::KeepsCoverage => {
                seen.coverage = Arc::new(seen.coverage.union(&self.covered));
            }
            Flaw::KeepsData => {
                for _ in 0..self.counted {
                    seen.screen = self.inner.perform(&common::tap("counter"))?.screen;
                }
            }
            _ => {}
        }
        Ok(seen)
    }

    fn perform(&mut self, event: &Event) -> Result<Observation, DeviceError> {
        self.check_alive()?;
        let instead = self.distort(event);
        let mut seen = match self.inner.perform(&instead) {
            Err(DeviceError::Lost(_)) if self.flaw == Flaw::HidesLosses => {
                (self.inner, _) = common::connect("conform.fake").connect()?;
                self.inner.reset(1)?
            }
            other => other?,
        };
        if let Some(crash) = &self.crash {
            seen.outcome = crash.clone();
        }
        self.falsify(event, &mut seen)?;
        Ok(seen)
    }

    fn save(&mut self) -> Result<SnapshotId, DeviceError> {
        self.inner.save()
    }

    fn restore(&mut self, snapshot: SnapshotId) -> Result<Observation, DeviceError> {
        self.check_alive()?;
        self.crash = None;
        let mut seen = self.inner.restore(snapshot)?;
        match self.flaw {
            Flaw::RestoresSomethingElse => {
                seen.screen = self.inner.perform(&common::tap("counter"))?.screen;
            }
            Flaw::CoversByRestoring => cover(&mut seen, 0),
            _ => {}
        }
        Ok(seen)
    }

    fn screenshot(&mut self) -> Result<Vec<u8>, DeviceError> {
        if self.flaw == Flaw::TakesNoPictures {
            return Ok(b"GIF89a".to_vec());
        }
        self.inner.screenshot()
    }
}

fn retitle(seen: &mut Observation, number: u64) {
    let mut screen = Screen::clone(&seen.screen);
    screen.windows[0].title = number.to_string();
    seen.screen = Arc::new(screen);
}

fn cover(seen: &mut Observation, unit: u32) {
    let mut coverage = Coverage::clone(&seen.coverage);
    coverage.insert(unit);
    seen.coverage = Arc::new(coverage);
}
