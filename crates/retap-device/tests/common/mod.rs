//! Helpers for the tests of the fake: apps from `fakes/` or from a text, and events by widget name.

#![allow(dead_code)] // each test binary uses its own part

use retap_device::fake::{FakeApp, FakeConnect, FakeDevice};
use retap_device::{Device, DeviceError};
use retap_model::{Event, Observation, Point, Selector, Target};
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fakes").join(name)
}

pub fn connect(name: &str) -> FakeConnect {
    FakeConnect::load(&path(name)).unwrap()
}

/// Returns a device with one of the apps in `fakes/`, reset in this world.
pub fn at_start(name: &str, world_seed: u64) -> FakeDevice {
    let mut device = connect(name).device();
    device.reset(world_seed).unwrap();
    device
}

/// Returns a device with an app of which only the interesting lines are given.
pub fn scripted(lines: &str) -> FakeDevice {
    let source = format!("app p 1.0\n{lines}");
    let app = FakeApp::parse("test.fake", &source).unwrap();
    let mut device = FakeDevice::new(Arc::new(app), Path::new("test.fake"));
    device.reset(1).unwrap();
    device
}

pub fn on(id: &str) -> Target {
    Target { on: Some(Selector { id: id.into(), ..Selector::default() }), at: None }
}

/// Returns the target that is an item of a list, by its text.
pub fn item(text: &str) -> Target {
    Target { on: Some(Selector { text: text.into(), ..Selector::default() }), at: None }
}

pub fn tap(id: &str) -> Event {
    Event::Tap(on(id))
}

pub fn text(id: &str, text: &str) -> Event {
    Event::Text { on: on(id), text: text.into() }
}

pub fn tap_at(x: i32, y: i32) -> Event {
    Event::Tap(Target::point(Point::new(x, y)))
}

pub fn run(device: &mut dyn Device, events: &[Event]) -> Vec<Observation> {
    events.iter().map(|event| device.perform(event).unwrap()).collect()
}

/// Returns the text of a widget.
pub fn says(observation: &Observation, id: &str) -> String {
    let selector = Selector { id: id.into(), ..Selector::default() };
    let found = selector.find(&observation.screen);
    found.map(|found| found.widget.widget().text.clone()).unwrap_or_else(|| "gone".into())
}

pub fn is_lost<T>(result: &Result<T, DeviceError>) -> bool {
    matches!(result, Err(DeviceError::Lost(_)))
}
