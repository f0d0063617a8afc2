//! Replays what the run did on both versions, each in two worlds, and keeps every difference once, by the fewest events.

use super::sequence::shorten;
use crate::{Context, Failure};
use retap_device::{DeviceError, Job, Lab};
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
    for (number, sequence) in sequences.iter().enumerate() {
        if context.is_interrupted() || pair.events() - before > settings.max_events {
            let left = sequences.len() - number;
            comparison.left_out =
                Some(format!("{left} of the run's traces were not compared: the budget is spent"));
            break;
        }
        progress.update(number as u64, "comparing both versions".into());
        pair.compare_one(sequence, &mut comparison, &mut found)?;
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

impl SideBySide<'_, '_, '_> {
    /// Returns the events on both devices so far.
    fn events(&self) -> u64 {
        self.old.cost().events + self.new.cost().events
    }

    fn compare_one(
        &mut self,
        sequence: &[Event],
        comparison: &mut VersionComparison,
        found: &mut BTreeMap<String, FoundDifference>,
    ) -> Result<(), Failure> {
        let shown = self
            .new
            .run(&Job { world_seed: self.settings.world_seed, events: sequence.to_vec() })?;
        let mut events = name_rows(sequence, &shown.observations);
        for _ in 0..=MAX_SKIPS {
            let (differences, new) = self.run_both(&events, true)?;
            comparison.sequences += 1;
            let last = differences.last();
            comparison.screens += last.map_or(new.len(), VersionDifference::step) as u64;
            let missing = match last {
                Some(VersionDifference::OnlyInNew { step, .. }) => step.checked_sub(1),
                Some(VersionDifference::OtherWindow { step, .. }) => step.checked_sub(1),
                _ => None,
            };
            for difference in differences {
                let shown = events[..difference.step().min(events.len())].to_vec();
                let new = FoundDifference { difference, events: shown };
                let known = found.entry(new.difference.key()).or_insert_with(|| new.clone());
                if new.events.len() < known.events.len() {
                    *known = new;
                }
            }
            let states: Vec<StateId> = new.iter().map(|it| BACK_AGAIN.state(&it.screen)).collect();
            match missing.and_then(|missing| skip_missing_event(&events, &states, missing)) {
                Some(shorter) => events = shorter,
                None => break,
            }
        }
        Ok(())
    }

    /// Runs events on both versions, in two worlds each if asked for, and returns their differences and what the new
    /// version showed.
    fn run_both(
        &mut self,
        events: &[Event],
        masks_noise: bool,
    ) -> Result<(Vec<VersionDifference>, Vec<Observation>), Failure> {
        let worlds = [self.settings.world_seed, self.settings.world_seed.wrapping_add(1)];
        let job = |world_seed| Job { world_seed, events: events.to_vec() };
        let new = self.new.run(&job(worlds[0]))?.observations;
        let old = self.old.run(&job(worlds[0]))?.observations;
        let again = match masks_noise {
            true => Some((
                self.old.run(&job(worlds[1]))?.observations,
                self.new.run(&job(worlds[1]))?.observations,
            )),
            false => None,
        };
        let (old_again, new_again) = again.as_ref().map_or((&old, &new), |(old, new)| (old, new));
        let runs = ComparedRuns { events, old: [&old, old_again], new: [&new, new_again] };
        let differences = compare_versions(runs, self.settings.knowledge, self.settings.targets);
        Ok((differences, new))
    }

    /// Removes the events that a difference does not need.
    fn shorten(&mut self, found: &mut FoundDifference) -> Result<(), Failure> {
        let key = found.difference.key();
        let events = found.events.clone();
        let mut shows_it = |events: &[Event]| {
            let (differences, _) = self.run_both(events, false)?;
            let same = differences.iter().find(|difference| difference.key() == key);
            Ok(same.map(VersionDifference::step))
        };
        let shorter = shorten(&events, SHORTENING_RUNS, &mut shows_it)?;
        if shorter.len() < events.len() {
            let (differences, _) = self.run_both(&shorter, true)?;
            if let Some(same) = differences.into_iter().find(|it| it.key() == key) {
                let shown = shorter[..same.step().min(shorter.len())].to_vec();
                *found = FoundDifference { difference: same, events: shown };
            }
        }
        Ok(())
    }
}
