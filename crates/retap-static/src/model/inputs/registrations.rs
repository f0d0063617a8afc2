//! Calls that register listeners: on widgets, menu items, dialogs and popup menus.

use std::collections::BTreeSet;

use super::super::facts::{CallFact, MethodNumber, Value};
use super::super::transitions::WindowEffect;
use super::super::windows::{ActivityCode, ModelBuilder};
use super::super::{InputEvent, PREVIOUS_WINDOW, android, intents, navigation};
use super::FoundInput;
use super::handlers::{Handler, discriminated, handlers, placed};
use super::menus::{flatten, menu_items};
use crate::program::descriptor_types;

/// The list that a dialog shows its items in.
const DIALOG_LIST: &str = "@android:id/select_dialog_listview";

/// A call that registers a listener, gives a dialog a button, a menu item an intent, or a view a context menu.
pub fn registration(
    builder: &ModelBuilder,
    activity: &ActivityCode,
    number: MethodNumber,
    call: &CallFact,
    found: &mut Vec<FoundInput>,
) {
    let code = builder.code;
    let resolve = |place: usize| -> Vec<Value> {
        let values = call.arguments.get(place).into_iter().flatten();
        values.flat_map(|&value| code.resolve(value, number)).collect()
    };
    if call.name == "registerForContextMenu" {
        let menu = format!("{}#context-menu", activity.id);
        if builder.model.window(&menu).is_some() {
            for widget in widgets(builder, &resolve(1)) {
                let creators = activity
                    .window_classes()
                    .filter_map(|it| code.named(it, "onCreateContextMenu"));
                found.push(FoundInput {
                    window: activity.id.clone(),
                    event: InputEvent::LongClick,
                    widget: Some(widget),
                    handlers: creators.map(|number| Handler { number, calls: None }).collect(),
                    leads_to: vec![WindowEffect::to(&menu)],
                });
            }
        }
        return;
    }
    let receivers = resolve(0);
    if call.name == "setIntent" && call.class == "Landroid/view/MenuItem;" {
        for (window, item) in menu_items(builder, activity, &receivers) {
            let leads_to = intents::effects(builder, number, call, 1, None);
            found.push(FoundInput {
                window,
                event: InputEvent::Click,
                widget: Some(item),
                handlers: vec![],
                leads_to,
            });
        }
        return;
    }
    let dialog = receivers.iter().find_map(|it| match it {
        Value::Object(_, made_in, at) => builder.object_windows.get(&(*made_in, *at)),
        _ => None,
    });
    if let Some(dialog) = dialog {
        dialog_registration(builder, number, call, dialog, found);
        return;
    }
    let Some(event) = android::registered_event(call.name) else { return };
    let listeners = call.arguments.len() - 1;
    let listeners = resolve(listeners);
    let handlers = handlers(builder, number, &listeners, call.name, event);
    let leads_to: Vec<WindowEffect> = listeners
        .iter()
        .flat_map(|&listener| navigation::of_listener(builder, activity, listener))
        .collect();
    if handlers.is_empty() && leads_to.is_empty() {
        return;
    }
    let items = menu_items(builder, activity, &receivers);
    if !items.is_empty() {
        for (window, item) in items {
            let handlers = handlers.clone();
            found.push(FoundInput {
                window,
                event,
                widget: Some(item),
                handlers,
                leads_to: vec![],
            });
        }
        return;
    }
    let mut ids: Vec<Option<String>> = widgets(builder, &receivers).into_iter().map(Some).collect();
    // A helper registers the listener for widgets of many windows.
    ids.retain(|id| id.as_ref().is_some_and(|id| builder.holds(activity, id)));
    if ids.is_empty() {
        ids.push(None);
    }
    for widget in ids {
        let id = widget.as_deref().and_then(|it| code.program.resources.id(it)).map(i64::from);
        let handlers = handlers.iter().map(|it| match id {
            Some(id) => discriminated(builder, it.number, Some(id)),
            None => it.clone(),
        });
        let (window, handlers) = (builder.window_of(activity, number), handlers.collect());
        found.push(FoundInput { window, event, widget, handlers, leads_to: leads_to.clone() });
    }
}

/// A call on the builder of a dialog, on a dialog or on a popup menu.
fn dialog_registration(
    builder: &ModelBuilder,
    number: MethodNumber,
    call: &CallFact,
    dialog: &str,
    found: &mut Vec<FoundInput>,
) {
    let resolve = |place: usize| -> Vec<Value> {
        let values = call.arguments.get(place).into_iter().flatten();
        values.flat_map(|&value| builder.code.resolve(value, number)).collect()
    };
    let last = call.arguments.len().saturating_sub(1);
    let mut input = |event, widget: Option<String>, handlers: Vec<Handler>| {
        let leads_to = match event {
            InputEvent::Click | InputEvent::ItemClick | InputEvent::Dismiss => {
                vec![WindowEffect::to(PREVIOUS_WINDOW)]
            }
            _ => Vec::new(),
        };
        found.push(FoundInput { window: dialog.to_owned(), event, widget, handlers, leads_to });
    };
    let button_number = resolve(1).into_iter().find_map(|value| match value {
        Value::Integer(number) => Some(number),
        _ => None,
    });
    let button = android::dialog_button(call.name);
    if let Some(button) = button.or_else(|| android::numbered_button(call.name, button_number)) {
        let handlers = handlers(builder, number, &resolve(last), call.name, InputEvent::Click);
        input(InputEvent::Click, Some(button.to_owned()), handlers);
    } else if android::is_dialog_list(call.name) {
        let handlers = handlers(builder, number, &resolve(last), call.name, InputEvent::Click);
        let items = list_items(builder, &resolve(1));
        for (place, item) in items.iter().enumerate() {
            let of_item = handlers.iter().map(|it| placed(builder, it.number, place)).collect();
            input(InputEvent::ItemClick, Some(item.clone()), of_item);
        }
        if items.is_empty() {
            input(InputEvent::ItemClick, Some(DIALOG_LIST.to_owned()), handlers);
        }
    } else if call.name == "setOnMenuItemClickListener" {
        let handlers = handlers(builder, number, &resolve(last), call.name, InputEvent::Click);
        let items = builder.model.window(dialog).map(|it| it.widgets.clone()).unwrap_or_default();
        let mut flat = Vec::new();
        items.iter().for_each(|it| flatten(it, &mut flat));
        for item in flat {
            let id = item.id.as_deref().and_then(|it| builder.code.program.resources.id(it));
            let handlers =
                handlers.iter().map(|it| discriminated(builder, it.number, id.map(i64::from)));
            input(
                InputEvent::Click,
                item.id.clone().or_else(|| item.text.clone()),
                handlers.collect(),
            );
        }
    } else if let Some(event) = android::registered_event(call.name) {
        let handlers = handlers(builder, number, &resolve(last), call.name, event);
        input(event, None, handlers);
    } else if call.name == "<init>" {
        for (place, listener) in constructor_listeners(call.descriptor) {
            let registration = format!("set{listener}");
            let named = android::registered_event(&registration);
            let event = named.filter(|it| *it == InputEvent::Dismiss).unwrap_or(InputEvent::Click);
            let button = (event == InputEvent::Click).then(|| "@android:id/button1".to_owned());
            let handlers = handlers(builder, number, &resolve(place), &registration, event);
            if !handlers.is_empty() {
                input(event, button, handlers);
            }
        }
    }
}

/// Returns the texts of a dialog's list that an array of the resources has.
fn list_items(builder: &ModelBuilder, arrays: &[Value]) -> Vec<String> {
    let [Value::Integer(id)] = arrays else { return Vec::new() };
    let items = u32::try_from(*id).map(|id| builder.layouts.array(id)).unwrap_or_default();
    // Two rows with one text cannot be told apart.
    let distinct: BTreeSet<&String> = items.iter().collect();
    if distinct.len() == items.len() { items } else { Vec::new() }
}

/// Returns the places and names of the listeners that a constructor takes: `OnDateSetListener` of a dialog that asks for a date.
fn constructor_listeners(descriptor: &str) -> Vec<(usize, &str)> {
    let mut listeners = Vec::new();
    for (place, kind) in descriptor_types(descriptor).into_iter().enumerate() {
        let name = kind.trim_end_matches(';').rsplit(['/', '$']).next().unwrap_or(kind);
        if name.starts_with("On") && name.ends_with("Listener") {
            // The object that is made comes first.
            listeners.push((place + 1, name));
        }
    }
    listeners
}

/// Returns the ids of the widgets that values stand for.
fn widgets(builder: &ModelBuilder, values: &[Value]) -> Vec<String> {
    let mut ids = BTreeSet::new();
    for value in values {
        let Value::Returned(method, position) = value else { continue };
        let Some(call) = builder.method(*method).facts.call_at(*position) else { continue };
        match call.name {
            "findViewById" | "requireViewById" | "findChildViewById" | "findPreference" => {
                let place = call.arguments.len() - 1;
                for &value in call.arguments.get(place).into_iter().flatten() {
                    for value in builder.code.resolve(value, *method) {
                        match value {
                            Value::Integer(id) => {
                                ids.extend(
                                    u32::try_from(id).ok().map(|it| builder.layouts.id_name(it)),
                                );
                            }
                            Value::Text(key) => ids.extend([key.to_owned()]),
                            _ => {}
                        }
                    }
                }
            }
            "getListView" => ids.extend(["@android:id/list".to_owned()]),
            _ => {}
        }
    }
    ids.into_iter().collect()
}
