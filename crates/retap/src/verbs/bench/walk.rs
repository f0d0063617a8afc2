//! A plain random walk over an app, timed: every event is a function of the seed and the screen, so two
//! walks with one seed see the same unless the device differs.

use crate::failure::Failure;
use retap_device::{Device, DeviceError};
use retap_embedded::EmbeddedDevice;
use retap_explore::dice::Dice;
use retap_model::{
    Event, Flags, Key, Observation, Orientation, Outcome, Selector, Target, WorldSeed,
};
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::time::{Duration, Instant};

use super::process;
use super::table::median;

/// Memory is looked at this often in a walk.
const SAMPLES: u64 = 40;

#[derive(Debug, Clone, Copy)]
pub struct Plan {
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
    /// In the second half, when the code that matters has been loaded and compiled.
    pub warm_events_per_second: f64,
    /// Processor time of an event in the second half, resets included.
    pub warm_cpu_ms: f64,
    /// How much of the time the agent itself was at work: the rest is the pipe and its ends.
    pub agent_share: f64,
    pub reset_ms: f64,
    pub crashes: u64,
    /// Over everything that was seen, the log included.
    pub digest: String,
    /// After how many events the first trace, run again at the end, showed something else than at
    /// first: what this process did in between has left a mark.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diverged_again: Option<usize>,
    /// Resident megabytes from beginning to end, at equal distances.
    pub memory_mb: Vec<u64>,
}

impl Walk {
    /// Where this part of the walk was done.
    pub fn memory_at(&self, part: f64) -> u64 {
        let last = self.memory_mb.len().saturating_sub(1);
        self.memory_mb.get((last as f64 * part) as usize).copied().unwrap_or_default()
    }
}

/// Shown every observation with its number; `false` ends the walk.
pub type Watch<'w> = &'w mut dyn FnMut(u64, &Observation) -> Result<bool, Failure>;

/// The beginning of the walk, up to the first reset.
#[derive(Debug, Default)]
pub struct Beginning {
    pub events: Vec<Event>,
    /// One more than events.
    seen: Vec<Observation>,
}

/// Walks on from the first screen; also returns how it began.
pub fn walk(
    device: &mut EmbeddedDevice,
    first: Observation,
    plan: Plan,
    watch: Watch<'_>,
) -> Result<(Walk, Beginning), Failure> {
    let mut digest = Sha256::new();
    let mut beginning = Beginning { events: Vec::new(), seen: vec![first.clone()] };
    let mut resets = Vec::new();
    let (mut cold, mut warm) = (Pace::default(), Pace::default());
    let (mut crashes, mut length) = (0, 0);
    let mut memory_mb = Vec::new();
    let mut seen = first;
    for number in 0..plan.events {
        if number % (plan.events / SAMPLES).max(1) == 0 {
            memory_mb.extend(device.process_id().map(process::memory_mb));
        }
        take_in(&mut digest, &seen);
        if !watch(number, &seen)? {
            break;
        }
        if seen.outcome.is_final() || seen.outcome == Outcome::Exited || length == plan.trace_length
        {
            let started = Instant::now();
            seen = device.reset(plan.world_seed.wrapping_add(resets.len() as u64 + 1))?;
            resets.push(started.elapsed().as_secs_f64() * 1e3);
            take_in(&mut digest, &seen);
            length = 0;
        }
        let event = draw(&seen, &mut Dice::new(plan.seed, number));
        let half = if number < plan.events / 2 { &mut cold } else { &mut warm };
        seen = half.perform(device, &event)?;
        crashes += u64::from(seen.outcome.crash().is_some());
        length += 1;
        if resets.is_empty() {
            beginning.events.push(event);
            beginning.seen.push(seen.clone());
        }
    }
    take_in(&mut digest, &seen);
    watch(plan.events, &seen)?;
    memory_mb.extend(device.process_id().map(process::memory_mb));
    let diverged_again = repeat(device, &beginning, plan, watch)?;
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
        digest: hash[..8].iter().map(|byte| format!("{byte:02x}")).collect(),
        diverged_again,
        memory_mb,
    };
    Ok((walk, beginning))
}

/// How fast a part of the walk went.
#[derive(Debug, Default)]
struct Pace {
    events: u64,
    time: Duration,
    /// Of the time, the agent's own.
    work: Duration,
    /// The process and its processor time before the first event and after the last.
    cpu: Option<(u32, u64, u64)>,
}

impl Pace {
    fn perform(
        &mut self,
        device: &mut EmbeddedDevice,
        event: &Event,
    ) -> Result<Observation, DeviceError> {
        let process = device.process_id();
        let used = process.map_or(0, process::cpu_ms);
        let (started, before) = (Instant::now(), device.work());
        let seen = device.perform(event);
        self.events += 1;
        self.time += started.elapsed();
        self.work += device.work().saturating_sub(before);
        // Another process began at zero: what is told is about the last one.
        self.cpu = process.map(|process| match self.cpu {
            Some((same, first, _)) if same == process => (process, first, used),
            _ => (process, used, used),
        });
        seen
    }

    fn cpu_ms(&self) -> f64 {
        self.cpu.map_or(0.0, |(_, first, last)| last.saturating_sub(first) as f64)
    }
}

fn ratio(amount: f64, time: Duration) -> f64 {
    amount / time.as_secs_f64().max(1e-9)
}

/// What is printed of an observation leaves out which units were covered.
fn take_in(digest: &mut Sha256, seen: &Observation) {
    digest.update(format!("{seen:?}"));
    for unit in seen.coverage.iter() {
        digest.update(format!("{unit:?} "));
    }
}

/// The first event after which something else is seen than at first; a reset is event zero.
fn repeat(
    device: &mut EmbeddedDevice,
    beginning: &Beginning,
    plan: Plan,
    watch: Watch<'_>,
) -> Result<Option<usize>, Failure> {
    let mut seen = device.reset(plan.world_seed)?;
    for (number, expected) in beginning.seen.iter().enumerate() {
        watch(plan.events, &seen)?;
        if seen != *expected {
            return Ok(Some(number));
        }
        if let Some(event) = beginning.events.get(number) {
            seen = device.perform(event)?;
        }
    }
    Ok(None)
}

fn draw(seen: &Observation, dice: &mut Dice) -> Event {
    if matches!(seen.outcome, Outcome::Left { .. }) {
        return Event::Launch;
    }
    match dice.below(100) {
        0..6 => return Event::Key(Key::back()),
        6 => return Event::Rotate(Orientation::Landscape),
        7 => return Event::Rotate(Orientation::Portrait),
        _ => {}
    }
    let widgets: Vec<_> = seen.screen.actionable().collect();
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
        let seen = Observation {
            screen: Default::default(),
            coverage: Default::default(),
            elapsed_ms: 0,
            outcome: Outcome::Running,
            log: Vec::new(),
            host_limitations: Vec::new(),
        };
        for number in 0..100 {
            let [one, two] = [(); 2].map(|()| draw(&seen, &mut Dice::new(3, number)));
            assert_eq!(one, two);
        }
    }
}
