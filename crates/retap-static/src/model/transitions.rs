//! Finds where handlers lead: activities that they start, windows that they close, dialogs and menus that they show.

use std::collections::BTreeSet;

use super::android::{self, FrameworkKind};
use super::code_model::{CallScope, OwnMethod};
use super::facts::{CallFact, MethodNumber, Value};
use super::windows::{ActivityCode, ModelBuilder};
use super::{AppWindowKind, PREVIOUS_WINDOW, intents, navigation};
use crate::program::descriptor_types;

/// A window that a call leads to.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct WindowEffect {
    pub to: String,
    pub action: Option<String>,
    /// The fragment that the window shows then, if a navigation graph says so.
    pub fragment: Option<String>,
}

impl WindowEffect {
    /// Returns the effect of opening a window.
    pub fn to(id: &str) -> Self {
        WindowEffect { to: id.to_owned(), action: None, fragment: None }
    }
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
            let calls = facts.calls.iter().filter(|it| positions.contains(&it.position));
            let direct = calls.flat_map(|call| {
                let mut targets = builder.code.targets(call);
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
        is_inside && !is_listener(method) && method.name() != "<clinit>"
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

/// Returns the windows that a handler leads to, through everything that it reaches.
pub fn effects(
    builder: &ModelBuilder,
    activity: &ActivityCode,
    handler: MethodNumber,
    calls: Option<&[u32]>,
    reached: &BTreeSet<MethodNumber>,
) -> Vec<WindowEffect> {
    let mut effects = BTreeSet::new();
    let scope = CallScope { methods: reached, branch: calls.map(|calls| (handler, calls)) };
    for &number in reached {
        let method = builder.method(number);
        for call in method.facts.calls.iter().filter(|it| scope.has(number, it.position)) {
            effects.extend(of_call(builder, activity, number, call, scope));
            effects.extend(navigation::of_call(builder, activity, number, call, scope));
        }
    }
    effects.into_iter().collect()
}

/// Returns true if a handler, through everything that it reaches, closes the dialog that it belongs to.
pub fn dismisses(builder: &ModelBuilder, reached: &BTreeSet<MethodNumber>) -> bool {
    let mut calls = reached.iter().flat_map(|&it| &builder.method(it).facts.calls);
    calls.any(|call| {
        android::dismisses(call.name)
            && builder.window_kind(call.class) == Some(AppWindowKind::Dialog)
    })
}

/// Returns true for methods that handle an input of their own: they run when that input comes, not when the listener is
/// made.
fn is_listener(method: &OwnMethod) -> bool {
    !method.is_static() && android::is_input_callback(method.name())
}

fn of_call(
    builder: &ModelBuilder,
    activity: &ActivityCode,
    number: MethodNumber,
    call: &CallFact,
    scope: CallScope<'_>,
) -> Vec<WindowEffect> {
    if android::starts_activity(call.name) {
        let types = descriptor_types(call.descriptor);
        let place = types.iter().position(|it| *it == intents::INTENT);
        let place = place.map(|it| it + usize::from(!call.is_static));
        let Some(place) = place else { return Vec::new() };
        let mut effects = intents::effects(builder, number, call, place, Some(scope));
        if effects.is_empty() {
            effects = intents::queried(builder, activity);
        }
        return effects;
    }
    // The end of an action mode closes no window.
    if android::finishes(call.name)
        && !call.class.ends_with("ActionMode;")
        && builder.code.declared(call.class, call.name, call.descriptor).is_none()
    {
        return vec![WindowEffect::to(PREVIOUS_WINDOW)];
    }
    if call.name == "<init>" {
        let made = call.arguments.first().into_iter().flatten().filter_map(|value| match value {
            Value::Object(_, made_in, at) => builder.object_windows.get(&(*made_in, *at)),
            _ => None,
        });
        return made.map(|to| WindowEffect::to(to)).collect();
    }
    if call.name == "showDialog" {
        let dialogs = builder.model.windows.iter().filter(|it| {
            it.kind == AppWindowKind::Dialog
                && it.id.starts_with(&format!("{}.onCreateDialog", activity.id))
        });
        return dialogs.map(|it| WindowEffect::to(&it.id)).collect();
    }
    if android::starts_action_mode(call.name) {
        let menu = format!("{}#context-menu", activity.id);
        return builder
            .model
            .window(&menu)
            .map(|it| WindowEffect::to(&it.id))
            .into_iter()
            .collect();
    }
    if call.name == "openOptionsMenu" {
        return vec![WindowEffect::to(&format!("{}#options-menu", activity.id))];
    }
    Vec::new()
}
