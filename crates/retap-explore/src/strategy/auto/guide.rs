//! Reads the code map as the run goes on: what each input still has ahead of it, in its own code and in the windows that
//! it leads to.

use crate::code_map::{CodeMap, MapGesture, MapInput, MapWindow};
use retap_model::event::Intent;
use retap_model::screen::WidgetRef;
use retap_model::widget::ancestors;
use retap_model::{Coverage, Event, UnitId};
use std::collections::{BTreeMap, BTreeSet};

/// The position of an input in the map.
pub type MapInputNumber = u32;

/// Each window on the way to code that has not run makes it count less by this.
const DISCOUNT: f64 = 0.8;
/// An input whose handler has run keeps this share: what it reaches besides may be out of its reach.
const AFTER_HANDLER: f64 = 0.35;
/// Goals of this weight together are worth as much as any number of them.
const MANY_GOALS: f64 = 30.0;
/// An intent opens a window without the way that leads there. It is worth this share of the window.
const INTENT_SHARE: f64 = 0.5;
/// An intent is sent this often, and so many different ones are offered at once.
const MAX_INTENTS: u32 = 2;
const MAX_OFFERED_INTENTS: usize = 2;
/// Values are handed on over this many windows.
const MAX_WINDOWS_AHEAD: usize = 8;

#[derive(Debug, Clone, Default)]
pub struct MapGuide {
    map: CodeMap,
    by_activity: BTreeMap<String, Vec<MapInputNumber>>,
    /// The inputs that reach each goal that has not run.
    reaching: BTreeMap<UnitId, Vec<MapInputNumber>>,
    /// The weight of the goals that each input reaches and that have not run.
    left: Vec<u64>,
    /// Inputs of which a handler has run.
    handled: BTreeSet<MapInputNumber>,
    handlers: BTreeMap<UnitId, Vec<MapInputNumber>>,
    /// What each input has ahead of it, from 0 to 1: first those of the map, then an intent for each window.
    input_values: Vec<f64>,
    /// How often each input was done since it last ran a goal.
    fruitless: Vec<u32>,
    visited: BTreeSet<String>,
    intents_sent: BTreeMap<Intent, u32>,
}

impl MapGuide {
    pub fn new(map: CodeMap) -> Self {
        let mut guide = Self { map, ..Self::default() };
        for (number, input) in (0..).zip(&guide.map.inputs) {
            let activity = &guide.map.windows[input.window].activity;
            guide.by_activity.entry(activity.clone()).or_default().push(number);
            for unit in &input.handlers {
                guide.handlers.entry(*unit).or_default().push(number);
            }
            let goals = &guide.map.goals;
            let left =
                input.reaches.iter().filter_map(|unit| goals.get(unit)).map(|it| u64::from(*it));
            guide.left.push(left.sum());
            for unit in &input.reaches {
                guide.reaching.entry(*unit).or_default().push(number);
            }
        }
        guide.fruitless = vec![0; guide.map.inputs.len() + guide.map.windows.len()];
        guide.compute_values();
        guide
    }

    pub fn is_empty(&self) -> bool {
        self.map.is_empty()
    }

    /// Returns what the best of these inputs adds to a prior.
    pub fn bonus(&self, inputs: &[MapInputNumber]) -> f64 {
        let values = inputs.iter().map(|input| {
            let tries = f64::from(self.fruitless[*input as usize]);
            self.input_values[*input as usize] / (1.0 + tries)
        });
        self.map.emphasis * values.fold(0.0, f64::max)
    }

    /// Records the units that ran, and the activity that shows.
    pub fn record(&mut self, units: Option<&Coverage>, activity: Option<&str>) {
        let mut has_changed = false;
        for unit in units.into_iter().flat_map(Coverage::iter) {
            if let Some(inputs) = self.handlers.remove(&unit) {
                self.handled.extend(inputs);
                has_changed = true;
            }
            if let Some(inputs) = self.reaching.remove(&unit) {
                let weight = self.map.goals.get(&unit).copied().unwrap_or_default();
                for input in inputs {
                    self.left[input as usize] -= u64::from(weight);
                    self.fruitless[input as usize] = 0;
                }
                has_changed = true;
            }
        }
        if let Some(activity) = activity.filter(|it| !self.visited.contains(*it)) {
            self.visited.insert(activity.to_string());
            has_changed |= !self.is_empty();
        }
        if has_changed {
            self.compute_values();
        }
    }

    /// Records that an event was done which may be any of these inputs. What follows says whether it ran a goal.
    pub fn record_event(&mut self, event: &Event, inputs: &[MapInputNumber]) {
        for input in inputs {
            self.fruitless[*input as usize] += 1;
        }
        if let Event::Intent(intent) = event {
            *self.intents_sent.entry(intent.clone()).or_default() += 1;
            self.compute_values();
        }
    }

    /// Returns the inputs that a touch or a text on a widget may be.
    pub fn inputs_of(&self, widget: WidgetRef<'_>, gesture: MapGesture) -> Vec<MapInputNumber> {
        let Some(inputs) = self.by_activity.get(&widget.screen.activity) else { return Vec::new() };
        let shown = widget.widget();
        let mut names: Vec<String> =
            [shown.short_id(), &shown.text, &shown.description, widget.label()]
                .into_iter()
                .filter(|name| !name.is_empty())
                .map(str::to_lowercase)
                .collect();
        let widgets = &widget.window().widgets;
        // A row belongs to its list.
        let around =
            ancestors(widgets, widget.index).map(|it| widgets[it].short_id().to_lowercase());
        names.extend(around.filter(|name| !name.is_empty()));
        let is_it = |input: &MapInput| {
            is_done_by(input.gesture, gesture)
                && names.iter().any(|name| input.names.contains(name))
        };
        inputs.iter().copied().filter(|it| is_it(&self.map.inputs[*it as usize])).collect()
    }

    /// Returns the inputs of an activity's whole window that this gesture may be.
    pub fn inputs_of_window(&self, activity: &str, gesture: MapGesture) -> Vec<MapInputNumber> {
        let Some(inputs) = self.by_activity.get(activity) else { return Vec::new() };
        let is_it = |it: &MapInputNumber| {
            let input = &self.map.inputs[*it as usize];
            input.gesture == gesture && input.names.is_empty()
        };
        inputs.iter().copied().filter(is_it).collect()
    }

    /// Returns the intents for windows that no event has opened, the most promising ones first. Each is an input of its
    /// own, behind those of the map.
    pub fn intents(&self) -> Vec<(&Intent, MapInputNumber)> {
        let intents = self.map.windows.iter().enumerate().filter_map(|(window, it)| {
            let number = self.map.inputs.len() + window;
            let value = self.input_values[number];
            it.opened_by.as_ref().filter(|_| value > 0.0).map(|intent| (value, intent, number))
        });
        let mut intents: Vec<(f64, &Intent, usize)> = intents.collect();
        intents.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
        let offered = intents.into_iter().take(MAX_OFFERED_INTENTS);
        offered.map(|(_, intent, number)| (intent, number as MapInputNumber)).collect()
    }

    /// Returns what an intent for a window is worth.
    fn intent_value(&self, window: &MapWindow, value: f64) -> f64 {
        let Some(intent) = &window.opened_by else { return 0.0 };
        let sent = self.intents_sent.get(intent).copied().unwrap_or_default();
        let is_open = sent < MAX_INTENTS && !self.visited.contains(&window.activity);
        if is_open { INTENT_SHARE * value } else { 0.0 }
    }

    /// Returns true if the code of one of an activity's windows holds a text.
    pub fn holds_text(&self, activity: &str, text: &str) -> bool {
        let mut windows = self.map.windows.iter().filter(|window| window.activity == activity);
        windows.any(|window| window.literals.contains(text))
    }

    fn compute_values(&mut self) {
        let own = |(number, input): (usize, &MapInput)| {
            let goals = (1.0 + self.left[number] as f64).log2() / (1.0 + MANY_GOALS).log2();
            let has_run = input.handlers.is_empty() || self.handled.contains(&(number as u32));
            goals.min(1.0) * if has_run { AFTER_HANDLER } else { 1.0 }
        };
        let own: Vec<f64> = self.map.inputs.iter().enumerate().map(own).collect();
        let mut values = own.clone();
        let mut windows = vec![0.0; self.map.windows.len()];
        for _ in 0..MAX_WINDOWS_AHEAD {
            let mut has_changed = false;
            for (input, value) in self.map.inputs.iter().zip(&values) {
                if *value > windows[input.window] {
                    windows[input.window] = *value;
                    has_changed = true;
                }
            }
            if !has_changed {
                break;
            }
            for ((input, value), own) in self.map.inputs.iter().zip(&mut values).zip(&own) {
                let ahead = input.leads_to.iter().map(|it| windows[*it]).fold(0.0, f64::max);
                *value = own.max(DISCOUNT * ahead);
            }
        }
        let of_windows = self.map.windows.iter().zip(windows);
        values.extend(of_windows.map(|(window, value)| self.intent_value(window, value)));
        self.input_values = values;
    }
}

/// Returns true if a gesture on a widget may be an input of this kind.
fn is_done_by(input: MapGesture, gesture: MapGesture) -> bool {
    use MapGesture::{LongPress, Swipe, Tap, Touch};
    input == gesture || (input == Touch && matches!(gesture, Tap | LongPress | Swipe))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn input(window: usize, name: &str, unit: UnitId, leads_to: &[usize]) -> MapInput {
        MapInput {
            window,
            gesture: MapGesture::Tap,
            names: BTreeSet::from([name.to_string()]),
            handlers: vec![unit],
            reaches: vec![unit],
            leads_to: leads_to.to_vec(),
        }
    }

    /// Main leads to Shop by `go`, Shop to Pay by `next`. Pay may be opened by an intent.
    fn guide() -> MapGuide {
        let window = |name: &str| MapWindow { activity: name.into(), ..MapWindow::default() };
        let intent = Intent { component: "a/a.Pay".into(), ..Intent::default() };
        let pay = MapWindow { opened_by: Some(intent), ..window("a.Pay") };
        MapGuide::new(CodeMap {
            windows: vec![window("a.Main"), window("a.Shop"), pay],
            inputs: vec![
                input(0, "go", 1, &[1]),
                input(1, "next", 2, &[2]),
                input(2, "pay", 3, &[]),
            ],
            goals: BTreeMap::from([(1, 1), (2, 1), (3, 1)]),
            emphasis: 2.0,
        })
    }

    #[test]
    fn an_input_is_worth_less_after_its_handler_has_run_and_what_lies_behind_it_keeps_its_worth() {
        let mut guide = guide();
        let (go, pay) = (guide.bonus(&[0]), guide.bonus(&[2]));
        assert!(go > 0.0 && pay > 0.0);
        guide.record(Some(&Coverage::from_iter([1])), None);
        let after = guide.bonus(&[0]);
        assert!(after < go && after > 0.0, "the shop lies behind it: {after} of {go}");
        guide.record(Some(&Coverage::from_iter([2, 3])), None);
        assert_eq!((guide.bonus(&[0]), guide.bonus(&[2])), (0.0, 0.0), "everything has run");
    }

    #[test]
    fn an_intent_is_offered_until_its_window_was_seen_or_it_was_sent_twice() {
        let mut seen = guide();
        let (intent, number) =
            seen.intents().into_iter().map(|(it, n)| (it.clone(), n)).next().unwrap();
        assert!(seen.bonus(&[number]) > 0.0);
        let mut sent = seen.clone();
        seen.record(None, Some("a.Pay"));
        assert!(seen.intents().is_empty());
        assert_eq!(seen.bonus(&[number]), 0.0, "states that offered it are worth no return");
        for _ in 0..MAX_INTENTS {
            assert!(!sent.intents().is_empty());
            sent.record_event(&Event::Intent(intent.clone()), &[]);
        }
        assert!(sent.intents().is_empty());
    }

    #[test]
    fn an_input_that_is_done_in_vain_is_worth_less_each_time_until_it_runs_something() {
        let mut guide = guide();
        let (fresh, tap) = (guide.bonus(&[2]), Event::Wait(1));
        guide.record_event(&tap, &[2]);
        guide.record_event(&tap, &[2]);
        assert!(guide.bonus(&[2]) < fresh / 2.0);
        guide.record(Some(&Coverage::from_iter([2])), None);
        assert!(guide.bonus(&[2]) < fresh / 2.0, "another input ran that");
        assert!(guide.bonus(&[0]) > 0.0);
    }

    #[test]
    fn an_empty_map_says_nothing() {
        let mut guide = MapGuide::default();
        guide.record(Some(&Coverage::from_iter([1])), Some("a.Main"));
        assert!(guide.is_empty() && guide.intents().is_empty());
        assert_eq!(guide.bonus(&[]), 0.0);
    }
}
