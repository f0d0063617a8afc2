//! The device under test, and the few steps that checks consist of.

use super::Check;
use super::report::CheckOutcome;
use super::script::ConformanceScript;
use crate::device::{Connect, Description, Device, DeviceError, SnapshotId};
use retap_model::{App, Event, Key, Observation, Orientation, Outcome, Screen, Selector, Target};

/// All checks use the same world; any seed would do.
pub(super) const WORLD_SEED: u64 = 1;

pub(super) struct DeviceUnderTest<'a> {
    connect: &'a dyn Connect,
    pub script: &'a ConformanceScript,
    connected: Option<(Box<dyn Device>, App)>,
}

/// The reason why a check ends early.
#[derive(Debug)]
pub(super) enum CheckStop {
    Fail(String),
    Skip(String),
}

impl From<DeviceError> for CheckStop {
    fn from(error: DeviceError) -> Self {
        CheckStop::Fail(format!("the device failed: {error}"))
    }
}

pub(super) fn ensure(truth: bool, otherwise: impl FnOnce() -> String) -> Result<(), CheckStop> {
    if truth { Ok(()) } else { Err(CheckStop::Fail(otherwise())) }
}

/// Returns an entry of the script, or skips the check if there is none.
pub(super) fn scripted<'s, T>(part: &'s Option<T>, what: &str) -> Result<&'s T, CheckStop> {
    part.as_ref().ok_or_else(|| CheckStop::Skip(format!("the script names no {what}")))
}

impl<'a> DeviceUnderTest<'a> {
    pub fn new(connect: &'a dyn Connect, script: &'a ConformanceScript) -> Self {
        Self { connect, script, connected: None }
    }

    /// Returns the maker of devices, for a check that loses them.
    pub fn connect(&self) -> &'a dyn Connect {
        self.connect
    }

    /// Runs one check.
    pub fn run_check(&mut self, check: Check) -> CheckOutcome {
        match check(self) {
            Ok(()) => CheckOutcome::Pass,
            Err(CheckStop::Skip(reason)) => CheckOutcome::Skipped(reason),
            Err(CheckStop::Fail(reason)) => {
                // The device may be lost or in any state, so the next check gets a fresh one.
                self.connected = None;
                CheckOutcome::Fail(reason)
            }
        }
    }

    /// Replaces the device by a fresh one.
    pub fn replace(&mut self) {
        self.connected = None;
    }

    fn connected(&mut self) -> Result<&mut (Box<dyn Device>, App), CheckStop> {
        let connected = match self.connected.take() {
            Some(connected) => connected,
            None => self.connect.connect()?,
        };
        Ok(self.connected.insert(connected))
    }

    pub fn app(&mut self) -> Result<&App, CheckStop> {
        Ok(&self.connected()?.1)
    }

    pub fn description(&mut self) -> Result<&Description, CheckStop> {
        Ok(self.connected()?.0.describe())
    }

    pub fn reset(&mut self) -> Result<Observation, CheckStop> {
        Ok(self.connected()?.0.reset(WORLD_SEED)?)
    }

    pub fn perform(&mut self, event: &Event) -> Result<Observation, CheckStop> {
        Ok(self.connected()?.0.perform(event)?)
    }

    pub fn save(&mut self) -> Result<SnapshotId, CheckStop> {
        Ok(self.connected()?.0.save()?)
    }

    pub fn restore(&mut self, snapshot: SnapshotId) -> Result<Observation, CheckStop> {
        Ok(self.connected()?.0.restore(snapshot)?)
    }

    pub fn screenshot(&mut self) -> Result<Vec<u8>, CheckStop> {
        Ok(self.connected()?.0.screenshot()?)
    }

    /// Performs an event and fails unless the app runs afterwards.
    pub fn run(&mut self, event: &Event) -> Result<Observation, CheckStop> {
        let observation = self.perform(event)?;
        ensure(observation.outcome == Outcome::Running, || {
            format!("after \"{event}\": expected running, found {:?}", observation.outcome)
        })?;
        Ok(observation)
    }

    /// Resets the device and performs all events, whatever their outcomes.
    pub fn run_all(&mut self, events: &[Event]) -> Result<Vec<Observation>, CheckStop> {
        let mut observations = vec![self.reset()?];
        for event in events {
            observations.push(self.perform(event)?);
        }
        Ok(observations)
    }

    /// Returns events that use everything in the script that does not end the app.
    pub fn tour(&self) -> Vec<Event> {
        let mut events = Vec::new();
        if let Some(counter) = &self.script.counter {
            events.extend([tap(&counter.button), tap(&counter.button)]);
        }
        if let Some(typing) = &self.script.typing {
            events.push(text(&typing.field, "retap"));
        }
        if let Some(dialog) = &self.script.dialog {
            events.extend([tap(&dialog.open), tap(&dialog.answer)]);
        }
        if let Some(hold) = &self.script.hold {
            events.extend([Event::LongPress(on(&hold.target)), tap(&hold.choice)]);
        }
        if let Some(vanishing) = &self.script.vanishing {
            events.extend([tap(vanishing), tap(vanishing)]);
        }
        events
            .extend([Event::Rotate(Orientation::Landscape), Event::Rotate(Orientation::Portrait)]);
        if let Some(list) = &self.script.list {
            events.extend([tap(&list.open), Event::Key(Key::back())]);
        }
        events.push(Event::Wait(1000));
        events
    }
}

pub(super) fn on(selector: &Selector) -> Target {
    Target { on: Some(selector.clone()), at: None }
}

pub(super) fn tap(selector: &Selector) -> Event {
    Event::Tap(on(selector))
}

pub(super) fn text(selector: &Selector, text: &str) -> Event {
    Event::Text { on: on(selector), text: text.into() }
}

/// Returns the text of the widget, if it is visible.
pub(super) fn read_text<'s>(screen: &'s Screen, selector: &Selector) -> Option<&'s str> {
    selector.find(screen).map(|found| found.widget.widget().text.as_str())
}

/// Fails unless the widget has exactly this text.
pub(super) fn expect_text(
    screen: &Screen,
    label: &Selector,
    wanted: &str,
) -> Result<(), CheckStop> {
    let found = read_text(screen, label);
    ensure(found == Some(wanted), || format!("{label}: expected {wanted:?}, found {found:?}"))
}

/// Fails with the first difference of two executions.
pub(super) fn expect_same(first: &[Observation], second: &[Observation]) -> Result<(), CheckStop> {
    let differing = first.iter().zip(second).position(|(a, b)| a != b);
    match differing {
        None => Ok(()),
        Some(at) => {
            let what = difference(&first[at], &second[at]);
            Err(CheckStop::Fail(format!("after event {at} the {what} differs")))
        }
    }
}

fn difference(first: &Observation, second: &Observation) -> &'static str {
    if first.screen != second.screen {
        "screen"
    } else if first.outcome != second.outcome {
        "outcome"
    } else if first.coverage != second.coverage {
        "coverage"
    } else if first.elapsed_ms != second.elapsed_ms {
        "time"
    } else {
        "log"
    }
}
