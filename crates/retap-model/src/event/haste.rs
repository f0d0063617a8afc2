//! Haste: events that do not wait for the app to come to rest, such as a double tap or Back during a load.
//!
//! They are one event of a trace, so that every observation is of an app at rest. All of them aim at the screen on which
//! the first one began, as the eyes of a hasty person do.

use super::Event;
use serde::{Deserialize, Serialize};

/// Two to four taps, keys and rotations in one go.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "HastyEventsOnDisk", into = "HastyEventsOnDisk")]
pub struct HastyEvents {
    events: Vec<Event>,
    gap_ms: u32,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct HastyEventsOnDisk {
    events: Vec<Event>,
    #[serde(default, rename = "ms", skip_serializing_if = "is_zero")]
    gap_ms: u32,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde asks for a reference
fn is_zero(ms: &u32) -> bool {
    *ms == 0
}

impl HastyEvents {
    pub const MAX_EVENTS: usize = 4;
    /// A longer gap is no haste: most apps are at rest by then.
    pub const MAX_GAP_MS: u32 = 1_000;

    /// Joins events. Between two of them nothing of the app runs if `gap_ms` is zero. Otherwise its main thread runs
    /// for that long; its other threads and the system's requests wait, as if they took longer.
    ///
    /// # Errors
    /// Fails if there are too few or too many events, one of them is no tap, key or rotation, or the gap is too long.
    pub fn new(events: Vec<Event>, gap_ms: u32) -> Result<Self, String> {
        let is_quick =
            |event: &Event| matches!(event, Event::Tap(_) | Event::Key(_) | Event::Rotate(_));
        if !(2..=Self::MAX_EVENTS).contains(&events.len()) {
            return Err(format!(
                "expected 2 to {} hasty events, found {}",
                Self::MAX_EVENTS,
                events.len()
            ));
        }
        if let Some(event) = events.iter().find(|event| !is_quick(event)) {
            return Err(format!("expected a tap, key or rotation in a hasty event, found {event}"));
        }
        if gap_ms > Self::MAX_GAP_MS {
            let most = Self::MAX_GAP_MS;
            return Err(format!("expected at most {most} ms between hasty events, found {gap_ms}"));
        }
        Ok(Self { events, gap_ms })
    }

    pub fn events(&self) -> &[Event] {
        &self.events
    }

    pub(super) fn events_mut(&mut self) -> impl Iterator<Item = &mut Event> {
        self.events.iter_mut()
    }

    /// Returns the time between two of the events.
    pub fn gap_ms(&self) -> u32 {
        self.gap_ms
    }
}

impl TryFrom<HastyEventsOnDisk> for HastyEvents {
    type Error = String;

    fn try_from(on_disk: HastyEventsOnDisk) -> Result<Self, String> {
        Self::new(on_disk.events, on_disk.gap_ms)
    }
}

impl From<HastyEvents> for HastyEventsOnDisk {
    fn from(hasty: HastyEvents) -> Self {
        Self { events: hasty.events, gap_ms: hasty.gap_ms }
    }
}
