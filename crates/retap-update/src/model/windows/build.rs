//! The graph of windows as the static model has it, before anything runs.

use super::{
    HiddenMethod, ModelInput, ModelTransition, RunWindow, RunWindowId, WindowGraph, short,
};
use crate::targets::{TargetNumber, Targets};
use retap_static::{AppModel, PREVIOUS_WINDOW, WindowTransition, WindowWidget};
use std::collections::{BTreeMap, BTreeSet};

impl WindowGraph {
    pub fn new(model: &AppModel, targets: &Targets) -> Self {
        let by_name: BTreeMap<String, RunWindowId> =
            model.windows.iter().enumerate().map(|(id, it)| (it.id.clone(), id)).collect();
        let numbers = |signatures: &[String]| -> BTreeSet<TargetNumber> {
            signatures.iter().filter_map(|it| targets.number_of(it)).collect()
        };
        let windows = model.windows.iter().map(|window| RunWindow {
            name: window.id.clone(),
            kind: window.kind,
            owner: window.owner.as_ref().and_then(|owner| by_name.get(owner).copied()),
            is_added: false,
            labels: labels_of(&window.widgets),
            literals: window.literals.clone(),
            terms: window.terms.clone(),
        });
        let mut graph = Self {
            windows: windows.collect(),
            inputs: Vec::new(),
            transitions: Vec::new(),
            hidden: Vec::new(),
            screens: BTreeMap::new(),
            by_name,
        };
        for input in &model.inputs {
            let window = graph.named(&input.window);
            let texts = model.window(&input.window).map_or_else(Vec::new, |shown| {
                texts_of(&shown.widgets, input.widget.as_deref().unwrap_or_default())
            });
            if let Some(widget) = &input.widget {
                graph.windows[window].labels.insert(short(widget).to_string());
            }
            graph.inputs.push(ModelInput {
                window,
                event: input.event,
                widget: input.widget.clone(),
                texts,
                handlers: input.handlers.clone(),
                targets: numbers(&input.target_methods),
                terms: input.terms.clone(),
                reaches: input.reaches.clone(),
                times: 0,
                is_added: false,
            });
        }
        // A step from fragment to fragment stays in its window.
        let leaves = |it: &&WindowTransition| it.to != PREVIOUS_WINDOW && it.fragment.is_none();
        for transition in model.transitions.iter().filter(leaves) {
            let (from, to) = (graph.named(&transition.from), graph.named(&transition.to));
            let input = transition.input;
            graph.transitions.push(ModelTransition {
                from,
                to,
                input,
                is_added: false,
                is_adopted: false,
            });
        }
        for handler in &model.hidden_handlers {
            let (window, targets) =
                (graph.named(&handler.window), numbers(&handler.target_methods));
            let signature = handler.method.clone();
            graph.hidden.push(HiddenMethod { window, signature, targets, is_found: false });
        }
        graph
    }
}

fn labels_of(widgets: &[WindowWidget]) -> BTreeSet<String> {
    let mut labels = BTreeSet::new();
    for widget in widgets {
        // The rows of a menu show the texts of its items and not their ids.
        let known = widget.id.as_deref().map(short).into_iter().chain(widget.text.as_deref());
        labels.extend(known.map(str::to_string));
        labels.extend(labels_of(&widget.children));
    }
    labels
}

/// Returns the texts of the widgets with this id.
fn texts_of(widgets: &[WindowWidget], id: &str) -> Vec<String> {
    let mut texts = Vec::new();
    for widget in widgets {
        if widget.id.as_deref() == Some(id) {
            texts.extend(widget.text.iter().chain(&widget.description).cloned());
        }
        texts.extend(texts_of(&widget.children, id));
    }
    texts
}
