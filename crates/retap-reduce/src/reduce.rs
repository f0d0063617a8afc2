//! A suite in, a smaller one out: the story from recordings to proof.

use crate::around::Around;
use crate::bound::LowerBound;
use crate::cost::Size;
use crate::inquiry::Inquiry;
use crate::limits::Options;
use crate::need::Needs;
use crate::phases::{Phases, Task, phases};
use crate::proof::prove;
use crate::recording::{Recording, Unrecorded};
use crate::reduction::{Reduction, Stages};
use crate::replay::Replay;
use crate::select::{Selection, select, size, unstable};
use retap_model::Coverage;
use std::collections::BTreeSet;

#[derive(Debug, thiserror::Error)]
pub enum Error<E> {
    #[error(transparent)]
    Unrecorded(#[from] Unrecorded),
    #[error("{0}")]
    Replay(E),
}

pub fn reduce<R: Replay>(
    recordings: &[Recording],
    options: &Options,
    replay: &mut R,
) -> Result<Reduction, Error<R::Error>> {
    recordings.iter().enumerate().try_for_each(|(at, recording)| recording.check(at))?;
    reduce_recorded(recordings, options, replay).map_err(Error::Replay)
}

/// Believes recordings where it may, until the suite shows that some of them do not hold.
fn reduce_recorded<R: Replay>(
    recordings: &[Recording],
    options: &Options,
    replay: &mut R,
) -> Result<Reduction, R::Error> {
    let mut inquiry = Inquiry::new(replay);
    let mut doubted = BTreeSet::new();
    let mut passes = 0;
    loop {
        match pass(recordings, &doubted, options, &mut inquiry)? {
            Pass::Done(reduction) => return Ok(*reduction),
            Pass::Refuted(sources) => {
                passes += 1;
                doubted.extend(sources);
                if passes == PASSES {
                    doubted.extend(0..recordings.len());
                }
            }
        }
    }
}

/// Passes before no recording is believed any more.
const PASSES: usize = 3;

enum Pass {
    Done(Box<Reduction>),
    /// Recordings that the suite is made of and that do not hold.
    Refuted(Vec<usize>),
}

fn pass<R: Replay>(
    recordings: &[Recording],
    doubted: &BTreeSet<usize>,
    options: &Options,
    inquiry: &mut Inquiry<'_, R>,
) -> Result<Pass, R::Error> {
    let Options { scope, cost, limits } = options;
    let mut needs = Needs::new(scope.clone());
    let selection = select(recordings, doubted, (&mut needs, *cost), inquiry)?;
    let begun = inquiry.tally.effort;
    // A pass that is done again remembers what was tried.
    let least = if doubted.is_empty() { limits.effort / 4 } else { limits.effort / 10 };
    let believes = doubted.len() < recordings.len();
    let to_confirm = if believes { selection.effort() } else { 0 };
    let left = limits.effort.saturating_sub(begun).max(to_confirm + least);
    let ends = limits.shares(left, to_confirm).map(|share| begun + share);
    let task = Task { recordings, selection: &selection, believes, limits, cost: *cost, ends };
    let Phases { suite: traces, shortened, sizes, stopped } =
        match phases(&task, &mut needs, inquiry)? {
            Ok(phases) => phases,
            Err(refuted) => return Ok(Pass::Refuted(refuted)),
        };
    let Selection { kept, selected, quarantined, claimed, stable, unexamined } = selection;
    let size_kept = size(kept.iter().map(|kept| &kept.recording), *cost);
    let [selected_size, phase_1, phase_2] = sizes.map(|size| size_kept + size);
    let stages = Stages {
        recorded: size(recordings, *cost),
        selected: selected_size,
        phase_1,
        phase_2,
        phase_3: traces.iter().map(|one| Size::of(&one.trace, *cost)).sum(),
    };
    let of_kept: Coverage = kept.iter().flat_map(|kept| &kept.needs).collect();
    let around = Around { selected, shortened, kept: of_kept, cost: *cost };
    let k = limits.fragments.max(1);
    let bound = (!stopped)
        .then(|| around.bound(&traces, k, &mut needs, || inquiry.replay.is_stopped()))
        .flatten();
    let lower_bound = bound.map(|bound| LowerBound { cost: bound.cost + size_kept.cost, ..bound });
    // A spliced trace may show again what no recording did.
    let shown = traces.iter().flat_map(|one| needs.along(&one.trace, &one.covered));
    let shown = shown.fold(stable, |all, one| all.union(&one)).intersection(&claimed);
    let unstable = unstable(recordings, &mut needs, &claimed.difference(&shown));
    let proof = prove(recordings, &unexamined, &traces, &shown, &mut needs);
    let tally = inquiry.tally;
    Ok(Pass::Done(Box::new(Reduction {
        traces,
        stages,
        lower_bound,
        quarantined,
        unstable,
        stopped,
        unexamined,
        proof,
        tally,
    })))
}
