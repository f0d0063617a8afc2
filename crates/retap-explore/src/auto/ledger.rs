//! What was tried and what it gave: per state, per event that looks the same, and per kin.

use super::action::{Action, Kin, Name, Twin};
use retap_model::StateId;
use std::collections::BTreeMap;

/// How much less an event is worth each time it was done in this state, and in another that looks the same.
const TRIED_HERE: f64 = 0.3;
const TRIED_ELSEWHERE: f64 = 0.8;
/// How fast what kin gave is forgotten, and how fast fruitless tries of kin wear it out.
const MEMORY: f64 = 0.7;
const WEAR: f64 = 0.3;
/// What a try must give not to be fruitless.
pub(super) const FRUIT: f64 = 0.3;
/// The best few events make what a state is worth.
const BEST: usize = 3;
/// States that are remembered at most.
const MOST_STATES: usize = 20_000;
/// Events by their looks that are remembered at most. Those that were done once say least.
const MOST_TWINS: usize = 200_000;

#[derive(Debug, Clone, Default)]
pub struct Ledger {
    states: BTreeMap<StateId, Outlook>,
    twins: BTreeMap<Twin, u32>,
    kin: BTreeMap<Kin, Yield>,
    /// The state whose worth is worked out anew next.
    turn: Option<StateId>,
    learns_from_kin: bool,
}

/// What can be done in a state, and what of it was.
#[derive(Debug, Clone, Default)]
struct Outlook {
    offers: Vec<(Name, f32)>,
    tried: BTreeMap<Twin, u32>,
    /// As it was when last worked out. It falls as time goes by, so that this is seldom too little.
    worth: f64,
}

#[derive(Debug, Clone, Copy, Default)]
struct Yield {
    /// Tries that gave nothing. One that gave something takes half of them back: the rows of a long list are worth
    /// trying to the last as long as they lead on.
    fruitless: f64,
    /// Rewards, older ones counting less.
    gave: f64,
}

impl Ledger {
    pub fn new(learns_from_kin: bool) -> Self {
        Self { learns_from_kin, ..Self::default() }
    }

    /// A state that was never seen before.
    pub fn see(&mut self, state: StateId, actions: &[Action]) {
        if self.states.len() >= MOST_STATES {
            self.forget();
        }
        let offers = actions.iter().map(|a| (a.name, a.prior as f32)).collect();
        let outlook = self.states.entry(state).or_default();
        outlook.offers = offers;
        self.refresh(state);
    }

    /// An event was done in a state, and gave this much. `times` is more than one for what is better left alone.
    pub fn tell(&mut self, state: StateId, name: Name, reward: f64, times: u32) {
        if let Some(outlook) = self.states.get_mut(&state) {
            *outlook.tried.entry(name.twin).or_default() += times;
        }
        *self.twins.entry(name.twin).or_default() += times;
        if self.twins.len() > MOST_TWINS {
            self.twins.retain(|_, tries| *tries > 1);
            // Half as much each time, so that what is left falls out in its turn.
            self.twins.values_mut().for_each(|tries| *tries /= 2);
        }
        let kin = self.kin.entry(name.kin).or_default();
        kin.fruitless = if reward < FRUIT { kin.fruitless + 1.0 } else { kin.fruitless / 2.0 };
        kin.gave = MEMORY * kin.gave + reward;
        self.refresh(state);
        self.refresh_next();
    }

    /// What doing this in this state promises.
    pub fn promise(&self, state: StateId, name: Name, prior: f64) -> f64 {
        let none = BTreeMap::new();
        let tried = self.states.get(&state).map_or(&none, |outlook| &outlook.tried);
        self.promise_of(tried, name, prior)
    }

    fn promise_of(&self, tried: &BTreeMap<Twin, u32>, name: Name, prior: f64) -> f64 {
        let here = tried.get(&name.twin).copied().unwrap_or(0);
        let all = self.twins.get(&name.twin).copied().unwrap_or(0);
        let elsewhere = all.saturating_sub(here).min(20);
        let kin = self.kin.get(&name.kin).filter(|_| self.learns_from_kin);
        let kin = kin.copied().unwrap_or_default();
        let expected = (prior + 2.0 * kin.gave) / (1.0 + WEAR * kin.fruitless);
        expected * TRIED_HERE.powi(here.min(20) as i32) * TRIED_ELSEWHERE.powi(elsewhere as i32)
    }

    pub fn tries(&self, state: StateId, name: Name) -> u32 {
        self.states.get(&state).and_then(|o| o.tried.get(&name.twin)).copied().unwrap_or(0)
    }

    /// What going to a state promises, as last worked out.
    pub fn worth(&self, state: StateId) -> f64 {
        self.states.get(&state).map_or(0.0, |outlook| outlook.worth)
    }

    /// The same, worked out now.
    pub fn worth_now(&self, state: StateId) -> f64 {
        let Some(outlook) = self.states.get(&state) else { return 0.0 };
        let promises = outlook.offers.iter();
        best(
            promises.map(|(name, prior)| self.promise_of(&outlook.tried, *name, f64::from(*prior))),
        )
    }

    /// How many of the events offered in a state were never done there, and how many there are.
    pub fn untried(&self, state: StateId) -> (usize, usize) {
        let Some(outlook) = self.states.get(&state) else { return (0, 0) };
        let untried = outlook.offers.iter().filter(|(n, _)| !outlook.tried.contains_key(&n.twin));
        (untried.count(), outlook.offers.len())
    }

    fn refresh(&mut self, state: StateId) {
        let worth = self.worth_now(state);
        if let Some(outlook) = self.states.get_mut(&state) {
            outlook.worth = worth;
        }
    }

    /// One state after another: what kin give changes what all states are worth.
    fn refresh_next(&mut self) {
        use std::ops::Bound::{Excluded, Unbounded};
        let after = self.turn.map_or(Unbounded, Excluded);
        let next = self.states.range((after, Unbounded)).next().map(|(state, _)| *state);
        self.turn = next;
        if let Some(state) = next {
            self.refresh(state);
        }
    }

    /// Makes room: the tenth of the states that promises least.
    fn forget(&mut self) {
        let mut worth: Vec<(f64, StateId)> =
            self.states.iter().map(|(state, outlook)| (outlook.worth, *state)).collect();
        worth.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        for (_, state) in worth.iter().take(MOST_STATES / 10) {
            self.states.remove(state);
        }
    }
}

/// The sum of the best few.
pub fn best(promises: impl Iterator<Item = f64>) -> f64 {
    let mut top = [0.0; BEST];
    for promise in promises {
        let mut next = promise;
        for held in &mut top {
            if next > *held {
                std::mem::swap(held, &mut next);
            }
        }
    }
    top.iter().sum()
}

#[cfg(test)]
mod tests {
    use super::super::action::name;
    use super::*;
    use retap_model::{Event, Selector, Target};

    /// A row of a list: all are kin, none looks like another.
    fn row(number: usize) -> Name {
        let on = Selector { id: "row".into(), text: number.to_string(), ..Selector::default() };
        name(&Event::Tap(Target { on: Some(on), at: None }), "List", 0)
    }

    #[test]
    fn rows_are_worth_trying_as_long_as_they_lead_on_and_no_longer() {
        let state = StateId(1);
        let mut ledger = Ledger::new(true);
        for number in 0..200 {
            ledger.tell(state, row(number), if number % 2 == 0 { 0.7 } else { 0.0 }, 1);
        }
        assert!(ledger.promise(state, row(200), 1.0) > 1.0);
        for number in 200..240 {
            ledger.tell(state, row(number), 0.0, 1);
        }
        assert!(ledger.promise(state, row(240), 1.0) < 0.1);
    }
}
