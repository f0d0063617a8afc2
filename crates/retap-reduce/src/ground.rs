//! The selected traces in numbers: places, labels, bundles of needs and costs. Everything after this
//! works on numbers alone and comes back to traces only to have them replayed.

use crate::bits::Bits;
use crate::cost::CostModel;
use crate::select::Selected;
use crate::trie::Label;
use retap_model::observation::RecordedOutcome;
use retap_model::trace::StepResult;
use retap_model::{Coverage, StateId, Trace};
use std::collections::BTreeMap;

/// Where a trace can stand: a state, and whether the app runs in it.
pub(crate) type Place = u32;

#[derive(Debug)]
pub(crate) struct Ground<'a> {
    pub selected: &'a [Selected],
    /// All steps of all selected traces, one trace after another.
    pub edges: Vec<Edge>,
    /// Where the edges of each trace begin.
    pub first: Vec<usize>,
    pub launches: Vec<Launch>,
    pub places: usize,
    bundles: Bundles,
    numbers: Numbers<'a>,
}

/// One step of a selected trace.
#[derive(Debug)]
pub(crate) struct Edge {
    pub from: Place,
    pub to: Place,
    pub label: Label,
    pub covers: Bits,
    pub cost: u64,
    pub trace: usize,
}

impl Edge {
    /// What it is, wherever it stands.
    pub fn key(&self) -> (Place, Label) {
        (self.from, self.label)
    }
}

#[derive(Debug)]
pub(crate) struct Launch {
    pub to: Place,
    pub label: Label,
    pub covers: Bits,
    pub cost: u64,
}

/// A trace made of steps that were recorded: which launch, which edges.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Path {
    pub launch: usize,
    pub edges: Vec<usize>,
}

impl<'a> Ground<'a> {
    /// `covered` needs no covering any more: traces that are kept as they are do it.
    pub fn new(selected: &'a [Selected], covered: &Coverage, model: CostModel) -> Self {
        let bundles = Bundles::new(selected, covered);
        let mut numbers = Numbers::default();
        let (mut edges, mut first, mut launches) = (Vec::new(), Vec::new(), Vec::new());
        for (at, Selected { recording, needs, .. }) in selected.iter().enumerate() {
            let trace = &recording.trace;
            let mut from = numbers.place(&trace.start);
            let label = numbers.launch(trace.world_seed, from);
            let cost = model.launch(&trace.start);
            launches.push(Launch { to: from, label, covers: bundles.of(&needs[0]), cost });
            first.push(edges.len());
            for (step, needs) in trace.steps.iter().zip(&needs[1..]) {
                let to = numbers.place(&step.result);
                let label = numbers.event(&step.event, to);
                let cost = model.step(&step.result);
                edges.push(Edge { from, to, label, covers: bundles.of(needs), cost, trace: at });
                from = to;
            }
        }
        first.push(edges.len());
        let places = numbers.places.len();
        Self { selected, edges, first, launches, places, bundles, numbers }
    }

    pub fn none(&self) -> Bits {
        Bits::none(self.bundles.weights.len())
    }

    /// How many needs each bundle stands for.
    pub fn weights(&self) -> &[u64] {
        &self.bundles.weights
    }

    /// The bundles that lie in these needs with all they hold.
    pub fn bundles(&self, needs: &Coverage) -> Bits {
        self.bundles.of(needs)
    }

    pub fn whole(&self, trace: usize) -> Path {
        Path { launch: trace, edges: (self.first[trace]..self.first[trace + 1]).collect() }
    }

    /// Whether it is the beginning of a selected trace.
    pub fn is_recorded(&self, path: &Path) -> bool {
        self.whole(path.launch).edges.starts_with(&path.edges)
    }

    pub fn cost(&self, path: &Path) -> u64 {
        self.launches[path.launch].cost
            + path.edges.iter().map(|edge| self.edges[*edge].cost).sum::<u64>()
    }

    pub fn labels<'p>(&'p self, path: &'p Path) -> impl Iterator<Item = Label> + 'p {
        let launch = self.launches[path.launch].label;
        std::iter::once(launch).chain(path.edges.iter().map(|edge| self.edges[*edge].label))
    }

    /// The labels of any trace, up to the first step that no selected one has.
    pub fn labels_of(&self, trace: &Trace) -> Vec<Label> {
        let Numbers { places, launches, events } = &self.numbers;
        let place = |result: &StepResult| places.get(&standing(result)).copied();
        let launch = place(&trace.start).and_then(|to| launches.get(&(trace.world_seed, to)));
        let Some(launch) = launch else { return Vec::new() };
        let steps = trace.steps.iter().map_while(|step| {
            let to = place(&step.result)?;
            events.get(&(&step.event, to))
        });
        std::iter::once(launch).chain(steps).copied().collect()
    }

    pub fn trace(&self, path: &Path) -> Trace {
        let of = &self.selected[path.launch].recording.trace;
        let step = |edge: &usize| {
            let trace = self.edges[*edge].trace;
            self.selected[trace].recording.trace.steps[edge - self.first[trace]].clone()
        };
        Trace {
            world_seed: of.world_seed,
            start: of.start.clone(),
            steps: path.edges.iter().map(step).collect(),
        }
    }
}

/// Needs that always come together are one: a search weighs a few hundred bundles, not fifty thousand
/// branches.
#[derive(Debug)]
struct Bundles {
    of_need: BTreeMap<u32, u32>,
    weights: Vec<u64>,
}

impl Bundles {
    fn new(selected: &[Selected], covered: &Coverage) -> Self {
        // Splits every bundle by every distinct set in turn; what is never split belongs together.
        let mut bundle_of: BTreeMap<u32, u32> = BTreeMap::new();
        let mut count = 0;
        let mut done = std::collections::BTreeSet::new();
        for set in selected.iter().flat_map(|selected| &selected.needs) {
            if !done.insert(set.id()) {
                continue;
            }
            let mut split: BTreeMap<Option<u32>, u32> = BTreeMap::new();
            for need in set.difference(covered).iter() {
                let old = bundle_of.get(&need).copied();
                let new = *split.entry(old).or_insert_with(|| {
                    count += 1;
                    count - 1
                });
                bundle_of.insert(need, new);
            }
        }
        let mut dense: BTreeMap<u32, u32> = BTreeMap::new();
        let mut weights: Vec<u64> = Vec::new();
        for bundle in bundle_of.values_mut() {
            let next = weights.len() as u32;
            *bundle = *dense.entry(*bundle).or_insert(next);
            if *bundle == next {
                weights.push(0);
            }
            weights[*bundle as usize] += 1;
        }
        Self { of_need: bundle_of, weights }
    }

    fn of(&self, needs: &Coverage) -> Bits {
        let mut found = vec![0; self.weights.len()];
        for bundle in needs.iter().filter_map(|need| self.of_need.get(&need)) {
            found[*bundle as usize] += 1;
        }
        let mut bits = Bits::none(self.weights.len());
        let whole = found.iter().zip(&self.weights).enumerate().filter(|(_, (a, b))| a == b);
        whole.for_each(|(bundle, _)| bits.insert(bundle));
        bits
    }
}

/// Numbers for places, launches and steps. Labels of launches are even, of steps odd.
#[derive(Debug, Default)]
struct Numbers<'a> {
    places: BTreeMap<(Option<StateId>, RecordedOutcome), Place>,
    launches: BTreeMap<(u64, Place), Label>,
    events: BTreeMap<(&'a retap_model::Event, Place), Label>,
}

impl<'a> Numbers<'a> {
    fn place(&mut self, result: &StepResult) -> Place {
        let next = self.places.len() as Place;
        *self.places.entry(standing(result)).or_insert(next)
    }

    fn launch(&mut self, world_seed: u64, place: Place) -> Label {
        let next = 2 * self.launches.len() as Label;
        *self.launches.entry((world_seed, place)).or_insert(next)
    }

    fn event(&mut self, event: &'a retap_model::Event, to: Place) -> Label {
        let next = 2 * self.events.len() as Label + 1;
        *self.events.entry((event, to)).or_insert(next)
    }
}

/// Where a trace stands then.
fn standing(result: &StepResult) -> (Option<StateId>, RecordedOutcome) {
    // An event that found no widget left everything as it was.
    let outcome = match &result.outcome {
        RecordedOutcome::Missed => RecordedOutcome::Running,
        outcome => outcome.clone(),
    };
    (result.state, outcome)
}
