//! What recordings offer before anything is run: of all beginnings of all of them, the one that adds most
//! for its cost. The paper takes traces as they come; a suite chosen by greed is half as long to begin with,
//! and for nothing.

use crate::cost::CostModel;
use crate::recording::Recording;
use retap_model::Coverage;
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

#[derive(Debug, Default)]
pub(crate) struct Offers {
    list: Vec<Offer>,
    /// What each was worth when it was last looked at: it only becomes less. Among equals the first.
    queue: BinaryHeap<(Worth, Reverse<usize>)>,
}

#[derive(Debug)]
pub(crate) struct Offer {
    /// Which recording.
    pub source: usize,
    /// What the launch and each step cover.
    pub needs: Vec<Coverage>,
    /// What the launch and each step cost.
    costs: Vec<u64>,
    /// Steps of it that were chosen.
    pub chosen: Option<usize>,
}

/// The next to choose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Best {
    /// Which offer.
    pub at: usize,
    /// Up to which step.
    pub steps: usize,
}

impl Offers {
    pub fn add(
        &mut self,
        source: usize,
        recording: &Recording,
        needs: Vec<Coverage>,
        cost: CostModel,
    ) {
        let steps = recording.trace.steps.iter().map(|step| cost.step(&step.result));
        let costs = std::iter::once(cost.launch(&recording.trace.start)).chain(steps).collect();
        self.queue.push((Worth::UNKNOWN, Reverse(self.list.len())));
        self.list.push(Offer { source, needs, costs, chosen: None });
    }

    /// The beginning that adds most for its cost to what is covered; none when nothing adds anything.
    pub fn best(&mut self, covered: &Coverage) -> Option<Best> {
        loop {
            let (_, Reverse(at)) = self.queue.pop()?;
            let Some((worth, steps)) = self.list[at].best(covered) else { continue };
            let entry = (worth, Reverse(at));
            if self.queue.peek().is_none_or(|next| *next <= entry) {
                return Some(Best { at, steps });
            }
            self.queue.push(entry);
        }
    }

    /// Chooses it. What comes after it costs no launch any more.
    pub fn choose(&mut self, Best { at, steps }: Best) {
        self.list[at].chosen = Some(steps);
        self.queue.push((Worth::UNKNOWN, Reverse(at)));
    }

    /// This is what it covers now that it was looked at.
    pub fn look_again(&mut self, at: usize, needs: Vec<Coverage>) {
        self.list[at].needs = needs;
        self.queue.push((Worth::UNKNOWN, Reverse(at)));
    }

    pub fn len(&self) -> usize {
        self.list.len()
    }

    pub fn get(&self, at: usize) -> &Offer {
        &self.list[at]
    }

    /// All of them, with what was chosen cut to what nothing else that was chosen covers.
    pub fn finish(mut self, kept: &Coverage) -> Vec<Offer> {
        let mut order: Vec<usize> = (0..self.list.len()).collect();
        order.retain(|at| self.list[*at].chosen.is_some());
        order.sort_by_key(|at| Reverse(self.list[*at].cost()));
        let mut covers: Vec<Coverage> = order.iter().map(|at| self.list[*at].covers()).collect();
        for (nth, at) in order.into_iter().enumerate() {
            let others = covers.iter().enumerate().filter(|(other, _)| *other != nth);
            let covered = others.fold(kept.clone(), |all, (_, other)| all.union(other));
            let offer = &mut self.list[at];
            offer.chosen = offer.last_that_adds(&covered);
            covers[nth] = offer.covers();
        }
        self.list
    }
}

impl Offer {
    fn best(&self, covered: &Coverage) -> Option<(Worth, usize)> {
        let from = self.chosen.map_or(0, |chosen| chosen + 1);
        let mut all = covered.clone();
        let (mut gain, mut cost) = (0, 0);
        let mut best: Option<(Worth, usize)> = None;
        for (step, needs) in self.needs.iter().enumerate().skip(from) {
            cost += self.costs[step];
            if needs.is_subset(&all) {
                continue;
            }
            gain += needs.count_new(&all);
            all.union_with(needs);
            let worth = Worth { gain, cost };
            if best.is_none_or(|(best, _)| worth > best) {
                best = Some((worth, step));
            }
        }
        best
    }

    /// The last step that covers something else than this, up to where it was chosen.
    fn last_that_adds(&self, covered: &Coverage) -> Option<usize> {
        let mut all = covered.clone();
        let mut last = None;
        for (step, needs) in self.chosen_needs().iter().enumerate() {
            if !needs.is_subset(&all) {
                all.union_with(needs);
                last = Some(step);
            }
        }
        last
    }

    fn chosen_needs(&self) -> &[Coverage] {
        &self.needs[..self.chosen.map_or(0, |steps| steps + 1)]
    }

    fn covers(&self) -> Coverage {
        self.chosen_needs().iter().collect()
    }

    fn cost(&self) -> u64 {
        self.costs[..self.chosen_needs().len()].iter().sum()
    }
}

/// What is gained, for what it costs.
#[derive(Debug, Clone, Copy)]
struct Worth {
    gain: u64,
    cost: u64,
}

impl Worth {
    /// More than any: it has to be looked at.
    const UNKNOWN: Worth = Worth { gain: u64::MAX, cost: 1 };
}

impl Ord for Worth {
    fn cmp(&self, other: &Self) -> Ordering {
        let product = |gain: u64, cost: u64| u128::from(gain) * u128::from(cost);
        product(self.gain, other.cost).cmp(&product(other.gain, self.cost))
    }
}

impl PartialOrd for Worth {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Worth {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Worth {}
