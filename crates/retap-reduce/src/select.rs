//! Before the phases: which recordings are worth anything, and which of them replay. A recording whose
//! coverage others give already is redundant (the paper's part 1) and never has to be run; of the rest
//! the longest prefix that replays is kept, and what comes after it is quarantined with its rate.

use crate::cost::{CostModel, Size};
use crate::need::{Need, Needs};
use crate::recording::Recording;
use crate::replay::{Halt, Patience, Replay};
use crate::tally::Tally;
use retap_model::{Coverage, Rate};
use serde::Serialize;
use std::collections::BTreeSet;

/// A recording that is part of the problem: it replays, and this is what its steps cover when it does.
#[derive(Debug)]
pub(crate) struct Selected {
    /// Which recording.
    pub source: usize,
    pub recording: Recording,
    /// Needs that the launch and each step cover.
    pub needs: Vec<Coverage>,
}

/// The end of a recording that did not follow it when it was run again.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Quarantined {
    pub trace: usize,
    /// The first step that some run did not follow; zero is the launch.
    pub step: usize,
    pub steps: usize,
    pub rate: Rate,
}

/// What recordings covered and no replay did: lost to flakiness, and said so.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Unstable {
    pub need: Need,
    pub trace: usize,
    pub step: usize,
}

#[derive(Debug, Default)]
pub(crate) struct Selection {
    pub kept: Vec<Selected>,
    pub selected: Vec<Selected>,
    pub quarantined: Vec<Quarantined>,
    /// Everything that recordings say they cover, but for those unexamined.
    pub claimed: Coverage,
    /// Everything that they cover when they are replayed.
    pub stable: Coverage,
    /// Recordings that would add something, and that it was stopped before or at.
    pub unexamined: Vec<usize>,
}

/// On a device that repeats itself recordings are believed, but for those that are `doubted`.
pub(crate) fn select<R: Replay>(
    recordings: &[Recording],
    doubted: &BTreeSet<usize>,
    needs: &mut Needs,
    replay: &mut R,
    tally: &mut Tally,
) -> Result<Selection, R::Error> {
    let mut selection = Selection::default();
    // What must stay comes first, so that nothing else is chosen for what it covers anyway.
    let order = |keep: bool| (0..recordings.len()).filter(move |at| recordings[*at].keep == keep);
    for source in order(true).chain(order(false)) {
        let recording = &recordings[source];
        let promised = covered(recording, needs);
        let promise = promised.iter().fold(Coverage::new(), |all, one| all.union(one));
        if !recording.keep && promise.is_subset(&selection.stable) {
            selection.claimed.union_with(&promise);
            tally.traces_saved += 1;
            continue;
        }
        let last = promised.iter().rposition(|needs| !needs.is_subset(&selection.stable));
        let steps = if recording.keep { recording.trace.steps.len() } else { last.unwrap_or(0) };
        let proven = match selection.unexamined[..] {
            [] if replay.repeats() && !recording.keep && !doubted.contains(&source) => {
                Ok(Some(beginning(recording, steps)))
            }
            [] => prove((source, steps), recording, &mut selection, replay, tally),
            _ => Err(Halt::Stopped),
        };
        let proven = match proven {
            Ok(proven) => proven,
            Err(Halt::Stopped) => {
                selection.unexamined.push(source);
                continue;
            }
            Err(Halt::Failed(error)) => return Err(error),
        };
        selection.claimed.union_with(&promise);
        let Some(recording) = proven else { continue };
        let needs = covered(&recording, needs);
        let gain = needs.iter().fold(Coverage::new(), |all, one| all.union(one));
        if recording.keep || !gain.is_subset(&selection.stable) {
            selection.stable.union_with(&gain);
            let list = if recording.keep { &mut selection.kept } else { &mut selection.selected };
            list.push(Selected { source, recording, needs });
        }
    }
    Ok(selection)
}

fn covered(recording: &Recording, needs: &mut Needs) -> Vec<Coverage> {
    let step = |(at, units)| needs.of(recording.trace.led(at), units);
    recording.covered.iter().map(AsRef::as_ref).enumerate().map(step).collect()
}

fn beginning(recording: &Recording, steps: usize) -> Recording {
    let Recording { mut trace, mut covered, keep } = recording.clone();
    trace.steps.truncate(steps);
    covered.truncate(steps + 1);
    Recording { trace, covered, keep }
}

/// The longest prefix that replays of those first steps which add something, with what it covered then;
/// nothing when not even the launch does.
fn prove<R: Replay>(
    (source, steps): (usize, usize),
    recording: &Recording,
    selection: &mut Selection,
    replay: &mut R,
    tally: &mut Tally,
) -> Result<Option<Recording>, Halt<R::Error>> {
    let keep = recording.keep;
    let mut trace = recording.trace.clone();
    trace.steps.truncate(steps);
    tally.rounds += 1;
    let answers = replay.replay(std::slice::from_ref(&trace), Patience::Measure)?;
    let Some(mut replayed) = answers.into_iter().next() else { return Ok(None) };
    tally.effort += replayed.effort();
    if !replayed.is_faithful(&trace) {
        let step = replayed.covered.len();
        let steps = recording.trace.steps.len();
        selection.quarantined.push(Quarantined { trace: source, step, steps, rate: replayed.rate });
        // A trace that must stay stays whole; but only what replays counts as covered by it.
        if keep {
            replayed.covered.resize_with(steps + 1, Default::default);
        }
    }
    let Some(steps) = replayed.covered.len().checked_sub(1) else { return Ok(None) };
    trace.steps.truncate(steps);
    Ok(Some(Recording { trace, covered: replayed.covered, keep }))
}

/// Where what was lost had been recorded first.
pub(crate) fn unstable(
    recordings: &[Recording],
    needs: &mut Needs,
    lost: &Coverage,
) -> Vec<Unstable> {
    let mut left = lost.clone();
    let mut list = Vec::new();
    for (trace, recording) in recordings.iter().enumerate() {
        if left.is_empty() {
            break;
        }
        for (step, covered) in covered(recording, needs).iter().enumerate() {
            for need in covered.intersection(&left).iter() {
                list.push(Unstable { need: needs.name(need), trace, step });
            }
            left = left.difference(covered);
        }
    }
    list
}

pub(crate) fn size<'a>(
    recordings: impl IntoIterator<Item = &'a Recording>,
    model: CostModel,
) -> Size {
    recordings.into_iter().map(|recording| Size::of(&recording.trace, model)).sum()
}
