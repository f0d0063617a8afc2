//! Navigation graphs of androidx: destinations, and the actions that lead to them.
//!
//! Code names an action by its resource id, in `navigate(R.id.action)`, in a listener that the library makes, or in a class
//! that Safe Args generates. The ids stay when a shrinker renames the library, so they are what is looked for.

use std::collections::{BTreeMap, BTreeSet};

use retap_apk::{Element, ResourceValue};

use super::code_model::CallScope;
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
enum Destination {
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

/// Returns the windows that a call navigates to: by the id of an action or of a destination, or by an object that stands for an
/// action. `callers` are the methods that a parameter may come from.
pub fn of_call(
    builder: &ModelBuilder,
    activity: &ActivityCode,
    number: MethodNumber,
    call: &CallFact,
    callers: CallScope<'_>,
) -> Vec<WindowEffect> {
    let graph = &activity.navigation;
    // Navigating returns nothing, whatever a shrinker calls it.
    let may_navigate = call.descriptor.ends_with(")V") && call.name != "<init>";
    if graph.destinations.is_empty() || !may_navigate {
        return Vec::new();
    }
    let is_meant = |id: &u32| graph.actions.contains_key(id) || call.name == "navigate";
    let ids = ids_in(builder, number, call, Some(callers)).into_iter().filter(is_meant);
    ids.filter_map(|id| lead(builder, activity, id)).collect()
}

/// Returns the windows that a listener leads to which the library makes for an action.
pub fn of_listener(
    builder: &ModelBuilder,
    activity: &ActivityCode,
    listener: Value,
) -> Vec<WindowEffect> {
    let Value::Returned(number, position) = listener else { return Vec::new() };
    if activity.navigation.destinations.is_empty() {
        return Vec::new();
    }
    let call = builder.method(number).facts.call_at(position);
    let ids = call.into_iter().flat_map(|call| ids_in(builder, number, call, None));
    ids.filter_map(|id| lead(builder, activity, id)).collect()
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

/// Returns the resource ids among a call's arguments, and those that objects among them hold as Safe Args makes them: an own
/// class has a method that returns the id, the library's class is given it.
fn ids_in(
    builder: &ModelBuilder,
    number: MethodNumber,
    call: &CallFact,
    callers: Option<CallScope<'_>>,
) -> BTreeSet<u32> {
    let mut ids = BTreeSet::new();
    let arguments = call.arguments.iter().flatten();
    for value in arguments.flat_map(|&it| builder.code.resolve_among(it, number, callers)) {
        ids.extend(integer(value));
        let Value::Object(class, made_in, _) = value else { continue };
        for method in builder.code.methods_of(class) {
            let returned = &builder.method(method).facts.returned;
            let values = returned.iter().flat_map(|&it| builder.code.resolve(it, method));
            ids.extend(values.filter_map(integer));
        }
        let makings = builder.method(made_in).facts.calls.iter();
        let is_it = |it: &&CallFact| it.arguments.first().is_some_and(|it| it.contains(&value));
        for making in makings.filter(|it| it.name == "<init>").filter(is_it) {
            ids.extend(making.arguments.iter().flatten().filter_map(|&it| integer(it)));
        }
    }
    ids
}

fn integer(value: Value) -> Option<u32> {
    match value {
        Value::Integer(literal) => u32::try_from(literal).ok(),
        _ => None,
    }
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
