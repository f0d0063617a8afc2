//! Where intents lead: by class, by component, by action, or to whatever the app asks the package manager for.

use std::collections::BTreeSet;

use super::code_model::CallScope;
use super::facts::{CallFact, MethodNumber, Value};
use super::layout::XmlIntent;
use super::transitions::WindowEffect;
use super::windows::{ActivityCode, ModelBuilder};
use crate::program::java_name;

pub const INTENT: &str = "Landroid/content/Intent;";
const COMPONENT: &str = "Landroid/content/ComponentName;";
const OUT_OF_APP: &str = "out-of-app";
/// Intents are made from intents. A longer chain is a circle.
const MAX_COPIES: usize = 4;

/// The methods that a value may come from; none if all may.
type Callers<'c> = Option<CallScope<'c>>;

/// What code says of one intent.
#[derive(Debug, Default)]
struct IntentFacts {
    classes: BTreeSet<String>,
    actions: BTreeSet<String>,
    categories: BTreeSet<String>,
}

/// Returns the windows that the intent at a place of a call's arguments leads to.
pub fn effects(
    builder: &ModelBuilder,
    number: MethodNumber,
    call: &CallFact,
    place: usize,
    callers: Callers,
) -> Vec<WindowEffect> {
    let mut effects = BTreeSet::new();
    for &value in call.arguments.get(place).into_iter().flatten() {
        for value in builder.code.resolve_among(value, number, callers) {
            match value {
                Value::Object(_, made_in, at) => {
                    let mut facts = IntentFacts::default();
                    collect(builder, (made_in, at), callers, MAX_COPIES, &mut facts);
                    effects.extend(of_intent(builder, &facts));
                }
                Value::Returned(method, position) => {
                    let call = builder.method(method).facts.call_at(position);
                    // A chooser is the system's.
                    if call.is_some_and(|it| it.name == "createChooser") {
                        effects.insert(WindowEffect::to(OUT_OF_APP));
                    }
                }
                _ => {}
            }
        }
    }
    effects.into_iter().collect()
}

/// Returns the windows that an intent in XML leads to.
pub fn of_xml(builder: &ModelBuilder, intent: &XmlIntent) -> Vec<WindowEffect> {
    let facts = IntentFacts {
        classes: intent.class.iter().cloned().collect(),
        actions: intent.action.iter().cloned().collect(),
        categories: BTreeSet::new(),
    };
    of_intent(builder, &facts)
}

/// Returns the activities that an activity's code asks the package manager for. An intent that is not known otherwise was
/// made from its answer.
pub fn queried(builder: &ModelBuilder, activity: &ActivityCode) -> Vec<WindowEffect> {
    let mut effects = BTreeSet::new();
    for &number in &activity.methods {
        let calls = builder.method(number).facts.calls.iter();
        for call in calls.filter(|it| it.name == "queryIntentActivities") {
            for &value in call.arguments.get(1).into_iter().flatten() {
                for value in builder.code.resolve_among(value, number, None) {
                    let Value::Object(_, made_in, at) = value else { continue };
                    let mut facts = IntentFacts::default();
                    collect(builder, (made_in, at), None, MAX_COPIES, &mut facts);
                    effects.extend(of_query(builder, &facts));
                }
            }
        }
    }
    effects.into_iter().collect()
}

/// Collects what is said of the intent, or of the component's name, that is made at a place.
fn collect(
    builder: &ModelBuilder,
    (method, at): (MethodNumber, u32),
    callers: Callers,
    depth: usize,
    facts: &mut IntentFacts,
) {
    let Some(depth) = depth.checked_sub(1) else { return };
    for call in &builder.method(method).facts.calls {
        let is_relevant =
            ["<init>", "setClass", "setClassName", "setComponent", "setAction", "addCategory"]
                .contains(&call.name);
        if !is_relevant || !concerns(builder, call, (method, at)) {
            continue;
        }
        for &value in call.arguments.iter().skip(1).flatten() {
            for value in builder.code.resolve_among(value, method, callers) {
                match value {
                    Value::Class(class) => {
                        facts.classes.insert(java_name(class));
                    }
                    Value::Text(name) if call.name == "addCategory" => {
                        facts.categories.insert(name.to_owned());
                    }
                    Value::Text(name) if call.name == "setClassName" || call.class == COMPONENT => {
                        facts.classes.insert(name.to_owned());
                    }
                    Value::Text(action) => {
                        facts.actions.insert(action.to_owned());
                    }
                    Value::Object(INTENT | COMPONENT, made_in, place) => {
                        collect(builder, (made_in, place), callers, depth, facts);
                    }
                    _ => {}
                }
            }
        }
    }
}

/// Returns true if a call is made on the object that is made at a place.
fn concerns(builder: &ModelBuilder, call: &CallFact, (method, at): (MethodNumber, u32)) -> bool {
    let is_it = |value: &Value| matches!(value, Value::Object(_, m, p) if (*m, *p) == (method, at));
    call.arguments.first().into_iter().flatten().any(|&value| match value {
        Value::Returned(..) => builder.code.resolve_among(value, method, None).iter().any(is_it),
        value => is_it(&value),
    })
}

/// Returns the windows that an intent leads to: by its class, or else by its action.
fn of_intent(builder: &ModelBuilder, facts: &IntentFacts) -> Vec<WindowEffect> {
    let manifest = &builder.apk.manifest;
    let target = |class: &String| {
        let alias = manifest.aliases.iter().find(|it| it.component.name == *class);
        alias.map_or(class.clone(), |it| it.target.clone())
    };
    if !facts.classes.is_empty() {
        let known = |it: &String| manifest.activities.iter().any(|one| one.component.name == *it);
        let targets = facts.classes.iter().map(target).filter(known);
        return targets.map(|to| WindowEffect::to(&to)).collect();
    }
    let implicit = |action: &String| {
        let answers = manifest
            .activities
            .iter()
            .filter(|it| it.component.filters.iter().any(|filter| filter.actions.contains(action)));
        let mut effects: Vec<WindowEffect> = answers
            .map(|it| WindowEffect {
                action: Some(action.clone()),
                ..WindowEffect::to(&it.component.name)
            })
            .collect();
        if effects.is_empty() || action.starts_with("android.") {
            effects.push(WindowEffect {
                action: Some(action.clone()),
                ..WindowEffect::to(OUT_OF_APP)
            });
        }
        effects
    };
    facts.actions.iter().filter(|it| it.contains('.')).flat_map(implicit).collect()
}

/// Returns the activities that answer a query. One that names no category asks for other apps.
fn of_query(builder: &ModelBuilder, facts: &IntentFacts) -> Vec<WindowEffect> {
    if facts.categories.is_empty() {
        return Vec::new();
    }
    let activities = builder.apk.manifest.activities.iter();
    let answers = activities.filter(|it| {
        it.component.filters.iter().any(|filter| {
            facts.categories.iter().all(|category| filter.categories.contains(category))
                && facts.actions.iter().all(|action| filter.actions.contains(action))
        })
    });
    answers.map(|it| WindowEffect::to(&it.component.name)).collect()
}
