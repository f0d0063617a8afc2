//! What a run adds to the graph of windows: transitions, and inputs of hidden handlers.

use super::super::action::widget_of;
use super::{InputNumber, ModelInput, ModelTransition, RunWindowId, WindowGraph};
use crate::targets::TargetNumber;
use retap_model::{Event, Key, Screen};
use retap_static::InputEvent;
use std::collections::{BTreeMap, BTreeSet};

impl WindowGraph {
    /// Counts an input, and adds a transition that the static model lacks.
    pub(in crate::model) fn record_step(
        &mut self,
        event: &Event,
        from: RunWindowId,
        to: RunWindowId,
        input: Option<InputNumber>,
    ) {
        if let Some(input) = input {
            self.inputs[input].times += 1;
        }
        let is_back = matches!(event, Event::Key(key) if *key == Key::back());
        let leads_on = from != to && !is_back && !matches!(event, Event::Launch | Event::Close);
        if let Some(input) = input.filter(|_| leads_on) {
            self.drop_contradicted(input, to);
            match self.transitions.iter_mut().find(|it| it.input == input && it.to == to) {
                Some(known) => known.is_adopted = false,
                None => self.transitions.push(ModelTransition {
                    from,
                    to,
                    input,
                    is_added: true,
                    is_adopted: false,
                }),
            }
        }
    }

    /// Notes that an event ran targets of hidden handlers: from now on an input of the window leads to them.
    pub fn record_hidden(
        &mut self,
        event: &Event,
        screen: &Screen,
        window: RunWindowId,
        covered: &BTreeSet<TargetNumber>,
    ) {
        let mut found = BTreeSet::new();
        let mut handlers = Vec::new();
        for hidden in self.hidden.iter_mut().filter(|it| it.window == window && !it.is_found) {
            if !hidden.targets.is_disjoint(covered) {
                hidden.is_found = true;
                found.extend(hidden.targets.intersection(covered).copied());
                handlers.push(hidden.signature.clone());
            }
        }
        if found.is_empty() {
            return;
        }
        match self.input_of(event, screen, window) {
            Some(input) => {
                self.inputs[input].targets.extend(found);
                self.inputs[input].handlers.extend(handlers);
            }
            None => {
                let widget = event.target().and_then(|target| widget_of(target, screen));
                let (Some(widget), Some(kind)) = (widget, input_kind(event)) else { return };
                let id = widget.widget().short_id();
                let name = if id.is_empty() { widget.label() } else { id };
                self.inputs.push(ModelInput {
                    window,
                    event: kind,
                    widget: Some(name.to_string()),
                    texts: Vec::new(),
                    handlers,
                    targets: found,
                    terms: BTreeMap::new(),
                    reaches: BTreeSet::new(),
                    times: 1,
                    is_added: true,
                });
            }
        }
    }
}

fn input_kind(event: &Event) -> Option<InputEvent> {
    match event {
        Event::Tap(_) => Some(InputEvent::Click),
        Event::LongPress(_) => Some(InputEvent::LongClick),
        Event::Drag { .. } => Some(InputEvent::Swipe),
        Event::Text { .. } => Some(InputEvent::TextChange),
        _ => None,
    }
}
