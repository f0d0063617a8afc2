//! Before the phases: which recordings are worth anything, and which of them replay. What adds most for its
//! cost is chosen first; a recording whose coverage others give already is redundant (the paper's part 1) and
//! never has to be run. Of the rest the longest prefix that replays is kept, and what comes after it is
//! quarantined with its rate.

use crate::cost::{CostModel, Size};
use crate::inquiry::Inquiry;
use crate::need::{Need, Needs};
use crate::offer::{Offer, Offers};
use crate::recording::Recording;
use crate::replay::{Halt, Patience, RESTART, Replay, Replayed};
use retap_model::{Coverage, Rate, Trace};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// A recording that is part of the problem: it replays, and this is what its steps cover when it does.
#[derive(Debug)]
pub(crate) struct Selected {
    /// Which recording.
    pub source: usize,
    pub recording: Recording,
    /// Needs that the launch and each step cover.
    pub needs: Vec<Coverage>,
    /// As many first steps are part of the suite to begin with; the rest, or all of it, is there to be
    /// spliced with.
    pub chosen: Option<usize>,
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

impl Selection {
    /// What it would take to run the suite that was chosen once.
    pub fn effort(&self) -> u64 {
        let chosen = self.selected.iter().filter_map(|selected| selected.chosen);
        chosen.map(|steps| RESTART + steps as u64).sum()
    }
}

/// On a device that repeats itself recordings are believed, but for those that are `doubted`.
pub(crate) fn select<R: Replay>(
    recordings: &[Recording],
    doubted: &BTreeSet<usize>,
    (needs, cost): (&mut Needs, CostModel),
    inquiry: &mut Inquiry<'_, R>,
) -> Result<Selection, R::Error> {
    let promised: Vec<Vec<Coverage>> =
        recordings.iter().map(|recording| covered(recording, needs)).collect();
    let promises: Vec<Coverage> = promised.iter().map(|needs| needs.iter().collect()).collect();
    let mut offers = Offers::default();
    for (source, (recording, needs)) in recordings.iter().zip(promised).enumerate() {
        if !recording.keep {
            offers.add(source, recording, needs, cost);
        }
    }
    let (selection, run) = (Selection::default(), BTreeSet::new());
    let mut selector = Selector { recordings, doubted, needs, inquiry, selection, run };
    // What must stay comes first, so that nothing else is chosen for what it covers anyway.
    selector.keep()?;
    selector.choose(offers)?;
    let mut selection = selector.selection;
    for source in (0..recordings.len()).filter(|at| !selection.unexamined.contains(at)) {
        selection.claimed.union_with(&promises[source]);
    }
    Ok(selection)
}

struct Selector<'s, 'r, R> {
    recordings: &'s [Recording],
    doubted: &'s BTreeSet<usize>,
    needs: &'s mut Needs,
    inquiry: &'s mut Inquiry<'r, R>,
    selection: Selection,
    /// Recordings that had to be run.
    run: BTreeSet<usize>,
}

/// What came of looking at a recording.
enum Looked {
    /// It is believed, or was run: this much of it holds.
    Holds(Recording),
    /// Not even the launch does.
    Fails,
    /// Nobody looks any more.
    Unexamined,
}

impl<R: Replay> Selector<'_, '_, R> {
    fn keep(&mut self) -> Result<(), R::Error> {
        for (source, recording) in self.recordings.iter().enumerate().filter(|(_, it)| it.keep) {
            if let Looked::Holds(recording) = self.run(source, recording.trace.steps.len())? {
                let needs = covered(&recording, self.needs);
                self.selection.stable.extend(&needs);
                let chosen = Some(recording.trace.steps.len());
                self.selection.kept.push(Selected { source, recording, needs, chosen });
            }
        }
        Ok(())
    }

    fn choose(&mut self, mut offers: Offers) -> Result<(), R::Error> {
        let kept = self.selection.stable.clone();
        let mut held: BTreeMap<usize, Recording> = BTreeMap::new();
        if !self.inquiry.replay.repeats() {
            self.run_as_they_come(&mut offers, &mut held)?;
        }
        while let Some(best) = offers.best(&self.selection.stable) {
            let Offer { source, needs, .. } = offers.get(best.at);
            if held.contains_key(source) {
                self.selection.stable.extend(&needs[..=best.steps]);
                offers.choose(best);
            } else if self.inquiry.replay.repeats() {
                let (source, steps) = (*source, last_beyond(needs, &self.selection.stable));
                if let Looked::Holds(recording) = self.look(source, steps.unwrap_or(0))? {
                    offers.look_again(best.at, covered(&recording, self.needs));
                    held.insert(source, recording);
                }
            }
        }
        // The paper's way, first come, first served, tells what is worth splicing with.
        let mut came = kept.clone();
        for Offer { source, mut needs, chosen, .. } in offers.finish(&kept) {
            let recording = match held.remove(&source) {
                None if !self.is_believed(source) => continue,
                None => self.recordings[source].clone(),
                Some(recording) => recording,
            };
            let saved = chosen.is_none() && !self.run.contains(&source);
            self.inquiry.tally.traces_saved += u64::from(saved);
            let Some(steps) = last_beyond(&needs, &came).max(chosen) else { continue };
            needs.truncate(steps + 1);
            came.extend(&needs);
            let recording = beginning(recording, steps);
            self.selection.selected.push(Selected { source, recording, needs, chosen });
        }
        Ok(())
    }

    /// Where nothing is believed, running is what costs: the paper's way, and choices among those alone.
    fn run_as_they_come(
        &mut self,
        offers: &mut Offers,
        held: &mut BTreeMap<usize, Recording>,
    ) -> Result<(), R::Error> {
        let mut came = self.selection.stable.clone();
        for at in 0..offers.len() {
            let Offer { source, needs, .. } = offers.get(at);
            let (source, steps) = (*source, last_beyond(needs, &came));
            let Some(steps) = steps else { continue };
            if let Looked::Holds(recording) = self.look(source, steps)? {
                let needs = covered(&recording, self.needs);
                came.extend(&needs);
                offers.look_again(at, needs);
                held.insert(source, recording);
            }
        }
        Ok(())
    }

    fn is_believed(&self, source: usize) -> bool {
        self.inquiry.replay.repeats()
            && !self.doubted.contains(&source)
            && self.selection.unexamined.is_empty()
    }

    fn look(&mut self, source: usize, steps: usize) -> Result<Looked, R::Error> {
        if self.is_believed(source) {
            return Ok(Looked::Holds(self.recordings[source].clone()));
        }
        self.run(source, steps)
    }

    /// The longest prefix that replays of these first steps, with what it covered then.
    fn run(&mut self, source: usize, steps: usize) -> Result<Looked, R::Error> {
        if !self.selection.unexamined.is_empty() {
            self.selection.unexamined.push(source);
            return Ok(Looked::Unexamined);
        }
        let Recording { keep, trace, .. } = &self.recordings[source];
        let all = trace.steps.len();
        let mut trace = trace.clone();
        trace.steps.truncate(steps);
        let mut replayed = match self.replayed(&trace) {
            Ok(replayed) => replayed,
            Err(Halt::Stopped) => {
                self.selection.unexamined.push(source);
                return Ok(Looked::Unexamined);
            }
            Err(Halt::Failed(error)) => return Err(error),
        };
        self.run.insert(source);
        if !replayed.is_faithful(&trace) {
            let (step, rate) = (replayed.covered.len(), replayed.rate);
            self.selection.quarantined.push(Quarantined { trace: source, step, steps: all, rate });
            // A trace that must stay stays whole; but only what replays counts as covered by it.
            if *keep {
                replayed.covered.resize_with(all + 1, Default::default);
            }
        }
        let Some(steps) = replayed.covered.len().checked_sub(1) else { return Ok(Looked::Fails) };
        trace.steps.truncate(steps);
        Ok(Looked::Holds(Recording { trace, covered: replayed.covered, keep: *keep }))
    }

    fn replayed(&mut self, trace: &Trace) -> Result<Replayed, Halt<R::Error>> {
        if let Some(known) = self.inquiry.recall(trace) {
            return Ok(known.clone());
        }
        let answers = self.inquiry.ask(std::slice::from_ref(trace), Patience::Measure)?;
        answers.into_iter().next().ok_or(Halt::Stopped)
    }
}

/// The last step that covers anything beyond this.
fn last_beyond(needs: &[Coverage], covered: &Coverage) -> Option<usize> {
    needs.iter().rposition(|needs| !needs.is_subset(covered))
}

fn covered(recording: &Recording, needs: &mut Needs) -> Vec<Coverage> {
    needs.along(&recording.trace, &recording.covered)
}

fn beginning(recording: Recording, steps: usize) -> Recording {
    let Recording { mut trace, mut covered, keep } = recording;
    trace.steps.truncate(steps);
    covered.truncate(steps + 1);
    Recording { trace, covered, keep }
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
