//! Everything that a window offers to a random exploration: each declared event of each interactive widget.

use super::locate::{has_rows, rows_of, swipe_ends, target_of};
use super::{ManualInputs, TextMemory};
use crate::model::{AbstractAction, RunModel, RunWindowId};
use retap_explore::DecisionRng;
use retap_model::{Event, Flags, Key, Screen, WindowKind};
use std::collections::BTreeMap;

/// A wait is all that a screen without widgets offers.
const WAIT_MS: u32 = 5_000;
/// An action that has had no effect counts as exercised so much more often.
const IDLE_PENALTY: u32 = 3;

/// Lists the events of a screen's widgets. Fields get a text that is drawn.
pub fn list_events(
    screen: &Screen,
    window: RunWindowId,
    texts: &TextMemory,
    rng: &mut DecisionRng,
) -> Vec<Event> {
    let mut events = Vec::new();
    for widget in screen.actionable() {
        let flags = widget.widget().flags;
        let is_field = flags.contains(Flags::EDITABLE);
        // Touching a list touches one of its rows.
        let is_pressed = !is_field && !has_rows(widget);
        if flags.intersects(Flags::CLICKABLE | Flags::CHECKABLE) && is_pressed {
            events.push(Event::Tap(target_of(widget)));
        }
        if flags.contains(Flags::LONG_CLICKABLE) && is_pressed {
            events.push(Event::LongPress(target_of(widget)));
        }
        if flags.contains(Flags::SCROLLABLE) {
            for to in swipe_ends(widget) {
                events.push(Event::Drag { from: target_of(widget), to, ms: 200 });
            }
        }
        events.extend(rows_of(widget).into_iter().map(|row| Event::Tap(target_of(row))));
        if is_field {
            let text = texts.draw(widget.widget(), window, rng);
            events.push(Event::Text { on: target_of(widget), text });
        }
    }
    if events.is_empty() {
        events.push(Event::Wait(WAIT_MS));
    }
    if screen.front().is_some_and(|front| front.kind == WindowKind::Activity) {
        events.push(Event::Key(Key::menu()));
    }
    events
}

/// Returns the number of distinct actions that a screen offers.
pub fn count_actions(
    model: &RunModel,
    screen: &Screen,
    window: RunWindowId,
    texts: &TextMemory,
) -> u32 {
    let mut rng = DecisionRng::new(0, 0);
    group(model, list_events(screen, window, texts, &mut rng), screen, window).len() as u32
}

/// Draws one of the wanted actions that were exercised least often in the window, and then one of its events. Intents that the
/// user declared for the window count as actions of it.
pub fn draw_least_exercised(
    model: &RunModel,
    screen: &Screen,
    window: RunWindowId,
    (texts, manual): (&TextMemory, &ManualInputs),
    is_wanted: &dyn Fn(&Event) -> bool,
    rng: &mut DecisionRng,
) -> Option<Event> {
    let mut events = list_events(screen, window, texts, rng);
    events.extend(manual.intents(&model.windows.get(window).name).cloned().map(Event::Intent));
    events.retain(is_wanted);
    let mut groups = group(model, events, screen, window);
    // Keys and touches of the whole screen that never did anything in this window do nothing in its next state either.
    groups.retain(|action, _| action.widget.is_some() || !model.abstracted.is_idle(window, action));
    let state = model.state_of(screen, window);
    let times = |action: &AbstractAction| {
        let times = model.abstracted.times_exercised(window, action);
        // What has had no effect here is not worth as many tries as the rest.
        if model.abstracted.has_no_effect(state, action) { times + IDLE_PENALTY } else { times }
    };
    let least = groups.keys().map(times).min()?;
    if least > IDLE_PENALTY && groups.keys().all(|it| model.abstracted.has_no_effect(state, it)) {
        return None;
    }
    let least: Vec<&Vec<Event>> = groups
        .iter()
        .filter(|(action, _)| times(action) == least)
        .map(|(_, events)| events)
        .collect();
    rng.pick(&least).and_then(|events| rng.clone().pick(events)).cloned()
}

fn group(
    model: &RunModel,
    events: Vec<Event>,
    screen: &Screen,
    window: RunWindowId,
) -> BTreeMap<AbstractAction, Vec<Event>> {
    let mut groups: BTreeMap<AbstractAction, Vec<Event>> = BTreeMap::new();
    for event in events {
        let action = AbstractAction::of(&event, screen, model.level(window));
        groups.entry(action).or_default().push(event);
    }
    groups
}
