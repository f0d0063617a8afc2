//! Replays what the run did on both versions, each in two worlds, and keeps every difference once, by the fewest events.
//! As many sequences are replayed at a time as there are rigs.

use super::sequence::shorten;
use crate::{Context, Failure};
use retap_device::{DeviceError, Execution, Job, Lab, NEVER_STOP};
use retap_model::abstraction::Level;
use retap_model::{Abstraction, Event, Observation, Outcome, StateId, WorldSeed};
use retap_update::{
    ChangeKnowledge, ComparedRuns, Targets, VersionDifference, compare_versions, name_rows,
    skip_missing_event,
};
use std::collections::BTreeMap;

/// Detours of one trace that are left out because the old version lacks them.
const MAX_SKIPS: usize = 12;
/// Decides whether the new version is back after a detour: the same window offers the same actions.
const BACK_AGAIN: Abstraction = Abstraction::Reducers(Level::L1);
/// Runs for shortening the sequence of one unexplained difference.
const SHORTENING_RUNS: u64 = 40;
/// Unexplained differences whose sequences are shortened.
const MAX_SHORTENED: usize = 12;

#[derive(Debug, Clone, Copy)]
pub struct ComparisonSettings<'a> {
    pub world_seed: WorldSeed,
    pub knowledge: &'a ChangeKnowledge,
    pub targets: &'a Targets,
    /// No new sequence begins after this many events on both devices.
    pub max_events: u64,
    pub shortens: bool,
}

/// A difference and the events that show it: those up to its step.
#[derive(Debug, Clone)]
pub struct FoundDifference {
    pub difference: VersionDifference,
    pub events: Vec<Event>,
}

#[derive(Debug, Clone, Default)]
pub struct VersionComparison {
    pub sequences: u64,
    pub screens: u64,
    pub differences: Vec<FoundDifference>,
    /// Why nothing, or not everything, was compared.
    pub left_out: Option<String>,
}

impl VersionComparison {
    fn add(&mut self, compared: ComparedSequence, found: &mut BTreeMap<String, FoundDifference>) {
        self.sequences += compared.sequences;
        self.screens += compared.screens;
        for new in compared.differences {
            let known = found.entry(new.difference.key()).or_insert_with(|| new.clone());
            if new.events.len() < known.events.len() {
                *known = new;
            }
        }
    }
}

/// What the comparison of one sequence has shown so far.
#[derive(Debug, Default)]
struct ComparedSequence {
    /// What is still to be compared.
    left: Option<Vec<Event>>,
    sequences: u64,
    screens: u64,
    differences: Vec<FoundDifference>,
}

impl ComparedSequence {
    fn add(&mut self, events: &[Event], differences: Vec<VersionDifference>, new: &[Observation]) {
        self.sequences += 1;
        let last = differences.last();
        self.screens += last.map_or(new.len(), VersionDifference::step) as u64;
        let missing = match last {
            Some(VersionDifference::OnlyInNew { step, .. }) => step.checked_sub(1),
            Some(VersionDifference::OtherWindow { step, .. }) => step.checked_sub(1),
            _ => None,
        };
        let found = differences.into_iter().map(|difference| {
            let shown = events[..difference.step().min(events.len())].to_vec();
            FoundDifference { difference, events: shown }
        });
        self.differences.extend(found);
        let states: Vec<StateId> = new.iter().map(|it| BACK_AGAIN.state(&it.screen)).collect();
        self.left = missing.and_then(|missing| skip_missing_event(events, &states, missing));
    }
}

/// The two versions on their devices.
struct SideBySide<'l, 'o, 'n> {
    old: &'l mut Lab<'o>,
    new: &'l mut Lab<'n>,
    settings: ComparisonSettings<'l>,
}

/// Compares the versions along these sequences, in order.
pub fn compare(
    old: &mut Lab<'_>,
    new: &mut Lab<'_>,
    sequences: &[Vec<Event>],
    settings: ComparisonSettings<'_>,
    context: Context<'_>,
) -> Result<VersionComparison, Failure> {
    let mut comparison = VersionComparison::default();
    if let Some(why) = find_trouble(old, settings.world_seed)? {
        comparison.left_out = Some(why);
        return Ok(comparison);
    }
    let progress = context.progress(Some(sequences.len() as u64));
    let mut pair = SideBySide { old, new, settings };
    let mut found: BTreeMap<String, FoundDifference> = BTreeMap::new();
    let before = pair.events();
    let at_a_time = pair.new.rigs().len();
    let mut left = sequences;
    while !left.is_empty() {
        if context.is_interrupted() || pair.events() - before > settings.max_events {
            let left = left.len();
            comparison.left_out =
                Some(format!("{left} of the run's traces were not compared: the budget is spent"));
            break;
        }
        progress.update((sequences.len() - left.len()) as u64, "comparing both versions".into());
        let (wave, later) = left.split_at(at_a_time.min(left.len()));
        for compared in pair.compare_wave(wave)? {
            comparison.add(compared, &mut found);
        }
        left = later;
    }
    if settings.shortens {
        let unexplained = found.values_mut().filter(|it| it.difference.is_unexplained());
        for difference in unexplained.take(MAX_SHORTENED) {
            if !context.is_interrupted() {
                pair.shorten(difference)?;
            }
        }
    }
    comparison.differences = found.into_values().collect();
    comparison
        .differences
        .sort_by_key(|it| (!it.difference.is_unexplained(), it.events.len(), it.difference.key()));
    Ok(comparison)
}

/// Returns why the old version cannot be compared with, if it does not even start.
fn find_trouble(old: &mut Lab<'_>, world_seed: WorldSeed) -> Result<Option<String>, Failure> {
    match old.rig().reset(world_seed) {
        Err(DeviceError::Interrupted) => Err(DeviceError::Interrupted.into()),
        Err(error) => Ok(Some(format!("the old version does not run: {error}"))),
        Ok(observation) => Ok(match &observation.outcome {
            Outcome::Running | Outcome::Left { .. } => None,
            outcome => Some(format!("the old version does not run: it {}", outcome.recorded(""))),
        }),
    }
}

/// What one sequence gave on both versions.
struct RunOnBoth {
    differences: Vec<VersionDifference>,
    /// What the new version showed.
    shown: Vec<Observation>,
}

impl SideBySide<'_, '_, '_> {
    /// Returns the events on both devices so far.
    fn events(&self) -> u64 {
        self.old.cost().events + self.new.cost().events
    }

    /// Compares sequences side by side. Where the old version lacks a detour, the rest is compared without it.
    fn compare_wave(&mut self, wave: &[Vec<Event>]) -> Result<Vec<ComparedSequence>, Failure> {
        let world_seed = self.settings.world_seed;
        let job = |events: &Vec<Event>| Job { world_seed, events: events.clone() };
        let jobs: Vec<Job> = wave.iter().map(job).collect();
        let shown = self.new.run_all(&jobs, NEVER_STOP)?;
        let named = |(events, shown): (&Vec<Event>, Execution)| ComparedSequence {
            left: Some(name_rows(events, &shown.observations)),
            ..ComparedSequence::default()
        };
        let mut compared: Vec<ComparedSequence> = wave.iter().zip(shown).map(named).collect();
        for _ in 0..=MAX_SKIPS {
            let mut open: Vec<(&mut ComparedSequence, Vec<Event>)> = compared
                .iter_mut()
                .filter_map(|one| one.left.take().map(|events| (one, events)))
                .collect();
            if open.is_empty() {
                break;
            }
            let events: Vec<&[Event]> = open.iter().map(|(_, events)| &events[..]).collect();
            let runs = self.run_both(&events, true)?;
            for ((one, events), run) in open.iter_mut().zip(runs) {
                one.add(events, run.differences, &run.shown);
            }
        }
        Ok(compared)
    }

    /// Runs sequences on both versions, in two worlds each if asked for.
    fn run_both(
        &mut self,
        sequences: &[&[Event]],
        masks_noise: bool,
    ) -> Result<Vec<RunOnBoth>, Failure> {
        let ComparisonSettings { world_seed, knowledge, targets, .. } = self.settings;
        let worlds = [world_seed, world_seed.wrapping_add(1)];
        let worlds = if masks_noise { &worlds[..] } else { &worlds[..1] };
        let job = |(world_seed, events): (WorldSeed, &[Event])| Job {
            world_seed,
            events: events.to_vec(),
        };
        let of_world =
            |&world: &WorldSeed| sequences.iter().map(move |events| job((world, events)));
        let jobs: Vec<Job> = worlds.iter().flat_map(of_world).collect();
        let new = self.new.run_all(&jobs, NEVER_STOP)?;
        let old = self.old.run_all(&jobs, NEVER_STOP)?;
        // The second world begins where the first ends; without one the first serves twice.
        let again = jobs.len() - sequences.len();
        let compare = |(number, &events): (usize, &&[Event])| {
            let seen = |of: &[Execution], at: usize| of[at + number].observations.clone();
            let (new, new_again) = (seen(&new, 0), seen(&new, again));
            let (old, old_again) = (seen(&old, 0), seen(&old, again));
            let runs = ComparedRuns { events, old: [&old, &old_again], new: [&new, &new_again] };
            RunOnBoth { differences: compare_versions(runs, knowledge, targets), shown: new }
        };
        Ok(sequences.iter().enumerate().map(compare).collect())
    }

    /// Removes the events that a difference does not need.
    fn shorten(&mut self, found: &mut FoundDifference) -> Result<(), Failure> {
        let key = found.difference.key();
        let events = found.events.clone();
        let mut shows_it = |events: &[Event]| {
            let runs = self.run_both(&[events], false)?;
            let same = runs[0].differences.iter().find(|difference| difference.key() == key);
            Ok(same.map(VersionDifference::step))
        };
        let shorter = shorten(&events, SHORTENING_RUNS, &mut shows_it)?;
        if shorter.len() < events.len() {
            let runs = self.run_both(&[&shorter], true)?;
            let mut differences = runs.into_iter().flat_map(|run| run.differences);
            if let Some(same) = differences.find(|it| it.key() == key) {
                let shown = shorter[..same.step().min(shorter.len())].to_vec();
                *found = FoundDifference { difference: same, events: shown };
            }
        }
        Ok(())
    }
}
