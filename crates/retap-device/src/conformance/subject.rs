//! The device under examination, with the few moves that checks are made of.

use super::Check;
use super::report::Verdict;
use super::script::Script;
use crate::device::{Connect, Description, Device, DeviceError, SnapshotId};
use retap_model::{App, Event, Key, Observation, Orientation, Outcome, Screen, Selector, Target};

/// Any would do: all checks of a run live in the same world.
const WORLD_SEED: u64 = 1;

pub(super) struct Subject<'a> {
    connect: &'a dyn Connect,
    pub script: &'a Script,
    connected: Option<(Box<dyn Device>, App)>,
}

/// Why a check ends before its end.
#[derive(Debug)]
pub(super) enum Stop {
    Fail(String),
    Skip(String),
}

impl From<DeviceError> for Stop {
    fn from(error: DeviceError) -> Self {
        Stop::Fail(format!("the device failed: {error}"))
    }
}

pub(super) fn ensure(truth: bool, otherwise: impl FnOnce() -> String) -> Result<(), Stop> {
    if truth { Ok(()) } else { Err(Stop::Fail(otherwise())) }
}

/// The part of the script that a check needs.
pub(super) fn scripted<'s, T>(part: &'s Option<T>, what: &str) -> Result<&'s T, Stop> {
    part.as_ref().ok_or_else(|| Stop::Skip(format!("the script names no {what}")))
}

impl<'a> Subject<'a> {
    pub fn new(connect: &'a dyn Connect, script: &'a Script) -> Self {
        Self { connect, script, connected: None }
    }

    pub fn judge(&mut self, check: Check) -> Verdict {
        match check(self) {
            Ok(()) => Verdict::Pass,
            Err(Stop::Skip(reason)) => Verdict::Skipped(reason),
            Err(Stop::Fail(reason)) => {
                // It may be lost or stand anywhere; the next check deserves a sound one.
                self.connected = None;
                Verdict::Fail(reason)
            }
        }
    }

    /// A fresh device in place of this one.
    pub fn replace(&mut self) {
        self.connected = None;
    }

    fn connected(&mut self) -> Result<&mut (Box<dyn Device>, App), Stop> {
        let connected = match self.connected.take() {
            Some(connected) => connected,
            None => self.connect.connect()?,
        };
        Ok(self.connected.insert(connected))
    }

    pub fn app(&mut self) -> Result<&App, Stop> {
        Ok(&self.connected()?.1)
    }

    pub fn description(&mut self) -> Result<&Description, Stop> {
        Ok(self.connected()?.0.describe())
    }

    pub fn reset(&mut self) -> Result<Observation, Stop> {
        Ok(self.connected()?.0.reset(WORLD_SEED)?)
    }

    pub fn perform(&mut self, event: &Event) -> Result<Observation, Stop> {
        Ok(self.connected()?.0.perform(event)?)
    }

    pub fn save(&mut self) -> Result<SnapshotId, Stop> {
        Ok(self.connected()?.0.save()?)
    }

    pub fn restore(&mut self, snapshot: SnapshotId) -> Result<Observation, Stop> {
        Ok(self.connected()?.0.restore(snapshot)?)
    }

    pub fn screenshot(&mut self) -> Result<Vec<u8>, Stop> {
        Ok(self.connected()?.0.screenshot()?)
    }

    /// Performs an event after which the app must be running.
    pub fn run(&mut self, event: &Event) -> Result<Observation, Stop> {
        let observation = self.perform(event)?;
        ensure(observation.outcome == Outcome::Running, || {
            format!("after \"{event}\": expected running, found {:?}", observation.outcome)
        })?;
        Ok(observation)
    }

    /// Resets and performs all events of a walk, whatever comes of them.
    pub fn walk(&mut self, events: &[Event]) -> Result<Vec<Observation>, Stop> {
        let mut observations = vec![self.reset()?];
        for event in events {
            observations.push(self.perform(event)?);
        }
        Ok(observations)
    }

    /// A walk through all that the script names and that does not end the app.
    pub fn tour(&self) -> Vec<Event> {
        let mut events = Vec::new();
        if let Some((counter, _)) = &self.script.counter {
            events.extend([tap(counter), tap(counter)]);
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

/// What the widget says, if it can be seen.
pub(super) fn read<'s>(screen: &'s Screen, selector: &Selector) -> Option<&'s str> {
    selector.find(screen).map(|found| found.widget.widget().text.as_str())
}

/// Fails unless the widget says exactly this.
pub(super) fn expect_text(screen: &Screen, label: &Selector, wanted: &str) -> Result<(), Stop> {
    let found = read(screen, label);
    ensure(found == Some(wanted), || format!("{label}: expected {wanted:?}, found {found:?}"))
}

/// Where two walks first differ, as a sentence.
pub(super) fn expect_same(first: &[Observation], second: &[Observation]) -> Result<(), Stop> {
    let differing = first.iter().zip(second).position(|(a, b)| a != b);
    match differing {
        None => Ok(()),
        Some(at) => {
            let what = difference(&first[at], &second[at]);
            Err(Stop::Fail(format!("after event {at} the {what} differs")))
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
