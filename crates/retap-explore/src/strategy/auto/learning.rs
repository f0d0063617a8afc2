//! Learns from recorded entries: rewards events, remembers texts that worked and the actions that states offer.

use super::actions::list_mapped_actions;
use super::event_key::{class_family, field_family, key_of_event};
use super::{Auto, AutoPart, TextClass};
use crate::exploration::{Novelty, is_host_limitation};
use retap_model::hash::StableHasher;
use retap_model::observation::RecordedOutcome;
use retap_model::{Event, Flags, Screen, Step};

/// This many events before a reward share in it.
const SHARING_EVENTS: usize = 3;

impl Auto {
    pub(super) fn begin_trace(&mut self, novelty: Novelty<'_>) {
        self.is_trace_new = true;
        self.recent.clear();
        self.typed_texts.clear();
        self.enter_state(novelty);
    }

    pub(super) fn learn_step(&mut self, step: &Step, novelty: Novelty<'_>) {
        let reward = self.compute_reward(novelty);
        self.is_trace_new = false;
        if let Some(from) = self.current_state {
            let activity = self.activities.activity_of(from);
            let key = key_of_event(&step.event, activity, self.form());
            let inputs = self.statistics.inputs_of(from, key);
            self.guide.record_event(&step.event, inputs);
            if !matches!(step.event, Event::Text { .. }) {
                self.statistics.count_try(from, key);
            }
            self.statistics.record_reward(from, key, reward, &self.guide);
            if is_host_limitation(&step.result) {
                self.statistics.give_up(from, key);
            }
            self.learnt.record_try(key.family, reward);
            if self.parts.has(AutoPart::Credit) && reward > 0.0 {
                self.statistics.share(reward, self.recent.iter());
            }
            self.recent.push_front(key);
            self.recent.truncate(SHARING_EVENTS);
            if let Event::Text { on, text } = &step.event {
                let class = class_family(on, TextClass::of(text), activity);
                self.text_classes.entry(class).or_default().add(reward);
                self.typed_texts.insert(field_family(on, activity), text.clone());
            }
        }
        if reward > 0.0 {
            let typed = self.typed_texts.iter().map(|(field, text)| (*field, text.clone()));
            self.rewarded_texts.extend(typed);
        }
        self.events_without_reward = if reward > 0.0 { 0 } else { self.events_without_reward + 1 };
        self.enter_state(novelty);
    }

    /// Computes the reward of an entry: most for new code, then for a new crash, then for a screen that offers other
    /// actions. A new layout is known afterwards.
    pub(super) fn compute_reward(&mut self, novelty: Novelty<'_>) -> f64 {
        let code = (1.0 + novelty.new_units as f64).log2() / 3.0;
        let is_new_layout =
            novelty.screen.is_some_and(|screen| self.known_layouts.insert(hash_layout(screen)));
        let has_crashed = matches!(novelty.result.outcome, RecordedOutcome::Crashed { .. });
        let layout = if is_new_layout && !has_crashed { 0.7 } else { 0.0 };
        code.min(2.0) + layout + self.reward_crash(&novelty.result.outcome)
    }

    /// Rewards a new crash. The more crashes of one exception are known, the likelier they have one cause.
    fn reward_crash(&mut self, outcome: &RecordedOutcome) -> f64 {
        let RecordedOutcome::Crashed { id, exception } = outcome else { return 0.0 };
        let alike = self.known_crashes.entry(exception.clone()).or_default();
        if alike.insert(*id) { 1.0 / alike.len() as f64 } else { 0.0 }
    }

    fn enter_state(&mut self, novelty: Novelty<'_>) {
        if self.current_state != novelty.result.state {
            self.typed_texts.clear();
        }
        self.current_state = novelty.result.state;
        let units = novelty.units.filter(|_| novelty.new_units > 0);
        self.guide.record(units, novelty.screen.map(|screen| screen.activity.as_str()));
        if let (Some(state), Some(screen)) = (novelty.result.state, novelty.screen) {
            self.activities.record(state, &screen.activity);
            // Screens of other apps are not under test, so nothing there is worth going to.
            if novelty.result.outcome.is_running() {
                let actions = list_mapped_actions(screen, &self.app, 0, &self.guide);
                self.statistics.record_offers(state, actions, &self.guide);
            }
        }
    }
}

/// Hashes what can be done on a screen, whatever its texts say: a state by a coarser abstraction.
fn hash_layout(screen: &Screen) -> u64 {
    let mut kinds: Vec<(&str, &str, u32)> = screen
        .actionable()
        .map(|w| {
            let flags = w.widget().flags - Flags::TRANSIENT;
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
