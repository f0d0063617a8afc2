//! Events of commands in the background (`input tap 1 2 & input tap 3 4 & wait`): they happen in one go, as on a phone whose
//! shell does not wait for them.

use crate::phone::Phone;
use retap_model::Event;
use retap_model::event::HastyEvents;

/// Events that are yet to happen.
#[derive(Debug, Default)]
pub struct BackgroundEvents {
    /// True while a command in the background runs.
    pub is_open: bool,
    events: Vec<Event>,
    gap_ms: u32,
}

impl BackgroundEvents {
    pub fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    pub fn add(&mut self, events: Vec<Event>) {
        self.events.extend(events);
    }

    /// Lets this much time pass between two of the events.
    pub fn pause(&mut self, ms: u32) {
        self.gap_ms = ms;
    }

    /// Lets the events happen: in one go if that can be said, or else one after the other.
    pub fn finish(&mut self, phone: &Phone) {
        let (events, gap_ms) = (std::mem::take(&mut self.events), std::mem::take(&mut self.gap_ms));
        let hasty = HastyEvents::new(events.clone(), gap_ms).map(|hasty| vec![Event::Hasty(hasty)]);
        for event in hasty.unwrap_or(events) {
            phone.state().perform(&event);
        }
    }
}
