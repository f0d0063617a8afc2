//! Screenshots of the states that a report shows: the most visited ones. They are taken after the run, because drawing
//! touches the app (it may start an animation) and a run must not depend on whether screenshots are on.

use super::check_budget::CheckBudget;
use crate::Failure;
use retap_device::{DeviceError, Lab, Rig};
use retap_model::format::run::{self, RunError, open_growing_trace, screen_path};
use retap_model::format::trace::TraceEntry;
use retap_model::{Event, RunPhase, ScreenId, StateId, WorldSeed};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::path::Path;

/// The most events that are run for screenshots.
const MAX_EVENTS: u64 = 1_500;

/// Takes screenshots of up to `limit` states, the most visited ones: runs the traces that met them again, as far as needed.
/// It ends early when the budget is spent.
pub fn keep_shown_states(
    lab: &mut Lab<'_>,
    run: &Path,
    limit: usize,
    budget: &CheckBudget,
) -> Result<(), Failure> {
    let kept = keep_within(lab, run, limit, budget);
    lab.rig().forget_position();
    lab.charge(RunPhase::Screenshot);
    kept
}

fn keep_within(
    lab: &mut Lab<'_>,
    run: &Path,
    limit: usize,
    budget: &CheckBudget,
) -> Result<(), Failure> {
    if !lab.rig().describe()?.screenshots {
        return Ok(());
    }
    let wanted = choose(run, limit)?;
    let mut traces = read_beginnings(run, &wanted)?;
    // Short ways first: they give the most pictures for the budget.
    traces.sort_by_key(|trace| (trace.events.len(), trace.number));
    let mut pictures = StatePictures { lab, run, budget, events_run: 0 };
    for trace in &traces {
        pictures.take_along(trace)?;
    }
    Ok(())
}

/// Where a run met a state after the fewest events.
#[derive(Debug, Clone, Copy)]
struct Meeting {
    /// The number of the trace in the run, from 0.
    trace: usize,
    /// The number of its events until then.
    depth: usize,
    screen: ScreenId,
}

/// Chooses the most visited states that have no picture yet, and for each where it is cheapest to meet again. They are
/// grouped by trace.
fn choose(run: &Path, limit: usize) -> Result<BTreeMap<usize, Vec<Meeting>>, Failure> {
    let mut visits: BTreeMap<StateId, (u64, Option<Meeting>)> = BTreeMap::new();
    let (mut trace, mut depth) = (0usize, 0usize);
    let mut reader = open_growing_trace(&run.join(run::TRACE))?;
    while let Some(entry) = reader.next_entry()? {
        match &entry {
            TraceEntry::Start { .. } => (trace, depth) = (trace + 1, 0),
            TraceEntry::Step(_) => depth += 1,
        }
        let result = entry.result();
        let (Some(state), Some(screen)) = (result.state, result.screen) else { continue };
        // There is no screen to draw once the app is gone.
        if result.outcome.is_final() {
            continue;
        }
        let (count, meeting) = visits.entry(state).or_default();
        *count += 1;
        if meeting.is_none_or(|known| depth < known.depth) {
            *meeting = Some(Meeting { trace: trace.saturating_sub(1), depth, screen });
        }
    }
    let mut order: Vec<(StateId, u64, Meeting)> = visits
        .into_iter()
        .filter_map(|(state, (count, meeting))| Some((state, count, meeting?)))
        .collect();
    order.sort_by_key(|(state, count, _)| (Reverse(*count), *state));
    let mut chosen: BTreeMap<usize, Vec<Meeting>> = BTreeMap::new();
    for (_, _, meeting) in order.into_iter().take(limit) {
        if !picture_path(run, meeting.screen).exists() {
            chosen.entry(meeting.trace).or_default().push(meeting);
        }
    }
    Ok(chosen)
}

/// The beginning of a trace, up to the last meeting that it is run for.
struct TraceBeginning {
    number: usize,
    world_seed: WorldSeed,
    events: Vec<Event>,
    /// The screens to draw, by the number of events before them.
    wanted: BTreeMap<usize, ScreenId>,
}

fn read_beginnings(
    run: &Path,
    wanted: &BTreeMap<usize, Vec<Meeting>>,
) -> Result<Vec<TraceBeginning>, Failure> {
    let mut beginnings: Vec<TraceBeginning> = Vec::new();
    let mut reader = open_growing_trace(&run.join(run::TRACE))?;
    let mut number = 0;
    let mut is_wanted = false;
    while let Some(entry) = reader.next_entry()? {
        match entry {
            TraceEntry::Start { world_seed, .. } => {
                let meetings = wanted.get(&number);
                is_wanted = meetings.is_some();
                if let Some(meetings) = meetings {
                    let wanted = meetings.iter().map(|one| (one.depth, one.screen)).collect();
                    beginnings.push(TraceBeginning {
                        number,
                        world_seed,
                        events: Vec::new(),
                        wanted,
                    });
                }
                number += 1;
            }
            TraceEntry::Step(step) => {
                let last = beginnings.last_mut().filter(|_| is_wanted);
                if let Some(trace) = last
                    && trace
                        .wanted
                        .last_key_value()
                        .is_some_and(|(depth, _)| trace.events.len() < *depth)
                {
                    trace.events.push(step.event);
                }
            }
        }
    }
    Ok(beginnings)
}

/// Takes the pictures.
struct StatePictures<'l, 'd> {
    lab: &'l mut Lab<'d>,
    run: &'l Path,
    budget: &'l CheckBudget,
    events_run: u64,
}

impl StatePictures<'_, '_> {
    fn is_done(&self) -> bool {
        self.events_run >= MAX_EVENTS || self.budget.is_spent(self.lab)
    }

    /// Runs the beginning of a trace and takes the screenshots. A screen that does not come again has none.
    fn take_along(&mut self, trace: &TraceBeginning) -> Result<(), Failure> {
        if self.is_done() {
            return Ok(());
        }
        let mut screen = self.lab.rig().reset(trace.world_seed)?.screen.id();
        for depth in 0..=trace.events.len() {
            if trace.wanted.get(&depth) == Some(&screen) {
                keep(self.lab.rig(), self.run, screen)?;
            }
            let Some(event) = trace.events.get(depth).filter(|_| !self.is_done()) else { break };
            screen = self.lab.rig().perform(event)?.screen.id();
            self.events_run += 1;
        }
        Ok(())
    }
}

/// Writes a screenshot of the device's current screen into the run, unless the run has it or there is nothing to draw.
pub fn keep(rig: &mut Rig<'_>, run: &Path, screen: ScreenId) -> Result<(), Failure> {
    let path = picture_path(run, screen);
    if path.exists() {
        return Ok(());
    }
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(RunError::io(folder))?;
    }
    take(rig, &path)
}

/// Writes a screenshot of the device's current screen, unless there is nothing to draw.
pub fn take(rig: &mut Rig<'_>, path: &Path) -> Result<(), Failure> {
    match rig.screenshot() {
        Err(DeviceError::Unsupported(_)) => Ok(()),
        png => Ok(run::write_whole(path, &png?)?),
    }
}

/// Returns the path of a screen's screenshot, beside the screen's own file.
pub fn picture_path(run: &Path, screen: ScreenId) -> std::path::PathBuf {
    screen_path(run, screen).with_extension("png")
}
