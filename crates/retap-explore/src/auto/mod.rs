//! Our own strategy. Where going back is cheap, where to be is chosen at every event: stay while what is here
//! promises something, else walk or go back to the state that promises most for what it costs to get there.
//! What an event promises is learnt from what it and its kin gave. Everything is decided from what was recorded.

pub mod action;
mod activities;
mod ingredients;
mod ledger;
mod plan;
pub mod text;

pub use ingredients::{Ingredient, Ingredients};

use crate::dice::Dice;
use crate::interesting::Met;
use crate::random::Random;
use crate::strategy::{Lesson, Move, Place, Strategy};
use action::{Action, Deed, Kin, actions, field, name};
use activities::Activities;
use ledger::Ledger;
use retap_model::hash::StableHasher;
use retap_model::observation::RecordedOutcome;
use retap_model::{App, Event, Flags, Outcome, Screen, StateId, Step};
use std::collections::{BTreeMap, BTreeSet};
use text::{Lexicon, TextClass};

/// Apart from the dice that random events are drawn with.
const DICE: u64 = 0x6175_746f;
/// Random events now and then, and the more of them the longer nothing new was met.
const RANDOM: f64 = 0.1;
const MOST_RANDOM: f64 = 0.6;
/// After this many events without anything new the run goes somewhere else altogether.
const FLAT: u64 = 300;

pub struct Auto {
    random: Random,
    app: App,
    lexicon: Lexicon,
    with: Ingredients,
    ledger: Ledger,
    activities: Activities,
    shapes: BTreeSet<u64>,
    /// What was typed before something new came of it, by field.
    worked: BTreeMap<Kin, String>,
    here: Option<StateId>,
    /// Fields typed into since this state was come to, and what.
    typed: BTreeMap<Kin, String>,
    /// A trace that has just begun: going elsewhere without having done anything would never end.
    just_began: bool,
    /// Events and returns since something new was met.
    flat: u64,
    why: String,
}

impl std::fmt::Debug for Auto {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Auto").field("flat", &self.flat).finish_non_exhaustive()
    }
}

impl Auto {
    pub fn new(random: Random, app: App, lexicon: Lexicon, with: Ingredients) -> Self {
        let learns_from_kin = with.has(Ingredient::Kin);
        Self {
            random,
            app,
            lexicon,
            with,
            ledger: Ledger::new(learns_from_kin),
            activities: Activities::default(),
            shapes: BTreeSet::new(),
            worked: BTreeMap::new(),
            here: None,
            typed: BTreeMap::new(),
            just_began: false,
            flat: 0,
            why: String::new(),
        }
    }

    fn choose(&mut self, place: &Place<'_>) -> (Move, String) {
        let mut dice = Dice::new(self.random.seed ^ DICE, place.decision);
        if self.with.has(Ingredient::Shake)
            && !self.just_began
            && self.flat > 0
            && self.flat.is_multiple_of(FLAT)
            && let Some(state) = self.rarest(place)
        {
            return (
                Move::Return(state),
                format!("nothing new for {} events: a rare state", self.flat),
            );
        }
        let Some(here) = place.graph.here().filter(|_| !place.is_over) else {
            return match self.best_return(place, plan::WORN_OUT) {
                Some((to, why)) => (Move::Return(to), why),
                None => (Move::Restart, "the trace is over".into()),
            };
        };
        let away = matches!(place.seen.outcome, Outcome::Exited | Outcome::Left { .. });
        let flat = if self.with.has(Ingredient::Shake) { self.flat as f64 / 1500.0 } else { 0.0 };
        if away || dice.chance((RANDOM + flat).min(MOST_RANDOM)) {
            let why = if away { "the app is not in front" } else { "at random" };
            return (Move::Do(self.random.event(place)), why.into());
        }
        let offers = actions(&place.seen.screen, place.app, self.filled());
        let promises: Vec<f64> =
            offers.iter().map(|offer| self.ledger.promise(here, offer.name, offer.prior)).collect();
        let worth = ledger::best(promises.iter().copied());
        if !self.just_began
            && let Some(plan) = self.elsewhere(place, here, worth)
        {
            return plan;
        }
        match draw(&offers, &promises, &mut dice) {
            Some((offer, promise)) => {
                let tries = self.ledger.tries(here, offer.name);
                let why = match tries {
                    0 => format!("not tried here, promises {promise:.2} of {worth:.2}"),
                    _ => format!("tried {tries}× here, promises {promise:.2} of {worth:.2}"),
                };
                (Move::Do(self.event(offer, place, &mut dice)), why)
            }
            None => (Move::Do(self.random.event(place)), "nothing is offered here".into()),
        }
    }

    fn event(&self, offer: &Action, place: &Place<'_>, dice: &mut Dice) -> Event {
        match &offer.deed {
            Deed::Do(event) => event.clone(),
            Deed::Type(on, class) => {
                let field = field(on, &place.seen.screen.activity);
                let worked = self.worked.get(&field).filter(|_| self.with.has(Ingredient::Text));
                let text = match worked {
                    Some(text) if TextClass::of(text) == *class && dice.chance(0.5) => text.clone(),
                    _ => class.draw(on, &self.lexicon, dice),
                };
                Event::Text { on: on.clone(), text }
            }
        }
    }

    fn filled(&self) -> usize {
        if self.with.has(Ingredient::Forms) { self.typed.len() } else { 0 }
    }

    fn learn_step(&mut self, step: &Step, met: Met<'_>) {
        let reward = self.reward(met);
        self.just_began = false;
        if let Some(from) = self.here {
            let activity = self.activities.of(from);
            let name = name(&step.event, activity, self.filled());
            // What ends the trace is met again soon enough.
            let times = if crate::exploration::is_over(met.result) { 4 } else { 1 };
            self.ledger.tell(from, name, reward, times);
            if let Event::Text { on, text } = &step.event {
                self.typed.insert(field(on, activity), text.clone());
            }
        }
        if reward > 0.0 {
            self.worked.extend(self.typed.iter().map(|(field, text)| (*field, text.clone())));
        }
        self.flat = if reward >= ledger::FRUIT { 0 } else { self.flat + 1 };
        self.come_to(met);
    }

    /// New code counts most, then a screen on which other things can be done, then any new state.
    fn reward(&mut self, met: Met<'_>) -> f64 {
        let code = (1.0 + met.new_units as f64).log2() / 3.0;
        let new_shape = met.screen.is_some_and(|screen| self.shapes.insert(shape(screen)));
        let crashed = matches!(met.result.outcome, RecordedOutcome::Crashed { .. });
        let shape = if new_shape && !crashed { 0.7 } else { 0.0 };
        let state = if met.first { 0.05 } else { 0.0 };
        code.min(2.0) + shape + state
    }

    fn come_to(&mut self, met: Met<'_>) {
        if self.here != met.result.state {
            self.typed.clear();
        }
        self.here = met.result.state;
        if let (Some(state), Some(screen)) = (met.result.state, met.screen) {
            self.activities.learn(state, &screen.activity);
            // Other apps' screens are not what is tested: nothing there is worth going to.
            if met.result.outcome.is_running() {
                self.ledger.see(state, &actions(screen, &self.app, 0));
            }
        }
    }
}

impl Strategy for Auto {
    fn decide(&mut self, place: &Place<'_>) -> Move {
        let (next, why) = self.choose(place);
        self.why = why;
        next
    }

    fn learn(&mut self, lesson: Lesson<'_>) {
        match lesson {
            Lesson::Start(met) => {
                self.reward(met);
                self.just_began = true;
                self.typed.clear();
                self.come_to(met);
            }
            Lesson::Return(_, _, met) => {
                self.flat += 1;
                self.just_began = true;
                self.typed.clear();
                self.come_to(met);
            }
            Lesson::Step(step, met) => self.learn_step(step, met),
        }
    }

    fn why(&self) -> String {
        self.why.clone()
    }

    fn looks(&self) -> bool {
        true
    }

    fn travels(&self) -> bool {
        true
    }
}

/// One of the offers, those that promise more drawn much more often.
fn draw<'o>(offers: &'o [Action], promises: &[f64], dice: &mut Dice) -> Option<(&'o Action, f64)> {
    let highest = promises.iter().copied().fold(0.0, f64::max);
    if highest <= 0.0 {
        return None;
    }
    let weigh = |promise: f64| ((promise / highest).powi(2) * 10_000.0).ceil() as u32;
    let weighted: Vec<((&Action, f64), u32)> = offers
        .iter()
        .zip(promises)
        .map(|(offer, promise)| ((offer, *promise), weigh(*promise)))
        .collect();
    dice.weighted(&weighted).copied()
}

/// What can be done on a screen, whatever it says: a coarser state.
fn shape(screen: &Screen) -> u64 {
    let mut kinds: Vec<(&str, &str, u32)> = screen
        .actionable()
        .map(|w| {
            let flags = w.widget().flags - Flags::PASSING;
            (w.widget().class.as_str(), w.widget().short_id(), flags.bits())
        })
        .collect();
    kinds.sort_unstable();
    kinds.dedup();
    let mut hasher = StableHasher::new("shape");
    hasher.str(&screen.activity);
    for window in screen.windows.iter().filter(|window| window.takes_touches()) {
        hasher.u64(window.kind as u64);
    }
    for (class, id, flags) in kinds {
        hasher.str(class).str(id).u64(flags.into());
    }
    hasher.finish()
}
