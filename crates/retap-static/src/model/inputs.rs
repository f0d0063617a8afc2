//! Finds the inputs of windows: registered listeners, overridden callbacks, `android:onClick`, items of menus and
//! buttons of dialogs, each with its handlers and with where it leads.

mod callbacks;
mod handlers;
mod menus;
mod registrations;

use std::collections::BTreeSet;

use super::facts::MethodNumber;
use super::transitions::{self, WindowEffect};
use super::windows::{ActivityCode, ModelBuilder, terms};
use super::{AppWindowKind, InputEvent, PREVIOUS_WINDOW, WindowInput, WindowTransition};
use handlers::Handler;
pub use handlers::body;

/// An input before its handlers are looked into.
struct FoundInput {
    window: String,
    event: InputEvent,
    widget: Option<String>,
    handlers: Vec<Handler>,
    /// Where it leads besides what its handlers do.
    leads_to: Vec<WindowEffect>,
}

/// Adds the inputs of an activity and of the menus and dialogs over it.
pub fn collect(builder: &mut ModelBuilder, activity: &ActivityCode) {
    let mut found = Vec::new();
    callbacks::callbacks(builder, activity, &mut found);
    callbacks::xml_handlers(builder, activity, &mut found);
    callbacks::xml_intents(builder, activity, &mut found);
    callbacks::up_button(builder, activity, &mut found);
    menus::menus(builder, activity, &mut found);
    menus::navigation_items(builder, activity, &mut found);
    for &number in &activity.methods {
        for call in &builder.method(number).facts.calls {
            registrations::registration(builder, activity, number, call, &mut found);
        }
    }
    for input in found {
        add(builder, activity, input);
    }
}

/// Adds an input, or adds to the one that is there.
fn add(builder: &mut ModelBuilder, activity: &ActivityCode, input: FoundInput) {
    let mut effects = input.leads_to;
    let mut reached = BTreeSet::new();
    for handler in &input.handlers {
        let calls = handler.calls.as_deref();
        let of_handler = transitions::reached(builder, activity, handler.number, calls);
        let found = transitions::effects(builder, activity, handler.number, calls, &of_handler);
        effects.extend(found);
        reached.extend(of_handler);
    }
    let is_dialog =
        builder.model.window(&input.window).is_some_and(|it| it.kind == AppWindowKind::Dialog);
    if is_dialog && transitions::dismisses(builder, &reached) {
        effects.push(WindowEffect::to(PREVIOUS_WINDOW));
    }
    let signatures: BTreeSet<String> =
        input.handlers.iter().map(|it| builder.method(it.number).signature()).collect();
    let near: Vec<MethodNumber> = reached
        .iter()
        .copied()
        .filter(|&it| input.handlers.iter().any(|handler| is_near(builder, handler.number, it)))
        .collect();
    let input_terms = terms(builder.code, near);
    let reaches: BTreeSet<String> =
        reached.iter().map(|&it| builder.method(it).signature()).collect();
    let known = builder.model.inputs.iter().position(|it| {
        it.window == input.window && it.event == input.event && it.widget == input.widget
    });
    let position = known.unwrap_or_else(|| {
        builder.model.inputs.push(WindowInput {
            window: input.window.clone(),
            event: input.event,
            widget: input.widget.clone(),
            handlers: Vec::new(),
            target_methods: Vec::new(),
            terms: Default::default(),
            reaches: BTreeSet::new(),
        });
        builder.model.inputs.len() - 1
    });
    let entry = &mut builder.model.inputs[position];
    let mut handlers: BTreeSet<String> = entry.handlers.drain(..).collect();
    handlers.extend(signatures);
    entry.handlers = handlers.into_iter().collect();
    entry.reaches.extend(reaches);
    for (term, count) in input_terms {
        let known = entry.terms.entry(term).or_default();
        *known = count.max(*known);
    }
    for WindowEffect { to, action, fragment } in effects {
        let transition =
            WindowTransition { from: input.window.clone(), to, input: position, action, fragment };
        if !builder.model.transitions.contains(&transition) {
            builder.model.transitions.push(transition);
        }
    }
}

/// Returns true if a method lies in the class of another, or in a class inside or around it.
fn is_near(builder: &ModelBuilder, one: MethodNumber, other: MethodNumber) -> bool {
    let outer = |number| {
        let class = builder.method(number).class.descriptor();
        class.split('$').next().unwrap_or(class).trim_end_matches(';').to_owned()
    };
    outer(one) == outer(other)
}
