//! The suites that the lower bound compares with: all that can be made of the recorded traces, of what phase 1 made of
//! them, and of the answer's own traces, which may have led where no other trace did.

use super::{LowerBound, lower_bound};
use crate::model::cost::CostModel;
use crate::model::indexed_traces::IndexedTraces;
use crate::model::requirement_index::RequirementIndex;
use crate::model::verified_path::VerifiedPath;
use crate::phase2::transition_system::TransitionSystem;
use crate::recorded_trace::RecordedTrace;
use crate::reduction::ReducedTrace;
use crate::select::SelectedTrace;
use retap_model::Coverage;

pub(crate) struct ComparisonSuites {
    pub selected: Vec<SelectedTrace>,
    /// Recorded traces that were not selected, or not as a whole.
    pub others: Vec<SelectedTrace>,
    pub shortened: Vec<ReducedTrace>,
    /// Kept traces cover these requirements, so nothing else has to.
    pub covered_by_kept: Coverage,
    pub cost: CostModel,
}

impl ComparisonSuites {
    /// Returns the least that a suite of at most `fragments` fragments per trace can cost, besides the kept traces.
    pub fn lower_bound(
        self,
        answer: &[ReducedTrace],
        fragments: usize,
        requirements: &mut RequirementIndex,
        is_stopped: impl Fn() -> bool,
    ) -> Option<LowerBound> {
        let Self { selected: mut traces, others, shortened, covered_by_kept, cost } = self;
        let claimed = covered_by(&traces);
        traces.extend(others);
        traces.extend(shortened.into_iter().map(|one| as_selected(one, requirements)));
        let first_of_answer = traces.len();
        let answer = answer.iter().filter(|one| !one.kept);
        traces.extend(answer.map(|one| as_selected(one.clone(), requirements)));
        // Neither code that only the answer runs nor code that did not run again has to be covered.
        let required = claimed.intersection(&covered_by(&traces[first_of_answer..]));
        let not_required = covered_by_kept.union(&covered_by(&traces).difference(&required));
        let indexed = IndexedTraces::new(&traces, &not_required, cost);
        let whole = |trace: usize| VerifiedPath::recorded(&indexed, trace);
        let paths: Vec<VerifiedPath> = (0..traces.len()).map(whole).collect();
        let system = TransitionSystem::new(&indexed, &paths);
        lower_bound(&system, &paths[first_of_answer..], fragments, is_stopped)
    }
}

fn covered_by(traces: &[SelectedTrace]) -> Coverage {
    traces.iter().flat_map(|selected| &selected.requirements_by_step).collect()
}

fn as_selected(reduced: ReducedTrace, requirements: &mut RequirementIndex) -> SelectedTrace {
    let ReducedTrace { trace, covered, origins, .. } = reduced;
    let source = origins[0].trace;
    let requirements_by_step = requirements.covered_by_steps(&trace, &covered);
    let recorded = RecordedTrace { trace, covered, keep: false };
    SelectedTrace { source, recorded, requirements_by_step, chosen_steps: None }
}
