//! The prefixes that recorded traces offer, before anything runs. Of all prefixes of all traces the one that adds most
//! for its cost comes first. The paper takes traces as they come; the greedy choice makes the initial suite half
//! as long at no cost.

use crate::model::cost::CostModel;
use crate::model::gain_ratio::GainRatio;
use crate::recorded_trace::RecordedTrace;
use retap_model::Coverage;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

#[derive(Debug, Default)]
pub(super) struct PrefixCandidates {
    candidates: Vec<PrefixCandidate>,
    /// The ratio of each candidate when it was last computed, which can only have fallen since. The first of equal
    /// candidates comes first.
    queue: BinaryHeap<(GainRatio, Reverse<usize>)>,
}

#[derive(Debug)]
pub(super) struct PrefixCandidate {
    /// The index of the recorded trace.
    pub source: usize,
    /// The requirements that the launch and each step cover.
    pub requirements_by_step: Vec<Coverage>,
    /// The costs of the launch and of each step.
    costs: Vec<u64>,
    /// The number of first steps that have been chosen.
    pub chosen_steps: Option<usize>,
}

/// The prefix to choose next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PrefixChoice {
    /// The index of the candidate.
    pub candidate: usize,
    /// The number of first steps.
    pub steps: usize,
}

impl PrefixCandidates {
    pub fn add(
        &mut self,
        source: usize,
        recorded: &RecordedTrace,
        requirements_by_step: Vec<Coverage>,
        cost: CostModel,
    ) {
        let steps = recorded.trace.steps.iter().map(|step| cost.step(&step.result));
        let costs = std::iter::once(cost.launch(&recorded.trace.start)).chain(steps).collect();
        self.enqueue(self.candidates.len());
        let candidate = PrefixCandidate { source, requirements_by_step, costs, chosen_steps: None };
        self.candidates.push(candidate);
    }

    fn enqueue(&mut self, candidate: usize) {
        self.queue.push((GainRatio::UNKNOWN, Reverse(candidate)));
    }

    /// Returns the prefix that adds most to `covered` for its cost; none if nothing adds anything.
    pub fn find_best(&mut self, covered: &Coverage) -> Option<PrefixChoice> {
        loop {
            let (_, Reverse(candidate)) = self.queue.pop()?;
            let best = self.candidates[candidate].find_best_prefix(covered);
            let Some((ratio, steps)) = best else { continue };
            let entry = (ratio, Reverse(candidate));
            if self.queue.peek().is_none_or(|next| *next <= entry) {
                return Some(PrefixChoice { candidate, steps });
            }
            self.queue.push(entry);
        }
    }

    /// Chooses a prefix. The steps after it no longer cost a launch.
    pub fn choose(&mut self, PrefixChoice { candidate, steps }: PrefixChoice) {
        self.candidates[candidate].chosen_steps = Some(steps);
        self.enqueue(candidate);
    }

    /// Replaces the requirements that a recording claims by those that its examination showed.
    pub fn set_requirements(&mut self, candidate: usize, requirements_by_step: Vec<Coverage>) {
        self.candidates[candidate].requirements_by_step = requirements_by_step;
        self.enqueue(candidate);
    }

    pub fn len(&self) -> usize {
        self.candidates.len()
    }

    pub fn get(&self, candidate: usize) -> &PrefixCandidate {
        &self.candidates[candidate]
    }

    /// Returns all candidates, their chosen prefixes cut to what no other chosen prefix covers.
    pub fn finish(mut self, covered_by_kept: &Coverage) -> Vec<PrefixCandidate> {
        let mut order: Vec<usize> = (0..self.candidates.len()).collect();
        order.retain(|index| self.candidates[*index].chosen_steps.is_some());
        order.sort_by_key(|index| Reverse(self.candidates[*index].chosen_cost()));
        let covered_by = |index: &usize| self.candidates[*index].chosen_requirements();
        let mut covered_by_chosen: Vec<Coverage> = order.iter().map(covered_by).collect();
        for (nth, index) in order.into_iter().enumerate() {
            let others = covered_by_chosen.iter().enumerate().filter(|(other, _)| *other != nth);
            let covered = others.fold(covered_by_kept.clone(), |all, (_, other)| all.union(other));
            let candidate = &mut self.candidates[index];
            candidate.chosen_steps = candidate.find_last_chosen_step_beyond(&covered);
            covered_by_chosen[nth] = candidate.chosen_requirements();
        }
        self.candidates
    }
}

impl PrefixCandidate {
    /// Returns the prefix that adds most for its cost, beyond the steps already chosen.
    fn find_best_prefix(&self, covered: &Coverage) -> Option<(GainRatio, usize)> {
        let first = self.chosen_steps.map_or(0, |chosen| chosen + 1);
        let mut all = covered.clone();
        let (mut gain, mut cost) = (0, 0);
        let mut best: Option<(GainRatio, usize)> = None;
        for (step, requirements) in self.requirements_by_step.iter().enumerate().skip(first) {
            cost += self.costs[step];
            if requirements.is_subset(&all) {
                continue;
            }
            gain += requirements.count_new(&all);
            all.union_with(requirements);
            let ratio = GainRatio { gain, cost };
            if best.is_none_or(|(best, _)| ratio > best) {
                best = Some((ratio, step));
            }
        }
        best
    }

    /// Returns the last chosen step that covers something beyond `covered` and the steps before it.
    fn find_last_chosen_step_beyond(&self, covered: &Coverage) -> Option<usize> {
        let mut all = covered.clone();
        let mut last = None;
        for (step, requirements) in self.chosen_by_step().iter().enumerate() {
            if !requirements.is_subset(&all) {
                all.union_with(requirements);
                last = Some(step);
            }
        }
        last
    }

    fn chosen_by_step(&self) -> &[Coverage] {
        &self.requirements_by_step[..self.chosen_steps.map_or(0, |steps| steps + 1)]
    }

    fn chosen_requirements(&self) -> Coverage {
        self.chosen_by_step().iter().collect()
    }

    fn chosen_cost(&self) -> u64 {
        self.costs[..self.chosen_by_step().len()].iter().sum()
    }
}
