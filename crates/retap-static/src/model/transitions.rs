//! Finds where handlers lead: activities that they start, windows that they close, dialogs and menus that they show.

use std::collections::BTreeSet;

use super::android::{self, FrameworkKind};
use super::code_model::OwnMethod;
use super::facts::{CallFact, MethodNumber, Value};
use super::windows::{ActivityCode, ModelBuilder};
use super::{AppWindowKind, PREVIOUS_WINDOW};
use crate::program::{descriptor_types, java_name};

const INTENT: &str = "Landroid/content/Intent;";
const OUT_OF_APP: &str = "out-of-app";

/// A window that a call leads to.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct WindowEffect {
    pub to: String,
    pub action: Option<String>,
}

/// Returns what can run when a handler does; of the handler itself only `calls`, if given.
pub fn reached(
    builder: &ModelBuilder,
    activity: &ActivityCode,
    handler: MethodNumber,
    calls: Option<&[u32]>,
) -> BTreeSet<MethodNumber> {
    let may_enter = |number: &MethodNumber| {
        *number == handler
            || (activity.methods.contains(number) && !is_listener(builder.method(*number)))
    };
    let first: BTreeSet<MethodNumber> = match calls {
        None => BTreeSet::from([handler]),
        Some(positions) => {
            let facts = &builder.method(handler).facts;
            let made: BTreeSet<&str> = facts.made.iter().copied().collect();
            let calls = facts.calls.iter().filter(|it| positions.contains(&it.position));
            let direct = calls.flat_map(|call| {
                let mut targets = builder.code.targets(call, &made);
                if call.name == "<init>" {
                    targets.extend(builder.code.callbacks(call.class));
                }
                targets
            });
            direct.collect()
        }
    };
    let first: Vec<MethodNumber> = first.into_iter().filter(|it| may_enter(it)).collect();
    let mut reached = builder.code.reachable(first, &|method| {
        let kind = builder.code.kind(method.class.descriptor());
        let is_other =
            kind == Some(FrameworkKind::Activity) && method.class.descriptor() != activity.class;
        let is_inside = method.is_static()
            || !is_other
            || builder.code.superclasses(&activity.class).any(|it| it == method.class.descriptor());
        is_inside && !is_listener(method)
    });
    // A new window's own callbacks run for inputs of that window.
    reached.retain(|&it| !is_window_callback(builder, activity, it, handler));
    reached.insert(handler);
    reached
}

/// Returns true for callbacks of the activity itself, or of a dialog, that a handler of another method only seems to call.
fn is_window_callback(
    builder: &ModelBuilder,
    activity: &ActivityCode,
    number: MethodNumber,
    handler: MethodNumber,
) -> bool {
    let method = builder.method(number);
    number != handler
        && method.class.descriptor() == activity.class
        && ["onCreate", "onOptionsItemSelected", "onCreateOptionsMenu"].contains(&method.name())
}

/// Returns the windows that a handler leads to.
pub fn effects(
    builder: &ModelBuilder,
    activity: &ActivityCode,
    handler: MethodNumber,
    calls: Option<&[u32]>,
) -> Vec<WindowEffect> {
    let mut effects = BTreeSet::new();
    for number in reached(builder, activity, handler, calls) {
        for call in &builder.method(number).facts.calls {
            let is_left_out =
                |positions: &[u32]| number == handler && !positions.contains(&call.position);
            if calls.is_some_and(is_left_out) {
                continue;
            }
            effects.extend(of_call(builder, activity, number, call));
        }
    }
    effects.into_iter().collect()
}

/// Returns true for methods that handle an input of their own: they run when that input comes, not when the listener is
/// made.
fn is_listener(method: &OwnMethod) -> bool {
    const EXACT: [&str; 8] = [
        "onClick",
        "onLongClick",
        "onItemClick",
        "onItemLongClick",
        "onCheckedChanged",
        "onMenuItemClick",
        "beforeTextChanged",
        "afterTextChanged",
    ];
    const BEGINNINGS: [&str; 9] = [
        "onDismiss",
        "onCancel",
        "onTouch",
        "onItemSelected",
        "onPreference",
        "onEditorAction",
        "onTextChanged",
        "onQueryText",
        "onKey",
    ];
    let name = method.name();
    !method.is_static()
        && (EXACT.contains(&name) || BEGINNINGS.iter().any(|it| name.starts_with(it)))
}

fn of_call(
    builder: &ModelBuilder,
    activity: &ActivityCode,
    number: MethodNumber,
    call: &CallFact,
) -> Vec<WindowEffect> {
    let plain = |to: String| vec![WindowEffect { to, action: None }];
    if android::starts_activity(call.name) {
        let types = descriptor_types(call.descriptor);
        let place = types.iter().position(|it| *it == INTENT);
        let place = place.map(|it| it + usize::from(!call.is_static));
        return place.map(|it| intent_effects(builder, number, call, it)).unwrap_or_default();
    }
    if android::finishes(call.name)
        && builder.code.declared(call.class, call.name, call.descriptor).is_none()
    {
        return plain(PREVIOUS_WINDOW.to_owned());
    }
    if call.name == "<init>" {
        let made = call.arguments.first().into_iter().flatten().filter_map(|value| match value {
            Value::Object(_, made_in, at) => builder.object_windows.get(&(*made_in, *at)),
            _ => None,
        });
        return made.map(|to| WindowEffect { to: to.clone(), action: None }).collect();
    }
    if call.name == "showDialog" {
        let dialogs = builder.model.windows.iter().filter(|it| {
            it.kind == AppWindowKind::Dialog
                && it.id.starts_with(&format!("{}.onCreateDialog", activity.id))
        });
        return dialogs.map(|it| WindowEffect { to: it.id.clone(), action: None }).collect();
    }
    if call.name == "openOptionsMenu" {
        return plain(format!("{}#options-menu", activity.id));
    }
    Vec::new()
}

/// Returns the windows that the intent at a place of a call's arguments leads to.
pub fn intent_effects(
    builder: &ModelBuilder,
    number: MethodNumber,
    call: &CallFact,
    place: usize,
) -> Vec<WindowEffect> {
    let mut effects = BTreeSet::new();
    for &value in call.arguments.get(place).into_iter().flatten() {
        for value in builder.code.resolve(value, number, &Vec::new()) {
            match value {
                Value::Object(_, made_in, at) => effects.extend(of_intent(builder, made_in, at)),
                Value::Returned(method, position) => {
                    let call = builder.method(method).facts.call_at(position);
                    // A chooser is the system's.
                    if call.is_some_and(|it| it.name == "createChooser") {
                        effects.insert(WindowEffect { to: OUT_OF_APP.to_owned(), action: None });
                    }
                }
                _ => {}
            }
        }
    }
    effects.into_iter().collect()
}

/// Returns the windows that the intent made at a place leads to: by its class, or else by its action.
fn of_intent(builder: &ModelBuilder, method: MethodNumber, at: u32) -> Vec<WindowEffect> {
    let (mut classes, mut actions) = (BTreeSet::new(), BTreeSet::new());
    for call in &builder.method(method).facts.calls {
        let concerns = |values: &Vec<Value>| {
            values.iter().any(|&value| match value {
                Value::Object(_, made_in, place) => (made_in, place) == (method, at),
                value @ Value::Returned(..) => {
                    let found = builder.code.resolve(value, method, &Vec::new());
                    found
                        .iter()
                        .any(|it| matches!(it, Value::Object(_, m, p) if (*m, *p) == (method, at)))
                }
                _ => false,
            })
        };
        let is_relevant = ["<init>", "setClass", "setClassName", "setComponent", "setAction"]
            .contains(&call.name);
        if !is_relevant || !call.arguments.first().is_some_and(concerns) {
            continue;
        }
        for &value in call.arguments.iter().skip(1).flatten() {
            for value in builder.code.resolve(value, method, &Vec::new()) {
                match value {
                    Value::Class(class) => {
                        classes.insert(java_name(class));
                    }
                    Value::Text(name) if call.name == "setClassName" => {
                        classes.insert(name.to_owned());
                    }
                    Value::Text(action) => {
                        actions.insert(action.to_owned());
                    }
                    _ => {}
                }
            }
        }
    }
    let manifest = &builder.apk.manifest;
    let target = |class: &String| {
        let alias = manifest.aliases.iter().find(|it| it.component.name == *class);
        alias.map_or(class.clone(), |it| it.target.clone())
    };
    let explicit: Vec<WindowEffect> = classes
        .iter()
        .map(target)
        .filter(|it| manifest.activities.iter().any(|activity| activity.component.name == *it))
        .map(|to| WindowEffect { to, action: None })
        .collect();
    if !explicit.is_empty() || !classes.is_empty() {
        return explicit;
    }
    let implicit = |action: &String| {
        let answers = manifest
            .activities
            .iter()
            .filter(|it| it.component.filters.iter().any(|filter| filter.actions.contains(action)));
        let mut effects: Vec<WindowEffect> = answers
            .map(|it| WindowEffect { to: it.component.name.clone(), action: Some(action.clone()) })
            .collect();
        if effects.is_empty() || action.starts_with("android.") {
            effects.push(WindowEffect { to: OUT_OF_APP.to_owned(), action: Some(action.clone()) });
        }
        effects
    };
    actions.iter().filter(|it| it.contains('.')).flat_map(implicit).collect()
}
