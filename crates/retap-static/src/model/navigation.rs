//! Navigation graphs of androidx: destinations, and the actions that lead to them.
//!
//! Code names an action by its resource id, in `navigate(R.id.action)`, in a listener that the library makes, or in a class
//! that Safe Args generates. The ids stay when a shrinker renames the library, so they are what is looked for.

use std::collections::{BTreeMap, BTreeSet};

use retap_apk::{Element, ResourceValue};

use super::code_model::OwnMethod;
use super::facts::{CallFact, MethodNumber, Value};
use super::intents;
use super::layout::{LayoutReader, MAX_LEVELS, XmlIntent};
use super::transitions::WindowEffect;
use super::windows::{ActivityCode, ModelBuilder};

/// The destinations and actions of all graphs that an activity hosts, by resource id.
#[derive(Debug, Default)]
pub struct NavigationGraph {
    destinations: BTreeMap<u32, Destination>,
    /// Where each action leads: the id of a destination.
    actions: BTreeMap<u32, u32>,
}

/// A place that navigation leads to.
#[derive(Debug)]
pub enum Destination {
    /// A fragment of the hosting activity, by its class.
    Fragment(String),
    /// A fragment that is a dialog.
    Dialog(String),
    /// An activity, or what an intent leads to.
    Activity(XmlIntent),
    /// A graph inside the graph: its first destination.
    Graph(u32),
}

impl NavigationGraph {
    /// Reads `@navigation/main` and the graphs that it includes.
    pub fn add(&mut self, layouts: &LayoutReader, name: &str) {
        self.add_graph(layouts, name, &mut BTreeSet::new());
    }

    fn add_graph(&mut self, layouts: &LayoutReader, name: &str, seen: &mut BTreeSet<String>) {
        if seen.insert(name.to_owned()) {
            for root in layouts.roots(name).iter() {
                self.add_element(layouts, root, seen, 0);
            }
        }
    }

    fn add_element(
        &mut self,
        layouts: &LayoutReader,
        element: &Element,
        seen: &mut BTreeSet<String>,
        level: usize,
    ) {
        if level > MAX_LEVELS {
            return;
        }
        let id = reference(element, "id");
        let class = || layouts.text(element, "name").map(|it| layouts.whole_name(&it));
        let destination = match &*element.name {
            "action" => {
                self.actions.extend(id.zip(reference(element, "destination")));
                None
            }
            "fragment" => class().map(Destination::Fragment),
            "dialog" => class().map(Destination::Dialog),
            "activity" => Some(Destination::Activity(XmlIntent {
                widget: None,
                class: class(),
                action: layouts.text(element, "action"),
            })),
            "navigation" => reference(element, "startDestination").map(Destination::Graph),
            "include" => {
                let graph = reference(element, "graph").and_then(|it| layouts.names.name(it));
                graph.inspect(|name| self.add_graph(layouts, name, seen));
                None
            }
            _ => None,
        };
        self.destinations.extend(id.zip(destination));
        for child in &element.children {
            self.add_element(layouts, child, seen, level + 1);
        }
    }

    /// Returns the classes of the dialogs among the destinations.
    pub fn dialogs(&self) -> impl Iterator<Item = &String> {
        self.destinations.values().filter_map(|it| match it {
            Destination::Dialog(class) => Some(class),
            _ => None,
        })
    }

    /// Returns where an action, or navigating to a destination, leads.
    fn destination(&self, id: u32) -> Option<&Destination> {
        let mut at = self.actions.get(&id).copied().unwrap_or(id);
        // A graph inside a graph begins with one of its destinations. More steps than there are graphs are a circle.
        for _ in 0..=self.destinations.len() {
            match self.destinations.get(&at)? {
                Destination::Graph(first) => at = *first,
                destination => return Some(destination),
            }
        }
        None
    }
}

fn reference(element: &Element, name: &str) -> Option<u32> {
    let attribute = element.attributes.iter().find(|it| &*it.name == name)?;
    match attribute.value {
        ResourceValue::Reference(id) => Some(id),
        _ => None,
    }
}

/// Returns the windows that a call navigates to: by an action's id anywhere among its arguments, or by a destination's id if the
/// call is one that navigates.
pub fn of_call(
    builder: &ModelBuilder,
    activity: &ActivityCode,
    number: MethodNumber,
    call: &CallFact,
) -> Vec<WindowEffect> {
    let graph = &activity.navigation;
    // The id of an action may be that of a widget as well.
    if graph.destinations.is_empty() || call.name == "findViewById" {
        return Vec::new();
    }
    let values = call.arguments.iter().flatten();
    let ids = values.filter_map(|&value| resource_id(builder, value, number));
    let is_meant = |id: &u32| graph.actions.contains_key(id) || call.name == "navigate";
    ids.filter(is_meant).filter_map(|id| lead(builder, activity, id)).collect()
}

/// Returns the windows that a method states by returning the id of an action, as the classes of Safe Args do.
pub fn of_method(
    builder: &ModelBuilder,
    activity: &ActivityCode,
    method: &OwnMethod,
) -> Vec<WindowEffect> {
    let graph = &activity.navigation;
    let ids = method.facts.returned.iter().filter_map(|value| match value {
        Value::Integer(id) => u32::try_from(*id).ok(),
        Value::Field(class, name) => u32::try_from(builder.code.constant(class, name)?).ok(),
        _ => None,
    });
    let actions = ids.filter(|id| graph.actions.contains_key(id));
    actions.filter_map(|id| lead(builder, activity, id)).collect()
}

/// Returns the windows that a listener leads to which the library makes: the call that asks for it names the action, or the
/// object that stands for the action.
pub fn of_listener(
    builder: &ModelBuilder,
    activity: &ActivityCode,
    listener: Value,
) -> Vec<WindowEffect> {
    let Value::Returned(number, position) = listener else { return Vec::new() };
    let Some(call) = builder.method(number).facts.call_at(position) else { return Vec::new() };
    let mut effects = of_call(builder, activity, number, call);
    let arguments = call.arguments.iter().flatten();
    for value in arguments.flat_map(|&it| builder.code.resolve(it, number)) {
        let Value::Object(class, made_in, _) = value else { continue };
        for method in builder.code.methods_of(class) {
            effects.extend(of_method(builder, activity, builder.method(method)));
        }
        let makings = builder.method(made_in).facts.calls.iter();
        let is_it = |it: &&CallFact| it.arguments.first().is_some_and(|it| it.contains(&value));
        for making in makings.filter(|it| it.name == "<init>").filter(is_it) {
            effects.extend(of_call(builder, activity, made_in, making));
        }
    }
    effects
}

/// Returns where choosing an item leads that has the id of a destination: the library's menus work so.
pub fn of_item(
    builder: &ModelBuilder,
    activity: &ActivityCode,
    item: Option<&str>,
) -> Vec<WindowEffect> {
    let id = item.and_then(|it| builder.code.program.resources.id(it));
    let id = id.filter(|it| activity.navigation.destinations.contains_key(it));
    id.and_then(|id| lead(builder, activity, id)).into_iter().collect()
}

fn resource_id(builder: &ModelBuilder, value: Value, number: MethodNumber) -> Option<u32> {
    let literal = match value {
        Value::Integer(literal) => Some(literal),
        Value::Field(class, name) => builder.code.constant(class, name),
        // A helper that navigates is told the action by its callers, whose own calls name it.
        Value::Parameter(_) => None,
        value => builder.code.resolve(value, number).into_iter().find_map(|it| match it {
            Value::Integer(literal) => Some(literal),
            _ => None,
        }),
    };
    u32::try_from(literal?).ok()
}

fn lead(builder: &ModelBuilder, activity: &ActivityCode, id: u32) -> Option<WindowEffect> {
    Some(match activity.navigation.destination(id)? {
        Destination::Fragment(class) => {
            WindowEffect { fragment: Some(class.clone()), ..WindowEffect::to(&activity.id) }
        }
        Destination::Dialog(class) => WindowEffect::to(class),
        Destination::Activity(intent) => {
            return intents::of_xml(builder, intent).into_iter().next();
        }
        Destination::Graph(_) => return None,
    })
}
