//! The mix of random events: the weight of each kind.

use crate::decision_rng::DecisionRng;

/// The weight of each kind of event, relative to the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EventMix {
    pub tap: u32,
    pub long_press: u32,
    pub drag: u32,
    pub pinch: u32,
    pub text: u32,
    pub back: u32,
    pub menu: u32,
    pub key: u32,
    pub rotate: u32,
    pub system: u32,
    pub home: u32,
    pub wait: u32,
    pub haste: u32,
}

impl Default for EventMix {
    fn default() -> Self {
        Self {
            tap: 600,
            long_press: 60,
            drag: 100,
            pinch: 5,
            text: 120,
            back: 60,
            menu: 20,
            key: 10,
            rotate: 15,
            system: 20,
            home: 5,
            wait: 15,
            // Monkey waits for no app, but it knows no gap either.
            haste: 0,
        }
    }
}

impl EventMix {
    /// Returns a mix with more of what disturbs an app: rotations, system events, keys, haste.
    pub fn disturbing() -> Self {
        Self { rotate: 60, system: 80, key: 30, menu: 40, haste: 80, ..Self::default() }
    }
}

#[derive(Debug, Clone, Copy)]
pub(super) enum EventKind {
    Tap,
    LongPress,
    Drag,
    Pinch,
    Text,
    Back,
    Menu,
    Key,
    Rotate,
    System,
    Home,
    Wait,
    Haste,
}

impl EventMix {
    /// Draws a kind by its weight. Returns `None` if all weights are zero.
    pub(super) fn draw(self, rng: &mut DecisionRng) -> Option<EventKind> {
        rng.weighted(&[
            (EventKind::Tap, self.tap),
            (EventKind::LongPress, self.long_press),
            (EventKind::Drag, self.drag),
            (EventKind::Pinch, self.pinch),
            (EventKind::Text, self.text),
            (EventKind::Back, self.back),
            (EventKind::Menu, self.menu),
            (EventKind::Key, self.key),
            (EventKind::Rotate, self.rotate),
            (EventKind::System, self.system),
            (EventKind::Home, self.home),
            (EventKind::Wait, self.wait),
            (EventKind::Haste, self.haste),
        ])
        .copied()
    }
}
