//! A suite in, a smaller one out: the story from recordings to proof.

use crate::bound::{LowerBound, lower_bound};
use crate::cost::{CostModel, Size};
use crate::eliminate::eliminate;
use crate::ground::{Ground, Path};
use crate::inquiry::Inquiry;
use crate::lts::Lts;
use crate::need::{Need, Needs, Scope};
use crate::proof::{Proof, prove};
use crate::recording::{Recording, Unrecorded};
use crate::repair::confirmed;
use crate::replay::{RESTART, Replay};
use crate::select::{Quarantined, Selected, Selection, Unstable, select, size, unstable};
use crate::splice::{Spliced, splice};
use crate::tally::Tally;
use crate::trial::{Proven, Trial, union};
use crate::trim::cheapest;
use retap_model::{Coverage, Trace};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::sync::Arc;

#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    pub scope: Scope,
    pub cost: CostModel,
    pub limits: Limits,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// k: fragments that one spliced trace may be made of. Zero leaves phase 2 out.
    pub fragments: usize,
    /// Candidates that are put to the test for one trace of phase 1.
    pub candidates: usize,
    /// Plans of phase 2 before what is left is taken as phase 1 left it.
    pub plans: usize,
    /// Nodes that one search expands.
    pub nodes: u64,
    /// Events that replays may take, a restart counted as fifteen. Recordings that are not redundant are
    /// replayed in any case, and a quarter of this is always there for candidates.
    pub effort: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { fragments: 3, candidates: 64, plans: 16, nodes: 2_000, effort: 1_000_000 }
    }
}

impl Limits {
    /// Three fifths of the effort that it took to record these, so that reducing, with what is computed and
    /// confirmed beside it, takes less time than recording; and enough for a handful of small traces.
    pub fn effort_to_record(recordings: &[Recording]) -> u64 {
        const LEAST: u64 = 5_000;
        let effort = |recording: &Recording| RESTART + recording.trace.steps.len() as u64;
        (recordings.iter().map(effort).sum::<u64>() / 5 * 3).max(LEAST)
    }
}

#[derive(Debug, Clone)]
pub struct Reduction {
    pub traces: Vec<Reduced>,
    pub stages: Stages,
    pub lower_bound: Option<LowerBound>,
    pub quarantined: Vec<Quarantined>,
    pub unstable: Vec<Unstable>,
    /// It was stopped: the suite is the best that was known to replay by then, and has no bound.
    pub stopped: bool,
    /// Recordings that were not looked at any more: what only they cover is not in the suite.
    pub unexamined: Vec<usize>,
    pub proof: Proof,
    pub tally: Tally,
}

/// A trace of the answer.
#[derive(Debug, Clone)]
pub struct Reduced {
    pub trace: Trace,
    /// What ran when it was replayed, the launch first.
    pub covered: Vec<Arc<Coverage>>,
    /// Which recorded launch and steps it is made of.
    pub origins: Vec<Origin>,
    /// Was to be kept as it is.
    pub kept: bool,
}

/// A launch (step zero) or step of a recording.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Origin {
    pub trace: usize,
    pub step: usize,
}

/// How large the suite was on its way, kept traces included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stages {
    pub recorded: Size,
    /// What was not redundant, cut to what replays.
    pub selected: Size,
    pub phase_1: Size,
    pub phase_2: Size,
}

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
    Options { scope, cost, limits }: &Options,
    inquiry: &mut Inquiry<'_, R>,
) -> Result<Pass, R::Error> {
    let mut needs = Needs::new(scope.clone());
    let Selection { kept, selected, quarantined, claimed, stable, unexamined } =
        select(recordings, doubted, (&mut needs, *cost), inquiry)?;
    let of_kept: Coverage = kept.iter().flat_map(|kept| &kept.needs).collect();
    let ground = Ground::new(&selected, &of_kept, *cost);
    let mut trial = Trial::new(&ground, &mut needs, inquiry, !unexamined.is_empty());

    let begun = trial.inquiry.tally.effort;
    // A pass that is done again remembers what was tried.
    let least = if doubted.is_empty() { limits.effort / 4 } else { limits.effort / 10 };
    let left = limits.effort.saturating_sub(begun).max(least);
    // A third of it for phase 2.
    let ends = (begun + left / 3 * 2, begun + left);
    let chosen: Vec<Proven> = trial.chosen().collect();
    let phase_1 = eliminate(&mut trial, chosen.clone(), limits, ends.0)?;
    let recorded: Vec<Proven> = trial.recorded().collect();
    // A beginning of what was recorded is in it already.
    let shortened = phase_1.iter().filter(|proven| !ground.is_recorded(&proven.path));
    let lts = Lts::new(&ground, shortened.chain(&recorded));
    let Spliced { suite, spare } = match limits.fragments {
        0 => Spliced { suite: phase_1.clone(), spare: Vec::new() },
        _ => splice(&mut trial, &phase_1, &lts, limits, ends.1)?,
    };
    let mut phase_2 = cheapest(&ground, phase_1.clone(), suite, spare);
    if doubted.len() < recordings.len() {
        let (confirmed, refuted) = confirmed(&mut trial, phase_2, &union(&ground, &phase_1))?;
        phase_2 = confirmed;
        if !refuted.is_empty() {
            let edges = refuted.iter().flat_map(|proven| &proven.path.edges);
            let traces = edges.map(|edge| ground.edges[*edge].trace);
            let traces = traces.chain(refuted.iter().map(|proven| proven.path.launch));
            let sources = traces.map(|trace| selected[trace].source).collect();
            return Ok(Pass::Refuted(sources));
        }
    }
    let stopped = trial.stopped || trial.inquiry.replay.is_stopped();
    let tally = trial.inquiry.tally;

    let size_kept = size(kept.iter().map(|kept| &kept.recording), *cost);
    let size_of = |traces: &[Proven]| {
        let sizes = traces.iter().map(|proven| Size::of(&ground.trace(&proven.path), *cost));
        size_kept + sizes.sum()
    };
    let stages = Stages {
        recorded: size(recordings, *cost),
        selected: size_of(&chosen),
        phase_1: size_of(&phase_1),
        phase_2: size_of(&phase_2),
    };
    let is_stopped = || inquiry.replay.is_stopped();
    let bound = (!stopped)
        .then(|| lower_bound(&ground, &lts, &phase_2, limits.fragments.max(1), is_stopped))
        .flatten();
    let lower_bound = bound.map(|bound| LowerBound { cost: bound.cost + size_kept.cost, ..bound });
    let traces: Vec<Reduced> = kept
        .iter()
        .map(|selected| kept_whole(selected, &recordings[selected.source]))
        .chain(phase_2.into_iter().map(|proven| reduced(&ground, proven)))
        .collect();
    // A spliced trace may show again what no recording did.
    let shown = traces.iter().flat_map(|one| {
        let step = |(at, units): (usize, &Arc<Coverage>)| needs.of(one.trace.led(at), units);
        one.covered.iter().enumerate().map(step).collect::<Vec<_>>()
    });
    let shown = shown.fold(stable, |all, one| all.union(&one)).intersection(&claimed);
    let unstable = unstable(recordings, &mut needs, &claimed.difference(&shown));
    let proof = prove(recordings, &unexamined, &traces, &shown, &mut needs);
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

fn kept_whole(selected: &Selected, recording: &Recording) -> Reduced {
    let origin = |step| Origin { trace: selected.source, step };
    Reduced {
        trace: recording.trace.clone(),
        covered: selected.recording.covered.clone(),
        origins: (0..=recording.trace.steps.len()).map(origin).collect(),
        kept: true,
    }
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

impl Reduction {
    /// How far above the lower bound the answer is, as a share of the bound.
    pub fn gap(&self) -> Option<f64> {
        let bound = self.lower_bound?.cost;
        (bound > 0).then(|| self.stages.phase_2.cost as f64 / bound as f64 - 1.0)
    }

    pub fn needs(&self) -> impl Iterator<Item = Need> + '_ {
        self.proof.covered.iter().map(|(need, _)| *need)
    }
}
