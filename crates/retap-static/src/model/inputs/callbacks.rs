//! Callbacks that windows and views override, methods that layouts name, and the button that leads up.

use super::super::windows::{ActivityCode, ModelBuilder};
use super::super::{InputEvent, WindowWidget, android, intents};
use super::FoundInput;
use super::handlers::{Handler, discriminated, overridden};
use crate::program::java_name;

/// The item that stands for the button that leads up: `android.R.id.home`.
const HOME: i64 = 0x0102_002c;

/// Callbacks that the activity and its fragments override.
pub fn callbacks(builder: &ModelBuilder, activity: &ActivityCode, found: &mut Vec<FoundInput>) {
    view_callbacks(builder, activity, found);
    for class in activity.window_classes() {
        let own: Vec<&str> = builder.code.superclasses(class).collect();
        for number in own.iter().flat_map(|it| builder.code.methods_of(it)) {
            let name = builder.method(number).name();
            let Some(event) = android::callback_event(name) else { continue };
            let widget = (name == "onListItemClick").then(|| "@android:id/list".to_owned());
            found.push(FoundInput {
                window: activity.id.clone(),
                event,
                widget,
                handlers: vec![Handler { number, calls: None }],
                leads_to: Vec::new(),
            });
        }
    }
}

/// Methods that layouts name.
pub fn xml_handlers(builder: &ModelBuilder, activity: &ActivityCode, found: &mut Vec<FoundInput>) {
    fn visit(widget: &WindowWidget, found: &mut Vec<(Option<String>, String)>) {
        if let Some(name) = &widget.on_click {
            found.push((widget.id.clone().or_else(|| widget.text.clone()), name.clone()));
        }
        widget.children.iter().for_each(|child| visit(child, found));
    }
    let Some(window) = builder.model.window(&activity.id) else { return };
    let mut named = Vec::new();
    window.widgets.iter().for_each(|widget| visit(widget, &mut named));
    for (widget, name) in named {
        let numbers =
            activity.window_classes().filter_map(|class| builder.code.named(class, &name));
        let id = widget.as_deref().and_then(|it| builder.code.program.resources.id(it));
        let handlers =
            numbers.map(|number| discriminated(builder, number, id.map(i64::from))).collect();
        found.push(FoundInput {
            window: activity.id.clone(),
            event: InputEvent::Click,
            widget,
            handlers,
            leads_to: Vec::new(),
        });
    }
}

/// Callbacks that own views and preferences override.
fn view_callbacks(builder: &ModelBuilder, activity: &ActivityCode, found: &mut Vec<FoundInput>) {
    let Some(window) = builder.model.window(&activity.id) else { return };
    for class in &activity.views {
        let name = java_name(class);
        let widget = window.widgets.iter().find_map(|it| it.of_class(&name));
        let own: Vec<&str> = builder.code.superclasses(class).collect();
        for number in own.iter().flat_map(|it| builder.code.methods_of(it)) {
            let Some(event) = android::view_callback_event(builder.method(number).name()) else {
                continue;
            };
            found.push(FoundInput {
                window: activity.id.clone(),
                event,
                widget: widget.and_then(|it| it.id.clone()),
                handlers: vec![Handler { number, calls: None }],
                leads_to: Vec::new(),
            });
        }
    }
}

/// The button that leads up, if the window shows one: Android answers it as an item of the options menu.
pub fn up_button(builder: &ModelBuilder, activity: &ActivityCode, found: &mut Vec<FoundInput>) {
    let classes = activity.window_classes();
    let numbers: Vec<_> =
        classes.flat_map(|class| overridden(builder, class, "onOptionsItemSelected")).collect();
    let asks = numbers.iter().any(|&it| builder.method(it).facts.integers.contains(&HOME));
    let facts = activity.methods.iter().map(|&it| &builder.method(it).facts);
    let shows = || facts.flat_map(|it| &it.calls).any(|call| android::shows_up_button(call.name));
    if numbers.is_empty() || !(asks || shows()) {
        return;
    }
    found.push(FoundInput {
        window: activity.id.clone(),
        event: InputEvent::Click,
        widget: Some("@android:id/home".to_owned()),
        handlers: numbers.into_iter().map(|it| discriminated(builder, it, Some(HOME))).collect(),
        leads_to: Vec::new(),
    });
}

/// Preferences that send an intent by themselves.
pub fn xml_intents(builder: &ModelBuilder, activity: &ActivityCode, found: &mut Vec<FoundInput>) {
    for intent in activity.xml.iter().flat_map(|it| builder.layouts.intents(it)) {
        found.push(FoundInput {
            window: activity.id.clone(),
            event: InputEvent::Preference,
            leads_to: intents::of_xml(builder, &intent),
            widget: intent.widget,
            handlers: Vec::new(),
        });
    }
}
