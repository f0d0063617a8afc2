//! The selected traces as numbers: locations, labels, groups of requirements and costs. Phases 1 and 2 work on these
//! numbers and return to traces only to have them replayed.

use super::bit_set::BitSet;
use super::cost::CostModel;
use super::labels::{LabelIndex, LocationIndex, StepLabel};
use super::requirement_groups::RequirementGroups;
use crate::reduction::StepPosition;
use crate::select::SelectedTrace;
use retap_model::{Coverage, Trace};

#[derive(Debug)]
pub(crate) struct IndexedTraces<'a> {
    pub selected: &'a [SelectedTrace],
    /// All steps of all selected traces, one trace after another.
    pub steps: Vec<IndexedStep>,
    /// The index of each trace's first step; at the end the number of all steps.
    first_steps: Vec<usize>,
    /// The launch of each selected trace.
    pub launches: Vec<IndexedLaunch>,
    groups: RequirementGroups,
    labels: LabelIndex<'a>,
}

/// One step of a selected trace.
#[derive(Debug)]
pub(crate) struct IndexedStep {
    pub from: LocationIndex,
    pub to: LocationIndex,
    pub label: StepLabel,
    pub groups: BitSet,
    pub cost: u64,
    /// The index of the selected trace.
    pub trace: usize,
}

/// Identifies equal steps of different traces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct StepKey {
    from: LocationIndex,
    label: StepLabel,
}

impl IndexedStep {
    pub fn key(&self) -> StepKey {
        StepKey { from: self.from, label: self.label }
    }
}

/// The launch of a selected trace.
#[derive(Debug)]
pub(crate) struct IndexedLaunch {
    pub to: LocationIndex,
    pub label: StepLabel,
    pub groups: BitSet,
    pub cost: u64,
}

/// A trace made of recorded parts: the launch of a selected trace and indices into [`IndexedTraces::steps`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TracePath {
    pub launch: usize,
    pub steps: Vec<usize>,
}

impl<'a> IndexedTraces<'a> {
    /// Indexes the selected traces. Kept traces cover `covered` already, so nothing has to cover it again.
    pub fn new(selected: &'a [SelectedTrace], covered: &Coverage, model: CostModel) -> Self {
        let groups = RequirementGroups::new(selected, covered);
        let mut labels = LabelIndex::default();
        let (mut steps, mut first_steps, mut launches) = (Vec::new(), Vec::new(), Vec::new());
        for (index, SelectedTrace { recorded, requirements_by_step, .. }) in
            selected.iter().enumerate()
        {
            let trace = &recorded.trace;
            assert_eq!(
                requirements_by_step.len(),
                trace.steps.len() + 1,
                "a selected trace names the requirements of its launch and of each step"
            );
            let mut from = labels.add_location(&trace.start);
            launches.push(IndexedLaunch {
                to: from,
                label: labels.add_launch(trace.world_seed, from),
                groups: groups.within(&requirements_by_step[0]),
                cost: model.launch(&trace.start),
            });
            first_steps.push(steps.len());
            for (step, requirements) in trace.steps.iter().zip(&requirements_by_step[1..]) {
                let to = labels.add_location(&step.result);
                steps.push(IndexedStep {
                    from,
                    to,
                    label: labels.add_step(&step.event, to),
                    groups: groups.within(requirements),
                    cost: model.step(&step.result),
                    trace: index,
                });
                from = to;
            }
        }
        first_steps.push(steps.len());
        Self { selected, steps, first_steps, launches, groups, labels }
    }

    pub fn location_count(&self) -> usize {
        self.labels.location_count()
    }

    /// Returns a set of no groups.
    pub fn no_groups(&self) -> BitSet {
        self.groups.empty_set()
    }

    /// Returns the number of requirements in each group.
    pub fn weights(&self) -> &[u64] {
        self.groups.weights()
    }

    /// Returns the groups of which all requirements are in `requirements`.
    pub fn groups_within(&self, requirements: &Coverage) -> BitSet {
        self.groups.within(requirements)
    }

    /// Returns the path that follows a selected trace from its launch to its end.
    pub fn whole_path(&self, trace: usize) -> TracePath {
        let steps = (self.first_steps[trace]..self.first_steps[trace + 1]).collect();
        TracePath { launch: trace, steps }
    }

    /// Returns true if the path is a prefix of a selected trace.
    pub fn is_recorded(&self, path: &TracePath) -> bool {
        self.whole_path(path.launch).steps.starts_with(&path.steps)
    }

    pub fn cost_of(&self, path: &TracePath) -> u64 {
        self.launches[path.launch].cost + self.cost_of_steps(&path.steps)
    }

    pub fn cost_of_steps(&self, steps: &[usize]) -> u64 {
        steps.iter().map(|step| self.steps[*step].cost).sum()
    }

    pub fn labels_of<'p>(&'p self, path: &'p TracePath) -> impl Iterator<Item = StepLabel> + 'p {
        let launch = self.launches[path.launch].label;
        std::iter::once(launch).chain(path.steps.iter().map(|step| self.steps[*step].label))
    }

    /// Returns the labels of any trace, up to the first step that no selected trace has.
    pub fn find_labels(&self, trace: &Trace) -> Vec<StepLabel> {
        self.labels.find_labels(trace)
    }

    /// Returns the locations that a path visits: first the launch's, then one per step.
    pub fn locations_of(&self, path: &TracePath) -> Vec<LocationIndex> {
        let launch = self.launches[path.launch].to;
        let steps = path.steps.iter().map(|step| self.steps[*step].to);
        std::iter::once(launch).chain(steps).collect()
    }

    pub fn trace_of(&self, path: &TracePath) -> Trace {
        let launched = &self.selected[path.launch].recorded.trace;
        let step = |step: &usize| {
            let trace = self.steps[*step].trace;
            self.selected[trace].recorded.trace.steps[step - self.first_steps[trace]].clone()
        };
        Trace {
            world_seed: launched.world_seed,
            start: launched.start.clone(),
            steps: path.steps.iter().map(step).collect(),
        }
    }

    /// Returns the recorded launch and steps that a path is made of.
    pub fn origins_of(&self, path: &TracePath) -> Vec<StepPosition> {
        let launch = StepPosition { trace: self.selected[path.launch].source, step: 0 };
        let step = |step: &usize| {
            let trace = self.steps[*step].trace;
            let source = self.selected[trace].source;
            StepPosition { trace: source, step: step - self.first_steps[trace] + 1 }
        };
        std::iter::once(launch).chain(path.steps.iter().map(step)).collect()
    }

    /// Returns the recorded traces that a path takes its launch and steps from.
    pub fn sources_of<'p>(&'p self, path: &'p TracePath) -> impl Iterator<Item = usize> + 'p {
        let traces = path.steps.iter().map(|step| self.steps[*step].trace);
        traces.chain([path.launch]).map(|trace| self.selected[trace].source)
    }
}
