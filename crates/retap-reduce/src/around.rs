//! What the answer is compared with: all suites made of the recordings, of what phase 1 made of them, and of
//! the answer's own traces, which may have gone where none of them did.

use crate::bound::{LowerBound, lower_bound};
use crate::cost::CostModel;
use crate::ground::Ground;
use crate::lts::Lts;
use crate::need::Needs;
use crate::recording::Recording;
use crate::reduction::Reduced;
use crate::select::Selected;
use crate::trial::Proven;
use retap_model::Coverage;

pub(crate) struct Around {
    pub selected: Vec<Selected>,
    pub shortened: Vec<Reduced>,
    /// Needs no covering: kept traces do it.
    pub kept: Coverage,
    pub cost: CostModel,
}

impl Around {
    /// The least that a suite of at most k fragments a trace could cost beside the traces that are kept.
    pub fn bound(
        self,
        answer: &[Reduced],
        k: usize,
        needs: &mut Needs,
        is_stopped: impl Fn() -> bool,
    ) -> Option<LowerBound> {
        let Self { mut selected, shortened, kept, cost } = self;
        let all: Coverage = selected.iter().flat_map(|selected| &selected.needs).collect();
        selected.extend(shortened.into_iter().map(|one| as_selected(one, needs)));
        let others = selected.len();
        let answer = answer.iter().filter(|one| !one.kept);
        selected.extend(answer.map(|one| as_selected(one.clone(), needs)));
        // Code that the answer alone runs needs no covering either.
        let more: Coverage = selected.iter().flat_map(|selected| &selected.needs).collect();
        let ground = Ground::new(&selected, &kept.union(&more.difference(&all)), cost);
        let whole = |trace: usize| Proven::recorded(&ground, trace, usize::MAX);
        let traces: Vec<Proven> = (0..selected.len()).map(whole).collect();
        let lts = Lts::new(&ground, &traces);
        lower_bound(&ground, &lts, &traces[others..], k, is_stopped)
    }
}

fn as_selected(one: Reduced, needs: &mut Needs) -> Selected {
    let Reduced { trace, covered, origins, .. } = one;
    let source = origins.first().map_or(0, |launch| launch.trace);
    let needs = needs.along(&trace, &covered);
    let recording = Recording { trace, covered, keep: false };
    Selected { source, recording, needs, chosen: None }
}
