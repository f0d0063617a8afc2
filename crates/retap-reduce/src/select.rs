//! Selects the traces that the phases work on, before anything is reduced. The prefix that adds most for its cost is
//! chosen first. A trace whose coverage others give already is redundant (the paper's part 1) and never has to
//! run. Of the others the longest prefix that replays is used, and the rest is quarantined with its success rate.

mod examination;
mod prefix_candidates;
pub(crate) mod quarantine;

use crate::model::cost::CostModel;
use crate::model::requirement_index::RequirementIndex;
use crate::recorded_trace::RecordedTrace;
use crate::replay::session::ReplaySession;
use crate::replay::{Replay, run_effort};
use examination::{Examination, RecordingExaminer};
use prefix_candidates::{PrefixCandidate, PrefixCandidates};
use quarantine::QuarantinedTrace;
use retap_model::Coverage;
use std::collections::{BTreeMap, BTreeSet};

/// A recorded trace that the phases may use: it replays, and covers what is said here when it does.
#[derive(Debug)]
pub(crate) struct SelectedTrace {
    /// The index of the recorded trace.
    pub source: usize,
    pub recorded: RecordedTrace,
    /// The requirements that the launch and each step cover.
    pub requirements_by_step: Vec<Coverage>,
    /// The number of first steps that belong to the initial suite. The other steps, or all of them if this is none,
    /// can only be spliced with.
    pub chosen_steps: Option<usize>,
}

/// The traces that the phases work on, and those that they leave out.
#[derive(Debug, Default)]
pub(crate) struct TraceSelection {
    /// Traces that stay in the suite as they are.
    pub kept: Vec<SelectedTrace>,
    pub selected: Vec<SelectedTrace>,
    pub quarantined: Vec<QuarantinedTrace>,
    /// The requirements that recordings claim to cover, without those of unexamined traces.
    pub claimed: Coverage,
    /// The requirements that the traces cover when they are replayed.
    pub stable: Coverage,
    /// Indices of recorded traces that would add something but were not examined before the reduction was stopped.
    pub unexamined: Vec<usize>,
}

impl TraceSelection {
    /// Returns the effort of running the initial suite once.
    pub fn effort_to_run(&self) -> u64 {
        self.selected.iter().filter_map(|selected| selected.chosen_steps).map(run_effort).sum()
    }

    /// Returns the requirements that kept traces cover.
    pub fn covered_by_kept(&self) -> Coverage {
        self.kept.iter().flat_map(|kept| &kept.requirements_by_step).collect()
    }
}

/// Selects traces. On a device whose recordings can be trusted only `doubted` traces and kept ones are replayed.
pub(crate) fn select<R: Replay>(
    recorded_traces: &[RecordedTrace],
    doubted: &BTreeSet<usize>,
    cost: CostModel,
    requirements: &mut RequirementIndex,
    session: &mut ReplaySession<'_, R>,
) -> Result<TraceSelection, R::Error> {
    let mut candidates = PrefixCandidates::default();
    let mut claimed_by_trace: Vec<Coverage> = Vec::new();
    for (source, recorded) in recorded_traces.iter().enumerate() {
        let by_step = requirements.covered_by_steps(&recorded.trace, &recorded.covered);
        claimed_by_trace.push(by_step.iter().collect());
        if !recorded.keep {
            candidates.add(source, recorded, by_step, cost);
        }
    }
    let examiner = RecordingExaminer::new(recorded_traces, doubted, session);
    let mut selector = TraceSelector {
        recorded_traces,
        claimed: claimed_by_trace.iter().collect(),
        requirements,
        examiner,
        selection: TraceSelection::default(),
        usable: BTreeMap::new(),
    };
    // Kept traces come first, so that nothing else is chosen for what they cover anyway.
    selector.select_kept()?;
    selector.choose_initial_suite(&mut candidates)?;
    selector.select_for_splicing(candidates);
    let TraceSelector { examiner, mut selection, .. } = selector;
    selection.quarantined = examiner.quarantined;
    selection.unexamined = examiner.unexamined;
    for (source, claimed) in claimed_by_trace.iter().enumerate() {
        if !selection.unexamined.contains(&source) {
            selection.claimed.union_with(claimed);
        }
    }
    Ok(selection)
}

struct TraceSelector<'s, 'r, R> {
    recorded_traces: &'s [RecordedTrace],
    /// The requirements that recordings claim to cover.
    claimed: Coverage,
    requirements: &'s mut RequirementIndex,
    examiner: RecordingExaminer<'s, 'r, R>,
    selection: TraceSelection,
    /// Traces that were examined, by source, cut to what replays.
    usable: BTreeMap<usize, RecordedTrace>,
}

impl<R: Replay> TraceSelector<'_, '_, R> {
    fn select_kept(&mut self) -> Result<(), R::Error> {
        for (source, recorded) in self.recorded_traces.iter().enumerate().filter(|(_, it)| it.keep)
        {
            let steps = recorded.trace.steps.len();
            if let Examination::Usable(recorded) = self.examiner.replay(source, steps)? {
                let requirements_by_step = self.covered_by_steps(&recorded);
                self.selection.stable.extend(&requirements_by_step);
                let chosen_steps = Some(recorded.trace.steps.len());
                let kept = SelectedTrace { source, recorded, requirements_by_step, chosen_steps };
                self.selection.kept.push(kept);
            }
        }
        Ok(())
    }

    /// Chooses prefixes greedily until nothing adds anything, and examines each trace before it is chosen.
    fn choose_initial_suite(&mut self, candidates: &mut PrefixCandidates) -> Result<(), R::Error> {
        let can_trust_recordings = self.examiner.can_trust_recordings();
        if !can_trust_recordings {
            self.examine_in_order(candidates)?;
        }
        while let Some(choice) = candidates.find_best(&self.selection.stable) {
            let PrefixCandidate { source, requirements_by_step, .. } =
                candidates.get(choice.candidate);
            if self.usable.contains_key(source) {
                self.selection.stable.extend(&requirements_by_step[..=choice.steps]);
                candidates.choose(choice);
            } else if can_trust_recordings {
                let last = find_last_adding_step(requirements_by_step, &self.selection.stable);
                self.examine(candidates, choice.candidate, last.unwrap_or(0))?;
            }
        }
        Ok(())
    }

    /// Examines traces first come, first served, as the paper does. Where no recording is trusted, replays are what
    /// costs, so the choice is among those traces alone.
    fn examine_in_order(&mut self, candidates: &mut PrefixCandidates) -> Result<(), R::Error> {
        let mut covered = self.selection.stable.clone();
        for index in 0..candidates.len() {
            let by_step = &candidates.get(index).requirements_by_step;
            let Some(last) = find_last_adding_step(by_step, &covered) else { continue };
            if self.examine(candidates, index, last)? {
                covered.extend(&candidates.get(index).requirements_by_step);
            }
        }
        Ok(())
    }

    /// Examines the first steps of a candidate. Returns true if the candidate is usable.
    fn examine(
        &mut self,
        candidates: &mut PrefixCandidates,
        index: usize,
        steps: usize,
    ) -> Result<bool, R::Error> {
        let source = candidates.get(index).source;
        let Examination::Usable(recorded) = self.examiner.examine(source, steps)? else {
            return Ok(false);
        };
        candidates.set_requirements(index, self.covered_by_steps(&recorded));
        let before = self.usable.insert(source, recorded);
        assert!(before.is_none(), "trace {source} is examined once");
        Ok(true)
    }

    /// Selects the chosen traces and those that first come, first served, the paper's rule, would take: they are worth
    /// splicing with.
    fn select_for_splicing(&mut self, candidates: PrefixCandidates) {
        let kept: Coverage = self.selection.covered_by_kept();
        let mut covered = kept.clone();
        for candidate in candidates.finish(&kept) {
            let PrefixCandidate { source, mut requirements_by_step, chosen_steps, .. } = candidate;
            let mut recorded = match self.usable.remove(&source) {
                None if !self.examiner.is_trusted(source) => continue,
                None => self.recorded_traces[source].clone(),
                Some(recorded) => recorded,
            };
            let is_saved = chosen_steps.is_none() && !self.examiner.has_replayed(source);
            self.examiner.session.stats.traces_saved += u64::from(is_saved);
            let adding = find_last_adding_step(&requirements_by_step, &covered);
            let Some(steps) = adding.max(chosen_steps) else { continue };
            requirements_by_step.truncate(steps + 1);
            covered.extend(&requirements_by_step);
            recorded.truncate(steps);
            self.selection.selected.push(SelectedTrace {
                source,
                recorded,
                requirements_by_step,
                chosen_steps,
            });
        }
    }

    /// Returns the requirements that a replayed trace covers. What no recording claims is no requirement.
    fn covered_by_steps(&mut self, recorded: &RecordedTrace) -> Vec<Coverage> {
        let by_step = self.requirements.covered_by_steps(&recorded.trace, &recorded.covered);
        by_step.iter().map(|covered| covered.intersection(&self.claimed)).collect()
    }
}

/// Returns the last step that covers anything beyond `covered`.
fn find_last_adding_step(requirements_by_step: &[Coverage], covered: &Coverage) -> Option<usize> {
    requirements_by_step.iter().rposition(|requirements| !requirements.is_subset(covered))
}
