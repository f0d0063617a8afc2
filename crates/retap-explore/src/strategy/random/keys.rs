//! Random keys and system events.

use crate::decision_rng::DecisionRng;
use retap_model::event::{Connectivity, Intent};
use retap_model::{App, Key, SystemEvent};

pub fn draw_key(rng: &mut DecisionRng) -> Option<Key> {
    const KEYS: [&str; 8] = [
        "dpad_up",
        "dpad_down",
        "dpad_left",
        "dpad_right",
        "dpad_center",
        "enter",
        "search",
        "volume_down",
    ];
    rng.pick(&KEYS).and_then(|name| Key::new(name).ok())
}

/// Draws a system event. If the app has broadcast receivers, half of the events are broadcasts they listen to.
pub fn draw_system_event(app: &App, rng: &mut DecisionRng) -> SystemEvent {
    if rng.chance(0.5)
        && let Some(action) = rng.pick(&app.broadcasts)
    {
        return SystemEvent::Broadcast(Intent { action: action.clone(), ..Intent::default() });
    }
    match rng.below(8) {
        0 => SystemEvent::Connectivity(Connectivity::Off),
        1 => SystemEvent::Connectivity(Connectivity::Wifi),
        2 => SystemEvent::Battery { level: 4, charging: false },
        3 => SystemEvent::Call { number: "5550100".into() },
        4 => SystemEvent::Sms { from: "5550100".into(), text: "hello".into() },
        5 => SystemEvent::Night(rng.chance(0.5)),
        6 => SystemEvent::LowMemory,
        _ => SystemEvent::ProcessDeath,
    }
}
