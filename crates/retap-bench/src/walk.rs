//! A timed random walk over an app. Every event depends on the seed and the screen alone, so two walks with one seed
//! observe the same unless the device differs.

use crate::process;
use crate::profile::TimedDevice;
use crate::table::median;
use retap_device::DeviceError;
use retap_engine::Failure;
use retap_explore::DecisionRng;
use retap_model::hash::to_hex;
use retap_model::{
    Event, Flags, Key, Observation, Orientation, Outcome, Selector, Target, WorldSeed,
};
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::time::{Duration, Instant};

/// The number of memory samples in a walk.
const SAMPLES: u64 = 40;

#[derive(Debug, Clone, Copy)]
pub struct WalkSettings {
    pub seed: u64,
    pub world_seed: WorldSeed,
    pub events: u64,
    /// A clean install follows after this many events at the latest.
    pub trace_length: u64,
}

#[derive(Debug, Serialize)]
pub struct Walk {
    pub events: u64,
    pub resets: u64,
    pub events_per_second: f64,
    /// In the second half, when the code has been loaded and compiled.
    pub warm_events_per_second: f64,
    /// Processor time of an event in the second half, resets included.
    pub warm_cpu_ms: f64,
    /// The agent's share of the time. The rest is the pipe and its ends.
    pub agent_share: f64,
    pub reset_ms: f64,
    pub crashes: u64,
    /// Hash over all observations, including the log.
    pub digest: String,
    /// The event at which the first trace, run again at the end, differs from its first run. Then the process
    /// has kept something over a clean install.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diverged_again: Option<usize>,
    /// Resident megabytes, sampled at equal distances.
    pub memory_mb: Vec<u64>,
}

impl Walk {
    /// Returns the resident megabytes after this part of the walk.
    pub fn memory_at(&self, part: f64) -> u64 {
        let last = self.memory_mb.len().saturating_sub(1);
        self.memory_mb.get((last as f64 * part) as usize).copied().unwrap_or_default()
    }
}

/// Receives every observation with its number. Returning `false` ends the walk.
pub type OnObservation<'w> = &'w mut dyn FnMut(u64, &Observation) -> Result<bool, Failure>;

/// The first trace of a walk, up to the first reset.
#[derive(Debug, Default)]
pub struct FirstTrace {
    pub events: Vec<Event>,
    /// One more than events.
    observations: Vec<Observation>,
}

/// Walks on from the first screen. Returns the measurements and the first trace.
pub fn walk(
    device: &mut TimedDevice,
    first: Observation,
    settings: WalkSettings,
    on_observation: OnObservation<'_>,
) -> Result<(Walk, FirstTrace), Failure> {
    let mut digest = Sha256::new();
    let mut first_trace = FirstTrace { events: Vec::new(), observations: vec![first.clone()] };
    let mut resets = Vec::new();
    let (mut cold, mut warm) = (Pace::default(), Pace::default());
    let (mut crashes, mut length) = (0, 0);
    let mut memory_mb = Vec::new();
    let mut observation = first;
    for number in 0..settings.events {
        if number % (settings.events / SAMPLES).max(1) == 0 {
            memory_mb.extend(device.embedded.process_id().map(process::memory_mb));
        }
        add_to_digest(&mut digest, &observation);
        if !on_observation(number, &observation)? {
            break;
        }
        if observation.outcome.is_final()
            || observation.outcome == Outcome::Exited
            || length == settings.trace_length
        {
            let started = Instant::now();
            observation =
                device.reset(settings.world_seed.wrapping_add(resets.len() as u64 + 1))?;
            resets.push(started.elapsed().as_secs_f64() * 1e3);
            add_to_digest(&mut digest, &observation);
            length = 0;
        }
        let event = draw(&observation, &mut DecisionRng::new(settings.seed, number));
        let half = if number < settings.events / 2 { &mut cold } else { &mut warm };
        observation = half.perform(device, &event)?;
        crashes += u64::from(observation.outcome.crash().is_some());
        length += 1;
        if resets.is_empty() {
            first_trace.events.push(event);
            first_trace.observations.push(observation.clone());
        }
    }
    add_to_digest(&mut digest, &observation);
    on_observation(settings.events, &observation)?;
    memory_mb.extend(device.embedded.process_id().map(process::memory_mb));
    let diverged_again = repeat(device, &first_trace, settings, on_observation)?;
    let hash = digest.finalize();
    let walk = Walk {
        events: cold.events + warm.events,
        resets: resets.len() as u64,
        events_per_second: ratio((cold.events + warm.events) as f64, cold.time + warm.time),
        warm_events_per_second: ratio(warm.events as f64, warm.time),
        warm_cpu_ms: warm.cpu_ms() / warm.events.max(1) as f64,
        agent_share: ratio((cold.work + warm.work).as_secs_f64(), cold.time + warm.time),
        reset_ms: median(resets),
        crashes,
        digest: to_hex(&hash[..8]),
        diverged_again,
        memory_mb,
    };
    Ok((walk, first_trace))
}

/// The speed of one half of a walk.
#[derive(Debug, Default)]
struct Pace {
    events: u64,
    time: Duration,
    /// The agent's share of the time.
    work: Duration,
    cpu: Option<CpuTime>,
}

/// Processor time of a process before the first event and before the last.
#[derive(Debug, Clone, Copy)]
struct CpuTime {
    process: u32,
    first_ms: u64,
    last_ms: u64,
}

impl Pace {
    fn perform(
        &mut self,
        device: &mut TimedDevice,
        event: &Event,
    ) -> Result<Observation, DeviceError> {
        let process = device.embedded.process_id();
        let used = process.map_or(0, process::cpu_ms);
        let (started, before) = (Instant::now(), device.embedded.agent_time());
        let observation = device.perform(event);
        self.events += 1;
        self.time += started.elapsed();
        self.work += device.embedded.agent_time().saturating_sub(before);
        // A new process begins at zero: only the last process is measured.
        self.cpu = process.map(|process| match self.cpu {
            Some(cpu) if cpu.process == process => CpuTime { last_ms: used, ..cpu },
            _ => CpuTime { process, first_ms: used, last_ms: used },
        });
        observation
    }

    fn cpu_ms(&self) -> f64 {
        self.cpu.map_or(0.0, |cpu| cpu.last_ms.saturating_sub(cpu.first_ms) as f64)
    }
}

fn ratio(amount: f64, time: Duration) -> f64 {
    amount / time.as_secs_f64().max(1e-9)
}

/// Adds an observation to the digest. Its debug text leaves out the covered units, so they are added apart.
fn add_to_digest(digest: &mut Sha256, observation: &Observation) {
    digest.update(format!("{observation:?}"));
    for unit in observation.coverage.iter() {
        digest.update(format!("{unit:?} "));
    }
}

/// Runs the first trace again and returns the first event whose observation differs; the reset is event zero.
fn repeat(
    device: &mut TimedDevice,
    first_trace: &FirstTrace,
    settings: WalkSettings,
    on_observation: OnObservation<'_>,
) -> Result<Option<usize>, Failure> {
    let mut observation = device.reset(settings.world_seed)?;
    for (number, expected) in first_trace.observations.iter().enumerate() {
        on_observation(settings.events, &observation)?;
        if observation != *expected {
            return Ok(Some(number));
        }
        if let Some(event) = first_trace.events.get(number) {
            observation = device.perform(event)?;
        }
    }
    Ok(None)
}

fn draw(observation: &Observation, dice: &mut DecisionRng) -> Event {
    if matches!(observation.outcome, Outcome::Left { .. }) {
        return Event::Launch;
    }
    match dice.below(100) {
        0..6 => return Event::Key(Key::back()),
        6 => return Event::Rotate(Orientation::Landscape),
        7 => return Event::Rotate(Orientation::Portrait),
        _ => {}
    }
    let widgets: Vec<_> = observation.screen.actionable().collect();
    let Some(&widget) = dice.pick(&widgets) else { return Event::Key(Key::back()) };
    let on = Target { on: Some(Selector::of(widget)), at: Some(widget.widget().bounds.center()) };
    match dice.below(10) {
        0 => Event::LongPress(on),
        1..4 if widget.widget().has(Flags::EDITABLE) => {
            Event::Text { on, text: dice.below(1000).to_string() }
        }
        _ => Event::Tap(on),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_dice_on_the_same_screen_draw_the_same_event() {
        let observation = Observation {
            screen: Default::default(),
            coverage: Default::default(),
            elapsed_ms: 0,
            outcome: Outcome::Running,
            log: Vec::new(),
            host_limitations: Vec::new(),
        };
        for number in 0..100 {
            let [one, two] = [(); 2].map(|()| draw(&observation, &mut DecisionRng::new(3, number)));
            assert_eq!(one, two);
        }
    }
}
