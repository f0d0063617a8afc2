//! The paper's two phases and ours on what was selected, and the run that confirms what came of them.

use crate::bits::Bits;
use crate::cost::{CostModel, Size};
use crate::eliminate::eliminate;
use crate::ground::{Ground, Path};
use crate::inquiry::Inquiry;
use crate::limits::Limits;
use crate::lore::Lore;
use crate::lts::Lts;
use crate::need::Needs;
use crate::recording::Recording;
use crate::reduction::{Origin, Reduced};
use crate::repair::confirmed;
use crate::replay::Replay;
use crate::select::{Selected, Selection};
use crate::shrink::{Fate, Shrinker};
use crate::splice::{Spliced, splice};
use crate::trial::{Proven, Trial, union};
use crate::trim::cheapest;
use retap_model::Coverage;

pub(crate) struct Task<'t> {
    pub recordings: &'t [Recording],
    pub selection: &'t Selection,
    /// Some recordings were never run: what is made of them has to be.
    pub believes: bool,
    pub limits: &'t Limits,
    pub cost: CostModel,
    /// The effort at which each phase ends.
    pub ends: [u64; 3],
}

/// What the phases came to.
pub(crate) struct Phases {
    /// Kept traces first.
    pub suite: Vec<Reduced>,
    /// Traces of phase 1 that no recording begins with: fragments of the bound.
    pub shortened: Vec<Reduced>,
    /// What was chosen to begin with and what phases 1 and 2 made of it, kept traces apart.
    pub sizes: [Size; 3],
    pub stopped: bool,
}

/// The suite; or which recordings it is made of that do not hold.
pub(crate) fn phases<R: Replay>(
    task: &Task<'_>,
    needs: &mut Needs,
    inquiry: &mut Inquiry<'_, R>,
) -> Result<Result<Phases, Vec<usize>>, R::Error> {
    let Task { recordings, selection, believes, limits, cost, ends } = task;
    let Selection { kept, selected, unexamined, .. } = selection;
    let of_kept: Coverage = kept.iter().flat_map(|kept| &kept.needs).collect();
    let ground = Ground::new(selected, &of_kept, *cost);
    let mut trial = Trial::new(&ground, needs, inquiry, !unexamined.is_empty());
    let chosen: Vec<Proven> = trial.chosen().collect();
    let phase_1 = eliminate(&mut trial, chosen.clone(), limits, ends[0])?;
    let recorded: Vec<Proven> = trial.recorded().collect();
    // A beginning of what was recorded is in it already.
    let shortened: Vec<&Proven> =
        phase_1.iter().filter(|proven| !ground.is_recorded(&proven.path)).collect();
    let lts = Lts::new(&ground, shortened.iter().copied().chain(&recorded));
    let Spliced { suite, spare } = match limits.fragments {
        0 => Spliced { suite: phase_1.clone(), spare: Vec::new() },
        _ => splice(&mut trial, &phase_1, &lts, limits, ends[1])?,
    };
    let phase_2 = cheapest(&ground, phase_1.clone(), suite, spare);
    let size_of = |traces: &[Proven]| {
        traces.iter().map(|proven| Size::of(&ground.trace(&proven.path), *cost)).sum()
    };
    let sizes = [size_of(&chosen), size_of(&phase_1), size_of(&phase_2)];
    let (staying, shrunk) = shrunk(task, &mut trial, phase_2)?;
    let mut suite = staying;
    if *believes {
        let left = union(&ground, &phase_1).minus(&covered_by(&mut trial, &shrunk));
        let (confirmed, refuted) = confirmed(&mut trial, suite, &left)?;
        suite = confirmed;
        if !refuted.is_empty() {
            let edges = refuted.iter().flat_map(|proven| &proven.path.edges);
            let traces = edges.map(|edge| ground.edges[*edge].trace);
            let traces = traces.chain(refuted.iter().map(|proven| proven.path.launch));
            return Ok(Err(traces.map(|trace| selected[trace].source).collect()));
        }
    }
    let stopped = trial.stopped || trial.inquiry.replay.is_stopped();
    let as_reduced = |proven: Proven| reduced(&ground, proven);
    let whole = |selected: &Selected| kept_whole(selected, &recordings[selected.source]);
    Ok(Ok(Phases {
        shortened: shortened.into_iter().cloned().map(as_reduced).collect(),
        suite: kept
            .iter()
            .map(whole)
            .chain(suite.into_iter().map(as_reduced))
            .chain(shrunk)
            .collect(),
        sizes,
        stopped,
    }))
}

/// Phase 3: what stays as it is, and what was minimised.
fn shrunk<R: Replay>(
    Task { recordings, selection, believes, limits, cost, ends }: &Task<'_>,
    trial: &mut Trial<'_, '_, R>,
    suite: Vec<Proven>,
) -> Result<(Vec<Proven>, Vec<Reduced>), R::Error> {
    if !limits.minimize {
        return Ok((suite, Vec::new()));
    }
    let Selection { kept, claimed, .. } = selection;
    let whole = |selected: &Selected| kept_whole(selected, &recordings[selected.source]);
    let as_reduced = |proven: &Proven| reduced(trial.ground, proven.clone());
    let traces: Vec<Reduced> = kept.iter().map(whole).chain(suite.iter().map(as_reduced)).collect();
    let (needs, inquiry) = (&mut *trial.needs, &mut *trial.inquiry);
    let (cost, effort_ends, stopped) = (*cost, ends[2], trial.stopped);
    let (believes, lore) = (*believes, Lore::default());
    let mut shrinker =
        Shrinker { needs, inquiry, claimed, believes, cost, effort_ends, stopped, lore };
    let fates = shrinker.shrink(traces)?;
    trial.stopped = shrinker.stopped;
    let (mut staying, mut shrunk) = (Vec::new(), Vec::new());
    for (proven, fate) in suite.into_iter().zip(fates.into_iter().skip(kept.len())) {
        match fate {
            Fate::Stays => staying.push(proven),
            Fate::Redundant => {}
            Fate::Shrinks(smaller) => shrunk.push(*smaller),
        }
    }
    Ok((staying, shrunk))
}

fn covered_by<R: Replay>(trial: &mut Trial<'_, '_, R>, traces: &[Reduced]) -> Bits {
    let along = traces.iter().flat_map(|one| trial.needs.along(&one.trace, &one.covered));
    let all: Vec<Coverage> = along.collect();
    trial.ground.bundles(&all.iter().collect())
}

fn reduced(ground: &Ground<'_>, proven: Proven) -> Reduced {
    let trace = ground.trace(&proven.path);
    let Path { launch, edges } = proven.path;
    let launch = Origin { trace: ground.selected[launch].source, step: 0 };
    let step = |edge: &usize| {
        let trace = ground.edges[*edge].trace;
        Origin { trace: ground.selected[trace].source, step: edge - ground.first[trace] + 1 }
    };
    let origins = std::iter::once(launch).chain(edges.iter().map(step)).collect();
    Reduced { trace, covered: proven.units, origins, kept: false }
}

fn kept_whole(selected: &Selected, recording: &Recording) -> Reduced {
    let origin = |step| Origin { trace: selected.source, step };
    Reduced {
        trace: recording.trace.clone(),
        covered: selected.recording.covered.clone(),
        origins: (0..=recording.trace.steps.len()).map(origin).collect(),
        kept: true,
    }
}
