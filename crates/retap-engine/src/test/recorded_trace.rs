//! The steps of a failing test as a trace of the app alone: taps, keys, rotations and starts as the test made them, and
//! the texts that its screens show.

use crate::Failure;
use retap_device::{Device, DeviceError};
use retap_embedded::{KeptScreen, RecordedInput};
use retap_model::trace::StepResult;
use retap_model::{
    Abstraction, Event, Flags, Observation, Outcome, Point, Screen, Selector, Step, Target, Trace,
    WorldSeed,
};
use std::sync::Arc;

/// The app while its trace grows.
struct Recorder<'d> {
    device: &'d mut dyn Device,
    abstraction: Abstraction,
    package: String,
    trace: Trace,
    last: Observation,
}

/// Runs a test's inputs on the app alone and records what happens. Returns nothing if the test had no inputs.
pub fn record(
    device: &mut dyn Device,
    kept: &KeptScreen,
    world_seed: WorldSeed,
    abstraction: Abstraction,
    package: &str,
) -> Result<Option<Trace>, Failure> {
    if !kept.inputs.iter().any(|input| !matches!(input.event, Event::Launch)) {
        return Ok(None);
    }
    match run(device, kept, world_seed, abstraction, package) {
        // Without the test these steps end the device; there is nothing to keep of them.
        Err(DeviceError::Lost(_) | DeviceError::Unsupported(_)) => Ok(None),
        other => Ok(Some(other?)),
    }
}

fn run(
    device: &mut dyn Device,
    kept: &KeptScreen,
    world_seed: WorldSeed,
    abstraction: Abstraction,
    package: &str,
) -> Result<Trace, DeviceError> {
    let last = device.reset(world_seed)?;
    let start = result(&last, abstraction, package);
    let trace = Trace { world_seed, start, steps: Vec::new() };
    let package = package.to_owned();
    let mut recorder = Recorder { device, abstraction, package, trace, last };
    let mut is_first = true;
    for RecordedInput { screen, event } in &kept.inputs {
        if let Some(screen) = screen {
            recorder.enter_texts(screen)?;
        }
        // A trace begins with the launch.
        if !(is_first && matches!(event, Event::Launch)) {
            recorder.perform(aimed(event, screen.as_ref()))?;
        }
        is_first = false;
    }
    if let Some(screen) = &kept.screen {
        recorder.enter_texts(screen)?;
    }
    Ok(recorder.trace)
}

impl Recorder<'_> {
    /// Performs an event unless the app has ended.
    fn perform(&mut self, event: Event) -> Result<(), DeviceError> {
        if !matches!(self.last.outcome, Outcome::Running | Outcome::Missed | Outcome::Left { .. }) {
            return Ok(());
        }
        self.last = self.device.perform(&event)?;
        let result = result(&self.last, self.abstraction, &self.package);
        self.trace.steps.push(Step { event, result });
        Ok(())
    }

    /// Enters the texts that the test's screen has and this one lacks.
    fn enter_texts(&mut self, wanted: &Screen) -> Result<(), DeviceError> {
        for (selector, text) in fields(wanted) {
            let screen = Arc::clone(&self.last.screen);
            let Some(found) = selector.find(&screen).filter(|_| screen.activity == wanted.activity)
            else {
                continue;
            };
            let widget = found.widget.widget();
            if widget.has(Flags::EDITABLE) && widget.text != text {
                let at = Some(widget.bounds.center());
                let on = Target { on: Some(Selector::of(found.widget)), at };
                self.perform(Event::Text { on, text })?;
            }
        }
        Ok(())
    }
}

/// Returns the fields of a screen with their texts.
fn fields(screen: &Screen) -> Vec<(Selector, String)> {
    screen
        .actionable()
        .filter(|widget| widget.widget().has(Flags::EDITABLE))
        .map(|widget| (Selector::of(widget), widget.widget().text.clone()))
        .collect()
}

/// Returns the event with the widget that it hit on the test's screen.
fn aimed(event: &Event, screen: Option<&Screen>) -> Event {
    let mut aimed = event.clone();
    for target in aimed.targets_mut() {
        let hit = |at: Point| screen?.widget_at(at).map(Selector::of);
        target.on = target.at.and_then(hit);
    }
    aimed
}

fn result(observation: &Observation, abstraction: Abstraction, package: &str) -> StepResult {
    StepResult {
        state: Some(abstraction.state(&observation.screen)),
        elapsed_ms: observation.elapsed_ms,
        outcome: observation.outcome.recorded(package),
        ..StepResult::default()
    }
}
