//! Finds the inputs of windows: registered listeners, overridden callbacks, `android:onClick`, items of menus and
//! buttons of dialogs, each with its handlers and with where it leads.

use std::collections::BTreeSet;

use super::android::{self, FrameworkKind};
use super::facts::{self, CallFact, MethodNumber, Value};
use super::transitions::{self, WindowEffect};
use super::windows::{ActivityCode, ModelBuilder, terms};
use super::{AppWindowKind, InputEvent, WindowInput, WindowTransition, WindowWidget};

/// An input before its handlers are looked into.
struct FoundInput {
    window: String,
    event: InputEvent,
    widget: Option<String>,
    handlers: Vec<Handler>,
    /// Where it leads besides what its handlers do.
    leads_to: Vec<WindowEffect>,
}

/// A method that handles an input.
#[derive(Clone)]
struct Handler {
    number: MethodNumber,
    /// The calls that can run for this very input; all of them if none.
    calls: Option<Vec<u32>>,
}

/// Adds the inputs of an activity and of the menus and dialogs over it.
pub fn collect(builder: &mut ModelBuilder, activity: &ActivityCode) {
    let mut found = Vec::new();
    callbacks(builder, activity, &mut found);
    xml_handlers(builder, activity, &mut found);
    menus(builder, activity, &mut found);
    for &number in &activity.methods {
        for call in &builder.method(number).facts.calls {
            registration(builder, activity, number, call, &mut found);
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
        reached.extend(transitions::reached(
            builder,
            activity,
            handler.number,
            handler.calls.as_deref(),
        ));
        effects.extend(transitions::effects(
            builder,
            activity,
            handler.number,
            handler.calls.as_deref(),
        ));
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
    for WindowEffect { to, action } in effects {
        let transition =
            WindowTransition { from: input.window.clone(), to, input: position, action };
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

/// Callbacks that the activity and its fragments override.
fn callbacks(builder: &ModelBuilder, activity: &ActivityCode, found: &mut Vec<FoundInput>) {
    for class in std::iter::once(&activity.class).chain(&activity.fragments) {
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
fn xml_handlers(builder: &ModelBuilder, activity: &ActivityCode, found: &mut Vec<FoundInput>) {
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
        let classes = std::iter::once(&activity.class).chain(&activity.fragments);
        let numbers = classes.filter_map(|class| builder.code.named(class, &name));
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

/// The options and context menus: opening them, and choosing each item.
fn menus(builder: &ModelBuilder, activity: &ActivityCode, found: &mut Vec<FoundInput>) {
    let owned = builder.model.windows.iter().filter(|it| it.owner.as_ref() == Some(&activity.id));
    for menu in owned {
        let (chosen, event): (&[&str], InputEvent) = match menu.kind {
            AppWindowKind::OptionsMenu => {
                (&["onOptionsItemSelected", "onMenuItemSelected"], InputEvent::Menu)
            }
            AppWindowKind::ContextMenu => (&["onContextItemSelected"], InputEvent::LongClick),
            _ => continue,
        };
        let mut items = Vec::new();
        menu.widgets.iter().for_each(|it| flatten(it, &mut items));
        let classes: Vec<&String> =
            std::iter::once(&activity.class).chain(&activity.fragments).collect();
        for item in items {
            let id = item.id.as_deref().and_then(|it| {
                let named = builder.code.program.resources.id(it).map(i64::from);
                named.or_else(|| it.parse().ok())
            });
            let numbers = classes
                .iter()
                .flat_map(|class| chosen.iter().filter_map(|name| builder.code.named(class, name)));
            let handlers: Vec<Handler> = numbers
                .map(|number| discriminated(builder, number, Some(id.unwrap_or(-1))))
                .collect();
            found.push(FoundInput {
                window: menu.id.clone(),
                event: InputEvent::Click,
                widget: item.id.clone().or_else(|| item.text.clone()),
                handlers,
                leads_to: Vec::new(),
            });
        }
        // What opens a context menu is known where a view is registered for it.
        if event == InputEvent::Menu {
            let creators =
                classes.iter().filter_map(|class| builder.code.named(class, "onCreateOptionsMenu"));
            found.push(FoundInput {
                window: activity.id.clone(),
                event,
                widget: None,
                handlers: creators.map(|number| Handler { number, calls: None }).collect(),
                leads_to: vec![WindowEffect { to: menu.id.clone(), action: None }],
            });
        }
    }
}

fn flatten<'a>(widget: &'a WindowWidget, items: &mut Vec<&'a WindowWidget>) {
    if widget.id.is_some() || widget.text.is_some() {
        items.push(widget);
    }
    widget.children.iter().for_each(|child| flatten(child, items));
}

/// Returns a handler with the calls that can run for the widget or item of this id.
fn discriminated(builder: &ModelBuilder, number: MethodNumber, id: Option<i64>) -> Handler {
    let method = builder.method(number);
    let calls = id.zip(method.definition.code.as_ref()).map(|(id, code)| {
        let constant = |class: &str, name: &str| builder.code.constant(class, name);
        facts::calls_for_id(method.class, code, &["getItemId", "getId"], id, &constant)
    });
    Handler { number, calls }
}

/// A call that registers a listener, gives a dialog a button, a menu item an intent, or a view a context menu.
fn registration(
    builder: &ModelBuilder,
    activity: &ActivityCode,
    number: MethodNumber,
    call: &CallFact,
    found: &mut Vec<FoundInput>,
) {
    let code = builder.code;
    let resolve = |place: usize| -> Vec<Value> {
        let values = call.arguments.get(place).into_iter().flatten();
        values.flat_map(|&value| code.resolve(value, number, &Vec::new())).collect()
    };
    if call.name == "registerForContextMenu" {
        let menu = format!("{}#context-menu", activity.id);
        if builder.model.window(&menu).is_some() {
            for widget in widgets(builder, &resolve(1)) {
                let creators = std::iter::once(&activity.class).chain(&activity.fragments);
                let creators = creators.filter_map(|it| code.named(it, "onCreateContextMenu"));
                found.push(FoundInput {
                    window: activity.id.clone(),
                    event: InputEvent::LongClick,
                    widget: Some(widget),
                    handlers: creators.map(|number| Handler { number, calls: None }).collect(),
                    leads_to: vec![WindowEffect { to: menu.clone(), action: None }],
                });
            }
        }
        return;
    }
    let receivers = resolve(0);
    if call.name == "setIntent" && call.class == "Landroid/view/MenuItem;" {
        for (window, item) in menu_items(builder, activity, &receivers) {
            let leads_to = transitions::intent_effects(builder, number, call, 1);
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
    let handlers = handlers(builder, number, &resolve(listeners), call.name, event);
    if handlers.is_empty() {
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
    if ids.is_empty() {
        ids.push(None);
    }
    for widget in ids {
        let id = widget.as_deref().and_then(|it| code.program.resources.id(it)).map(i64::from);
        let handlers = handlers.iter().map(|it| match id {
            Some(id) => discriminated(builder, it.number, Some(id)),
            None => it.clone(),
        });
        let (window, handlers) = (activity.id.clone(), handlers.collect());
        found.push(FoundInput { window, event, widget, handlers, leads_to: vec![] });
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
        values.flat_map(|&value| builder.code.resolve(value, number, &Vec::new())).collect()
    };
    let last = call.arguments.len().saturating_sub(1);
    let mut input = |event, widget: Option<String>, handlers: Vec<Handler>| {
        let leads_to = match event {
            InputEvent::Click | InputEvent::ItemClick | InputEvent::Dismiss => {
                vec![WindowEffect { to: super::PREVIOUS_WINDOW.to_owned(), action: None }]
            }
            _ => Vec::new(),
        };
        found.push(FoundInput { window: dialog.to_owned(), event, widget, handlers, leads_to });
    };
    if let Some(button) = android::dialog_button(call.name) {
        let handlers = handlers(builder, number, &resolve(last), call.name, InputEvent::Click);
        input(InputEvent::Click, Some(button.to_owned()), handlers);
    } else if android::is_dialog_list(call.name) {
        let handlers = handlers(builder, number, &resolve(last), call.name, InputEvent::Click);
        input(InputEvent::ItemClick, Some("@android:id/list".to_owned()), handlers);
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
    }
}

/// Returns the ids of the widgets that values stand for.
fn widgets(builder: &ModelBuilder, values: &[Value]) -> Vec<String> {
    let mut ids = BTreeSet::new();
    for value in values {
        let Value::Returned(method, position) = value else { continue };
        let Some(call) = builder.method(*method).facts.call_at(*position) else { continue };
        match call.name {
            "findViewById" | "requireViewById" | "findPreference" => {
                let place = call.arguments.len() - 1;
                for &value in call.arguments.get(place).into_iter().flatten() {
                    for value in builder.code.resolve(value, *method, &Vec::new()) {
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

/// Returns the menu items that values stand for: what `menu.add(…)` and `menu.findItem(…)` return.
fn menu_items(
    builder: &ModelBuilder,
    activity: &ActivityCode,
    values: &[Value],
) -> Vec<(String, String)> {
    let mut items = Vec::new();
    for value in values {
        let Value::Returned(method, position) = value else { continue };
        let Some(call) = builder.method(*method).facts.call_at(*position) else { continue };
        let is_add = super::windows::is_menu_add(call.class, call.name);
        if !is_add && call.name != "findItem" {
            continue;
        }
        let place = call.arguments.len() - 1;
        let values = call.arguments.get(place).into_iter().flatten();
        let value = values.flat_map(|&it| builder.code.resolve(it, *method, &Vec::new())).next();
        let name = match value {
            Some(Value::Integer(id)) if !is_add => {
                u32::try_from(id).ok().map(|it| builder.layouts.id_name(it))
            }
            Some(value) => builder.text(value),
            None => None,
        };
        let context = builder.method(*method).name() == "onCreateContextMenu";
        let suffix = if context { "context-menu" } else { "options-menu" };
        items.extend(name.map(|name| (format!("{}#{suffix}", activity.id), name)));
    }
    items
}

/// Returns the methods of listeners that handle an event.
fn handlers(
    builder: &ModelBuilder,
    number: MethodNumber,
    listeners: &[Value],
    registration: &str,
    event: InputEvent,
) -> Vec<Handler> {
    let mut handlers = Vec::new();
    for listener in listeners {
        let class = match listener {
            Value::Object(class, ..) => *class,
            // `this`, if the value was found in the method at hand.
            Value::Parameter(0) => builder.method(number).class.descriptor(),
            _ => continue,
        };
        let callbacks = builder.code.callbacks(class);
        let names = handler_names(registration, event);
        let named: Vec<MethodNumber> = callbacks
            .iter()
            .copied()
            .filter(|&it| names.iter().any(|name| builder.method(it).name().starts_with(name)))
            .collect();
        let is_window = matches!(
            builder.code.kind(class),
            Some(FrameworkKind::Activity | FrameworkKind::Fragment | FrameworkKind::Dialog)
        );
        let chosen = if named.is_empty() && !is_window { callbacks } else { named };
        handlers.extend(
            chosen.into_iter().map(|it| Handler { number: body(builder, it), calls: None }),
        );
    }
    handlers
}

/// Returns the method that a person wrote for one that a compiler made to call it.
fn body(builder: &ModelBuilder, number: MethodNumber) -> MethodNumber {
    let method = builder.method(number);
    let class = method.class.descriptor();
    let is_made = class.contains("$$") || class.contains("$lambda$") || class.contains("$sam$");
    let callees: Vec<MethodNumber> =
        builder.code.callees[number as usize].iter().copied().collect();
    match callees[..] {
        [callee] if is_made => callee,
        _ => number,
    }
}

fn handler_names(registration: &str, event: InputEvent) -> Vec<String> {
    let names: &[&str] = match event {
        InputEvent::Click => &["onClick", "onMenuItemClick"],
        InputEvent::LongClick => &["onLongClick"],
        InputEvent::ItemClick => &["onItemClick", "onChildClick", "onGroupClick", "onClick"],
        InputEvent::ItemLongClick => &["onItemLongClick"],
        InputEvent::ItemSelected => {
            &["onItemSelected", "onNothingSelected", "onNavigationItem", "onTab"]
        }
        InputEvent::CheckedChange => &["onCheckedChanged"],
        InputEvent::TextChange => {
            &["beforeTextChanged", "onTextChanged", "afterTextChanged", "onQueryText"]
        }
        InputEvent::EditorAction => &["onEditorAction"],
        InputEvent::Touch => &["onTouch"],
        InputEvent::Dismiss => &["onDismiss", "onCancel"],
        InputEvent::Preference => &["onPreference"],
        InputEvent::Key => &["onKey"],
        _ => &[],
    };
    let mut names: Vec<String> = names.iter().map(|it| (*it).to_owned()).collect();
    if let Some(name) =
        registration.strip_prefix("setOn").and_then(|it| it.strip_suffix("Listener"))
    {
        names.push(format!("on{name}"));
    }
    names
}
